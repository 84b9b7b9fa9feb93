import { expect, it, test } from 'vitest';

import { Redacted } from '../../../src/core/redacted.js';
import { problemsOf, success } from '../../../src/core/result.js';
import { readBmcUsers } from '../../../src/fleet/boot/bmc-credentials.js';
import { serializeBootRecord, readBootRecord, type BootedSite } from '../../../src/fleet/boot/boot-record.js';
import { bootRecordWriter } from '../../../src/fleet/boot/boot-record-writer.js';
import { checkSite } from '../../../src/fleet/boot/boot-site.js';
import { freePort } from '../../support/ports.js';

it('a BMC that is not there is a problem at its cell', async () => {
  const at = { file: 'sites.csv', path: 'bmc', line: 2, col: 9 };
  const site = {
    name: 'north-1',
    address: { origin: `https://127.0.0.1:${await freePort()}` },
    trust: {},
    at,
    trustAt: at,
  };
  const pacing = {
    questionMs: 10_000,
    signal: new AbortController().signal,
    present: () => new Date(0),
    mediumMs: 10_000,
    lookMs: 1,
    retryMs: 1,
  };
  const user = { name: 'operator', password: new Redacted('pa55word'), source: 'bmc.yaml.age' };

  expect(await checkSite({ site, user, pacing })).toMatchObject({
    state: 'failed',
    problems: [{ code: 'boot/unreachable', message: 'the BMC of north-1: connection refused', at }],
  });
});

it('the user of a BMC is that of its name, then that of the first pattern', () => {
  const text = `'*-1': { username: any, password: a }\nnorth-1: { username: own, password: 0123 }\n'north-*': { username: north, password: c }\n`;
  const users = readBmcUsers(text, 'bmc.yaml.age');
  const nameOf = (site: string): string | undefined => (users.ok ? users.value(site)?.name : undefined);

  expect(['north-1', 'south-1', 'north-2', 'south-2'].map(nameOf)).toEqual([
    'own',
    'any',
    'north',
    undefined,
  ]);
  expect(users.ok && users.value('north-1')?.password.reveal()).toBe('0123');
});

test.each([
  ['a list', '- a', 'bmc.yaml.age is not a YAML map'],
  ['no YAML', 'a: "b', 'bmc.yaml.age is not a YAML map (line 1)'],
  [
    'no password',
    'a: {username: b, password: c}\nd: {username: e}',
    'bmc.yaml.age has an entry without username or password (line 2)',
  ],
])('rejects %s as credentials', (_name, text, want) => {
  expect(problemsOf(readBmcUsers(text, 'bmc.yaml.age')).map(({ message }) => message)).toEqual([want]);
});

const booted: BootedSite = {
  state: 'booted',
  updatedAt: '2026-01-01T00:00:00Z',
  bmc: 'https://192.0.2.1',
  slot: '/slot',
};

it('a record is read as it was written, in the order of names', () => {
  const record = new Map<string, BootedSite>([
    ['c', { ...booted, state: 'starting', wasOff: true }],
    ['b', { ...booted, system: '/redfish/v1/Systems/1' }],
    ['a', { ...booted, state: 'ejected' }],
  ]);
  const text = serializeBootRecord(record);
  const read = readBootRecord(text, 'out/boot.json');

  expect(read.ok && [...read.value]).toEqual([...record].toReversed());
  expect(readBootRecord('', 'out/boot.json')).toEqual(success(new Map()));
  expect(readBootRecord(text.replace('booted', 'gone'), 'out/boot.json').ok).toBe(false);
});

it('sites that come together are recorded together, each before it goes on', async () => {
  const written: string[] = [];
  const keeper = bootRecordWriter(new Map(), (text) => {
    written.push(text);
    return success(undefined);
  });
  await Promise.all([keeper.keep('a', booted), keeper.keep('b', booted)]);
  expect([written.length, keeper.of('a')]).toEqual([1, booted]);
  await keeper.keep('c', booted);

  expect(written.map((text) => Object.keys((JSON.parse(text) as { sites: object }).sites))).toEqual([
    ['a', 'b'],
    ['a', 'b', 'c'],
  ]);
});
