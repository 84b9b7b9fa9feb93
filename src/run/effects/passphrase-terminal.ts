import type { Interface } from 'node:readline';

import { Interrupted } from '../../core/interrupted.js';
import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import type { PassphraseTerminal } from '../../disk/state/named-keys.js';

export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Prompts are written here. */
  readonly screen: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

/** Prompts for passphrases without echo. Undefined without a terminal. Ctrl-C throws `Interrupted`. */
export function passphraseTerminal(terminal: Terminal): PassphraseTerminal | undefined {
  if (terminal.input.isTTY !== true || terminal.screen.isTTY !== true) return undefined;
  return {
    open: async (shownAs) => {
      const [typed] = await hidden(terminal, [`Passphrase for ${shownAs}`]);
      return sound(typed);
    },
    choose: async () => {
      const [typed, again] = await hidden(terminal, ['New passphrase', 'Repeat the passphrase']);
      const chosen = sound(typed);
      if (!chosen.ok || typed === again) return chosen;
      return again === undefined ? missing() : unsound('the passphrases do not match');
    },
  };
}

function sound(typed: string | undefined): Result<string> {
  if (typed === undefined) return missing();
  return typed === '' ? unsound('the passphrase is empty') : success(typed);
}

function missing(): Result<never> {
  return unsound('no passphrase was entered');
}

function unsound(message: string): Result<never> {
  return failure(problem('state/passphrase', message, { hint: 'run the command again' }));
}

/** One line per question, without echo; fewer if the input ended. */
async function hidden({ input, screen }: Terminal, questions: readonly string[]): Promise<readonly string[]> {
  const [{ createInterface }, { Writable }] = await Promise.all([
    import('node:readline'),
    import('node:stream'),
  ]);
  const nowhere = new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
  const terminal = createInterface({ input, output: nowhere, terminal: true, historySize: 0 });
  try {
    return await answers(terminal, screen, questions);
  } finally {
    terminal.close();
  }
}

async function answers(
  terminal: Interface,
  screen: Terminal['screen'],
  questions: readonly string[],
): Promise<readonly string[]> {
  const stop = new AbortController();
  terminal.once('SIGINT', () => {
    stop.abort();
    terminal.close();
  });
  // Keeps lines that are typed or pasted before their prompt.
  const lines = terminal[Symbol.asyncIterator]();
  const typed: string[] = [];
  for (const question of questions) {
    screen.write(`${question}: `);
    const line = await lines.next();
    screen.write('\n');
    if (stop.signal.aborted) throw new Interrupted();
    if (line.done === true) break;
    typed.push(line.value);
    if (line.value === '') break;
  }
  return typed;
}
