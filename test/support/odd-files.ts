import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';

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
