/** Processes items, one or several at a time. */
export interface Workers<Item, Done> {
  /** Rejects if the program itself failed. */
  readonly run: (item: Item) => Promise<Done>;
  /** How many items to submit before the first is done. */
  readonly atOnce: number;
  readonly close: () => Promise<void>;
}

/**
 * Items with their results in order, with a limited number in progress. After a rejection, earlier items are still yielded. When the consumer
 * stops or an item rejects, items in progress are awaited and discarded.
 */
export async function* inOrder<Item, Done>(
  items: Iterable<Item>,
  atOnce: number,
  run: (item: Item) => Promise<Done>,
): AsyncGenerator<readonly [item: Item, done: Done], void, undefined> {
  type Settled = () => readonly [Item, Done];
  const underWay: Promise<Settled>[] = [];
  try {
    for (const item of items) {
      const settled = run(item).then(
        (done): Settled =>
          () => [item, done],
        // It is rethrown when its turn comes.
        (error: unknown): Settled =>
          () => {
            throw error;
          },
      );
      underWay.push(settled);
      if (underWay.length < atOnce) continue;
      yield (await (underWay.shift() ?? settled))();
    }
    for (let next = underWay.shift(); next !== undefined; next = underWay.shift()) yield (await next)();
  } finally {
    await Promise.all(underWay);
  }
}
