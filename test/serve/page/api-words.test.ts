import { mkdirSync, readFileSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import {
  apiStatesFileName,
  serializeApiStates,
  readApiStates,
  type ApiState,
} from '../../../src/serve/api-states/api-state.js';
import { apiStateWriter, type PolledSite } from '../../../src/serve/api-states/api-state-writer.js';
import { apiStateReader, apiStateRow } from '../../../src/serve/api-states/api-state-row.js';
import { scratchFolder } from '../../support/scratch.js';

const at = (time: string): string => `2026-01-02T${time}Z`;
const word: ApiState = {
  condition: 'install-complete',
  state: 'waiting',
  word: 'connection refused',
  since: at('03:00:00'),
  receivedAt: at('03:10:00'),
};

/** The states read from a file with this text. */
function readFrom(text: string): readonly (readonly [string, ApiState])[] {
  const path = join(scratchFolder(), apiStatesFileName);
  writeFileSync(path, text);
  return [...readApiStates(path)];
}

/** The state read from this entry of a site. */
function readEntry(entry: unknown): ApiState | undefined {
  return new Map(readFrom(JSON.stringify({ version: 2, sites: { a: entry } }))).get('a');
}

describe('a file of words', () => {
  test('is read as it was written, its sites in order', () => {
    const done: ApiState = {
      condition: 'node-ready',
      state: 'reached',
      since: at('03:00:00'),
      receivedAt: at('03:00:00'),
    };
    const text = serializeApiStates(
      new Map([
        ['b', done],
        ['a', word],
      ]),
    );
    expect(Object.keys((JSON.parse(text) as { sites: object }).sites)).toEqual(['a', 'b']);
    expect(readFrom(text)).toEqual([
      ['a', word],
      ['b', done],
    ]);
  });

  test.each([
    '',
    '{',
    'null',
    '[]',
    '{"version":2,"sites":{}}',
    '{"version":1}',
    '{"version":1,"sites":[]}',
    `{"version":1,"sites":${'['.repeat(10_000)}`,
  ])('that is none, such as %j, has no words', (text) => {
    expect(readFrom(text)).toEqual([]);
  });

  test('that is larger than any of ours, a folder, or not there has none', () => {
    const folder = scratchFolder();
    const large = join(folder, 'large.json');
    writeFileSync(large, serializeApiStates(new Map([['a', word]])).padEnd(33 * 1024 * 1024));
    expect([
      ...readApiStates(large),
      ...readApiStates(folder),
      ...readApiStates(join(folder, 'none')),
    ]).toEqual([]);
  });

  test.each([
    ['a text', 'word'],
    ['no condition', { ...word, condition: undefined }],
    ['mark-up for a condition', { ...word, condition: '<b>' }],
    ['another state', { ...word, state: 'done' }],
    ['a number for a time', { ...word, receivedAt: 5 }],
    ['a time that there is not', { ...word, since: '2026-13-02T03:00:00Z' }],
    ['a time with words in it', { ...word, receivedAt: `${word.receivedAt} <b>` }],
  ])('leaves out a site with %s, and no other', (_, entry) => {
    const found = readFrom(JSON.stringify({ version: 2, sites: { a: entry, b: word } }));
    expect(found.map(([name]) => name)).toEqual(['b']);
  });

  test('has words of one line, cut, without what steers a terminal or turns the direction of writing', () => {
    const odd = `a\n\u001b[31m\u202eb\u2028${'c'.repeat(400)}`;
    const read = readEntry({ ...word, message: odd })?.word;
    expect(read).toMatch(/^a··\[31m·b·c+$/);
    expect(read).toHaveLength(300);
    expect(readEntry({ ...word, message: { a: 1 } })?.word).toBeUndefined();
  });
});

test('a file of 0.1.0 is read', () => {
  const { receivedAt: heardAt, ...more } = word;
  expect(readFrom(JSON.stringify({ version: 1, sites: { a: { ...more, heardAt } } }))).toEqual([['a', word]]);
});

describe('stores the state of a wait', () => {
  const waiting = (name: string, said: string, time: string): PolledSite => ({
    name,
    state: 'waiting',
    said,
    receivedAt: new Date(at(time)),
  });
  const unasked = (name: string): PolledSite => ({ name, state: 'waiting' });

  test('at intervals and at the end, with the time of the last change', () => {
    const path = join(scratchFolder(), apiStatesFileName);
    const keeper = apiStateWriter(path, 'install-complete');
    keeper.put([unasked('b'), waiting('a', 'x', '03:00:00')], 0);
    expect([...readApiStates(path)]).toEqual([
      ['a', { ...word, word: 'x', since: at('03:00:00'), receivedAt: at('03:00:00') }],
    ]);
    expect(statSync(path).mode & 0o777).toBe(0o600);

    keeper.put([waiting('a', 'y', '03:00:05')], 9999);
    expect(readApiStates(path).get('a')?.word).toBe('x');
    keeper.put([waiting('a', 'x', '03:00:10')], 10_000);
    expect(readApiStates(path).get('a')).toMatchObject({ since: at('03:00:00'), receivedAt: at('03:00:10') });

    const finished = { ...waiting('a', '4.21.0', '03:00:20'), state: 'reached' } as const;
    expect(keeper.close([finished])).toEqual([]);
    expect(readApiStates(path).get('a')).toMatchObject({
      state: 'reached',
      word: '4.21.0',
      since: at('03:00:20'),
    });
    keeper.close([{ ...finished, state: 'not-reached' }]);
    expect(readApiStates(path).get('a')).toMatchObject({ state: 'not-reached', word: '4.21.0' });
    expect(readdirSync(join(path, '..'))).toEqual([apiStatesFileName]);
  });

  test('without a secret that an API may have let slip', () => {
    const path = join(scratchFolder(), apiStatesFileName);
    apiStateWriter(path, 'node-ready').close([
      waiting('a', 'cannot ask http://user:oak@proxy:3128', '03:00:00'),
    ]);
    expect(readFileSync(path, 'utf8')).toContain('"cannot ask http://[redacted]@proxy:3128"');
    expect(readFileSync(path, 'utf8')).not.toContain('oak');
  });

  test('with entries of an earlier wait for sites without a new answer', () => {
    const path = join(scratchFolder(), apiStatesFileName);
    writeFileSync(
      path,
      serializeApiStates(
        new Map([
          ['old', word],
          ['a', word],
        ]),
      ),
    );
    apiStateWriter(path, 'install-complete').put([unasked('a'), waiting('b', 'x', '04:00:00')], 0);
    expect([...readApiStates(path)].map(([name, { receivedAt }]) => [name, receivedAt])).toEqual([
      ['a', word.receivedAt],
      ['b', at('04:00:00')],
      ['old', word.receivedAt],
    ]);
  });

  test('only with outputs, and a write error does not stop a wait', () => {
    const folder = scratchFolder();
    const nowhere = join(folder, 'out', apiStatesFileName);
    expect(apiStateWriter(nowhere, 'node-ready').close([waiting('a', 'x', '03:00:00')])).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);

    mkdirSync(nowhere, { recursive: true });
    const warnings = apiStateWriter(nowhere, 'node-ready').close([waiting('a', 'x', '03:00:00')]);
    expect(warnings.map(({ code, severity }) => [code, severity])).toEqual([['dir/not-writable', 'warning']]);
  });
});

describe('the displayed state', () => {
  const now = new Date(at('03:12:00'));

  test('contains its text and time', () => {
    expect(apiStateRow(word, now, {})).toEqual({
      word: 'waiting for install-complete: connection refused',
      note: 'since',
      at: at('03:00:00'),
    });
    const { condition, since, receivedAt } = word;
    const status = { condition, state: 'reached', since, receivedAt } as const;
    expect(apiStateRow(status, now, {})?.word).toBe('install-complete reached');
    expect(apiStateRow({ ...word, state: 'not-reached' }, now, {})?.word).toMatch(
      /^install-complete not reached: /,
    );
  });

  test.each([
    ['15 minutes old', at('03:25:00'), {}, 'since'],
    ['older', at('03:25:01'), {}, 'outdated, last check'],
    [
      'from before its machine was started again',
      at('03:12:00'),
      { boot: { state: 'booted', at: at('03:11:00') } },
      'outdated, last check',
    ],
    ['from after that', at('03:12:00'), { boot: { state: 'booted', at: at('03:09:00') } }, 'since'],
    [
      'from before medium ejected',
      at('03:12:00'),
      { boot: { state: 'ejected', at: at('03:11:00') } },
      'since',
    ],
    ['a little ahead of the clock', at('03:05:00'), {}, 'since'],
  ] as const)('of one that is %s', (_, time, finding, note) => {
    expect(apiStateRow(word, new Date(time), finding)).toMatchObject({
      note,
      at: note === 'since' ? word.since : word.receivedAt,
    });
  });

  test('is empty if its time is in the future', () => {
    expect(apiStateRow(word, new Date(at('03:04:59')), {})).toBeUndefined();
    expect(apiStateRow({ ...word, since: at('09:00:00') }, now, {})?.at).toBe(word.receivedAt);
  });
});

test('changed files next to the folders of sites are read again', () => {
  const folder = scratchFolder();
  const path = join(folder, apiStatesFileName);
  const words = apiStateReader(() => [{ dir: join(folder, 'a') }, { dir: join(folder, 'b') }]);
  expect(words().size).toBe(0);
  writeFileSync(path, serializeApiStates(new Map([['a', word]])));
  expect(words().get('a')).toEqual(word);
  const known = words();
  expect(words()).toBe(known);
  writeFileSync(path, readFileSync(path, 'utf8').replace('connection', 'connexion!'));
  utimesSync(path, 1, 1);
  expect(words().get('a')?.word).toBe('connexion! refused');
});
