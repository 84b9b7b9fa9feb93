import { join } from 'node:path';

import { isError, problem, type Problem } from '../../core/problem.js';
import { problemsOf } from '../../core/result.js';
import { writeNewFile } from '../../disk/new-file.js';
import { inputsOf } from '../../disk/read-inputs.js';
import { shellWord } from '../../formats/shell-word.js';
import type { Inputs } from '../../graph/context.js';
import type { GlobalOptions } from '../options.js';
import { report } from '../output/report.js';

/** A config that is to be written. */
export interface NewConfig {
  /** Its name in the directory. */
  readonly file: string;
  readonly text: string;
  /** What our own checks say of it. */
  readonly problems: readonly Problem[];
  /** What is wrong with what was given and only a whole run would find. */
  readonly wrongOptions?: readonly Problem[];
  /** What was given: an option, and the path of the field that it is about. */
  readonly given: readonly (readonly [option: string, field: string])[];
  /** Fields that are left to fill in; undefined where none needs to be. */
  readonly open: readonly string[] | undefined;
}

/**
 * Writes a config that is not there yet, unless something that was given is wrong: that is told at its option. What is left to
 * fill in is not looked at. Problems besides: dir/file-exists, dir/not-writable.
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
  const written = writeNewFile(
    path,
    text,
    'edit the file that is there, or name another directory with --dir',
  );
  report(options, {
    problems: [...found, ...problemsOf(written)],
    text: `Wrote ${path}.\n${toDo(open)}Next: \`sno-install validate --dir ${shellWord(options.dir)}\`.\n`,
    json: { path },
  });
}

function toDo(open: readonly string[] | undefined): string {
  if (open === undefined) return '';
  return open.length === 0 ? 'Nothing is left to fill in.\n' : `Fill in: ${open.join(', ')}.\n`;
}

/** The files of a directory as if a config stood there with this text. */
export function inputsWith(dir: string, file: string, text: string): Inputs {
  const inputs = inputsOf(dir, {});
  return {
    ...inputs,
    read: (path) => (path === file ? { kind: 'file', bytes: Buffer.from(text) } : inputs.read(path)),
  };
}
