export const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

export type Weekday = (typeof weekdays)[number];

/** A daily time span in a zone. Minutes count from midnight; `toMinute` is on the next day if it is not after `fromMinute`. */
export interface TimeWindow {
  /** Days on which the window begins. */
  readonly days: readonly Weekday[];
  readonly fromMinute: number;
  readonly toMinute: number;
  /** IANA name. */
  readonly zone: string;
}

/** A time span, without its end. */
interface Interval {
  readonly fromMs: number;
  readonly toMs: number;
  readonly zone: string;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Long enough that each window begins within it, also one of a single day whose night a time change removes. */
const lookAheadDays = 15;

/** The begin of the next window; undefined if `now` is in a window, or if there are no windows. */
export function nextOpening(
  windows: readonly TimeWindow[],
  now: Date,
): { readonly at: Date; readonly zone: string } | undefined {
  const nowMs = now.getTime();
  const intervals = windows.flatMap((window) => intervalsOf(window, nowMs));
  if (windows.length === 0 || intervals.some(({ fromMs, toMs }) => fromMs <= nowMs && nowMs < toMs))
    return undefined;
  const [next] = intervals
    .filter(({ fromMs }) => fromMs > nowMs)
    .toSorted((left, right) => left.fromMs - right.fromMs);
  if (next === undefined) throw new Error('internal error: no window opens');
  return { at: new Date(next.fromMs), zone: next.zone };
}

function intervalsOf({ days, fromMinute, toMinute, zone }: TimeWindow, nowMs: number): readonly Interval[] {
  const { year, month, day } = wallClock(nowMs, zone);
  return Array.from({ length: lookAheadDays + 2 }, (_, index) => index - 1).flatMap((offset) => {
    // In UTC, so that each step is exactly one date.
    const date = Date.UTC(year, month - 1, day + offset);
    const weekday = weekdays[new Date(date).getUTCDay()];
    if (weekday === undefined || !days.includes(weekday)) return [];
    const endDate = toMinute > fromMinute ? date : date + dayMs;
    const fromMs = instantOf(date + fromMinute * 60_000, zone);
    const toMs = instantOf(endDate + toMinute * 60_000, zone);
    return fromMs < toMs ? [{ fromMs, toMs, zone }] : [];
  });
}

/**
 * The instant of a local time, which is given as if it were UTC. A time that occurs twice means the first one; a time that a change of the
 * clock skips is read with the offset before the change. Source: RFC 5545, 3.3.5
 */
function instantOf(localMs: number, zone: string): number {
  const [before, after] = [localMs - dayMs, localMs + dayMs].map((ms) => localMs - offsetMs(ms, zone));
  if (before === undefined || after === undefined) throw new Error('internal error: no offsets');
  const isBefore = before + offsetMs(before, zone) === localMs;
  const isAfter = after + offsetMs(after, zone) === localMs;
  if (isBefore && isAfter) return Math.min(before, after);
  return isAfter ? after : before;
}

function offsetMs(instantMs: number, zone: string): number {
  const { year, month, day, hour, minute, second } = wallClock(instantMs, zone);
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instantMs / 1000) * 1000;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Throws RangeError for an unknown zone. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(zone, format);
  return format;
}

type WallClock = Readonly<Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>>;

function wallClock(instantMs: number, zone: string): WallClock {
  const parts = formatOf(zone).formatToParts(instantMs);
  const numberOf = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((part) => part.type === type)?.value);
  return {
    year: numberOf('year'),
    month: numberOf('month'),
    day: numberOf('day'),
    hour: numberOf('hour'),
    minute: numberOf('minute'),
    second: numberOf('second'),
  };
}

export function isTimeZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** A time as people of the zone read it: `Fri 2026-11-27 22:00 Europe/Berlin`. */
export function localTimeText(time: Date, zone: string): string {
  const { year, month, day, hour, minute } = wallClock(time.getTime(), zone);
  const two = (value: number): string => String(value).padStart(2, '0');
  const weekday = weekdays[new Date(Date.UTC(year, month - 1, day)).getUTCDay()] ?? '';
  const name = weekday.charAt(0).toUpperCase() + weekday.slice(1);
  return `${name} ${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)} ${zone}`;
}
