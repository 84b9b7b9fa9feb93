import process from 'node:process';

import { secretValues, redactValues } from '../../core/child-environment.js';
import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { namesSecret } from '../../core/secrets.js';
import { maxFileBytes } from '../../disk/regular-file.js';
import { splitCommand } from '../../formats/split-command.js';
import { ranProgram, whyFailed } from './run-program.js';

/** Option and time limit of a command; the default limit is long enough to type a passphrase. */
interface CommandSettings {
  /** Name of the option in messages. */
  readonly option: string;
  readonly limitMs?: number;
  /** Texts that messages must not contain; called when the command fails. */
  readonly secrets?: () => readonly string[];
}

/**
 * The standard output of a command. It runs without a shell: the program from PATH with its arguments and without stdin. Its stderr becomes
 * part of the problem if it fails.
 * Problem: state/command.
 */
export async function outputOfCommand(
  line: string,
  { option, limitMs = 120_000, secrets = () => [] }: CommandSettings,
): Promise<Result<Uint8Array>> {
  const failed = (what: string, hint?: string): Result<never> =>
    failure(problem('state/command', `the command of ${option} ${what}`, { hint }));
  const split = splitCommand(line);
  if ('fault' in split) {
    const hint = `quote literal characters, or run it with a shell: ${option} "sh -c '…'"`;
    return failed(split.fault, hint);
  }
  const [, ...args] = split.words;
  const { output, errors, end } = await ranProgram(split.words, { limitMs });
  const masked = (said: string): string =>
    redactValues(said, [...secrets(), ...secretValues(process.env), ...secretWords(args)]);
  const why = whyFailed(end, { errors: Buffer.from(errors ?? []).toString('utf8'), limitMs, masked });
  if (why !== undefined) return failed(why);
  if (output === undefined) return failed(`prints more than ${maxFileBytes} bytes`);
  return output.length === 0 ? failed('prints nothing') : success(output);
}

/** Arguments that are secret: the value of an option such as --passphrase, or the argument after it. */
function secretWords(args: readonly string[]): readonly string[] {
  return args.flatMap((word, index) => {
    const [, option = '', value] = /^(--?[^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (!namesSecret(option)) return [];
    return [value ?? args[index + 1] ?? ''];
  });
}
