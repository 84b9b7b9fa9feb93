import { readFileSync } from 'node:fs';

import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';

import { publicFile, secretFile, type OutputFile } from '../../../src/core/output-file.js';
import type { Detail, Difference } from '../../../src/review/diff/difference.js';
import { diffSides } from '../../../src/review/diff/diff-sides.js';
import { sideOfOutputs, sideOfTree } from '../../../src/review/diff/review-side.js';
import { outputTree } from '../../../src/review/output-tree.js';
import { seededRsaKey } from '../../support/seeded-keys.js';
import { throwawayCaPem, throwawayLeafPem } from '../../support/throwaway-certificates.js';

interface Config {
  readonly files?: readonly object[];
  readonly units?: readonly object[];
  readonly directories?: readonly object[];
  readonly links?: readonly object[];
  readonly users?: readonly object[];
  readonly more?: object;
}

function ignition({
  files = [],
  units = [],
  directories = [],
  links = [],
  users = [],
  more = {},
}: Config): string {
  return JSON.stringify({
    ignition: { version: '3.2.0' },
    passwd: { users },
    storage: { files, directories, links },
    systemd: { units },
    ...more,
  });
}

function file(path: string, text: string, more: object = {}): object {
  const source = `data:;base64,${Buffer.from(text).toString('base64')}`;
  return { path, mode: 0o644, overwrite: true, contents: { source }, ...more };
}

function config(given: Config): readonly OutputFile[] {
  return [secretFile('node.ign', ignition(given))];
}

/** The differences of two configs, without the name of the config. */
function between(before: Config, after: Config): readonly Omit<Difference, 'in'>[] {
  return diffSides(sideOfOutputs(config(before)), sideOfOutputs(config(after))).map(
    ({ in: places, ...rest }) => {
      expect(places).toEqual(['node.ign']);
      return rest;
    },
  );
}

const network = (cidr: string, more = ''): string =>
  `apiVersion: config.openshift.io/v1\nkind: Network\nmetadata: {name: cluster}\nspec:\n  clusterNetwork: [{cidr: ${cidr}}]\n${more}`;
const version = (...names: readonly string[]): string =>
  `apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata: {name: version}\nspec:\n  overrides: [${names.map((name) => `{kind: A, name: ${name}}`).join(', ')}]\n`;
const secret = (password: string, user = 'admin'): string =>
  `apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: b}\nstringData: {password: ${password}, user: ${user}}\n`;
const unit = (more: object): object => ({
  name: 'a.service',
  enabled: true,
  contents: '[Service]\nExecStart=/bin/a\n',
  ...more,
});

const cases: readonly {
  readonly name: string;
  readonly before: Config;
  readonly after: Config;
  readonly want: readonly Omit<Difference, 'in'>[];
}[] = [
  {
    name: 'nothing',
    before: { files: [file('/a', 'a\n')] },
    after: { files: [file('/a', 'a\n')] },
    want: [],
  },
  {
    name: 'order of files and fields',
    before: { files: [file('/a', 'a\n'), file('/b.yaml', network('10.0.0.0/14', 'status: {a: 1, b: 2}'))] },
    after: { files: [file('/b.yaml', network('10.0.0.0/14', 'status: {b: 2, a: 1}')), file('/a', 'a\n')] },
    want: [],
  },
  {
    name: 'the order of a list in an object, which a renamed manifest changes',
    before: {
      files: [file('/manifests/a.yaml', network('10.0.0.0/14')), file('/cv.yaml', version('a', 'b'))],
    },
    after: {
      files: [file('/manifests/z.yaml', network('10.0.0.0/14')), file('/cv.yaml', version('b', 'a'))],
    },
    want: [
      {
        kind: 'object',
        name: 'Network cluster (config.openshift.io)',
        change: 'changed',
        details: [{ what: 'file', before: '/manifests/a.yaml', after: '/manifests/z.yaml' }],
      },
      {
        kind: 'object',
        name: 'ClusterVersion version (config.openshift.io)',
        change: 'changed',
        details: [
          {
            what: 'spec.overrides[order]',
            hunks: [
              { beforeLine: 1, afterLine: 1, lines: ['-kind=A,name=a', ' kind=A,name=b', '+kind=A,name=a'] },
            ],
          },
        ],
      },
    ],
  },
  {
    name: 'lines of a file',
    before: { files: [file('/a', 'a\nb\nc\n')] },
    after: { files: [file('/a', 'a\nB\nc\n')] },
    want: [
      {
        kind: 'file',
        name: '/a',
        change: 'changed',
        details: [
          { what: 'contents', hunks: [{ beforeLine: 1, afterLine: 1, lines: [' a', '-b', '+B', ' c'] }] },
        ],
      },
    ],
  },
  {
    name: 'the end of the last line',
    before: { files: [file('/a', 'a\n')] },
    after: { files: [file('/a', 'a')] },
    want: [
      {
        kind: 'file',
        name: '/a',
        change: 'changed',
        details: [
          {
            what: 'contents',
            hunks: [{ beforeLine: 1, afterLine: 1, lines: ['-a', '+a', '\\ No newline at end of file'] }],
          },
        ],
      },
    ],
  },
  {
    name: 'mode, owner and way of a file',
    before: { files: [file('/a', 'a\n')] },
    after: { files: [file('/a', 'a\n', { mode: 0o600, user: { name: 'core' }, overwrite: false })] },
    want: [
      {
        kind: 'file',
        name: '/a',
        change: 'changed',
        details: [
          { what: 'mode', before: '0644', after: '0600' },
          { what: 'owner', before: 'root', after: 'core' },
          { what: 'way', before: 'none', after: 'once' },
        ],
      },
    ],
  },
  {
    name: 'a file, a folder and a link that came, and others that went',
    before: { files: [file('/a', 'a\n')], directories: [{ path: '/d' }] },
    after: { files: [file('/b', 'b\n')], links: [{ path: '/l', target: '/b' }] },
    want: [
      {
        kind: 'file',
        name: '/a',
        change: 'removed',
        details: [
          { what: 'mode', before: '0644' },
          { what: 'owner', before: 'root' },
          { what: 'contents', before: 'a' },
        ],
      },
      {
        kind: 'folder',
        name: '/d/',
        change: 'removed',
        details: [
          { what: 'mode', before: '0755' },
          { what: 'owner', before: 'root' },
        ],
      },
      {
        kind: 'file',
        name: '/b',
        change: 'added',
        details: [
          { what: 'mode', after: '0644' },
          { what: 'owner', after: 'root' },
          { what: 'contents', after: 'b' },
        ],
      },
      {
        kind: 'link',
        name: '/l',
        change: 'added',
        details: [
          { what: 'kind', after: 'link' },
          { what: 'owner', after: 'root' },
          { what: 'target', after: '/b' },
        ],
      },
    ],
  },
  {
    name: 'a unit by its name, and its drop-in',
    before: { units: [unit({ dropins: [{ name: '10.conf', contents: '[Unit]\nA=1\n' }] })] },
    after: { units: [unit({ enabled: false, dropins: [{ name: '10.conf', contents: '[Unit]\nA=2\n' }] })] },
    want: [
      {
        kind: 'unit',
        name: 'a.service',
        change: 'changed',
        details: [{ what: 'state', before: 'enabled', after: 'disabled' }],
      },
      {
        kind: 'unit',
        name: 'a.service.d/10.conf',
        change: 'changed',
        details: [
          { what: 'contents', hunks: [{ beforeLine: 1, afterLine: 1, lines: [' [Unit]', '-A=1', '+A=2'] }] },
        ],
      },
    ],
  },
  {
    name: 'an object by its fields, wherever it stands',
    before: { files: [file('/a.yaml', network('10.0.0.0/14', '  defaultNetwork: {type: A}'))] },
    after: { files: [file('/b.yaml', network('10.4.0.0/14'))] },
    want: [
      {
        kind: 'object',
        name: 'Network cluster (config.openshift.io)',
        change: 'changed',
        details: [
          { what: 'file', before: '/a.yaml', after: '/b.yaml' },
          { what: 'spec.clusterNetwork[cidr=10.0.0.0/14]', before: '{\n  "cidr": "10.0.0.0/14"\n}' },
          { what: 'spec.clusterNetwork[cidr=10.4.0.0/14]', after: '{\n  "cidr": "10.4.0.0/14"\n}' },
          { what: 'spec.defaultNetwork', before: '{\n  "type": "A"\n}' },
        ].map(withHunks),
      },
    ],
  },
  {
    name: 'a user by name, and kernel arguments',
    before: { users: [{ name: 'core', uid: 1 }], more: { kernelArguments: { shouldExist: ['a'] } } },
    after: { users: [{ name: 'core', uid: 2 }], more: { kernelArguments: { shouldExist: ['a', 'b'] } } },
    want: [
      {
        kind: 'config',
        name: 'settings',
        change: 'changed',
        details: [
          {
            what: 'kernelArguments.shouldExist',
            hunks: [{ beforeLine: 1, afterLine: 1, lines: [' a', '+b'] }],
          },
        ],
      },
      { kind: 'user', name: 'core', change: 'changed', details: [{ what: 'uid', before: '1', after: '2' }] },
    ],
  },
];

/** Values of several lines are compared by line. */
function withHunks(detail: {
  readonly what: string;
  readonly before?: string;
  readonly after?: string;
}): Detail {
  const { what, before, after } = detail;
  const text = before ?? after ?? '';
  if (!text.includes('\n')) return detail;
  const sign = before === undefined ? '+' : '-';
  return {
    what,
    hunks: [{ beforeLine: 1, afterLine: 1, lines: text.split('\n').map((line) => `${sign}${line}`) }],
  };
}

describe('two configs differ in', () => {
  it.each(cases)('$name', ({ before, after, want }) => {
    expect(between(before, after)).toEqual(want);
    // The reverse comparison finds as many differences.
    expect(between(after, before)).toHaveLength(want.length);
  });
});

const [keyA, keyB] = [seededRsaKey('diff a', 2048), seededRsaKey('diff b', 2048)];
const hidden = { hidden: true };

/** A secret that differs on both sides, and everything that is shown about it. */
const secretCases: readonly {
  readonly name: string;
  readonly before: Config;
  readonly after: Config;
  readonly want: readonly object[];
}[] = [
  {
    name: 'a value of a Secret, beside one that is told',
    before: { files: [file('/s.yaml', secret('canary-one', '"true"'))] },
    after: { files: [file('/s.yaml', secret('canary-two', '"false"'))] },
    want: [
      { what: 'stringData.user', before: 'true', after: 'false' },
      { what: 'stringData.password', ...hidden },
    ],
  },
  {
    name: 'a file of one word',
    before: { files: [file('/password', 'canary-one\n', { mode: 0o600 })] },
    after: { files: [file('/password', 'canary-two\n', { mode: 0o600 })] },
    want: [{ what: 'contents', ...hidden }],
  },
  {
    name: 'a line between lines that are told',
    before: { files: [file('/env', 'A=1\nPASSWORD=canary-one\nB=1\n')] },
    after: { files: [file('/env', 'A=1\nPASSWORD=canary-two\nB=2\n')] },
    want: [
      {
        what: 'contents',
        hunks: [{ beforeLine: 1, afterLine: 1, lines: [' A=1', ' PASSWORD=[redacted]', '-B=1', '+B=2'] }],
      },
      { what: 'contents', ...hidden },
    ],
  },
  {
    name: 'bytes that are no text, of a private file',
    before: { files: [file('/b', '\u0000canary-one', { mode: 0o600 })] },
    after: { files: [file('/b', '\u0000canary-two', { mode: 0o600 })] },
    want: [{ what: 'contents', ...hidden }],
  },
  {
    name: 'the password of a user',
    before: { users: [{ name: 'core', passwordHash: '$6$canary-one' }] },
    after: { users: [{ name: 'core', passwordHash: '$6$canary-two' }] },
    want: [{ what: 'passwordHash', ...hidden }],
  },
  {
    name: 'a key, by its fingerprint',
    before: { files: [file('/k', keyA, { mode: 0o600 })] },
    after: { files: [file('/k', keyB, { mode: 0o600 })] },
    want: [
      {
        what: 'private key',
        before: expect.stringMatching(/^rsa-2048 [0-9a-f]{8}$/) as string,
        after: expect.stringMatching(/^rsa-2048 [0-9a-f]{8}$/) as string,
      },
    ],
  },
];

describe('reports only that secrets differ', () => {
  it.each(secretCases)('$name', ({ before, after, want }) => {
    const [only, ...others] = between(before, after);
    expect(others).toEqual([]);
    expect(only?.details).toEqual(want);
    const text = JSON.stringify(only);
    const keyLine = keyA.split('\n')[2] ?? 'none';
    expect(['canary', keyLine].filter((word) => text.includes(word))).toEqual([]);
  });

  test('and treats moved lines as public', () => {
    const [only] = between({ files: [file('/a', 'x\na\nb\n')] }, { files: [file('/a', 'a\nb\nx\n')] });
    expect(only?.details.map(({ hidden: isHidden }) => isHidden)).toEqual([undefined]);
  });

  test('a tree that was written has none to compare', () => {
    const [before, after] = ['canary-one', 'canary-two'].map((word) =>
      sideOfTree(outputTree(config({ files: [file('/s.yaml', secret(word))] }), new Map())),
    );
    expect(before && after && diffSides(before, after)).toEqual([]);
  });
});

describe('an object with keys that programs read differently', () => {
  test.each(['y', 'no', 'On', '0x10', '1'])('is compared as data: %s', (key) => {
    const object = (value: string): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {x: same, ${key}: ${value}}\n`;
    const [only] = between(
      { files: [file('/m/a.yaml', object('one'))] },
      { files: [file('/m/a.yaml', object('two'))] },
    );
    expect(only).toMatchObject({
      kind: 'object',
      name: 'ConfigMap a',
      details: [{ what: `data.${key}`, before: 'one', after: 'two' }],
    });
  });
});

describe('certificates', () => {
  const configMap = (pem: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ca}\ndata:\n  ca.crt: |\n${pem.replaceAll(/^(?=.)/gm, '    ')}`;

  test('are listed once, by their changes, with all locations', () => {
    const tree = outputTree(
      config({ files: [file('/ca.crt', throwawayCaPem), file('/ca.yaml', configMap(throwawayCaPem))] }),
      new Map(),
    );
    const renewed = Object.fromEntries(
      Object.entries(tree).map(([path, text]) => [
        path,
        text.replace(/to 21\d\d/, 'to 2199').replace(/; CA;/, ';'),
      ]),
    );
    const after = renewed['node.ign.d/ca.crt'] ?? '';
    const [, validity = ''] = /; (\S+Z to \S+Z);/.exec(tree['node.ign.d/ca.crt'] ?? '') ?? [];

    expect(after).toContain('to 2199');
    expect(diffSides(sideOfTree(tree), sideOfTree(renewed))).toEqual([
      {
        in: ['node.ign'],
        kind: 'certificate',
        name: 'CN=throwaway-ca',
        change: 'changed',
        details: [
          { what: 'authority', before: 'yes', after: 'none' },
          { what: 'validity', before: validity, after: validity.replace(/to 21\d\d/, 'to 2199') },
        ],
        at: ['file /ca.crt', 'object ConfigMap ca'],
      },
    ]);
  });

  test('of another subject are another certificate', () => {
    const [only] = between(
      { files: [file('/ca.crt', throwawayCaPem)] },
      { files: [file('/ca.crt', throwawayLeafPem)] },
    );
    expect(only).toMatchObject({ kind: 'file', name: '/ca.crt' });
    expect(only?.details[0]?.before).toContain('CN=throwaway-ca');
  });
});

describe('trees', () => {
  const golden = (script: string): Readonly<Record<string, string>> => ({
    'index.txt': 'Tree of sno-install 0.1.0\nsingle-node-ignition-config a\n',
    'a/node.ign.d/index.txt': '0555 root - /bin/a (template)\n',
    'b/node.ign.d/index.txt': '0555 root - /bin/a (template)\n',
    'templates/live/bin/a': script,
  });

  test('list a constant file once for all its sites', () => {
    const found = diffSides(sideOfTree(golden('#!/bin/sh\na\n')), sideOfTree(golden('#!/bin/sh\nb\n')));
    expect(found.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['template live/bin/a']);
  });

  test('show an edited constant file with its lines', () => {
    const before = golden('#!/bin/sh\na\n');
    const after = {
      ...before,
      'b/node.ign.d/index.txt': '0555 root 12 /bin/a\n',
      'b/node.ign.d/bin/a': '#!/bin/sh\nB\n',
    };
    const [only, ...others] = diffSides(sideOfTree(before), sideOfTree(after));
    expect(others).toEqual([]);
    expect(only).toMatchObject({ in: ['b/node.ign'], kind: 'file', name: '/bin/a' });
    expect(only?.details[0]?.hunks?.[0]?.lines).toEqual([' #!/bin/sh', '-a', '+B']);
  });

  test('show the version that wrote them', () => {
    const before = golden('a');
    const after = { ...before, 'index.txt': 'Tree of sno-install 0.2.0\nsingle-node-ignition-config a\n' };
    expect(diffSides(sideOfTree(before), sideOfTree(after))).toMatchObject([
      { kind: 'sno-install', details: [{ what: 'version', before: '0.1.0', after: '0.2.0' }] },
    ]);
  });

  test('list common differences of sites once', () => {
    const tree = (text: string): Readonly<Record<string, string>> =>
      Object.fromEntries(
        ['a', 'b', 'c'].flatMap((site) => [
          [`${site}/node.ign.d/index.txt`, '0644 root 2 /etc/x\n'],
          [`${site}/node.ign.d/etc/x`, text],
        ]),
      );
    expect(diffSides(sideOfTree(tree('1\n')), sideOfTree(tree('2\n')))).toMatchObject([
      { in: ['a/node.ign', 'b/node.ign', 'c/node.ign'], name: '/etc/x' },
    ]);
  });

  test('without external files do not report them as missing', () => {
    const files = config({ files: [file('/a', 'a\n')] });
    const beside = [...files, publicFile('metadata.json', '{"a":1}')];
    expect(diffSides(sideOfOutputs(files), sideOfOutputs(beside))).toEqual([]);
    const other = [...files, publicFile('metadata.json', '{"a":2}')];
    expect(diffSides(sideOfOutputs(beside), sideOfOutputs(other))).toMatchObject([
      { kind: 'output', name: 'metadata.json', details: [{ what: 'a', before: '1', after: '2' }] },
    ]);
  });
});

test('any config equals itself, and a diff of two contains no part of a secret', () => {
  const word = fc.stringMatching(/^canary[a-z0-9]{8}$/);
  const text = fc.oneof(
    word.map((each) => `PASSWORD=${each}\n`),
    word.map((each) => secret(each)),
    fc.string().map((each) => `a: ${each}\n`),
  );
  const files = fc.dictionary(fc.constantFrom('/a.yaml', '/b', '/c.json', '/d.env'), text);
  const made = (given: Readonly<Record<string, string>>): Config => ({
    files: Object.entries(given).map(([path, contents]) => file(path, contents, { mode: 0o600 })),
  });
  fc.assert(
    fc.property(files, files, (left, right) => {
      expect(between(made(left), made(left))).toEqual([]);
      const text = JSON.stringify(between(made(left), made(right)));
      expect(text).not.toContain('canary');
      const isSame =
        JSON.stringify(Object.entries(left).toSorted()) === JSON.stringify(Object.entries(right).toSorted());
      if (!isSame) expect(text).not.toBe('[]');
    }),
    { numRuns: Number(process.env['FC_RUNS'] ?? '20') },
  );
});

test('docs/review.md lists every kind of difference', () => {
  const table = readFileSync('docs/review.md', 'utf8');
  for (const what of ['a file, folder, link, unit', 'an object of Kubernetes', 'a certificate', 'a user'])
    expect(table).toContain(`| ${what}`);
});
