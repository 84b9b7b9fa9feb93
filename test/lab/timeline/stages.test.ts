import { describe, expect, test } from 'vitest';

import type { JournalLine } from './journal.js';
import { timelinePage } from './page.js';
import { stagesOf } from './stages.js';
import { timelineText, type Timeline } from './text.js';

const line = (at: number, message: string, isOfSystemd = false): JournalLine => ({
  at,
  unit: 'bootkube',
  message,
  isOfSystemd,
});

describe('the stages of a journal', () => {
  test('end with the next stage, and include the wait for it', () => {
    const lines = [
      line(0, 'stage first'),
      line(1000, 'waiting for the moon, at most 60 s'),
      line(2000, 'still waiting for the moon: 61 s of 60 s'),
      line(4000, 'it rose'),
      line(5000, 'stage second'),
      line(5000, 'stage third: done by an earlier run'),
      line(6000, 'bootkube.service: Main process exited, code=killed, status=9/KILL', true),
    ];
    const wait = { what: 'the moon', startMs: 1000, endMs: 4000, limit: 60 };
    expect(stagesOf(lines)).toEqual([
      {
        unit: 'bootkube',
        name: 'first',
        startMs: 0,
        endMs: 5000,
        result: 'done',
        waits: [wait],
        said: 'it rose',
      },
      { unit: 'bootkube', name: 'second', startMs: 5000, endMs: 5000, result: 'done', waits: [] },
    ]);
  });

  test('include pulls with their retries', () => {
    const lines = [
      line(0, 'stage first'),
      line(1000, 'pulling quay.io/a/b:1, for at most 3600 s'),
      line(2000, 'pulling quay.io/a/b:1 failed after 1 s of 3600 s, next try in 5 s: EOF'),
      line(9000, 'stage second'),
    ];
    expect(stagesOf(lines)[0]?.waits).toEqual([
      { what: 'the pull of quay.io/a/b:1', startMs: 1000, endMs: 9000, limit: 3600 },
    ]);
  });

  test.each([
    ['bootkube.service: Main process exited, code=killed, status=9/KILL', 'killed'],
    ['bootkube.service: Main process exited, code=exited, status=1/FAILURE', 'failed'],
    ['bootkube.service: Deactivated successfully.', 'done'],
  ])('that are the last before "%s" are %s', (message, result) => {
    expect(stagesOf([line(0, 'stage only'), line(10, message, true)])).toMatchObject([{ endMs: 10, result }]);
  });

  test('without an end are open', () => {
    expect(stagesOf([line(0, 'stage only'), line(10, 'and on it goes')])).toMatchObject([
      { endMs: 10, result: 'open' },
    ]);
  });
});

describe('the start of a service of the system', () => {
  const about = (at: number, message: string): JournalLine => ({
    at,
    unit: 'crio',
    message,
    isOfSystemd: true,
  });

  test.each([
    { end: 'Started crio.service - CRI-O.', endMs: 5000, result: 'done' },
    { end: 'Failed to start crio.service - CRI-O.', endMs: 5000, result: 'failed' },
    { end: 'crio.service: some word', endMs: 5000, result: 'open' },
  ])('ends with "$end"', ({ end, endMs, result }) => {
    const lines = [
      about(0, 'Starting crio.service - CRI-O...'),
      { ...about(10, 'stage of its own'), isOfSystemd: false },
      about(5000, end),
    ];
    expect(stagesOf(lines)).toEqual([{ unit: 'crio', name: 'start', startMs: 0, endMs, result, waits: [] }]);
  });
});

const timeline: Timeline = {
  title: 'A run',
  parts: ['real: <all>'],
  outcome: 'failed: see below',
  phases: [
    {
      title: 'The live system',
      startMs: 0,
      endMs: 10_000,
      console: ['a line & another'],
      stages: [
        {
          unit: 'bootkube',
          name: 'first',
          startMs: 1000,
          endMs: 9000,
          result: 'failed',
          waits: [{ what: 'the moon', startMs: 1000, endMs: 8000, limit: 60 }],
          said: 'timed out after 60 s waiting for the moon',
        },
      ],
    },
  ],
};

describe('a timeline', () => {
  test('as text contains times, durations, failures and waits', () => {
    expect(timelineText(timeline)).toBe(`A run
failed: see below

  real: <all>

The live system: 10.0 s
  longest: bootkube: first 8.0 s
  bootkube: first failed: timed out after 60 s waiting for the moon
    +1.0 s    8.0 s  bootkube: first  FAILED
                     waited 7.0 s for the moon
  console: a line & another
`);
  });

  test('as a page has a bar for each stage, marks failures and loads no other files', () => {
    const page = timelinePage(timeline);
    expect(page.match(/<rect class="failed"/g)).toHaveLength(1);
    expect(page).toContain('waited 7.0 s for the moon');
    expect(page).toContain('real: &#60;all&#62;');
    expect(page).not.toMatch(/(?:src|href)=/);
  });
});
