import type { Interface } from 'node:readline';

import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import type { PassphraseTerminal } from '../../disk/state/named-keys.js';
import { Interrupted } from './interrupted.js';
import type { GlobalOptions } from '../options.js';

/**
 * Asks for passphrases, which are not shown; questions go to stderr. None where there is no terminal, or JSON is wanted. Ctrl-C
 * throws `Interrupted`.
 */
export function passphraseTerminal({ output }: GlobalOptions): PassphraseTerminal | undefined {
  const isInteractive = process.stdin.isTTY && process.stderr.isTTY && output === 'text';
  return isInteractive ? { open, choose } : undefined;
}

async function open(shownAs: string): Promise<Result<string>> {
  const [typed] = await hidden([`Passphrase of ${shownAs}`]);
  return sound(typed);
}

async function choose(): Promise<Result<string>> {
  const [typed, again] = await hidden(['New passphrase', 'The same again']);
  const chosen = sound(typed);
  if (!chosen.ok || typed === again) return chosen;
  return again === undefined ? missing() : unsound('what was typed again is not the same');
}

function sound(typed: string | undefined): Result<string> {
  if (typed === undefined) return missing();
  return typed === '' ? unsound('the passphrase is empty') : success(typed);
}

function missing(): Result<never> {
  return unsound('no passphrase was typed');
}

function unsound(message: string): Result<never> {
  return failure(problem('state/passphrase', message, { hint: 'run the command again' }));
}

/** A line for each question, without a sign of it on the screen; fewer where the input ended. */
async function hidden(questions: readonly string[]): Promise<readonly string[]> {
  const [{ createInterface }, { Writable }] = await Promise.all([
    import('node:readline'),
    import('node:stream'),
  ]);
  const nowhere = new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 });
  try {
    return await answers(terminal, questions);
  } finally {
    terminal.close();
  }
}

async function answers(terminal: Interface, questions: readonly string[]): Promise<readonly string[]> {
  const stop = new AbortController();
  terminal.once('SIGINT', () => {
    stop.abort();
    terminal.close();
  });
  // Keeps lines that are typed or pasted before their question.
  const lines = terminal[Symbol.asyncIterator]();
  const typed: string[] = [];
  for (const question of questions) {
    process.stderr.write(`${question}: `);
    const line = await lines.next();
    process.stderr.write('\n');
    if (stop.signal.aborted) throw new Interrupted();
    if (line.done === true) break;
    typed.push(line.value);
    if (line.value === '') break;
  }
  return typed;
}
