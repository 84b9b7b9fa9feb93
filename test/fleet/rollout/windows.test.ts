import { describe, expect, test } from 'vitest';

import {
  isTimeZone,
  localTimeText,
  nextOpening,
  weekdays,
  type TimeWindow,
} from '../../../src/fleet/rollout/windows.js';

/** A window such as `mon,tue 22:00-05:00 Europe/Berlin`; without days on every day. */
function window(text: string): TimeWindow {
  const [, days, from = '', to = '', zone = ''] = /^(?:([a-z,]+) )?([\d:]+)-([\d:]+) (.+)$/.exec(text) ?? [];
  const minutes = (time: string): number => {
    const [hours, rest] = time.split(':').map(Number);
    return (hours ?? 0) * 60 + (rest ?? 0);
  };
  const named = days?.split(',') ?? weekdays;
  return {
    days: weekdays.filter((day) => named.includes(day)),
    fromMinute: minutes(from),
    toMinute: minutes(to),
    zone,
  };
}

/** When a site may start at the earliest: `open`, or the time in UTC. */
function opening(now: string, ...windows: readonly string[]): string {
  const next = nextOpening(windows.map(window), new Date(now));
  return next === undefined ? 'open' : next.at.toISOString().replace(':00.000Z', 'Z');
}

describe('a night in Berlin', () => {
  const night = 'mon,tue,wed,thu,fri 22:00-05:00 Europe/Berlin';
  // 2026-11-27 is a Friday; Berlin is one hour before UTC.
  test.each([
    { now: '2026-11-27T20:59:59Z', want: '2026-11-27T21:00Z' },
    { now: '2026-11-27T21:00:00Z', want: 'open' },
    { now: '2026-11-28T03:59:59Z', want: 'open' },
    { now: '2026-11-28T04:00:00Z', want: '2026-11-30T21:00Z' },
    // Sunday evening, and the night to Monday, in which no window begins.
    { now: '2026-11-29T23:00:00Z', want: '2026-11-30T21:00Z' },
  ])('$now: $want', ({ now, want }) => {
    expect(opening(now, night)).toBe(want);
  });
});

test.each([
  { name: 'no windows', now: '2026-11-27T12:00:00Z', windows: [], want: 'open' },
  {
    name: 'the zone is a day ahead',
    now: '2026-11-27T12:00:00Z',
    windows: ['sat 01:00-03:00 Pacific/Kiritimati'],
    want: 'open',
  },
  {
    name: 'the zone is a day behind',
    now: '2026-11-29T01:00:00Z',
    windows: ['sat 10:00-20:00 America/Los_Angeles'],
    want: 'open',
  },
  {
    name: 'the earliest of two',
    now: '2026-11-27T12:00:00Z',
    windows: ['sat 08:00-09:00 UTC', '20:00-21:00 UTC'],
    want: '2026-11-27T20:00Z',
  },
  {
    name: 'one of two is open',
    now: '2026-11-27T20:30:00Z',
    windows: ['sat 08:00-09:00 UTC', '20:00-21:00 UTC'],
    want: 'open',
  },
  { name: 'a whole day', now: '2026-11-28T23:59:00Z', windows: ['sat 00:00-24:00 UTC'], want: 'open' },
  {
    name: 'the end of a whole day',
    now: '2026-11-29T00:00:00Z',
    windows: ['sat 00:00-24:00 UTC'],
    want: '2026-12-05T00:00Z',
  },
])('$name', ({ now, windows, want }) => {
  expect(opening(now, ...windows)).toBe(want);
});

describe('the clock goes forward in Berlin on 2026-03-29, from 02:00 to 03:00', () => {
  test.each([
    { name: 'the night is an hour shorter', at: '2026-03-29T02:59:59Z', window: '22:00-05:00', want: 'open' },
    {
      name: 'and ends at 05:00 of the new time',
      at: '2026-03-29T03:00:00Z',
      window: '22:00-05:00',
      want: '2026-03-29T20:00Z',
    },
    // 02:30 does not exist: one and a half hours after 01:00 is 03:30.
    {
      name: 'a begin that is skipped',
      at: '2026-03-29T00:00:00Z',
      window: '02:30-04:00',
      want: '2026-03-29T01:30Z',
    },
    {
      name: 'a window that is skipped',
      at: '2026-03-29T00:00:00Z',
      window: '02:10-02:50',
      want: '2026-03-29T01:10Z',
    },
  ])('$name', ({ at, window: text, want }) => {
    expect(opening(at, `${text} Europe/Berlin`)).toBe(want);
  });
});

describe('the clock goes back in Berlin on 2026-10-25, from 03:00 to 02:00', () => {
  test.each([
    { name: 'the night is an hour longer', at: '2026-10-25T03:59:59Z', window: '22:00-05:00', want: 'open' },
    {
      name: 'begin at the first 02:30',
      at: '2026-10-24T23:00:00Z',
      window: '02:30-04:00',
      want: '2026-10-25T00:30Z',
    },
    { name: 'open at the second 02:00', at: '2026-10-25T01:00:00Z', window: '02:30-04:00', want: 'open' },
    {
      name: 'end at the first 02:30, closed at the second 02:10',
      at: '2026-10-25T01:10:00Z',
      window: '01:00-02:30',
      want: '2026-10-26T00:00Z',
    },
  ])('$name', ({ at, window: text, want }) => {
    expect(opening(at, `${text} Europe/Berlin`)).toBe(want);
  });
});

test('a start at a midnight that does not exist', () => {
  // The clock of Santiago goes forward at midnight, from 2026-09-05 24:00 to 2026-09-06 01:00.
  expect(opening('2026-09-06T03:00:00Z', 'sun 00:00-02:00 America/Santiago')).toBe('2026-09-06T04:00Z');
});

test('time zones', () => {
  expect(['Europe/Berlin', 'UTC', 'Mars/Base', ''].map(isTimeZone)).toEqual([true, true, false, false]);
  expect(localTimeText(new Date('2026-11-27T21:05:00Z'), 'Asia/Tokyo')).toBe(
    'Sat 2026-11-28 06:05 Asia/Tokyo',
  );
});
