import { readdirSync, type Dirent } from 'node:fs';
import { join } from 'node:path';

/** What stands below a folder: its path from there, with `/` between names, and what it is. */
interface EntryBelow {
  readonly path: string;
  readonly entry: Dirent;
}

/**
 * All that stands below a folder, folders before what is in them, read as it is asked for. Links are not followed, which `readdirSync` with
 * `recursive` does since Node.js 22. Throws errors of the system.
 */
export function* entriesBelow(folder: string, above = ''): Generator<EntryBelow> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${above}${entry.name}`;
    yield { path, entry };
    if (entry.isDirectory()) yield* entriesBelow(join(folder, entry.name), `${path}/`);
  }
}
