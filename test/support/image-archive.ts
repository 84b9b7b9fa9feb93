import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { madeOnce } from '../../scripts/made-once.mjs';
import { scaledMs } from './time-scale.js';

/** Timeout of hooks and tests that build images. A build took 40 s on two idle cores. */
export const imageBuildTimeoutMs = scaledMs(15 * 60_000);

/** The path of sno-install.oci.tar, the amd64 image of this build. It is built once for all test files. */
export function imageArchive(): string {
  const hash = createHash('sha256');
  const sources = ['image', 'single-file'].flatMap((name) => [`${name}.mjs`, ...filesOf(name)]);
  for (const path of ['dist/build-id', ...sources.map((name) => join('scripts', name))])
    hash.update(readFileSync(path));
  const name = hash.digest('hex').slice(0, 16);
  const make = (folder: string): void => {
    makeImage('.', folder);
  };
  return join(madeOnce(name, make, '.cache/image'), 'sno-install.oci.tar');
}

function filesOf(folder: string): readonly string[] {
  const names = readdirSync(join('scripts', folder)).toSorted();
  return names.map((name) => join(folder, name));
}

/** Runs `npm run image` in a built folder. `asked` are platforms and options. */
export function makeImage(cwd: string, out: string, ...options: readonly string[]): void {
  const args = ['scripts/image.mjs', '--out', out, ...options];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the image could not be built: ${stderr}`);
}
