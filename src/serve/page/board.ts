import { byName } from '../../core/compare.js';
import type { SiteRow } from './site-row.js';

/** A site that was removed. */
export interface RemovedRow {
  readonly name: string;
  readonly isRemoved: true;
}

/** The rows of the page with a version for each change. */
export interface Board {
  /** The rows of existing sites, sorted by name. */
  readonly rows: () => readonly SiteRow[];
  /** The number of changes so far. Each row stores the version that changed it. */
  readonly version: () => number;
  /** Rows changed after a version, sorted by name. */
  readonly since: (version: number) => readonly (SiteRow | RemovedRow)[];
  /** Adds or replaces rows; a row equal to the stored one is not a change. */
  readonly put: (rows: readonly SiteRow[]) => void;
  /** Lines above the table. */
  readonly summary: () => readonly string[];
  /** The lines if they changed after a version. */
  readonly summarySince: (version: number) => readonly string[] | undefined;
  readonly putSummary: (lines: readonly string[]) => void;
  /** Marks all other rows as removed. */
  readonly keepOnly: (names: ReadonlySet<string>) => void;
}

interface Entry {
  readonly row: SiteRow | RemovedRow;
  readonly text: string;
  readonly version: number;
}

export function board(): Board {
  const entries = new Map<string, Entry>();
  let version = 0;
  let summary: { readonly lines: readonly string[]; readonly version: number } = { lines: [], version };
  const set = (row: SiteRow | RemovedRow): void => {
    const text = JSON.stringify(row);
    if (entries.get(row.name)?.text === text) return;
    version += 1;
    entries.set(row.name, { row, text, version });
  };
  const rowsOf = (chosen: (entry: Entry) => boolean): readonly (SiteRow | RemovedRow)[] =>
    [...entries.values()]
      .filter(chosen)
      .map(({ row }) => row)
      .toSorted(byName);
  return {
    rows: () => rowsOf(() => true).filter(isThere),
    version: () => version,
    since: (before) => rowsOf((entry) => entry.version > before),
    summary: () => summary.lines,
    summarySince: (before) => (summary.version > before ? summary.lines : undefined),
    putSummary: (lines) => {
      if (lines.join('\n') === summary.lines.join('\n')) return;
      version += 1;
      summary = { lines, version };
    },
    put: (rows) => {
      rows.forEach(set);
    },
    keepOnly: (names) => {
      for (const name of entries.keys()) if (!names.has(name)) set({ name, isRemoved: true });
    },
  };
}

function isThere(row: SiteRow | RemovedRow): row is SiteRow {
  return !('isRemoved' in row);
}
