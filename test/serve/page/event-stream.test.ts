import { EventEmitter } from 'node:events';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { board, type Board } from '../../../src/serve/page/board.js';
import { eventStream } from '../../../src/serve/page/event-stream.js';

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A browser connection that can stop reading for a while. */
class Browser extends EventEmitter {
  readonly got: string[] = [];
  isSlow = false;
  isSentAway = false;
  write(text: string): boolean {
    this.got.push(text);
    return !this.isSlow;
  }
  end(): void {
    this.emit('close');
  }
  destroy(): void {
    this.isSentAway = true;
    this.emit('close');
  }
  /** Events since the last call. */
  news(): readonly string[] {
    return this.got.splice(0);
  }
}

const row = (name: string, detail: string) => ({ name, phase: 'reading', detail }) as const;
const event = (id: string, kind: string, rows: readonly object[]): string =>
  `id: ${id}\nevent: ${kind}\ndata: ${JSON.stringify(rows)}\n\n`;

function streamOver(shown: Board, look = (): Promise<void> => Promise.resolve()) {
  const faults: unknown[] = [];
  const limits = { listeners: 2, lookMs: 1000, heartbeatMs: 15_000, slowMs: 30_000 };
  const stream = eventStream({ board: shown, look, lookAtAll: look }, limits, {
    run: 'run',
    now: () => new Date(),
    onFault: (error) => faults.push(error),
  });
  const join = (lastId: string, isGood = (): boolean => true): Browser => {
    const browser = new Browser();
    stream.join(browser, { lastId, isGood });
    return browser;
  };
  return { stream, join, faults };
}

const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

test('sends a listener only the changes since its last event', async () => {
  const shown = board();
  shown.put([row('b', '1 %'), row('a', '1 %')]);
  const { stream, join } = streamOver(shown);
  expect(stream.id()).toBe('run.2');
  const browser = join('run.2');
  expect(browser.news()).toEqual(['retry: 3000\n\n']);

  shown.put([row('b', '1 %'), row('a', '2 %')]);
  await pass(1000);
  expect(browser.news()).toEqual([event('run.3', 'sites', [row('a', '2 %')])]);
  shown.keepOnly(new Set(['a']));
  await pass(1000);
  expect(browser.news()).toEqual([event('run.4', 'sites', [{ name: 'b', isRemoved: true }])]);
  await pass(15_000);
  expect(browser.news()).toEqual([]);
  await pass(1000);
  expect(browser.news()).toEqual([':\n\n']);

  // A browser that reconnects after the first two changes.
  expect(join('run.2').news()).toEqual([
    'retry: 3000\n\n',
    event('run.4', 'sites', [row('a', '2 %'), { name: 'b', isRemoved: true }]),
  ]);
  stream.close();
});

test.each(['other.1', '', 'run.', 'run.x', '../run.1'])(
  'sends all events to a listener with %j',
  (lastId) => {
    const shown = board();
    shown.put([row('a', '1 %'), row('b', '1 %')]);
    shown.keepOnly(new Set(['a']));
    const { stream, join } = streamOver(shown);
    const noRollouts = 'event: rollouts\ndata: []\n\n';
    expect(join(lastId).news()).toEqual([
      'retry: 3000\n\n',
      `${noRollouts}${event('run.3', 'all', [row('a', '1 %')])}`,
    ]);
    stream.close();
  },
);

test('sends the lines on the rollouts when they change', async () => {
  const shown = board();
  shown.put([row('a', '1 %')]);
  const { stream, join } = streamOver(shown);
  const browser = join('run.1');
  shown.putSummary(['Rollout running']);
  await pass(1000);
  const lines = 'event: rollouts\ndata: ["Rollout running"]\n\n';
  expect(browser.news()).toEqual(['retry: 3000\n\n', `${lines}${event('run.2', 'sites', [])}`]);
  shown.putSummary(['Rollout running']);
  shown.put([row('a', '2 %')]);
  await pass(1000);
  expect(browser.news()).toEqual([event('run.3', 'sites', [row('a', '2 %')])]);
  stream.close();
});

test('buffers nothing for a slow listener, which gets a full state or is disconnected', async () => {
  const shown = board();
  const { stream, join } = streamOver(shown);
  const [slow, other] = [join('run.0'), join('run.0')];
  [slow.isSlow, other.isSlow] = [true, true];
  expect(stream.isFull()).toBe(true);
  shown.put([row('a', '1 %')]);
  await pass(1000);
  for (const detail of ['2 %', '3 %']) {
    shown.put([row('a', detail), row('b', detail)]);
    await pass(1000);
  }
  expect(slow.news()).toEqual(['retry: 3000\n\n', event('run.1', 'sites', [row('a', '1 %')])]);
  slow.isSlow = false;
  slow.emit('drain');
  await pass(1000);
  expect(slow.news()).toEqual([event('run.5', 'sites', [row('a', '3 %'), row('b', '3 %')])]);

  await pass(30_000);
  expect([slow.isSentAway, other.isSentAway, stream.isFull()]).toEqual([false, true, false]);
  stream.close();
});

test('reports unreadable sites once, and keeps the streams', async () => {
  const shown = board();
  const fault = new Error('it cannot be read');
  let hasFault = true;
  const { stream, join, faults } = streamOver(shown, () =>
    hasFault ? Promise.reject(fault) : Promise.resolve(),
  );
  const browser = join('run.0');
  browser.news();
  await pass(3000);
  expect(faults).toEqual([fault]);
  await pass(13_000);
  expect(browser.news()).toEqual([':\n\n']);

  hasFault = false;
  shown.put([row('a', '1 %')]);
  await pass(1000);
  expect(browser.news()).toEqual([event('run.1', 'sites', [row('a', '1 %')])]);
  hasFault = true;
  await pass(2000);
  expect(faults).toEqual([fault, fault]);
  stream.close();
});

test('closes a stream with the session of its listener', async () => {
  const shown = board();
  let isGood = true;
  const { stream, join } = streamOver(shown);
  const [browser, other] = [join('run.0', () => isGood), join('run.0')];
  await pass(1000);
  expect(stream.isFull()).toBe(true);
  browser.news();
  isGood = false;
  shown.put([row('a', '1 %')]);
  await pass(1000);
  expect([browser.news(), stream.isFull()]).toEqual([[], false]);
  expect(other.news()).toContain(event('run.1', 'sites', [row('a', '1 %')]));
  stream.close();
});

test('does not poll without listeners', async () => {
  const { stream, join } = streamOver(board());
  const browser = join('run.0');
  expect(vi.getTimerCount()).toBe(1);
  browser.end();
  await pass(1000);
  expect(vi.getTimerCount()).toBe(0);
  const again = join('run.0');
  expect(vi.getTimerCount()).toBe(1);
  stream.close();
  expect([vi.getTimerCount(), again.listenerCount('close')]).toEqual([0, 0]);
});
