import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

import type { Result } from '../../core/result.js';
import type { GlobalOptions } from '../options.js';
import { printProblems } from '../output/report.js';

export interface Question<Answers> {
  /** No prompt if this value is set. */
  readonly option: keyof Answers & string;
  readonly text: string;
  /** Adds a non-empty answer. Problems are printed, and the question is repeated. */
  readonly accept: (answer: string, answers: Answers) => Result<Answers>;
  /** Answer for an empty line. Default: the question is skipped. */
  readonly standard?: string;
}

export interface Prompted<Answers> {
  /** False without a terminal. */
  readonly isInteractive: boolean;
  readonly answers: Answers;
  /** The signal that ended the prompts; SIGINT for Ctrl-C. */
  readonly signal?: StopSignal;
}

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type StopSignal = (typeof stopSignals)[number];

/**
 * Prompts on the terminal for values without an option. An empty answer skips one value, Ctrl-D all remaining ones. Does not
 * prompt without a terminal or with JSON output. Prompts go to stderr.
 */
export async function promptForValues<Answers extends object>(
  given: Answers,
  questions: readonly Question<Answers>[],
  options: GlobalOptions,
): Promise<Prompted<Answers>> {
  const isInteractive = process.stdin.isTTY && process.stderr.isTTY && options.output === 'text';
  if (!isInteractive) return { isInteractive, answers: given };
  const terminal = openTerminal();
  let answers = given;
  for (const question of questions) {
    if (answers[question.option] !== undefined) continue;
    const answered = await ask(terminal, question, { answers, options });
    if (answered === undefined) break;
    answers = answered;
  }
  terminal.close();
  const signal = terminal.signal();
  return { isInteractive, answers, ...(signal && { signal }) };
}

interface PromptContext<Answers> {
  readonly answers: Answers;
  readonly options: GlobalOptions;
}

/** Repeats a question until its answer is accepted. Undefined at the end of the input. */
async function ask<Answers>(
  terminal: Terminal,
  { text, accept, standard = '' }: Question<Answers>,
  { answers, options }: PromptContext<Answers>,
): Promise<Answers | undefined> {
  for (;;) {
    const line = await terminal.ask(`${text}: `);
    if (line === undefined) return undefined;
    const answer = line === '' ? standard : line;
    if (answer === '') return answers;
    const accepted = accept(answer, answers);
    if (accepted.ok) return accepted.value;
    printProblems(options, accepted.problems);
  }
}

interface Terminal {
  /** Returns a trimmed line, or JSON of several lines; undefined at the end of the input. */
  readonly ask: (question: string) => Promise<string | undefined>;
  readonly close: () => void;
  readonly signal: () => StopSignal | undefined;
}

/** Opens the terminal. JSON may be a secret: it is not shown. */
function openTerminal(): Terminal {
  let isClosed = false;
  let received: StopSignal | undefined;
  /** Lines of JSON that is not complete. */
  let partial = '';
  const answers: string[] = [];
  const echo = new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      if (partial === '' && !startsJson(terminal.line)) process.stderr.write(chunk);
      done();
    },
  });
  // Without history, no key recalls a secret.
  const terminal = createInterface({
    input: process.stdin,
    output: Object.assign(echo, { columns: process.stderr.columns }),
    terminal: true,
    historySize: 0,
  });
  let wake: (() => void) | undefined;
  terminal.on('line', (line) => {
    const text = `${partial}${line.trim()}`;
    partial = line.trim() !== '' && startsJson(text) && !isJson(text) ? text : '';
    if (partial === '') answers.push(text);
    wake?.();
  });
  const stop = (signal: StopSignal): void => {
    received ??= signal;
    terminal.close();
  };
  // The terminal reports Ctrl-C itself, because it reads single keys.
  terminal.once('SIGINT', () => {
    stop('SIGINT');
  });
  for (const signal of stopSignals) process.on(signal, stop);
  terminal.once('close', () => {
    isClosed = true;
    wake?.();
  });
  return {
    ask: async (question) => {
      terminal.setPrompt(question);
      // The prompt of a closed terminal would read stdin again.
      if (isClosed) process.stderr.write(question);
      else terminal.prompt();
      while (answers.length === 0 && !isClosed)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      const answer = answers.shift();
      if (answer === undefined) process.stderr.write('\n');
      else if (startsJson(answer)) process.stderr.write('(not shown)\n');
      return answer;
    },
    close: () => {
      terminal.close();
      for (const signal of stopSignals) process.off(signal, stop);
    },
    signal: () => received,
  };
}

function startsJson(text: string): boolean {
  return text.trimStart().startsWith('{');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
