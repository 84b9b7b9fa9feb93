/**
 * Items with their results in order, with a limited number in progress. After a rejection, earlier items are still yielded. When the consumer
 * stops or an item rejects, items in progress are awaited and discarded.
 */
export async function* inOrder<Item, Done>(
  items: Iterable<Item>,
  atOnce: number,
  run: (item: Item) => Promise<Done>,
): AsyncGenerator<readonly [item: Item, done: Done], void, undefined> {
  type Told = () => readonly [Item, Done];
  const underWay: Promise<Told>[] = [];
  try {
    for (const item of items) {
      const told = run(item).then(
        (done): Told =>
          () => [item, done],
        // It is rethrown when its turn comes.
        (error: unknown): Told =>
          () => {
            throw error;
          },
      );
      underWay.push(told);
      if (underWay.length < atOnce) continue;
      yield (await (underWay.shift() ?? told))();
    }
    for (let next = underWay.shift(); next !== undefined; next = underWay.shift()) yield (await next)();
  } finally {
    await Promise.all(underWay);
  }
}
