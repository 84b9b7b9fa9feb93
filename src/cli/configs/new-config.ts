import { constants } from 'node:os';
import { join } from 'node:path';

import { isError, problem, type Problem } from '../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { writeNewFile } from '../../disk/new-file.js';
import { cachedInputs } from '../../disk/read-inputs.js';
import { shellWord } from '../../formats/shell-word.js';
import type { Inputs } from '../../graph/context.js';
import type { GlobalOptions } from '../options.js';
import { report } from '../output/report.js';
import { openDraft, type AnswersDraft } from './answers-draft.js';
import { promptForValues, type Question } from './prompts.js';

/** Name, option and target field of each value. */
export type Fields<Answers> = readonly (readonly [
  name: keyof Answers & string,
  option: string,
  /** Start of the field's path, or its form. */
  field: string | RegExp,
])[];

/** A config file to write. */
export interface NewConfig<Answers> {
  /** The file name in the directory. */
  readonly file: string;
  /** Values of options. */
  readonly given: Answers;
  /** Values that are not set are prompted for. */
  readonly questions: readonly (Omit<Question<Answers>, 'accept'> & {
    /** Reads a value from an answer. Default: the answer is the value. */
    readonly read?: (answer: string) => Result<Partial<Answers>>;
  })[];
  readonly fields: Fields<Answers>;
  readonly textOf: (answers: Answers) => string;
  /** Problems of the file in a directory. */
  readonly check: (inputs: Inputs) => readonly Problem[];
  /** Problems of options that `check` does not find. */
  readonly wrongOptions?: readonly Problem[];
  /** Fields to fill in; undefined if the file has no required ones. */
  readonly open: (answers: Answers) => readonly string[] | undefined;
}

/**
 * Writes a new config file with values from options and prompts. Reports problems of options, and writes nothing if one of them is
 * an error. Problems of placeholders are ignored. After Ctrl-C or another stop signal, the answers are kept in a draft, which the next run
 * offers and a finished run removes. Other problems: dir/file-exists, dir/not-writable.
 */
export async function writeNewConfig<Answers extends object>(
  options: GlobalOptions,
  config: NewConfig<Answers>,
): Promise<void> {
  const { file, given, textOf, check, fields, open, wrongOptions = [] } = config;
  const path = join(options.dir, file);
  const found = (answers: Answers): readonly Problem[] =>
    check(inputsWith(options.dir, file, textOf(answers)));
  const ofOptions = [...problemsOfOptions(found(given), given, fields), ...wrongOptions];
  const hint = 'edit the existing file, or choose another directory with --dir';
  const existing =
    cachedInputs(options.dir, {}).read(file).kind === 'absent'
      ? []
      : [problem('dir/file-exists', `${path} already exists and is not overwritten`, { hint })];
  if (ofOptions.some(isError) || existing.length > 0) {
    report(options, { problems: ofOptions.some(isError) ? ofOptions : existing });
    return;
  }
  const draft = openDraft(options.dir, file);
  const questions = questionsOf(config, found, draft);
  const prompted = await promptForValues(given, questions, options);
  if (prompted.signal !== undefined) {
    if (draft.isKept())
      process.stderr.write(
        `Interrupted. The answers so far are kept in ${draft.path}; run the command again to continue.\n`,
      );
    process.exitCode = 128 + constants.signals[prompted.signal];
    return;
  }
  const answers = prompted.isInteractive
    ? withKeptAnswers(prompted.answers, questions, draft)
    : prompted.answers;
  const problems = [...problemsOfOptions(found(answers), answers, fields), ...wrongOptions];
  const written = writeNewFile(path, textOf(answers), hint);
  if (written.ok) draft.remove();
  report(options, {
    problems: [...problems, ...problemsOf(written)],
    text: `Wrote ${path}.\n${toDo(open(answers))}Next: \`sno-install validate --dir ${shellWord(options.dir)}\`.\n`,
    json: { path },
  });
}

/** Problems of fields that have a value, by the option of the field. */
function problemsOfOptions<Answers extends object>(
  problems: readonly Problem[],
  answers: Answers,
  fields: Fields<Answers>,
): readonly Problem[] {
  const given = fields.filter(([name]) => answers[name] !== undefined);
  return problems.flatMap(({ code, message, hint, at }) => {
    const [, option] = given.find(([, , field]) => isIn(at?.path, field)) ?? [];
    return option === undefined ? [] : [problem(code, `${option}: ${message}`, { hint })];
  });
}

function isIn(path: string | undefined, field: string | RegExp): boolean {
  if (path === undefined) return false;
  return typeof field === 'string' ? path.startsWith(field) : field.test(path);
}

/** Questions that accept an answer unless it causes an error in the file. */
function questionsOf<Answers extends object>(
  { questions, fields }: NewConfig<Answers>,
  check: (answers: Answers) => readonly Problem[],
  draft: AnswersDraft,
): readonly Question<Answers>[] {
  return questions.map(({ read, ...question }) => ({
    ...question,
    ...keptAnswer(question, draft),
    accept: (answer, answers): Result<Answers> => {
      if (answer === '-') {
        draft.forget(question.option);
        return success(answers);
      }
      const value = read === undefined ? success({ [question.option]: answer }) : read(answer);
      if (!value.ok) return value;
      const changed = { ...answers, ...value.value };
      const [, , field = ''] = fields.find(([name]) => name === question.option) ?? [];
      const known = new Set(check(answers).map(({ code, at }) => `${code} ${at?.path}`));
      const errors = check(changed).filter(
        (each) =>
          isError(each) && (isIn(each.at?.path, field) || !known.has(`${each.code} ${each.at?.path}`)),
      );
      const [first, ...others] = errors.map(({ code, message, hint }) => problem(code, message, { hint }));
      if (first !== undefined) return failure(first, ...others);
      draft.keep(question.option, answer);
      return success(changed);
    },
  }));
}

/** Offers the answer of an interrupted run. */
function keptAnswer(
  { option, text }: { readonly option: string; readonly text: string },
  draft: AnswersDraft,
): { readonly text?: string; readonly standard?: string } {
  const kept = draft.answerOf(option);
  if (kept === undefined) return {};
  const plain = text.replace(/ \(Enter[^()]*\)$/, '');
  return { text: `${plain} (Enter for ${kept}, - to leave it out)`, standard: kept };
}

/** After the end of the input, the kept answers of the remaining questions apply. */
function withKeptAnswers<Answers extends object>(
  given: Answers,
  questions: readonly Question<Answers>[],
  draft: AnswersDraft,
): Answers {
  let answers = given;
  for (const { option, accept } of questions) {
    const kept = draft.answerOf(option);
    if (kept === undefined || answers[option] !== undefined) continue;
    const accepted = accept(kept, answers);
    if (accepted.ok) answers = accepted.value;
  }
  return answers;
}

function toDo(open: readonly string[] | undefined): string {
  if (open === undefined) return '';
  return open.length === 0 ? 'All required values are set.\n' : `Fill in: ${open.join(', ')}.\n`;
}

/** Returns the inputs of a directory, with `text` as the content of `file`. */
function inputsWith(dir: string, file: string, text: string): Inputs {
  const inputs = cachedInputs(dir, {});
  return {
    ...inputs,
    read: (path) => (path === file ? { kind: 'file', bytes: Buffer.from(text) } : inputs.read(path)),
  };
}
