import { byName } from '../../core/compare.js';
import type { SiteRow } from './shown-row.js';

/** A site that is no longer there. */
export interface GoneRow {
  readonly name: string;
  readonly isGone: true;
}

/** The rows of the page, and which of them have changed since when. */
export interface Board {
  /** Those that are there, by name. */
  readonly rows: () => readonly SiteRow[];
  /** Counts the changes; every row knows the one that made it. */
  readonly version: () => number;
  /** What has changed after a version, in order of name. */
  readonly since: (version: number) => readonly (SiteRow | GoneRow)[];
  /** Takes rows as they are now; what is as before is no change. */
  readonly put: (rows: readonly SiteRow[]) => void;
  /** Keeps these alone. */
  readonly keepOnly: (names: ReadonlySet<string>) => void;
}

interface Entry {
  readonly row: SiteRow | GoneRow;
  readonly text: string;
  readonly version: number;
}

/** A board without a row. */
export function board(): Board {
  const entries = new Map<string, Entry>();
  let version = 0;
  const set = (row: SiteRow | GoneRow): void => {
    const text = JSON.stringify(row);
    if (entries.get(row.name)?.text === text) return;
    version += 1;
    entries.set(row.name, { row, text, version });
  };
  const rowsOf = (chosen: (entry: Entry) => boolean): readonly (SiteRow | GoneRow)[] =>
    [...entries.values()]
      .filter(chosen)
      .map(({ row }) => row)
      .toSorted(byName);
  return {
    rows: () => rowsOf(() => true).filter(isThere),
    version: () => version,
    since: (before) => rowsOf((entry) => entry.version > before),
    put: (rows) => {
      rows.forEach(set);
    },
    keepOnly: (names) => {
      for (const name of entries.keys()) if (!names.has(name)) set({ name, isGone: true });
    },
  };
}

function isThere(row: SiteRow | GoneRow): row is SiteRow {
  return !('isGone' in row);
}
