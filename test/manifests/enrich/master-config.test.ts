import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { readMasterConfig } from '../../../src/manifests/enrich/master-config.js';
import { master, shown } from './given.js';
import { expectOk } from '../../support/sound-value.js';

function read(given: unknown) {
  const bytes =
    given instanceof Uint8Array
      ? given
      : Buffer.from(typeof given === 'string' ? given : JSON.stringify(given));
  return readMasterConfig({ name: 'master.ign', bytes });
}

const versions = ['3.0.0', '3.1.0', '3.2.0'];

test.each(versions)('accepts a config of version %s', (version) => {
  const links = [{ path: '/etc/localtime', target: '/usr/share/zoneinfo/UTC' }];
  const storage = { ...master.storage, links, directories: [{ path: '/srv' }] };
  const { filePaths, otherPaths, unitNames } = expectOk(read({ ...master, ignition: { version }, storage }));
  expect({ filePaths, otherPaths, unitNames }).toEqual({
    filePaths: ['/var/lib/kubelet/config.json'],
    otherPaths: ['/srv', '/etc/localtime'],
    unitNames: ['kubelet.service'],
  });
});

describe('rejects an incomplete config of a node', () => {
  const reference = { source: 'https://api-int.sno.example.com:22623/config/master' };
  test.each([
    { name: 'nothing', given: ' \n', want: 'is empty' },
    { name: 'bytes', given: Buffer.from([0xff, 0xfe, 0x7b]), want: 'is not UTF-8 text' },
    {
      name: 'HTML',
      given: '\n<!DOCTYPE html><html></html>',
      want: 'is a page of HTML or XML, not an Ignition config',
    },
    { name: 'text', given: 'upstream connect error', want: 'is not JSON' },
    { name: 'half a config', given: JSON.stringify(master).slice(0, 80), want: 'is not JSON' },
    {
      name: 'an error of the Kubernetes API',
      given: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 403 },
      want: 'is the error that a server answered',
    },
    { name: 'an error of a proxy', given: { error: 'gone' }, want: 'is the error that a server answered' },
    { name: 'JSON of another kind', given: [1, 2], want: 'is not an Ignition config' },
    { name: 'a null', given: null, want: 'is not an Ignition config' },
    {
      name: 'a number for a version',
      given: { ignition: { version: 3 } },
      want: 'is not an Ignition config',
    },
    {
      name: 'spec 2',
      given: { ...master, ignition: { version: '2.2.0' } },
      want: 'is an Ignition config of version "2.2.0", expected 3.0.0 to 3.2.0',
    },
    {
      name: 'a newer spec',
      given: { ...master, ignition: { version: '3.4.0' } },
      want: 'is an Ignition config of version "3.4.0", expected 3.0.0 to 3.2.0',
    },
    {
      name: 'a pointer',
      given: { ...master, ignition: { version: '3.2.0', config: { merge: [reference] } } },
      want: 'takes a part of itself from another config, which cannot be looked into',
    },
    {
      name: 'a replacement',
      given: { ...master, ignition: { version: '3.2.0', config: { replace: reference } } },
      want: 'takes a part of itself from another config, which cannot be looked into',
    },
    {
      name: 'no files',
      given: { ...master, storage: {} },
      want: 'contains no files or no units; the machine-config operator may not have finished',
    },
    {
      name: 'no units',
      given: { ...master, systemd: { units: [] } },
      want: 'contains no files or no units; the machine-config operator may not have finished',
    },
  ])('$name', ({ given, want }) => {
    expect(shown(read(given))).toEqual([`error[enrich/input] master.ign: the input ${want}`]);
  });

  test('any JSON, without an exception and without a word of it in the message', () => {
    const canary = 'canary-of-the-pull-secret';
    fc.assert(
      fc.property(fc.json(), fc.jsonValue(), (text, value) => {
        for (const given of [
          text,
          { ignition: value },
          { ...master, storage: value },
          { secret: canary, value },
        ]) {
          expect(shown(read(given)).join()).not.toContain(canary);
        }
      }),
    );
  });
});

describe('violations of the spec', () => {
  const broken = { ...master, storage: { files: [{ mode: '0644' }] }, passwd: { users: [], user: [] } };

  test('is named at its place', () => {
    expect(shown(read(JSON.stringify(broken, undefined, 2)))).toEqual([
      'error[enrich/input] master.ign:7:7 (storage.files[0].path): storage.files[0].path is missing',
      'error[enrich/input] master.ign:8:17 (storage.files[0].mode): storage.files[0].mode must be a whole number, not a string',
      'warning[enrich/unknown-field] master.ign:22:5 (passwd.user): unknown field "user" in passwd, which Ignition ignores',
    ]);
  });

  test('warns of an unknown field', () => {
    const read3 = read({ ...master, kernelArguments: {} });
    expect({ ok: read3.ok, problems: shown(read3) }).toEqual({
      ok: true,
      problems: [
        'warning[enrich/unknown-field] master.ign:1:196 (kernelArguments): kernelArguments needs Ignition spec 3.3.0, and the config has 3.2.0',
      ],
    });
  });

  test('accepts redundant fields of the operator', () => {
    const units = [{ name: 'a.service', enabled: true, contents: '[Unit]\n' }];
    expect(shown(read({ ...master, systemd: { units } }))).toEqual([]);
  });

  test('many faults are counted, and no text is too large', () => {
    const files = Array.from({ length: 20_000 }, () => ({ path: 'a', contents: { source: 'x' } }));
    const problems = shown(read({ ...master, storage: { files } }));
    expect(problems.length).toBe(21);
    expect(problems.at(-1)).toBe('error[enrich/input] master.ign: the input has 59979 more faults');
  });

  test.each([
    {
      levels: 900,
      want: 'warning[enrich/unknown-field] master.ign (odd): unknown field "odd", which Ignition ignores',
    },
    // The reader of Ignition stops at 10,000 levels (Go, encoding/json).
    {
      levels: 100_000,
      want: 'error[enrich/input] master.ign: the input is nested more than 1000 levels deep',
    },
  ])('does not crash at $levels levels', ({ levels, want }) => {
    const deep = `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const text = JSON.stringify({ ...master, odd: 'DEEP' }).replace('"DEEP"', deep);
    expect(shown(read(text))).toEqual([want]);
  });
});
