import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { expect, test } from 'vitest';

import { timeLimit } from '../../src/core/time-limit.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('a time limit survives the garbage collector', async () => {
  const reasons: unknown[] = [];
  const finished = new Promise<void>((resolve) => {
    const { signal } = timeLimit(new AbortController().signal, 50);
    signal.addEventListener('abort', function (this: AbortSignal) {
      reasons.push(this.reason);
      resolve();
    });
  });
  // Objects created by a task stay alive until it ends.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  const held = setInterval(() => undefined, 1000);
  await finished;
  clearInterval(held);

  expect(reasons).toMatchObject([{ name: 'TimeoutError' }]);
});

test('aborts with the stop signal, immediately if it was aborted before', async () => {
  const stop = new AbortController();
  const { signal } = timeLimit(stop.signal, 60_000);
  const finished = once(signal, 'abort');
  stop.abort('because');
  await finished;

  expect([signal.reason, timeLimit(stop.signal, 60_000).signal.reason]).toEqual(['because', 'because']);
});

test('does not abort after its release', () => {
  const stop = new AbortController();
  const { signal, release } = timeLimit(stop.signal, 60_000);
  release();
  stop.abort();

  expect(signal.aborted).toBe(false);
});
