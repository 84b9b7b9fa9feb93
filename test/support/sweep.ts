import { spread } from './spread.js';

/** The cases of a sweep: so many of them, spread over the list, in `npm test`, and all in `npm run test:long`, which runs `*.sweep.test.ts` too. */
export function sweep<T>(cases: readonly T[], slice: number): readonly T[] {
  return process.env['WHOLE_SWEEPS'] === undefined ? spread(cases, slice) : cases;
}
