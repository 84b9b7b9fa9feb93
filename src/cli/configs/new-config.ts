import { join } from 'node:path';

import { isError, problem, type Problem } from '../../core/problem.js';
import { problemsOf } from '../../core/result.js';
import { writeNewFile } from '../../disk/new-file.js';
import { cachedInputs } from '../../disk/read-inputs.js';
import { shellWord } from '../../formats/shell-word.js';
import type { Inputs } from '../../graph/context.js';
import type { GlobalOptions } from '../options.js';
import { report } from '../output/report.js';

/** A config file to write. */
export interface NewConfig {
  /** The file name in the directory. */
  readonly file: string;
  readonly text: string;
  /** Problems found in `text`. */
  readonly problems: readonly Problem[];
  /** Problems of options that validation of `text` does not cover. */
  readonly wrongOptions?: readonly Problem[];
  /** Values from options: the option and the path of its field. */
  readonly given: readonly (readonly [option: string, field: string])[];
  /** Fields to fill in; undefined if the file has no required ones. */
  readonly open: readonly string[] | undefined;
}

/**
 * Writes a new config file. Reports problems of values from options, and writes nothing if one of them is an error. Problems of
 * placeholders are ignored. Other problems: dir/file-exists, dir/not-writable.
 */
export function writeNewConfig(
  options: GlobalOptions,
  { file, text, problems, wrongOptions = [], given, open }: NewConfig,
): void {
  const ofFields = problems.flatMap(({ code, message, hint, at }) => {
    const [option] = given.find(([, field]) => at?.path?.startsWith(field) === true) ?? [];
    return option === undefined ? [] : [problem(code, `${option}: ${message}`, { hint })];
  });
  const found = [...ofFields, ...wrongOptions];
  if (found.some(isError)) {
    report(options, { problems: found });
    return;
  }
  const path = join(options.dir, file);
  const written = writeNewFile(path, text, 'edit the existing file, or choose another directory with --dir');
  report(options, {
    problems: [...found, ...problemsOf(written)],
    text: `Wrote ${path}.\n${toDo(open)}Next: \`sno-install validate --dir ${shellWord(options.dir)}\`.\n`,
    json: { path },
  });
}

function toDo(open: readonly string[] | undefined): string {
  if (open === undefined) return '';
  return open.length === 0 ? 'All required values are set.\n' : `Fill in: ${open.join(', ')}.\n`;
}

/** Returns the inputs of a directory, with `text` as the content of `file`. */
export function inputsWith(dir: string, file: string, text: string): Inputs {
  const inputs = cachedInputs(dir, {});
  return {
    ...inputs,
    read: (path) => (path === file ? { kind: 'file', bytes: Buffer.from(text) } : inputs.read(path)),
  };
}
