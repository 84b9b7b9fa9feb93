import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

import { nodeConfigLimitMib } from '../../../src/manifests/enrich/master-size.js';
import { parseMasterUpdate } from '../../../src/manifests/enrich/master-update.js';
import { parseNodeFilesList } from '../../../src/manifests/enrich/node-files-list.js';
import { document, shown } from './given.js';
import { expectOk } from '../../support/sound-value.js';

const folder = 'templates/live/opt/openshift/bootstrap-in-place';

describe('the files that the node reads too', () => {
  test('are understood line by line', () => {
    const text = readFileSync(`${folder}/node-files.list`, 'utf8');
    const carried = text
      .split('\n')
      .filter((line) => /^(?:keep|remove|last) +(?:0[0-7]{3}|unit) /.test(line));
    const rows = expectOk(parseNodeFilesList(text, 'node-files.list'));
    expect(rows.length).toBeGreaterThan(30);
    expect(rows.map((row) => row.source)).toEqual(
      carried.map((line) => (line.split(/\s+/)[2] ?? '').replace('?', '')),
    );
    expect(rows.flatMap((row) => (row.kind === 'unit' ? [row.name] : []))).toEqual([
      'sno-etcd-restore.service',
      'bootkube.service',
    ]);
    const template = readFileSync(`${folder}/master-update.fcc`, 'utf8');
    expect(expectOk(parseMasterUpdate(template, 'master-update.fcc'))).toEqual(
      (JSON.parse(template) as typeof document).storage.directories,
    );
  });

  test('set the same limit of size', () => {
    const script = readFileSync('templates/live/usr/local/bin/sno-master-ignition.sh', 'utf8');
    expect(script).toContain(`{SNO_MASTER_IGNITION_LIMIT_MIB:-${nodeConfigLimitMib}}`);
  });
});

describe('a line of the list', () => {
  test.each([
    {
      name: 'a file',
      line: 'keep 0644 openshift/a /a',
      want: [{ kind: 'files', mode: 0o644, source: 'openshift/a', path: '/a', isOptional: false }],
    },
    {
      name: 'an optional folder',
      line: '  remove\t0400   ?kubernetes/a/   /b/ ',
      want: [{ kind: 'files', mode: 0o400, source: 'kubernetes/a/', path: '/b/', isOptional: true }],
    },
    {
      name: 'a unit',
      line: 'last unit openshift/units/a.service /etc/systemd/system/b.service',
      want: [{ kind: 'unit', source: 'openshift/units/a.service', name: 'b.service' }],
    },
    {
      name: 'a file that another service removes',
      line: 'later 0600 openshift/a/ /a/',
      want: [{ kind: 'files', mode: 0o600, source: 'openshift/a/', path: '/a/', isOptional: false }],
    },
    { name: 'what is made on the node', line: 'keep - - /var/lib/etcd/', want: [] },
    { name: 'a preset', line: 'remove preset a.service /etc/b', want: [] },
    { name: 'a comment', line: '# 0644 openshift/a /a', want: [] },
  ])('$name', ({ line, want }) => {
    expect(expectOk(parseNodeFilesList(`${line}\n`, 'list'))).toEqual(want);
  });

  test.each([
    {
      line: 'keep 0644 openshift/a',
      want: 'a line has 3 columns, expected fate, mode, source and path',
    },
    { line: 'drop 0644 openshift/a /a', want: 'the fate is "drop", expected keep, remove, last or later' },
    {
      line: 'keep 1644 openshift/a /a',
      want: 'the mode is "1644", expected 0 and three octal digits, unit, preset or -',
    },
    {
      line: 'keep unit openshift/a /usr/lib/systemd/system/a.service',
      want: 'the unit "/usr/lib/systemd/system/a.service" is not a file of /etc/systemd/system',
    },
    { line: 'keep 0644 openshift/a a', want: 'the path "a" is not absolute' },
    {
      line: 'keep 0644 openshift/a/ /a',
      want: '"openshift/a/" and "/a" are not both files or both folders',
    },
  ])('that is wrong: $line', ({ line, want }) => {
    expect(shown(parseNodeFilesList(`# head\n${line}\n`, 'list'))).toEqual([
      `error[enrich/list] list:2: ${want}`,
    ]);
  });
});

describe('the document', () => {
  test.each([
    { name: 'no JSON', given: 'variant: fcos\n', want: 'is not a JSON object' },
    {
      name: 'another version',
      given: { ...document, version: '1.5.0' },
      want: 'is not a Butane document of variant fcos, version 1.1.0',
    },
    {
      name: 'links',
      given: { ...document, storage: { ...document.storage, links: [] } },
      want: 'has storage.links, which this version cannot translate',
    },
    {
      name: 'files of its own',
      given: { ...document, storage: { ...document.storage, files: [{ path: '/a' }] } },
      want: 'has storage.files, which this version cannot translate',
    },
    {
      name: 'users',
      given: { ...document, passwd: {} },
      want: 'has passwd, which this version cannot translate',
    },
    { name: 'no config to merge', given: { ...document, ignition: {} }, want: 'does not merge one config' },
    {
      name: 'a folder with an owner',
      given: { ...document, storage: { directories: [{ path: '/a', mode: 448, user: { name: 'core' } }] } },
      want: 'has a folder without a plain path and mode',
    },
    {
      name: 'a folder with a sticky bit',
      given: { ...document, storage: { directories: [{ path: '/a', mode: 0o1777 }] } },
      want: 'has a folder without a plain path and mode',
    },
  ])('$name', ({ given, want }) => {
    const text = typeof given === 'string' ? given : JSON.stringify(given);
    expect(shown(parseMasterUpdate(text, 'fcc'))).toEqual([
      `error[enrich/list] fcc: master-update.fcc ${want}`,
    ]);
  });
});
