import { setTimeout as wait } from 'node:timers/promises';

import { describe, expect, it, test } from 'vitest';

import { inOrder } from '../../../src/fleet/threads/in-order.js';

async function all<Item, Done>(given: AsyncGenerator<readonly [Item, Done]>): Promise<unknown[]> {
  const found: unknown[] = [];
  try {
    for await (const each of given) found.push(each);
  } catch (error) {
    found.push(String(error));
  }
  return found;
}

describe('items that are done several at a time', () => {
  test.each([1, 2, 3, 9])('come in their order, %i at a time at most', async (atOnce) => {
    let [now, most] = [0, 0];
    const run = async (item: number): Promise<string> => {
      now += 1;
      most = Math.max(most, now);
      // The first item takes longest.
      await wait(6 - item);
      now -= 1;
      return `done ${item}`;
    };
    const items = [1, 2, 3, 4, 5];
    expect(await all(inOrder(items, atOnce, run))).toEqual(items.map((item) => [item, `done ${item}`]));
    expect(most).toBe(Math.min(atOnce, items.length));
  });

  it('stop at the first failure; no further result starts', async () => {
    const started: number[] = [];
    const run = (item: number): Promise<number> => {
      started.push(item);
      return item >= 2 ? Promise.reject(new Error(`no ${item}`)) : Promise.resolve(item);
    };
    expect(await all(inOrder([1, 2, 3, 4, 5], 2, run))).toEqual([[1, 1], 'Error: no 2']);
    expect(started).toEqual([1, 2, 3]);
  });

  it('waits for items in progress when the consumer stops', async () => {
    const finished: number[] = [];
    const run = async (item: number): Promise<void> => {
      await wait(5 * item);
      if (item === 2) throw new Error('nobody hears it');
      finished.push(item);
    };
    for await (const [item] of inOrder([1, 2, 3, 4, 5], 3, run)) if (item === 1) break;
    expect(finished).toEqual([1, 3]);
  });

  it('returns nothing for no items', async () => {
    expect(await all(inOrder([], 4, () => Promise.resolve(1)))).toEqual([]);
  });
});
