import { expect, it, test } from 'vitest';

import { runInWaves, parseFailureLimit } from '../../../src/fleet/boot/run-in-waves.js';

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

it('works on some side by side, and on a wave when the one before it has ended', async () => {
  const { busy, work, end } = works();
  const whole = runInWaves(
    [1, 2, 3, 4, 5],
    { jobs: 2, wave: 3 },
    { work, isFailed: () => false, signal: never },
  );
  const seen: string[] = [];
  for (const item of [1, 2, 3, 4, 5]) {
    seen.push([...busy].join());
    await end(item);
  }

  expect(seen).toEqual(['1,2', '2,3', '3', '4,5', '5']);
  expect((await whole).done.map(({ result }) => result)).toEqual([1, 2, 3, 4, 5]);
});

it('starts no more work after too many failures in a wave, and finishes the running work', async () => {
  const { busy, work, end } = works();
  const failureLimit = parseFailureLimit('50%');
  const whole = runInWaves(
    [1, 2, 3, 4, 5, 6, 7, 8],
    { jobs: 2, wave: 4, ...(failureLimit && { failureLimit }) },
    { work, isFailed: (item) => item < 3, signal: never },
  );
  await end(1);
  expect([...busy]).toEqual([2, 3]);
  await end(2);
  expect([...busy]).toEqual([3]);
  await end(3);

  const { done, left, stoppedAt } = await whole;
  expect([done.map(({ item }) => item), left, stoppedAt]).toEqual([[1, 2, 3], [4, 5, 6, 7, 8], 2]);
});

it('starts no more work when it is stopped', async () => {
  const { work, end } = works();
  const controller = new AbortController();
  const whole = runInWaves(
    [1, 2, 3],
    { jobs: 1 },
    { work, isFailed: () => false, signal: controller.signal },
  );
  controller.abort();
  await end(1);

  expect(await whole).toEqual({ done: [{ item: 1, result: 1 }], left: [2, 3] });
});

it('throws the error of a task after all running tasks, and starts no more', async () => {
  const { busy, work, end } = works();
  const seen: string[] = [];
  const broken = runInWaves(
    [1, 2, 3],
    { jobs: 2 },
    {
      work: (item) => (item === 1 ? Promise.reject(new Error('a bug')) : work(item)),
      isFailed: () => false,
      signal: never,
    },
  ).catch((error: unknown) => {
    seen.push(String(error));
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect([[...busy], seen]).toEqual([[2], []]);
  await end(2);
  await broken;

  expect([[...busy], seen]).toEqual([[], ['Error: a bug']]);
});

test.each([
  ['5%', 100, 5],
  ['5%', 10, 1],
  ['50%', 3, 2],
  ['100%', 7, 7],
  ['3', 100, 3],
])('%s of %i', (text, size, want) => {
  expect(parseFailureLimit(text)?.(size)).toBe(want);
});

test.each(['0', '0%', '101%', '-1', '5 %', '', 'x'])('rejects %s as a limit', (text) => {
  expect(parseFailureLimit(text)).toBeUndefined();
});
