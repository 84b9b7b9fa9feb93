import { csvCell } from '../../formats/table/csv-cell.js';
import type { RolloutOperation, RolloutSite, RolloutState } from './rollout-state.js';

/** Audit record of each operation, in the outputs folder. */
export const rolloutCsvNames: Readonly<Record<RolloutOperation, string>> = {
  boot: 'rollout.csv',
  reinstall: 'reinstall.csv',
  upgrade: 'upgrade.csv',
};

const columns = [
  'site',
  'wave',
  'state',
  'startedAt',
  'bootedAt',
  'finishedAt',
  'seconds',
  'attempts',
  'cause',
];

/** A line for each site: waves in their order, then held sites. `causes` replaces the causes of the state. */
export function rolloutCsv({ waves, sites }: RolloutState, causes: ReadonlyMap<string, string>): string {
  const order = new Map(waves.map(({ name }, index) => [name, index]));
  const rank = ({ wave }: RolloutSite): number => order.get(wave ?? '') ?? waves.length;
  const lines = [...sites]
    .toSorted(([, left], [, right]) => rank(left) - rank(right))
    .map(([name, site]) => lineOf(name, site, causes.get(name)));
  return [columns, ...lines].map((cells) => `${cells.map(csvCell).join(',')}\n`).join('');
}

function lineOf(
  name: string,
  { wave, state, startedAt, bootedAt, finishedAt, attempts, cause }: RolloutSite,
  foundCause = cause,
): readonly string[] {
  const seconds =
    startedAt === undefined || finishedAt === undefined
      ? ''
      : String((Date.parse(finishedAt) - Date.parse(startedAt)) / 1000);
  const times = [startedAt, bootedAt, finishedAt].map((time) => time ?? '');
  return [name, wave ?? '', state, ...times, seconds, String(attempts), foundCause ?? ''];
}
