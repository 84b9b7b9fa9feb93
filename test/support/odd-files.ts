import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { scratchFolder } from './scratch.js';

/** Things other than regular files, each with the function that makes one. A device has no end, and a FIFO blocks. */
export const oddKinds: Readonly<Record<string, (path: string) => void>> = {
  'a folder': (path) => {
    mkdirSync(path);
  },
  'a FIFO': (path) => {
    execFileSync('mkfifo', [path]);
  },
  'a dangling link': (path) => {
    symlinkSync('missing-file', path);
  },
  'a device': (path) => {
    symlinkSync('/dev/zero', path);
  },
};

/** Kinds that cannot be used as a folder. */
export const notFolders = Object.keys(oddKinds).filter((kind) => kind !== 'a folder');

export interface OddRow {
  /** The file or folder that is replaced. */
  readonly path: string;
  readonly args: readonly string[];
  /** Default: all kinds. */
  readonly only?: readonly string[];
}

/** One case for each kind of a row, with the first words of its command. */
export function oddCases<Row extends OddRow>(
  rows: readonly Row[],
): readonly (Row & { readonly kind: string; readonly command: string })[] {
  return rows.flatMap((row) =>
    (row.only ?? Object.keys(oddKinds)).map((kind) => ({
      ...row,
      kind,
      command: row.args.slice(0, 2).join(' '),
    })),
  );
}

/** A copy of a folder with a thing of this kind in the place of a path. */
export function copyWithOdd(
  folder: string,
  { path, kind }: { readonly path: string; readonly kind: string },
): { readonly dir: string; readonly odd: string } {
  const dir = join(scratchFolder(), 'copy');
  cpSync(folder, dir, { recursive: true });
  const odd = join(dir, path);
  rmSync(odd, { recursive: true, force: true });
  mkdirSync(dirname(odd), { recursive: true, mode: 0o700 });
  oddKinds[kind]?.(odd);
  return { dir, odd };
}
