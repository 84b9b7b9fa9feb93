import type { GlobalOptions } from '../options.js';

/**
 * Prompts on the terminal for values without an option. An empty answer skips one value, Ctrl-D all remaining ones. Returns
 * undefined after Ctrl-C. Does not prompt without a terminal or with JSON output. Prompts go to stderr.
 */
export async function promptForValues<Given extends object>(
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
  // Also keeps lines that are typed or pasted before their prompt.
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
