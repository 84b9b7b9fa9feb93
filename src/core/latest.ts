/**
 * What is made of a key, kept for those that were asked for last: at least `count` of them, at most twice as many. What is made of one
 * key is always the same.
 */
export function latest<Made>(count: number, make: (key: string) => Made): (key: string) => Made {
  let [young, old] = [new Map<string, Made>(), new Map<string, Made>()];
  return (key) => {
    const known = young.get(key);
    if (known !== undefined) return known;
    const made = old.get(key) ?? make(key);
    if (young.size >= count) [young, old] = [new Map<string, Made>(), young];
    young.set(key, made);
    return made;
  };
}
