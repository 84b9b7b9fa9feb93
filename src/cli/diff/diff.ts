import { problemsOf, success, type Result } from '../../core/result.js';
import { diffSides } from '../../review/diff/diff-sides.js';
import { isTargetName } from '../../targets.js';
import type { AioOptions, DiffOptions } from '../options.js';
import { urlOrPath } from '../request.js';
import { usageError } from '../usage-error.js';
import { reportDifferences, type ComparingOptions } from './report-differences.js';
import { folderAt, folderOnDisk, isFolder } from '../../sources/review-folder.js';
import { sidesOf, type Compared } from '../../sources/review-sides.js';

/** Compares two places, or a folder with itself as it was in a Git revision, and says what differs. */
export async function diff(
  named: readonly string[],
  options: ComparingOptions & DiffOptions & AioOptions,
): Promise<void> {
  const { target } = options;
  if (!isTargetName(target)) throw new Error(`internal error: there is no target ${target}`);
  const [before, after] = named;
  const isRight = options.against === undefined ? named.length === 2 : named.length <= 1;
  if (!isRight) {
    const fault = options.against === undefined ? 'two places are compared' : '--against takes one directory';
    usageError(
      { ...options, output: options.output === 'json' ? 'json' : 'text' },
      `${fault}, and ${named.length} are named`,
      'try `sno-install diff BEFORE AFTER`, or `sno-install diff DIR --against main`',
    );
    return;
  }
  const compared = comparedOf(before ?? options.dir, after, options.against);
  const { offlineFiles } = options;
  const order = { target, ...(offlineFiles !== undefined && { offlineFiles: urlOrPath(offlineFiles) }) };
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

function comparedOf(
  first: string,
  second: string | undefined,
  against: string | undefined,
): Result<readonly [Compared, Compared]> {
  if (against === undefined) return success([placeAt(first), placeAt(second ?? '')]);
  const earlier = folderAt(first, against);
  return earlier.ok ? success([{ folder: earlier.value }, { folder: folderOnDisk(first) }]) : earlier;
}

function placeAt(path: string): Compared {
  return isFolder(path) ? { folder: folderOnDisk(path) } : { file: path };
}
