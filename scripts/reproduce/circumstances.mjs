// Two build environments that differ as much as possible on one machine.
import { chmodSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Factors that must not affect builds: folder, umask, time zone, language, home, creation order and modification times of files,
 * and the clock. The modification times are before those of node_modules, which would be reinstalled otherwise.
 */
export const circumstances = [
  {
    folder: 'one',
    umask: 0o022,
    filesOf: '2001-02-03T04:05:06Z',
    clock: undefined,
    arranged: (paths) => paths,
    env: { TZ: 'UTC', LANG: 'C', LC_ALL: 'C' },
  },
  {
    folder: 'another folder/with a longer name',
    umask: 0o077,
    filesOf: '2017-08-09T10:11:12Z',
    clock: '@2033-03-14 15:09:26',
    arranged: (paths) => paths.toReversed(),
    // Turkish has unusual case mappings; the time zone is the furthest from UTC.
    env: { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
  },
];

/** Copies files into a folder like a clone in this environment. */
export function layFiles(folder, paths, { umask, filesOf, arranged }, modeOf) {
  for (const path of arranged(paths)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o777 & ~umask });
    writeFileSync(file, readFileSync(path));
    chmodSync(file, (modeOf(path) & 0o111 ? 0o777 : 0o666) & ~umask);
    utimesSync(file, new Date(filesOf), new Date(filesOf));
  }
}
