import type { Progress } from '../graph/engine.js';
import type { GlobalOptions } from './options.js';
import { shows } from './output/report.js';

/** The line while a target is made; nothing where no terminal shows it. */
export interface ProgressLine {
  readonly onProgress: Progress;
  /** Takes the progress line away. */
  done(): void;
}

/** One line that counts what is made of all that is to be, on a terminal only. */
export function progressLine(
  options: GlobalOptions,
  screen: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr,
): ProgressLine {
  const isWanted = screen.isTTY && options.output === 'text' && shows(options, 'info');
  if (!isWanted) return { onProgress: () => undefined, done: () => undefined };
  return {
    onProgress: (done, total) => {
      screen.write(`\r\u001b[Kmaking keys, certificates and files: ${done} of ${total}`);
    },
    done: () => {
      screen.write('\r\u001b[K');
    },
  };
}
