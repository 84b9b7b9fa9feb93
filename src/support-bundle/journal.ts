/** One line of a unit's journal. */
export interface JournalLine {
  /** As the journal writes it; absent where it names no year, or where the line is no journal's. */
  readonly time?: string;
  readonly text: string;
}

/** `2026-01-02T03:04:05+0000 host program[1]: text`. Source: journalctl(1), --output=short-iso */
const shortIso =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?)([+-]\d\d):?(\d\d|) \S+ [^\s:]+(?:\[\d+\])?: (.*)$/;

/** `Jan 02 03:04:05 host program[1]: text`, which openshift-install's own bundles have. Source: the same, --output=short */
const short = /^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S+ [^\s:]+(?:\[\d+\])?: (.*)$/;

/** The lines of a journal as the gather script keeps it. */
export function readJournal(text: string): readonly JournalLine[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('-- '));
  return lines.map((line) => {
    const iso = shortIso.exec(line);
    if (iso !== null) {
      const [, time = '', hours = '', minutes = '', said = ''] = iso;
      return { time: `${time}${hours}:${minutes === '' ? '00' : minutes}`, text: said };
    }
    return { text: short.exec(line)?.[1] ?? line };
  });
}

/** The lines from one time to another, both included; all of them when the journal does not tell times. */
export function linesBetween(
  lines: readonly JournalLine[],
  from: string,
  to: string | undefined,
): readonly JournalLine[] {
  if (!lines.some(({ time }) => time !== undefined)) return lines;
  const first = lines.findIndex(({ time }) => isAtOrAfter(time, from));
  if (first === -1) return [];
  const past = to === undefined ? -1 : lines.findIndex(({ time }) => isAfter(time, to));
  return lines.slice(first, past === -1 ? undefined : past);
}

function isAtOrAfter(time: string | undefined, other: string): boolean {
  return time !== undefined && Math.floor(Date.parse(time) / 1000) >= Math.floor(Date.parse(other) / 1000);
}

function isAfter(time: string | undefined, other: string): boolean {
  return time !== undefined && Math.floor(Date.parse(time) / 1000) > Math.floor(Date.parse(other) / 1000);
}
