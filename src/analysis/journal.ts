import { rfc3339 } from '../core/rfc3339.js';

export interface JournalLine {
  /** RFC 3339, UTC, in seconds; undefined if the journal has no year or the line is not of a journal. */
  readonly time?: string;
  /** The script, for its own lines and those of its children. */
  readonly program?: string;
  readonly text: string;
}

/** `2026-01-02T03:04:05+0000 host program[1]: text`. Source: journalctl(1), --output=short-iso */
const shortIso =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?)([+-]\d\d):?(\d\d|) \S+ ([^\s:[]+)(?:\[\d+\])?: (.*)$/;

/** `Jan 02 03:04:05 host program[1]: text`, as in bundles of openshift-install. Source: journalctl(1), --output=short */
const short = /^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S+ ([^\s:[]+)(?:\[\d+\])?: (.*)$/;

/**
 * Only the last lines of a journal are kept. A failed stage has some hundred lines. A longer line loses its middle; journald splits those
 * of services at 48 KiB. Source: journald.conf(5), LineMax=
 */
export const journalLimits = { lines: 50_000, lineLength: 65_536 } as const;

/** The last lines of a journal of a gather script. */
export function readJournal(text: string): readonly JournalLine[] {
  const lines = lastLines(text).filter((line) => line !== '' && !line.startsWith('-- '));
  return lines.map((given) => {
    const line = withoutMiddle(given, journalLimits.lineLength);
    const iso = shortIso.exec(line);
    if (iso !== null) {
      const [, time = '', hours = '', minutes = '', program = '', text = ''] = iso;
      const when = utc(`${time}${hours}:${minutes === '' ? '00' : minutes}`);
      return { ...(when !== undefined && { time: when }), program, text };
    }
    const [, program, text = line] = short.exec(line) ?? [];
    return { ...(program !== undefined && { program }), text };
  });
}

/** `Fri 2026-01-02 03:04:05 UTC host kernel: text`. Source: journalctl(1), --output=with-unit */
const withUnit =
  /^[A-Z][a-z]{2} (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.\d+)? (\S+) \S+ kernel(?:\[\d+\])?: (.*)$/;

/** The kernel's lines of a whole journal. */
export function readKernelLines(text: string): readonly JournalLine[] {
  const own = text.split('\n').filter((line) => / kernel(?:\[\d+\])?: /.test(line));
  return own.slice(-journalLimits.lines).flatMap((line) => {
    const [, date = '', time = '', zone, message] =
      withUnit.exec(withoutMiddle(line, journalLimits.lineLength)) ?? [];
    if (message === undefined) return readJournal(line).filter(({ program }) => program === 'kernel');
    const when = zone === 'UTC' ? utc(`${date}T${time}Z`) : undefined;
    return { ...(when !== undefined && { time: when }), program: 'kernel', text: message };
  });
}

/** `2026-01-02T03:04:05.678Z text` of crictl and podman; with ` stderr F ` in files of the kubelet. */
const stamped =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)) (?:std(?:out|err) [FP] )?(.*)$/;

/** The last lines of a container's log. */
export function readContainerLog(text: string): readonly JournalLine[] {
  const lines = lastLines(text).filter((line) => line !== '');
  return lines.map((given) => {
    const line = withoutMiddle(given, journalLimits.lineLength);
    const [, time = '', message = line] = stamped.exec(line) ?? [];
    const when = time === '' ? undefined : utc(time);
    return { ...(when !== undefined && { time: when }), text: message };
  });
}

/** Programs whose messages about a unit do not explain its failure. */
const bystanders: readonly (string | undefined)[] = ['systemd', 'podman'];

/** The lines without systemd's messages about the unit and podman's about its containers; all lines if there are no others. */
export function ownLines(lines: readonly JournalLine[]): readonly JournalLine[] {
  const own = lines.filter(({ program }) => !bystanders.includes(program));
  return own.length > 0 ? own : lines;
}

const leftOut = /… \(\d+ characters left out\) …/;

/** Whether a line was too long to be read as a whole. */
export function isShortened({ text }: JournalLine): boolean {
  return text.length >= journalLimits.lineLength / 2 && leftOut.test(text);
}

/** A text of at most this length and a note, which replaces the middle. `end`: where the second part ends. */
export function withoutMiddle(text: string, length: number, end = text.length): string {
  if (text.length <= length) return text;
  const half = Math.floor(length / 2);
  const to = Math.min(text.length, Math.max(end + Math.floor(length / 10), length));
  const from = to - half;
  const between = (count: number): string => (count === 0 ? '' : `… (${count} characters left out) …`);
  return `${text.slice(0, half)}${between(from - half)}${text.slice(from, to)}${between(text.length - to)}`;
}

/** Undefined for an invalid time, such as day 45 of month 13. */
function utc(time: string): string | undefined {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? undefined : rfc3339(date);
}

/** The last lines of a text; the part before them is not split. */
function lastLines(text: string): readonly string[] {
  let start = text.length;
  for (let lines = 0; lines <= journalLimits.lines && start > 0; lines += 1)
    start = text.lastIndexOf('\n', start - 1);
  return text.slice(Math.max(0, start)).split('\n');
}

/**
 * The lines between two times, both included, with lines that the journal may have stamped a moment late; all lines if the journal has no
 * times.
 */
export function linesBetween(
  lines: readonly JournalLine[],
  from: string,
  to: string | undefined,
): readonly JournalLine[] {
  if (!lines.some(({ time }) => time !== undefined)) return lines;
  const startSeconds = secondsOf(from);
  const first = lines.findIndex(({ time }) => secondsOf(time) >= startSeconds);
  if (first === -1) return [];
  const end = secondsOf(to) + lateSeconds;
  const past = lines.findIndex(({ time }) => secondsOf(time) > end);
  return lines.slice(first, past === -1 ? undefined : past);
}

/** systemd restarts a service 5 seconds after its failure at the earliest (RestartSec of its unit). */
const lateSeconds = 3;

/** NaN without a time, so that every comparison is false. */
function secondsOf(time: string | undefined): number {
  return Math.floor(Date.parse(time ?? '') / 1000);
}
