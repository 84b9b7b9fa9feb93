/**
 * Items with what comes of them, in their order, with so many of them under way at a time. Where one rejects, those before it are given.
 * When nobody asks for more, or one rejected, those that are under way are waited for and come to nothing.
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
        // It is told when its turn comes.
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
