import type { KeyProgress } from '../draws.js';
import { shows } from './report.js';
import type { GlobalOptions } from './options.js';

export interface Progress {
  readonly onKey: KeyProgress;
  /** Takes the progress line away. */
  done(): void;
}

/** One line that counts keys, on a terminal only. */
export function keyProgress(options: GlobalOptions): Progress {
  const isWanted = process.stderr.isTTY && options.output === 'text' && shows(options, 'info');
  if (!isWanted) return { onKey: () => undefined, done: () => undefined };
  return {
    onKey: (done, asked) => {
      process.stderr.write(`\r\u001b[Kdrawing keys ${done}/${asked}`);
    },
    done: () => {
      process.stderr.write('\r\u001b[K');
    },
  };
}
