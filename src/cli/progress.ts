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
  const onSite = (judged: number): void => {
    show(`${doing}: ${judged} of ${total}`);
  };
  // The first site of a large fleet takes seconds.
  onSite(0);
  return { onSite, done };
}

/** `siteProgress` for the operations of a fleet. */
export function showSiteProgress(
  options: GlobalOptions,
): (total: number, doing?: string) => ReturnType<typeof siteProgress> {
  return (total, doing) => siteProgress(options, total, process.stderr, doing);
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
  show(line());
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

/** Shows the progress of a download. Without a terminal, prints a line per tenth, and at most one in ten seconds. */
export function downloadProgress(
  options: GlobalOptions,
  name: string,
  screen: Screen = process.stderr,
  now: () => number = () => performance.now(),
): { readonly onProgress: (bytes: number, total: number | undefined) => void; done(): void } {
  const { show, done } = countingLine(options, screen);
  const isPlain = !screen.isTTY && options.output === 'text' && isLogged(options, 'info');
  const startMs = now();
  let first: number | undefined;
  let [shownMs, printedMs, tenths] = [0, startMs, 0];
  return {
    onProgress: (bytes, total) => {
      first ??= bytes;
      const nowMs = now();
      const line = downloadLine(name, { bytes, total, received: bytes - first, ms: nowMs - startMs });
      // Redrawing the line for each of the thousands of pieces would slow the download down.
      if (nowMs - shownMs > 200) {
        show(line);
        shownMs = nowMs;
      }
      const tenth = total === undefined || total === 0 ? 0 : Math.floor((bytes / total) * 10);
      if (isPlain && tenth > tenths && nowMs - printedMs >= leastPlainMs) {
        screen.write(`${line}\n`);
        printedMs = nowMs;
        tenths = tenth;
      }
    },
    done,
  };
}

/** Time between two lines of bytes without a terminal. */
const leastPlainMs = 10_000;

/** Shows the steps of the creation of a payload, each as `downloadProgress`. */
export function payloadProgress(
  options: GlobalOptions,
  screen: Screen = process.stderr,
  now?: () => number,
): { readonly onProgress: (step: string, done: number, total: number) => void; done(): void } {
  let step = '';
  let line: ReturnType<typeof downloadProgress> | undefined;
  const { show, done } = countingLine(options, screen);
  return {
    onProgress: (name, count, total) => {
      if (name !== step) {
        line?.done();
        line = downloadProgress(options, name, screen, now);
        step = name;
      }
      if (name === 'reading manifests') show(`${name}: ${count} of ${total}`);
      else line?.onProgress(count, total);
    },
    done,
  };
}

interface DownloadCount {
  readonly bytes: number;
  readonly total: number | undefined;
  /** Without those of an earlier run. */
  readonly received: number;
  readonly ms: number;
}

function downloadLine(name: string, { bytes, total, received, ms }: DownloadCount): string {
  const mebibytes = (count: number): string => (count / 1024 ** 2).toFixed(0);
  const of = total === undefined ? '' : ` of ${mebibytes(total)}`;
  const perMs = ms === 0 ? 0 : received / ms;
  const pace = perMs === 0 ? '' : `, ${((perMs * 1000) / 1024 ** 2).toFixed(1)} MiB/s`;
  const leftMs = total === undefined || perMs === 0 ? 0 : (total - bytes) / perMs;
  const left = leftMs < 1000 ? '' : `, about ${elapsedText(leftMs)} left`;
  return `${name}: ${mebibytes(bytes)}${of} MiB${pace}${left}`;
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
