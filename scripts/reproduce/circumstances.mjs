// Two ways to build the same sources that have as little in common as a machine allows.
import { chmodSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * What builds may hang on though they should not: folder, umask, zone, language, home, the order in which files were made and their times, the clock.
 * Both times of files are before those of node_modules, which would be installed anew.
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
    // In the language in which upper and lower case are other letters than in most, at the other end of the day.
    env: { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
  },
];

/** Lays copies of files into a folder, as a clone of these circumstances has them. */
export function layFiles(folder, paths, { umask, filesOf, arranged }, modeOf) {
  for (const path of arranged(paths)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o777 & ~umask });
    writeFileSync(file, readFileSync(path));
    chmodSync(file, (modeOf(path) & 0o111 ? 0o777 : 0o666) & ~umask);
    utimesSync(file, new Date(filesOf), new Date(filesOf));
  }
}
