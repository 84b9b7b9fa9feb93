import { expect, it } from 'vitest';

import { runInParallel } from '../../../src/fleet/boot/run-in-parallel.js';

const never = new AbortController().signal;

/** Work items that end on request. `busy` contains those that are running. */
function works(): {
  readonly busy: Set<number>;
  readonly work: (item: number) => Promise<number>;
  readonly end: (item: number) => Promise<void>;
} {
  const busy = new Set<number>();
  const ends = new Map<number, (value: number) => void>();
  return {
    busy,
    work: (item) => {
      busy.add(item);
      return new Promise((resolve) => ends.set(item, resolve));
    },
    end: async (item) => {
      busy.delete(item);
      ends.get(item)?.(item);
      // The next items start in promise callbacks; let those run first.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

it('works on some side by side', async () => {
  const { busy, work, end } = works();
  const whole = runInParallel([1, 2, 3, 4], 2, { work, signal: never });
  const seen: string[] = [];
  for (const item of [1, 2, 3, 4]) {
    seen.push([...busy].join());
    await end(item);
  }

  expect(seen).toEqual(['1,2', '2,3', '3,4', '4']);
  expect((await whole).done.map(({ result }) => result)).toEqual([1, 2, 3, 4]);
});

it('starts no more work when it is stopped', async () => {
  const { work, end } = works();
  const controller = new AbortController();
  const whole = runInParallel([1, 2, 3], 1, { work, signal: controller.signal });
  controller.abort();
  await end(1);

  expect(await whole).toEqual({ done: [{ item: 1, result: 1 }], left: [2, 3] });
});

it('throws the error of a task after all running tasks, and starts no more', async () => {
  const { busy, work, end } = works();
  const seen: string[] = [];
  const broken = runInParallel([1, 2, 3], 2, {
    work: (item) => (item === 1 ? Promise.reject(new Error('a bug')) : work(item)),
    signal: never,
  }).catch((error: unknown) => {
    seen.push(String(error));
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect([[...busy], seen]).toEqual([[2], []]);
  await end(2);
  await broken;

  expect([[...busy], seen]).toEqual([[], ['Error: a bug']]);
});
