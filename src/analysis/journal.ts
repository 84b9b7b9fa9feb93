import { rfc3339 } from '../core/rfc3339.js';

/** One line of a unit's journal. */
export interface JournalLine {
  /** RFC 3339, UTC, to the second; absent where the journal names no year, or where the line is no journal's. */
  readonly time?: string;
  /** Who said it: the name of the script for its own lines and those of what it runs. */
  readonly program?: string;
  readonly text: string;
}

/** `2026-01-02T03:04:05+0000 host program[1]: text`. Source: journalctl(1), --output=short-iso */
const shortIso =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?)([+-]\d\d):?(\d\d|) \S+ ([^\s:[]+)(?:\[\d+\])?: (.*)$/;

/** `Jan 02 03:04:05 host program[1]: text`, which openshift-install's own bundles have. Source: the same, --output=short */
const short = /^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S+ ([^\s:[]+)(?:\[\d+\])?: (.*)$/;

/** What is kept of a journal: its last lines, and the beginning of each. Those of a stage that failed are some hundred. */
export const journalLimits = { lines: 50_000, lineLength: 4096 } as const;

/** The last lines of a journal as the gather script keeps it. */
export function readJournal(text: string): readonly JournalLine[] {
  const lines = lastLines(text).filter((line) => line !== '' && !line.startsWith('-- '));
  return lines.map((given) => {
    const line = given.slice(0, journalLimits.lineLength);
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

/** Those who tell what they do with a unit, which says nothing of why it failed. */
const bystanders: readonly (string | undefined)[] = ['systemd', 'podman'];

/** The lines without those of systemd about the unit, and of podman about its containers; all when there are no others. */
export function ownLines(lines: readonly JournalLine[]): readonly JournalLine[] {
  const own = lines.filter(({ program }) => !bystanders.includes(program));
  return own.length > 0 ? own : lines;
}

/** Undefined for what has the form of a time and is none, such as the 45th of the 13th month. */
function utc(time: string): string | undefined {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? undefined : rfc3339(date);
}

/** The last lines of a text; what stands before them is not even taken apart. */
function lastLines(text: string): readonly string[] {
  let start = text.length;
  for (let lines = 0; lines <= journalLimits.lines && start > 0; lines += 1)
    start = text.lastIndexOf('\n', start - 1);
  return text.slice(Math.max(0, start)).split('\n');
}

/**
 * The lines from one time to another, both included, and those that the journal may have stamped a moment late; all of them when
 * the journal does not tell times.
 */
export function linesBetween(
  lines: readonly JournalLine[],
  from: string,
  to: string | undefined,
): readonly JournalLine[] {
  if (!lines.some(({ time }) => time !== undefined)) return lines;
  const begin = secondsOf(from);
  const first = lines.findIndex(({ time }) => secondsOf(time) >= begin);
  if (first === -1) return [];
  const end = secondsOf(to) + lateSeconds;
  const past = lines.findIndex(({ time }) => secondsOf(time) > end);
  return lines.slice(first, past === -1 ? undefined : past);
}

/** systemd starts a service again 5 seconds after its failure at the earliest (RestartSec of its unit). */
const lateSeconds = 3;

/** NaN, which no comparison holds for, when there is no time. */
function secondsOf(time: string | undefined): number {
  return Math.floor(Date.parse(time ?? '') / 1000);
}
