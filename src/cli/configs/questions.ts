import type { GlobalOptions } from '../options.js';

/**
 * Asks on a terminal for what no option gave; an empty answer leaves it out, and Ctrl-D all that is left. Undefined after Ctrl-C.
 * Where there is no terminal, or JSON is wanted, nothing is asked. Questions go to stderr.
 */
export async function ask<Given extends object>(
  given: Given,
  questions: readonly (readonly [option: keyof Given & string, question: string])[],
  options: GlobalOptions,
): Promise<Given | undefined> {
  const isInteractive = process.stdin.isTTY && process.stderr.isTTY && options.output === 'text';
  if (!isInteractive) return given;
  const { createInterface } = await import('node:readline');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const stop = new AbortController();
  terminal.once('SIGINT', () => {
    stop.abort();
    terminal.close();
  });
  // Keeps lines that are typed or pasted before their question.
  const lines = terminal[Symbol.asyncIterator]();
  let told = given;
  for (const [option, question] of questions) {
    if (told[option] !== undefined) continue;
    terminal.setPrompt(`${question}: `);
    terminal.prompt();
    const line = await lines.next();
    if (line.done === true) {
      process.stderr.write('\n');
      break;
    }
    const answer = line.value.trim();
    if (answer !== '') told = { ...told, [option]: answer };
  }
  terminal.close();
  return stop.signal.aborted ? undefined : told;
}
