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
export function progressLine(options: GlobalOptions, screen: Screen = process.stderr): ProgressLine {
  const { show, done } = countingLine(options, screen);
  return {
    onProgress: (made, total) => {
      show(`making keys, certificates and files: ${made} of ${total}`);
    },
    done,
  };
}

/** The same for the sites of a fleet. */
export function siteProgress(
  options: GlobalOptions,
  total: number,
  screen: Screen = process.stderr,
): { readonly onSite: (judged: number) => void; done(): void } {
  const { show, done } = countingLine(options, screen);
  return {
    onSite: (judged) => {
      show(`judging sites: ${judged} of ${total}`);
    },
    done,
  };
}

type Screen = Pick<NodeJS.WriteStream, 'isTTY' | 'write'>;

function countingLine(
  options: GlobalOptions,
  screen: Screen,
): { readonly show: (text: string) => void; readonly done: () => void } {
  const isWanted = screen.isTTY && options.output === 'text' && shows(options, 'info');
  const write = (text: string): void => {
    if (isWanted) screen.write(`\r\u001b[K${text}`);
  };
  return {
    show: write,
    done: () => {
      write('');
    },
  };
}
