import { elapsedText } from '../formats/elapsed.js';
import type { Progress } from '../graph/engine.js';
import type { GlobalOptions } from './options.js';
import { isLogged } from './output/report.js';

/** The progress line of a run; does nothing without a terminal. */
export interface ProgressLine {
  readonly onProgress: Progress;
  /** Clears the progress line. */
  done(): void;
}

/** Shows the number of generated assets, on a terminal only. */
export function progressLine(options: GlobalOptions, screen: Screen = process.stderr): ProgressLine {
  const { show, done } = countingLine(options, screen);
  return {
    onProgress: (made, total) => {
      show(`generating keys, certificates and files: ${made} of ${total}`);
    },
    done,
  };
}

/** Shows the number of processed sites, on a terminal only. */
export function siteProgress(
  options: GlobalOptions,
  total: number,
  screen: Screen = process.stderr,
  doing = 'checking sites',
): { readonly onSite: (judged: number) => void; done(): void } {
  const { show, done } = countingLine(options, screen);
  return {
    onSite: (judged) => {
      show(`${doing}: ${judged} of ${total}`);
    },
    done,
  };
}

/** The progress of fleet generation. Without a terminal, prints one line per twentieth of the sites. */
export interface FleetProgress {
  readonly onSite: (outcome: string) => void;
  /** Prints that no further site will be started. */
  readonly onStop: () => void;
  done(): void;
}

/** Counts sites, with rate and remaining time based on the sites generated in this run. */
export function fleetProgress(
  options: GlobalOptions,
  total: number,
  screen: Screen = process.stderr,
): FleetProgress {
  const { show, done } = countingLine(options, screen);
  const isPlain = !screen.isTTY && options.output === 'text' && isLogged(options, 'info');
  const startMs = performance.now();
  let [finished, made, failed] = [0, 0, 0];
  const step = Math.max(leastPlainStep, Math.ceil(total / 20));
  const line = (): string => {
    const seconds = (performance.now() - startMs) / 1000;
    const rate = made / seconds;
    const pace = made === 0 ? '' : `, ${rate.toFixed(1)} a second`;
    const left = made === 0 ? '' : `, about ${elapsedText(((total - finished) / rate) * 1000)} left`;
    return `creating sites: ${finished} of ${total}${failed === 0 ? '' : ` (${failed} failed)`}${pace}${left}`;
  };
  return {
    onSite: (outcome) => {
      finished += 1;
      if (outcome === 'created') made += 1;
      if (outcome === 'failed') failed += 1;
      show(line());
      if (isPlain && finished % step === 0) screen.write(`${line()}\n`);
    },
    onStop: () => {
      done();
      screen.write('stopping after the sites in progress; send a second signal to stop immediately\n');
    },
    done,
  };
}

/** Minimum number of sites between two lines without a terminal. */
const leastPlainStep = 25;

type Screen = Pick<NodeJS.WriteStream, 'isTTY' | 'write'>;

/** A status line that is overwritten; does nothing without a terminal. */
function countingLine(
  options: GlobalOptions,
  screen: Screen,
): { readonly show: (text: string) => void; readonly done: () => void } {
  const isWanted = screen.isTTY && options.output === 'text' && isLogged(options, 'info');
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
