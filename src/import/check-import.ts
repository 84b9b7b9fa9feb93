import { posix } from 'node:path';

import { byCodeUnit } from '../core/compare.js';
import type { Problem, ProblemCode } from '../core/problem.js';
import { problemsOf, type Result } from '../core/result.js';
import { sha256 } from '../formats/sha256.js';
import type { InputRead, Inputs } from '../graph/context.js';
import { isOption, originIn, placeInSource, type ImportedFile, type ImportedSite } from './imported-site.js';

/**
 * Validates an imported site as `create` would. Returns the problems of the import, then those of the validation, which point to
 * the source files.
 */
export async function checkImport(
  site: ImportedSite,
  judge: (inputs: Inputs) => Promise<Result<unknown>>,
  outside: Pick<Inputs, 'readReference'>,
): Promise<readonly Problem[]> {
  const judged: Result<unknown> = await judge(importedInputs(site.files, outside));
  const own = new Set(site.problems.map(({ code }) => code));
  const files = new Map(site.files.map((file) => [file.path, file]));
  return [
    ...site.problems,
    ...problemsOf(judged)
      // Already reported as import/no-pull-secret, with its place.
      .filter(({ at }) => !(own.has('import/no-pull-secret') && at?.path === 'pullSecret'))
      .map((each) => atSource(withOption(each), files)),
  ];
}

const optionHints: Partial<Record<ProblemCode, string>> = {
  'config/bootstrap-in-place': 'set it with --installation-disk, preferably a /dev/disk/by-id/ path',
  'config/mirror-not-asked':
    'set --release-image to the release image with its digest, as printed by `oc adm release info`',
};

/** Replaces the hint if a command-line option can supply the missing value. */
function withOption(found: Problem): Problem {
  const hint = optionHints[found.code];
  return hint === undefined ? found : { ...found, hint };
}

/** Presents the files of a site as the input directory that they will become. */
export function importedInputs(
  files: readonly ImportedFile[],
  { readReference }: Pick<Inputs, 'readReference'>,
): Inputs {
  const reads = new Map<string, InputRead>(
    files.map(({ path, text }) => [path, { kind: 'file', bytes: Buffer.from(text) }]),
  );
  const read = (path: string): InputRead => reads.get(posix.normalize(path)) ?? { kind: 'absent' };
  const entries = new Set([...reads.keys()].flatMap((path) => [posix.dirname(path), path]));
  return {
    read,
    readReference: (reference) =>
      reference.place.kind === 'file' ? read(reference.place.path) : readReference(reference),
    digest: (path) => {
      const found = read(path);
      return found.kind === 'file' ? { kind: 'file', sha256: sha256(found.bytes) } : found;
    },
    list: (folder) => {
      const names = [...entries]
        .filter((path) => path !== '.' && posix.dirname(path) === posix.normalize(folder))
        .map((path) => (reads.has(path) ? posix.basename(path) : `${posix.basename(path)}/`));
      return names.length === 0 ? undefined : names.sort(byCodeUnit);
    },
    written: () => undefined,
    writtenPaths: () => [],
  };
}

function atSource(found: Problem, files: ReadonlyMap<string, ImportedFile>): Problem {
  const { at, ...rest } = found;
  const file = files.get(at?.file ?? '');
  if (at === undefined || file === undefined) return found;
  const origin = originIn(file, at);
  if (isOption(origin)) return { ...rest, message: `${origin.at.file}: ${found.message}` };
  return { ...rest, at: placeInSource(file, at) };
}
