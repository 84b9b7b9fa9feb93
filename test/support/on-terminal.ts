import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

/** The result of an interactive command. */
export interface TerminalResult {
  readonly code: number | null;
  /** All terminal output, including echoed input. */
  readonly shown: string;
}

/** Control characters as a terminal sends them. */
export const keys = { enter: '\r', interrupt: '\u0003', end: '\u0004' } as const;

/**
 * Runs the command on a separate terminal with util-linux' `script`. Types one answer for each question: a text that ends in a
 * colon and a blank.
 */
export async function runOnTerminal(
  args: readonly string[],
  answers: readonly string[],
  cwd = process.cwd(),
): Promise<TerminalResult> {
  const command = [process.execPath, resolve('dist/cli.js'), ...args].join(' ');
  const terminal = spawn('script', ['-qec', command, '/dev/null'], {
    cwd,
    env: { PATH: process.env['PATH'], TERM: 'dumb' },
  });
  let shown = '';
  let typed = 0;
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    const questions = shown.match(/: (?=\r?\n|$)/g)?.length ?? 0;
    for (; typed < Math.min(questions, answers.length); typed += 1)
      terminal.stdin.write(answers[typed] ?? '');
  });
  const [code] = (await once(terminal, 'close')) as [number | null];
  return { code, shown };
}
