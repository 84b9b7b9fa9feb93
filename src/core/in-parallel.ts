/** Calls an asynchronous function for each item, at most `limit` at a time. The results are in the order of the items. */
export async function inParallel<Item, Outcome>(
  items: readonly Item[],
  limit: number,
  call: (item: Item) => Promise<Outcome>,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const entries = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of entries) outcomes[index] = await call(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return outcomes;
}
