import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

/** What a command that asks left behind. */
export interface Asked {
  readonly code: number | null;
  /** All that the terminal showed, what was typed with it where it is echoed. */
  readonly shown: string;
}

/** Control characters as a terminal sends them. */
export const keys = { enter: '\r', interrupt: '\u0003', end: '\u0004' } as const;

/**
 * Runs the command on a terminal of its own, by util-linux' `script`, and types each answer when there is one question more: a text
 * that ends in a colon and a blank.
 */
export async function onTerminal(
  args: readonly string[],
  answers: readonly string[],
  cwd = process.cwd(),
): Promise<Asked> {
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
