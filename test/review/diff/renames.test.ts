import { describe, expect, test } from 'vitest';

import { publicFile, secretFile, type OutputFile } from '../../../src/core/output-file.js';
import { differenceData } from '../../../src/review/diff/difference.js';
import { diffSides } from '../../../src/review/diff/diff-sides.js';
import { sideOfOutputs, sideOfTree } from '../../../src/review/diff/review-side.js';
import { differencesText } from '../../../src/review/diff/show-text.js';

type Files = Readonly<Record<string, string>>;

function dataUrl(text: string): string {
  return `data:;base64,${Buffer.from(text).toString('base64')}`;
}

function config(files: Files, mode = 0o644): OutputFile {
  const entries = Object.entries(files).map(([path, text]) => ({
    path,
    mode,
    overwrite: true,
    contents: { source: dataUrl(text) },
  }));
  return secretFile('a.ign', JSON.stringify({ ignition: { version: '3.2.0' }, storage: { files: entries } }));
}

function textOf(before: readonly OutputFile[], after: readonly OutputFile[]): string {
  return differencesText(diffSides(sideOfOutputs(before), sideOfOutputs(after)));
}

function machineConfig(name: string, files: Files): string {
  const entries = Object.entries(files).map(([path, text]) => ({
    path,
    contents: { source: dataUrl(text) },
  }));
  return JSON.stringify({
    apiVersion: 'machineconfiguration.openshift.io/v1',
    kind: 'MachineConfig',
    metadata: { name },
    spec: { config: { ignition: { version: '3.2.0' }, storage: { files: entries } } },
  });
}

const long = 'one\ntwo\nthree\nfour\n';

describe('a renamed item', () => {
  const cases: readonly {
    readonly name: string;
    readonly before: Files;
    readonly after: Files;
    readonly want: readonly string[];
  }[] = [
    {
      name: 'with equal contents',
      before: { '/etc/a': 'one line\n' },
      after: { '/etc/b': 'one line\n' },
      want: ['~ file /etc/a → /etc/b in a.ign'],
    },
    {
      name: 'with mostly equal contents',
      before: { '/etc/a': long },
      after: { '/etc/b': long.replace('two', 'TWO') },
      want: [
        '~ file /etc/a → /etc/b in a.ign',
        '    contents:',
        '    @@ line 1 → 1 @@',
        '     one',
        '    -two',
        '    +TWO',
        '     three',
        '     four',
      ],
    },
    {
      name: 'keeps the most similar pair, then the base name, then the order of names',
      before: { '/a/x': long, '/a/y': long, '/a/z': `${long}five\n` },
      after: { '/b/q': long, '/b/y': long, '/b/r': `${long}five\n` },
      want: ['~ file /a/x → /b/q in a.ign', '~ file /a/y → /b/y in a.ign', '~ file /a/z → /b/r in a.ign'],
    },
    {
      name: 'is not a file with other contents, or an empty one',
      before: { '/etc/a': 'one\ntwo\n', '/etc/c': '' },
      after: { '/etc/b': 'one\nfour, five, six\n', '/etc/d': '' },
      want: [
        '- file /etc/a in a.ign',
        '    mode: 0644',
        '    owner: root',
        '    contents:',
        '    -one',
        '    -two',
        '- file /etc/c in a.ign',
        '    mode: 0644',
        '    owner: root',
        '+ file /etc/b in a.ign',
        '    mode: 0644',
        '    owner: root',
        '    contents:',
        '    +one',
        '    +four, five, six',
        '+ file /etc/d in a.ign',
        '    mode: 0644',
        '    owner: root',
      ],
    },
    {
      name: 'is an object of the same kind with similar fields',
      before: {
        '/m/a.yaml':
          'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {one: first, two: second, three: third}\n',
      },
      after: {
        '/m/a.yaml':
          'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\ndata: {one: first, two: second, three: other}\n',
      },
      want: [
        '~ object ConfigMap a → ConfigMap b in a.ign',
        '    metadata.name: a → b',
        '    data.three: third → other',
      ],
    },
    {
      name: 'is not an object without fields',
      before: { '/m/a.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n' },
      after: { '/m/a.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: {name: b}\n' },
      want: [
        '- object Namespace a in a.ign',
        '    file: /m/a.yaml',
        '    contents:',
        '    -apiVersion: v1',
        '    -kind: Namespace',
        '    -metadata:',
        '    -  name: a',
        '+ object Namespace b in a.ign',
        '    file: /m/a.yaml',
        '    contents:',
        '    +apiVersion: v1',
        '    +kind: Namespace',
        '    +metadata:',
        '    +  name: b',
      ],
    },
  ];
  test.each(cases)('$name', ({ before, after, want }) => {
    expect(textOf([config(before)], [config(after)])).toBe(`${want.join('\n')}\n`);
  });

  test('is a private file only if its contents are equal', () => {
    const before = [config({ '/etc/a.key': 'canary1' }, 0o600)];
    expect(textOf(before, [config({ '/etc/b.key': 'canary1' }, 0o600)])).toBe(
      '~ file /etc/a.key → /etc/b.key in a.ign\n',
    );
    expect(textOf(before, [config({ '/etc/b.key': 'canary2' }, 0o600)])).toBe(
      [
        '- file /etc/a.key in a.ign',
        '    mode: 0600',
        '    owner: root',
        '    contents: <secret>',
        '+ file /etc/b.key in a.ign',
        '    mode: 0600',
        '    owner: root',
        '    contents: <secret>',
        '',
      ].join('\n'),
    );
  });

  test('is a file of a tree, or a file next to the configs', () => {
    const tree = (path: string): Readonly<Record<string, string>> => ({
      'index.txt': 'Tree of sno-install 0.1.0\n',
      'a.ign.d/index.txt': `0644 root 19 ${path}\n`,
      [`a.ign.d${path}`]: long,
    });
    expect(differencesText(diffSides(sideOfTree(tree('/etc/a')), sideOfTree(tree('/etc/b'))))).toBe(
      '~ file /etc/a → /etc/b in a.ign\n',
    );
    expect(textOf([publicFile('auth/a', long)], [publicFile('auth/b', long)])).toBe(
      '~ output auth/a → auth/b\n',
    );
  });

  test('has its name before in JSON', () => {
    const sides = [{ '/etc/a': 'one\n' }, { '/etc/b': 'one\n' }].map((files) =>
      sideOfOutputs([config(files)]),
    );
    const [before = sideOfOutputs([]), after = sideOfOutputs([])] = sides;
    expect(diffSides(before, after).map(differenceData)).toEqual([
      { configs: ['a.ign'], kind: 'file', name: '/etc/b', change: 'renamed', from: '/etc/a', details: [] },
    ]);
  });
});

test('a renamed config is compared with the config of that contents', () => {
  const files = { '/etc/a': long, '/etc/b': 'two\n', '/etc/c': 'three\n' };
  const other: OutputFile = { ...config({ '/etc/z': 'z\n' }), path: 'z.ign' };
  const before = [{ ...config(files), path: 'berlin/a.ign' }, other];
  const after = [{ ...config({ ...files, '/etc/b': '2\n' }), path: 'munich/a.ign' }, other];
  expect(textOf(before, after)).toBe(
    '~ output berlin/a.ign → munich/a.ign\n~ file /etc/b in munich/a.ign\n    contents: two → 2\n',
  );
});

describe('a text that occurs several times', () => {
  const path = '/etc/x.conf';
  const site = (text: string, at = path): readonly OutputFile[] => [
    config({
      '/m/a.json': machineConfig('a', { [at]: text }),
      [at]: text,
      '/m/b.json': machineConfig('b', { [at]: text, '/etc/own': `own ${text.length}` }),
    }),
  ];

  test('is shown once, at the file', () => {
    expect(textOf(site(long), site(`${long}five\n`))).toBe(
      [
        '~ file /etc/x.conf in a.ign',
        '    contents:',
        '    @@ line 3 → 3 @@',
        '     three',
        '     four',
        '    +five',
        '    the same in object MachineConfig a (machineconfiguration.openshift.io), object MachineConfig b (machineconfiguration.openshift.io)',
        '~ object MachineConfig b (machineconfiguration.openshift.io) in a.ign',
        '    spec.config.storage.files[path=/etc/own].contents.source: own 19 → own 24',
        '',
      ].join('\n'),
    );
  });

  test('is shown once, at the file, if that is renamed', () => {
    const after = site(long.replace('one', 'ONE'), '/etc/y.conf');
    expect(textOf(site(long), after)).toBe(
      [
        '~ object MachineConfig a (machineconfiguration.openshift.io) in a.ign',
        '    spec.config.storage.files[path=/etc/y.conf].path: /etc/x.conf → /etc/y.conf',
        '~ file /etc/x.conf → /etc/y.conf in a.ign',
        '    contents:',
        '    @@ line 1 → 1 @@',
        '    -one',
        '    +ONE',
        '     two',
        '     three',
        '    the same in object MachineConfig a (machineconfiguration.openshift.io), object MachineConfig b (machineconfiguration.openshift.io)',
        '~ object MachineConfig b (machineconfiguration.openshift.io) in a.ign',
        '    spec.config.storage.files[path=/etc/y.conf].path: /etc/x.conf → /etc/y.conf',
        '',
      ].join('\n'),
    );
  });

  test('is shown once if it is added, and named by an added object', () => {
    const files = { '/etc/x.conf': long };
    const after = config({ ...files, '/m/a.json': machineConfig('a', files) });
    const found = diffSides(sideOfOutputs([config({})]), sideOfOutputs([after]));
    expect(differencesText(found)).toBe(
      [
        '+ file /etc/x.conf in a.ign',
        '    mode: 0644',
        '    owner: root',
        '    contents:',
        '    +one',
        '    +two',
        '    +three',
        '    +four',
        '    the same in object MachineConfig a (machineconfiguration.openshift.io)',
        '+ object MachineConfig a (machineconfiguration.openshift.io) in a.ign',
        '    file: /m/a.json',
        '    contents:',
        '    +apiVersion: machineconfiguration.openshift.io/v1',
        '    +kind: MachineConfig',
        '    +metadata:',
        '    +  name: a',
        '    +spec:',
        '    +  config:',
        '    +    ignition:',
        '    +      version: 3.2.0',
        '    +    storage:',
        '    +      files:',
        '    +        - contents:',
        '    +            source: <text below>',
        '    … and 1 more line',
        '    spec.config.storage.files[path=/etc/x.conf].contents.source: the same as in file /etc/x.conf',
        '',
      ].join('\n'),
    );
    expect(found.map(differenceData)).toMatchObject([
      { details: [{}, {}, { also: ['object MachineConfig a (machineconfiguration.openshift.io)'] }] },
      { details: [{}, {}, { sameAs: 'file /etc/x.conf' }] },
    ]);
  });

  test('names the output that repeats a file of a config', () => {
    const side = (text: string): readonly OutputFile[] => [
      config({ '/etc/x.conf': text }),
      publicFile('x.conf', text),
    ];
    expect(textOf(side('one\n'), side('two\n'))).toBe(
      '~ file /etc/x.conf in a.ign\n    contents: one → two\n    the same in output x.conf\n',
    );
  });
});
