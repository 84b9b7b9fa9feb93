/** Returns the folder `name` in a cache, by default that of the test tools. If missing, `make` fills an empty folder, which then appears atomically. */
export function madeOnce(name: string, make: (folder: string) => void, cache?: string): string;
