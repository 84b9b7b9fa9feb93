import { join } from 'node:path';

import { fleetSkeleton, ignoreFileName } from '../../fleet/table/index.js';
import { decodeUtf8 } from '../../formats/utf8.js';
import { problem } from '../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { commitFiles } from '../../disk/commit-files.js';
import { cachedInputs } from '../../disk/read-inputs.js';
import { shellWord } from '../../formats/shell-word.js';
import type { GlobalOptions } from '../options.js';
import { report } from '../output/report.js';
import { commandLine } from '../../run/effects/command-line.js';

/** Writes the skeleton of a fleet, all files or none. Problems: dir/file-exists, dir/…. */
export async function initFleet(options: GlobalOptions): Promise<void> {
  const { dir } = options;
  const ignored = cachedInputs(dir, {}).read(ignoreFileName);
  const existing = ignored.kind === 'file' ? decodeUtf8(ignored.bytes) : undefined;
  const files = fleetSkeleton(existing);
  const written = await write(dir, files, existing !== undefined);
  report(options, {
    problems: problemsOf(written),
    ...(written.ok && {
      text: `Wrote ${files.map(({ path }) => join(dir, path)).join(', ')}.\nNext: \`sno-install fleet validate --dir ${shellWord(dir)}\` lists the values to fill in.\n`,
      json: { dir, files: files.map(({ path }) => path) },
    }),
  });
}

/** A .gitignore of UTF-8 gets the lines of a fleet at its end. */
function write(
  dir: string,
  files: ReturnType<typeof fleetSkeleton>,
  isIgnoreExtended: boolean,
): Promise<Result<void>> {
  return commitFiles(dir, {
    files,
    command: commandLine(),
    check: () => {
      const there = cachedInputs(dir, {});
      const [first, ...others] = files
        .filter(({ path }) => !(isIgnoreExtended && path === ignoreFileName))
        .filter(({ path }) => there.read(path).kind !== 'absent')
        .map(({ path }) =>
          problem('dir/file-exists', `${join(dir, path)} already exists and is not overwritten`, {
            hint: 'choose another directory, or move the file away',
          }),
        );
      return first === undefined ? success(undefined) : failure(first, ...others);
    },
  });
}
