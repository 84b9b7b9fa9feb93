import { readdirSync, type Dirent } from 'node:fs';
import { join } from 'node:path';

/** An entry below a folder. The path is relative to that folder, with `/` between names. */
interface EntryBelow {
  readonly path: string;
  readonly entry: Dirent;
}

/**
 * Yields everything below a folder lazily, each folder before its contents. Links are not followed; `readdirSync` with
 * `recursive` follows them since Node.js 22. Throws system errors.
 */
export function* entriesBelow(folder: string, above = ''): Generator<EntryBelow> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${above}${entry.name}`;
    yield { path, entry };
    if (entry.isDirectory()) yield* entriesBelow(join(folder, entry.name), `${path}/`);
  }
}
