import { describe, expect, it } from 'vitest';

import { secretFile } from '../../src/core/output-file.js';
import { base64Url, dataUrl } from '../../src/formats/data-url.js';
import { writeYaml } from '../../src/formats/yaml/write-yaml.js';
import { outputTree } from '../../src/review/output-tree.js';
import { secretDocuments, secrets, type Secret } from '../support/secret-corpus.js';

const version = '3.4.0';

/** A config with one file and additional members. */
function configOf(file: object, more: object = {}): object {
  return { ignition: { version }, storage: { files: [file] }, ...more };
}

function fileOf(text: string, mode: number): object {
  return { path: '/etc/a', mode, contents: { source: dataUrl(text) } };
}

/** The full text of a tree, including file names. */
function shownOf(config: object): string {
  return JSON.stringify(outputTree([secretFile('a.ign', JSON.stringify(config))], new Map()));
}

/** Secrets that are recognized by their format in any position. */
const {
  rsaKey,
  ecKey,
  edKey,
  opensshKey,
  pullSecret,
  proxy,
  schemelessProxy,
  mirror,
  tokenMirror,
  token,
  jwt,
} = secrets;
const telling = [
  rsaKey,
  ecKey,
  edKey,
  opensshKey,
  pullSecret,
  proxy,
  schemelessProxy,
  mirror,
  tokenMirror,
  token,
  jwt,
];

const anywhere: Readonly<Record<string, (text: string) => object>> = {
  'a file that everybody reads': (text) => configOf(fileOf(`a: ${text}\n`, 0o644)),
  'a file in base64': (text) =>
    configOf({ path: '/etc/a', contents: { source: base64Url(Buffer.from(`a ${text}\n`)) } }),
  'a file for its owner': (text) => configOf(fileOf(`# a\n${text}\n`, 0o600)),
  'a text in base64 in a file': (text) =>
    configOf(fileOf(`data: ${Buffer.from(`a\n${text}\n`.padEnd(60)).toString('base64')}\n`, 0o644)),
  'a unit': (text) => ({
    ignition: { version },
    systemd: { units: [{ name: 'a.service', contents: `[Service]\nExecStart=/bin/a ${text}\n` }] },
  }),
  'a drop-in': (text) => ({
    ignition: { version },
    systemd: { units: [{ name: 'a.service', dropins: [{ name: 'b.conf', contents: `A=${text}\n` }] }] },
  }),
  'a kernel argument': (text) => ({ ignition: { version }, kernelArguments: { shouldExist: [`a=${text}`] } }),
  'a field that nobody knows': (text) => ({ ignition: { version }, [text]: { [text]: [text] } }),
  'the name of a file': (text) => configOf({ path: `/etc/${text}`, contents: { source: 'data:,a%20b' } }),
  'the target of a link': (text) => ({
    ignition: { version },
    storage: { links: [{ path: '/l', target: text }] },
  }),
  'a config within': (text) => ({
    ignition: {
      version,
      config: { merge: [{ source: dataUrl(JSON.stringify(configOf(fileOf(`x ${text}\n`, 0o644)))) }] },
    },
  }),
  'a certificate authority': (text) => ({
    ignition: { version, security: { tls: { certificateAuthorities: [{ source: dataUrl(text) }] } } },
  }),
};

/** Secrets that are recognized by their position, whatever their format. */
const inPlace: Readonly<Record<string, (text: string) => object>> = {
  'the hash of a password': (text) => ({
    ignition: { version },
    passwd: { users: [{ name: 'core', passwordHash: text }] },
  }),
  'a header of a request': (text) =>
    configOf({
      path: '/a',
      contents: { source: 'https://example.com/a', httpHeaders: [{ name: 'X-A', value: text }] },
    }),
  'a header of a config within': (text) => ({
    ignition: {
      version,
      config: { merge: [{ source: 'https://example.com/', httpHeaders: [{ name: 'X-A', value: text }] }] },
    },
  }),
  'the query of a URL': (text) =>
    configOf({ path: '/a', contents: { source: `https://example.com/a?x=${encodeURIComponent(text)}` } }),
  'the key of a disk': (text) => ({
    ignition: { version },
    storage: { luks: [{ name: 'a', keyFile: { source: dataUrl(text) } }] },
  }),
  'a Secret in base64': (text) =>
    configOf(
      fileOf(
        JSON.stringify({
          kind: 'Secret',
          apiVersion: 'v1',
          data: { a: Buffer.from(text).toString('base64') },
        }),
        0o644,
      ),
    ),
  'a Secret that was applied': (text) =>
    configOf(
      fileOf(
        JSON.stringify({
          kind: 'Secret',
          metadata: { annotations: { applied: JSON.stringify({ kind: 'Secret', stringData: { a: text } }) } },
        }),
        0o644,
      ),
    ),
};

function expectHidden(config: object, { canaries }: Secret): void {
  const shown = shownOf(config);
  expect(canaries.filter((canary) => shown.includes(canary))).toEqual([]);
}

describe.each(Object.entries(anywhere))('in %s', (_place, write) => {
  it.each(telling)('$name is not shown', (secret) => {
    expectHidden(write(secret.text), secret);
  });
});

describe.each(Object.entries(inPlace))('as %s', (_place, write) => {
  it.each(Object.values(secrets))('$name is not shown', (secret) => {
    expectHidden(write(secret.text), secret);
  });
});

describe.each(Object.entries(secretDocuments))('in a Secret %s', (_form, write) => {
  it.each([
    { name: 'a word', text: 'canary-of-the-manifest' },
    { name: 'a word of one kind', text: 'canaryofthemanifest' },
  ])('$name is not shown', ({ text }) => {
    for (const mode of [0o600, 0o644]) {
      expectHidden(configOf(fileOf(write(text), mode)), { name: '', text, canaries: [text] });
    }
  });
});

/** Manifests that contain another manifest as text. */
const around: Readonly<Record<string, (inner: string) => string>> = {
  'a ConfigMap': (inner) => writeYaml({ kind: 'ConfigMap', data: { 'inner.yaml': inner, other: 'a' } }),
  'a ConfigMap in JSON': (inner) => JSON.stringify({ kind: 'ConfigMap', data: { 'inner.yaml': inner } }),
  'a list of texts': (inner) => writeYaml({ kind: 'A', spec: { manifests: ['a', inner] } }),
  'a ConfigMap in a ConfigMap': (inner) =>
    writeYaml({ kind: 'ConfigMap', data: { a: writeYaml({ kind: 'ConfigMap', data: { b: inner } }) } }),
  'a text in quotes': (inner) => `${JSON.stringify(inner)}\n`,
  'a ConfigMap in base64': (inner) =>
    writeYaml({ kind: 'ConfigMap', binaryData: { a: Buffer.from(inner).toString('base64') } }),
};

describe.each(Object.entries(around))('within %s', (_name, wrap) => {
  it.each(Object.entries(secretDocuments))('a Secret %s does not show its value', (_form, write) => {
    const text = wrap(write('canaryofthemanifest'));
    for (const mode of [0o600, 0o644]) {
      expectHidden(configOf(fileOf(text, mode)), { name: '', text, canaries: ['canaryofthemanifest'] });
    }
  });
});

it('shows a Secret within a ConfigMap without its values, and the rest of it', () => {
  const inner = 'kind: Secret\nmetadata:\n  name: inner\nstringData:\n  user: canary\n';
  const text = writeYaml({ kind: 'ConfigMap', data: { 'inner.yaml': inner, other: 'a: 1\n' } });
  const tree = outputTree([secretFile('a.ign', JSON.stringify(configOf(fileOf(text, 0o644))))], new Map());
  expect(tree['a.ign.d/etc/a']).toBe(text.replace('canary', '<secret>'));
});

/** Secrets whose format only the program that reads them knows. */
const plain = [
  'hunter2-canary\n',
  'alice hunter2-canary\n',
  'a:b:c:hunter2-canary\n',
  '# who\nalice * hunter2-canary 10.0.0.1\n',
  '10.0.0.1 10.0.0.2 : PSK "hunter2-canary"\n',
  'vpn.example.com : PSK "hunter2-canary"\n',
  '- hunter2-canary\n- a\n',
  '["hunter2-canary","x"]\n',
  '# c\na: b\n---\nhunter2-canary\n',
  '{hunter2-canary}\n',
  '<hunter2-canary\n',
  '[hunter2-canary\n',
  'alice\thunter2-canary\t/var/lib/\n',
  '[wifi-security]\nkey-mgmt=wpa-psk\npsk=hunter2-canary\n',
  '[wifi-security]\nwep-key0=hunter2-canary\n',
  'name: a\nwifiPassword: hunter2-canary\n',
  'name: a\npsk: "hunter2-canary"\n',
  'export LUKS_KEY=hunter2-canary\n',
  'rocommunity = hunter2-canary\n',
  'aHVudGVyMi1jYW5hcnk=\naHVudGVyMi1jYW5hcnk=\n',
];

it.each(plain)('a file for its owner alone does not show bare words: %j', (text) => {
  for (const mode of [0o600, 0o640])
    expectHidden(configOf(fileOf(text, mode)), { name: '', text, canaries: ['hunter2-canary', 'aHVud'] });
});

it.each(plain)('nor does one of a MachineConfig, in YAML or JSON: %j', (text) => {
  const machineConfig = { kind: 'MachineConfig', spec: { config: configOf(fileOf(text, 0o600)) } };
  for (const manifest of [writeYaml(machineConfig), JSON.stringify(machineConfig)])
    expectHidden(configOf(fileOf(manifest, 0o644)), {
      name: '',
      text,
      canaries: ['hunter2-canary', 'aHVud'],
    });
});

it('the hash of a password in a MachineConfig is not shown', () => {
  const config = { passwd: { users: [{ name: 'core', passwordHash: '$6$abc$CANARYhash' }] } };
  const text = writeYaml({ kind: 'MachineConfig', spec: { config } });
  expectHidden(configOf(fileOf(text, 0o644)), { name: '', text, canaries: ['CANARYhash'] });
});

it('shows files of a MachineConfig that others may read', () => {
  const machineConfig = { kind: 'MachineConfig', spec: { config: configOf(fileOf('alice shown\n', 0o644)) } };
  expect(shownOf(configOf(fileOf(writeYaml(machineConfig), 0o644)))).toContain('alice shown');
});

it.each(['hunter2-canary', 'aGVsbG8gY2FuYXJ5', '0123456789abcdef'])(
  'hides a file with mode 0600 and a single word: %s',
  (text) => {
    expectHidden(configOf(fileOf(`${text}\n`, 0o400)), { name: '', text, canaries: [text] });
  },
);

it.each(Object.values(secrets))('the name of a unit does not show $name', ({ text, canaries }) => {
  const config = { ignition: { version }, systemd: { units: [{ name: text, contents: 'a b' }] } };
  expectHidden(config, { name: '', text, canaries });
});

it('shows public files', () => {
  const texts = [
    '#!/bin/sh\nset -e\n',
    '[connection]\nid=uplink\n\n# alone\nautoconnect = true\n',
    'secretName: signer\n',
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIB1x7Rkp2u3Zz4Qw5Er6Ty7Ui8Op9As0Df1Gh2Jk3L core\n',
    'image: quay.io/a/b@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\n',
    '192.168.126.10\n',
    'kind: ConfigMap\ndata:\n  a: Secret\n',
  ];
  for (const text of texts) {
    const tree = outputTree([secretFile('a.ign', JSON.stringify(configOf(fileOf(text, 0o600))))], new Map());
    expect(tree['a.ign.d/etc/a']).toBe(text);
  }
});
