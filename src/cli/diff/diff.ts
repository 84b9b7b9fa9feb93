import { problemsOf, success, type Result } from '../../core/result.js';
import type { ExternalSources } from '../../disk/external-files/read-reference.js';
import { standardInput } from '../../disk/external-files/standard-input.js';
import { diffSides } from '../../review/diff/diff-sides.js';
import { isTargetName } from '../../run/targets.js';
import type { AioOptions, DiffOptions, GlobalOptions } from '../options.js';
import { stateAccess } from '../request.js';
import { urlOrPath } from '../../run/effects/command-line.js';
import { usageError } from '../usage-error.js';
import { diffSheets } from './diff-sheets.js';
import { reportDifferences } from './report-differences.js';
import { folderAt, folderOnDisk, isFolder } from '../../run/sources/review-folder.js';
import { sidesOf, type Compared } from '../../run/sources/review-sides.js';

/** Compares two paths, or a folder with its version in a Git revision. */
export async function diff(
  named: readonly string[],
  options: GlobalOptions & DiffOptions & AioOptions,
): Promise<void> {
  const { target } = options;
  if (!isTargetName(target)) throw new Error(`internal error: unknown target ${target}`);
  const [before, after] = named;
  const isRight = options.against === undefined ? named.length === 2 : named.length <= 1;
  if (!isRight) {
    const fault =
      options.against === undefined
        ? 'expected two paths to compare'
        : 'expected at most one directory with --against';
    usageError(
      options,
      `${fault}, got ${named.length}`,
      'try `sno-install diff BEFORE AFTER`, or `sno-install diff DIR --against main`',
    );
    return;
  }
  if (options.sheet === true) {
    const first = before ?? options.dir;
    await diffSheets([first, after ?? first], target, options);
    return;
  }
  const compared = comparedOf(before ?? options.dir, after, options.against);
  const { offlineFiles } = options;
  const order = {
    target,
    access: stateAccess(options),
    ...(offlineFiles !== undefined && { offlineFiles: urlOrPath(offlineFiles) }),
  };
  const sides = compared.ok ? await sidesOf(compared.value, order) : compared;
  reportDifferences(
    { ...options, dir: '.' },
    {
      problems: problemsOf(sides),
      ...(sides.ok && { differences: diffSides(...sides.value) }),
      what:
        options.against === undefined
          ? `${before ?? ''} and ${after ?? ''}`
          : `${before ?? options.dir} against ${options.against}`,
    },
  );
}

/** Variables and stdin for folders whose config fields refer to them. */
function outsideHere(): ExternalSources {
  return { variables: process.env, stdin: standardInput() };
}

function comparedOf(
  first: string,
  second: string | undefined,
  against: string | undefined,
): Result<readonly [Compared, Compared]> {
  const outside = outsideHere();
  if (against === undefined) return success([placeAt(first, outside), placeAt(second ?? '', outside)]);
  const earlier = folderAt(first, against, outside);
  return earlier.ok
    ? success([{ folder: earlier.value }, { folder: folderOnDisk(first, outside) }])
    : earlier;
}

function placeAt(path: string, outside: ExternalSources): Compared {
  return isFolder(path) ? { folder: folderOnDisk(path, outside) } : { file: path };
}
