import { describe, expect, test } from 'vitest';

import { parseRowFilter, matchesFilter } from '../../../src/serve/page/row-filter.js';
import { siteRow } from '../../../src/serve/page/site-row.js';
import type { SiteStatus } from '../../../src/serve/page/site-status.js';

const visit = { phase: 'waiting', givenBytes: 0, ofBytes: 0 } as const;
const site: SiteStatus = { name: 'north-1', hasOutputs: true, visit, finding: {} };
const request = (minute: number) => ({ what: 'live.iso', at: new Date(Date.UTC(2026, 10, 22, 12, minute)) });
const now = new Date('2026-11-22T13:00:00Z');
const booted = { state: 'booted', at: '2026-11-22T12:01:00Z' } as const;

describe('a site as a row', () => {
  test.each([
    { name: 'no outputs', given: { hasOutputs: false }, want: { phase: 'no-outputs' } },
    { name: 'created', given: {}, want: { phase: 'created' } },
    {
      name: 'the end of its certificates',
      given: { finding: { bootableUntil: '2026-12-01T00:00:00Z' } },
      want: { phase: 'created', until: '2026-12-01T00:00:00Z', untilText: '8 days left' },
    },
    {
      name: 'a byte short of all is not 100 %',
      given: { visit: { phase: 'reading', givenBytes: 999, ofBytes: 1000, last: request(0) } },
      want: {
        phase: 'reading',
        percent: 99,
        word: 'downloaded 99 % of live.iso',
        at: '2026-11-22T12:00:00Z',
      },
    },
    {
      name: 'booted, and nothing heard of it since',
      given: {
        finding: { boot: booted },
        visit: { phase: 'reading', givenBytes: 5, ofBytes: 10, last: request(0) },
      },
      want: { phase: 'booted', word: 'booted from its medium', at: '2026-11-22T12:01:00Z' },
    },
    {
      name: 'booted, and reading since',
      given: {
        finding: { boot: booted },
        visit: { phase: 'reading', givenBytes: 5, ofBytes: 10, last: request(2) },
      },
      want: {
        phase: 'booted',
        word: 'downloaded 50 % of live.iso',
        at: '2026-11-22T12:02:00Z',
      },
    },
  ] as const)('$name', ({ given, want }) => {
    expect(siteRow({ ...site, ...given }, now)).toEqual({ name: 'north-1', ...want });
  });

  test('a name with control characters shows none', () => {
    expect(siteRow({ ...site, name: 'a\u001b[2J\n' }, now).name).toBe('a·[2J·');
  });
});

describe('a choice', () => {
  const row = siteRow(site, now);
  test.each([
    { query: {}, want: true },
    { query: { q: '' }, want: true },
    { query: { q: 'NORTH created' }, want: true },
    { query: { q: 'north south' }, want: false },
    { query: { q: 'north', phase: 'created' }, want: true },
    { query: { q: 'north', phase: 'booted' }, want: false },
    { query: { phase: 'constructor' }, want: true },
    { query: { q: ['north', 'south'], phase: ['booted'] }, want: true },
  ])('$query', ({ query, want }) => {
    expect(matchesFilter(row, parseRowFilter(query))).toBe(want);
  });
});
