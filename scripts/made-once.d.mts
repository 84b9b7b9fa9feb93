/**
 * The folder `name` in a cache, by default that of the tests' tools, which `make` has filled: it gets an empty one. It appears whole or not at all.
 */
export function madeOnce(name: string, make: (folder: string) => void, cache?: string): string;
