import { describe, expect, it } from 'vitest';

import { success } from '../../../../src/core/result.js';
import { nodeReady } from '../../../../src/remote/kubernetes/goals/node-ready.js';
import type { ClusterReader, Reading } from '../../../../src/remote/kubernetes/reader.js';
import type { Clock } from '../../../../src/remote/kubernetes/clock.js';
import { waitForSites, type SiteProgress } from '../../../../src/remote/kubernetes/many/wait-for-sites.js';
import { idleClock } from '../../../support/idle-clock.js';
import { fakeCluster, node, refused } from '../fake-cluster.js';

const { reader: template } = fakeCluster([{ fromSeconds: 0 }]);
const ready: Reading = { kind: 'found', object: { items: [node('sno1', 'True')] } };
const silent: Reading = { kind: 'fault', fault: refused };

/** An API with this answer for nodes. */
function api(nodes: ClusterReader['nodes']): ClusterReader {
  return { ...template, server: 'the API', nodes };
}

interface Given {
  readonly readers: readonly ClusterReader[];
  readonly clock?: Clock;
  readonly jobs?: number;
  readonly timeoutMs?: number;
  readonly stop?: AbortSignal;
}

/** Waits until all nodes are ready. Returns the result of each wait and the times of all progress reports. */
async function waitForAll({
  readers,
  clock = idleClock('1970-01-01T00:00:00Z'),
  jobs = 4,
  timeoutMs = 60_000,
  stop = new AbortController().signal,
}: Given): Promise<{ readonly finished: readonly SiteProgress[]; readonly progressMs: readonly number[] }> {
  const progressMs: number[] = [];
  const finished = await waitForSites(
    readers.map((reader, index) => ({
      name: `site-${index}`,
      goal: nodeReady,
      connect: () => Promise.resolve(success(reader)),
    })),
    { clock, timeoutMs, jobs, stop, onProgress: (_, nowMs) => progressMs.push(nowMs) },
  );
  return { finished, progressMs };
}

describe('a wait for many sites', () => {
  it('ends for each as that for one does, in the order given', async () => {
    const { finished, progressMs } = await waitForAll({
      readers: [
        api(() => Promise.resolve(silent)),
        api(() => Promise.resolve(ready)),
        api(() => Promise.resolve({ kind: 'found', object: { items: [] } })),
      ],
    });

    expect(finished.map(({ name, outcome }) => [name, outcome?.kind])).toEqual([
      ['site-0', 'failed'],
      ['site-1', 'reached'],
      ['site-2', 'failed'],
    ]);
    expect(finished.map(({ word }) => word)).toEqual([
      'the API does not answer: connection refused',
      undefined,
      'the API answers, but no node is registered',
    ]);
    expect(finished[0]?.outcome).toMatchObject({
      problems: [{ code: 'cluster/no-answer', message: 'the API does not answer: connection refused' }],
    });
    expect(progressMs.slice(0, 3)).toEqual([2000, 4000, 6000]);
  });

  it('limits concurrent requests', async () => {
    let [under, most] = [0, 0];
    const slow = api(async () => {
      under += 1;
      most = Math.max(most, under);
      await new Promise(setImmediate);
      under -= 1;
      return ready;
    });
    const { finished } = await waitForAll({
      readers: Array.from({ length: 100 }, () => slow),
      jobs: 7,
    });

    // One of them is reserved for sites that have answered before.
    expect(most).toBe(6);
    expect(finished.every(({ outcome }) => outcome?.kind === 'reached')).toBe(true);
  });

  it('has sites that answer at their end, whatever others keep their turn', async () => {
    const clock = idleClock('1970-01-01T00:00:00Z');
    const stop = new AbortController();
    let answered = 0;
    // The second request never ends, like one to an unused address but without a timeout.
    const mute = (): ClusterReader => {
      let looks = 0;
      return api(() => {
        looks += 1;
        if (looks === 1) return Promise.resolve(silent);
        return new Promise((end) => {
          stop.signal.addEventListener('abort', () => {
            end(silent);
          });
        });
      });
    };
    const late = (): ClusterReader => {
      let looks = 0;
      return api(() => {
        looks += 1;
        if (looks < 3) return Promise.resolve({ kind: 'found', object: { items: [] } });
        answered += 1;
        if (answered === 20) stop.abort();
        return Promise.resolve(ready);
      });
    };
    const readers = [...Array.from({ length: 20 }, mute), ...Array.from({ length: 20 }, late)];
    const { finished } = await waitForAll({ readers, clock, jobs: 4, stop: stop.signal });

    expect(answered).toBe(20);
    expect(finished.slice(20, 39).every(({ outcome }) => outcome?.kind === 'reached')).toBe(true);
    expect(finished.slice(0, 20).every(({ outcome }) => outcome?.kind === 'stopped')).toBe(true);
  });

  it('checks each once, even with a short timeout', async () => {
    let looks = 0;
    const counted = api(() => {
      looks += 1;
      return Promise.resolve(silent);
    });
    await waitForAll({ readers: Array.from({ length: 30 }, () => counted), jobs: 2, timeoutMs: 0 });

    expect(looks).toBe(30);
  });

  it('polls less often with more sites', async () => {
    let looks = 0;
    const counted = api(() => {
      looks += 1;
      return Promise.resolve(silent);
    });
    const readers = Array.from({ length: 500 }, () => counted);
    await waitForAll({ readers, jobs: 500, timeoutMs: 15_000 });

    // One request per site at 0, 10 and 15 seconds.
    expect(looks).toBe(1500);
  });
});
