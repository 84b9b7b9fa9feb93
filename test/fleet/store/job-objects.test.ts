import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, expect, test } from 'vitest';

import { cachedInputs } from '../../../src/disk/read-inputs.js';
import { problemsOf } from '../../../src/core/result.js';
import { type FleetFile, fleetParts, isPlainFile } from '../../../src/fleet/store/job/fleet-files.js';
import { groupFiles } from '../../../src/fleet/store/job/grouped-files.js';
import { fleetFolder, fleetText } from '../files.js';
import { ageKeys } from '../../support/age-keys.js';
import { minimalInstallConfig, snoConfigText } from '../../support/minimal-config.js';
import { throwawayCaPem } from '../../support/throwaway-certificates.js';
import { snoInProcess } from '../../support/in-process.js';

const encrypted = `recipients: [${ageKeys.ours.recipient}]\nencryptOutputs: true\n`;
const words = ['--shards', '8', '--store', 's3://sites/spring', '--image', 'sno-install.test/sno-install:1'];

const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBmRFQ1mcVUhEGBGQTKGBnRJWGH4jwxJ9r1mhJ1rzZEr a';

let variables: Record<string, string> = {};
beforeEach(() => {
  variables = {};
});

interface Told {
  readonly problems: readonly { readonly code: string; readonly at?: { readonly file: string } }[];
  readonly objects?: readonly {
    readonly kind: string;
    readonly data?: Readonly<Record<string, string>>;
    readonly binaryData?: Readonly<Record<string, string>>;
  }[];
  readonly secrets?: readonly {
    readonly name: string;
    readonly keys: readonly { readonly key: string; readonly from: string }[];
  }[];
}

async function job(dir: string, ...args: readonly string[]): Promise<Told> {
  const { stdout } = await snoInProcess(
    ['fleet', 'job', '--dir', dir, '--output', 'json', ...words, ...args],
    {
      variables,
    },
  );
  const told = JSON.parse(stdout) as Told;
  // This machine may or may not set AWS_CA_BUNDLE.
  const { objects, ...rest } = told;
  return objects ? { ...rest, objects: objects.filter(({ data = {} }) => !('ca.pem' in data)) } : told;
}

/** Files in ConfigMaps, and files taken from a Secret. */
function places({ objects = [], secrets = [] }: Told): {
  readonly maps: readonly string[];
  readonly secret: readonly string[];
} {
  return {
    maps: objects.flatMap(({ data = {}, binaryData = {} }) => [
      ...Object.keys(data),
      ...Object.keys(binaryData),
    ]),
    secret: secrets
      .filter(({ name }) => /-(?:files(?:-\d+)?|variables)$/.test(name))
      .flatMap(({ keys }) => keys.map(({ from }) => from)),
  };
}

test('stores files with possible secrets in Secrets, and the others in ConfigMaps', async () => {
  const dir = fleetFolder({
    'fleet.yaml': fleetText(encrypted),
    'base/install-config.yaml': minimalInstallConfig
      .replace('name: site1', 'name: ${name}')
      .replace(/^(?:pullSecret|sshKey):.*\n(?: .*\n)*/gm, ''),
    'base/sno-config.yaml': snoConfigText(
      'hostname: ${name}\nnodeIP: ${ip}\npullSecretFile: pull-secret.txt\nsshKeyFile: env:SITE_KEY\n',
    ),
    'base/pull-secret.txt': '{"auths":{"quay.io":{"auth":"dXNlcjpwYXNz"}}}',
    'base/openshift/99-login.yaml':
      'apiVersion: v1\nkind: Secret\nmetadata: { name: a, namespace: default }\n',
    'base/openshift/99-plain.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: b, namespace: default }\n',
    'overrides/north-1/install-config.yaml': 'proxy: { httpProxy: "http://user:word@proxy.example.com" }\n',
    'overrides/north-2/manifests/odd.bin': '\u0000',
    'notes.txt': 'nothing of the fleet',
    'out/north-1/metadata.json': '{}',
  });
  writeFileSync(join(dir, 'overrides/north-2/manifests/odd.bin'), Buffer.from([0xff, 0xfe]));
  variables['SITE_KEY'] = publicKey;
  const told = await job(dir);
  expect(told.problems.map(({ code }) => code).filter((code) => !code.endsWith('unused'))).toEqual([
    'manifest/ignored-file',
  ]);
  const { maps, secret } = places(told);
  expect(maps.toSorted()).toEqual([
    'base_install-config.yaml',
    'base_sno-config.yaml',
    'fleet.yaml',
    'sites.csv',
  ]);
  expect(secret.toSorted()).toEqual([
    'base/openshift/99-login.yaml',
    'base/openshift/99-plain.yaml',
    'base/pull-secret.txt',
    'env:SITE_KEY',
    'overrides/north-1/install-config.yaml',
    'overrides/north-2/manifests/odd.bin',
  ]);
});

const secretForms: readonly (readonly [string, string])[] = [
  ['a map in a line', '{apiVersion: v1, kind: Secret, stringData: {a: word-of-it}}\n'],
  ['JSON', '{"apiVersion":"v1","kind":"Secret","stringData":{"a":"word-of-it"}}\n'],
  ['an anchor', 'kind: &k Secret\nstringData: { a: word-of-it }\n'],
  ['a key of its own line', '? kind\n: Secret\nstringData: { a: word-of-it }\n'],
  ['a kind of escapes', 'kind: "\\x53ecret"\nstringData: { a: word-of-it }\n'],
  ['a kind of a variable', 'kind: ${name}\nstringData: { a: word-of-it }\n'],
  ['a list', 'kind: SecretList\nitems: [{ stringData: { a: word-of-it } }]\n'],
  ['a file of its owner', 'a: { path: /etc/a, mode: 0600, contents: { source: "data:,word-of-it" } }\n'],
  ['a file of its owner, in numbers', 'a: { mode: 384, contents: { source: "data:,word-of-it" } }\n'],
  ['a text with a password', 'kind: ConfigMap\ndata:\n  a: |\n    password = word-of-it\n'],
  ['a Secret in a text', 'data:\n  a: |\n    {apiVersion: v1, kind: Secret, stringData: {a: word-of-it}}\n'],
  ['a Secret in a data URL', 'a: "data:,kind%3A%20Secret%0Aa%3A%20word-of-it"\n'],
  ['a field', 'platform: { baremetal: { bmc: { password: word-of-it } } }\n'],
  ['a comment', '# password = word-of-it\n'],
  ['what is no YAML', 'a: [word-of-it\n'],
];

test.each(secretForms)('stores a secret as %s in no ConfigMap', (_form, text) => {
  for (const name of ['openshift/99-a.yaml', 'manifests/a.json', 'install-config.yaml', 'notes.txt']) {
    const path = `overrides/north-1/${name}`;
    const inputs = cachedInputs(fleetFolder({ [path]: text }), {});
    const read = {
      fleet: { base: 'base', classes: [], overrides: 'overrides', sites: 'sites.csv', variables: new Map() },
    };
    const parts = fleetParts(inputs, { ...read, table: { columns: new Map() } }, new Set());
    const plain = parts.ok ? parts.value.files.filter(({ isSecret }) => !isSecret) : [];
    expect(plain.map((each) => each.path)).toEqual(['fleet.yaml', 'sites.csv', 'base/sno-config.yaml']);
  }
});

test('stores only ClusterInstances in ConfigMaps, not Secrets and ConfigMaps next to them', () => {
  const judged = (text: string): boolean => isPlainFile({ path: 'sites/a.yaml', text, role: 'table' });
  const instance = 'kind: ClusterInstance\nspec: { pullSecretRef: { name: pull-secret } }\n';
  expect(judged(instance)).toBe(true);
  expect(judged(`${instance}---\nkind: ConfigMap\ndata: { a: word-of-it }\n`)).toBe(false);
  expect(
    judged(
      instance.replace('{ pullSecretRef', '{ ignitionConfigOverride: "{\\"mode\\":384}", pullSecretRef'),
    ),
  ).toBe(false);
});

test('stores a table with secrets in a Secret, and splits a large one into ConfigMaps', async () => {
  const base = snoConfigText('hostname: ${name}\nnodeIP: ${ip}\n');
  const rows = Array.from({ length: 3 }, (_, index) => `site-${index},192.168.126.${index + 10},x\n`).join(
    '',
  );
  const secretTable = fleetFolder({
    'fleet.yaml': fleetText(encrypted),
    'sites.csv': `name,ip,password\n${rows}`,
    'base/sno-config.yaml': base,
  });
  expect(places(await job(secretTable)).secret).toContain('sites.csv');

  const filler = (bytes: number): string => `# ${'a plain comment '.repeat(bytes / 16)}\n`;
  const large = fleetFolder({
    'fleet.yaml': fleetText(encrypted),
    'base/sno-config.yaml': `${filler(600_000)}${base}`,
    'overrides/north-1/sno-config.yaml': `${filler(600_000)}hostname: north-1\n`,
  });
  const told = await job(large);
  expect(told.problems).toEqual([]);
  expect(told.objects?.map(({ kind }) => kind)).toEqual(['ConfigMap', 'ConfigMap', 'Job']);

  const tooLarge = fleetFolder({
    'fleet.yaml': fleetText(encrypted),
    'base/sno-config.yaml': `${filler(1_100_000)}${base}`,
  });
  expect((await job(tooLarge)).problems).toMatchObject([
    { code: 'job/too-large', at: { file: expect.stringContaining('base/sno-config.yaml') as string } },
  ]);
});

test('splits secrets above a megabyte into several mounted Secrets, with a separate one for variables', async () => {
  const manifest = (name: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: default }\ndata:\n  a: ${'a'.repeat(600_000)}\n`;
  const names = ['a', 'b', 'c'];
  const dir = fleetFolder({
    'fleet.yaml': fleetText(encrypted),
    'base/install-config.yaml': minimalInstallConfig
      .replace('name: site1', 'name: ${name}')
      .replace(/^sshKey:.*\n(?: .*\n)*/m, ''),
    'base/sno-config.yaml': snoConfigText('hostname: ${name}\nnodeIP: ${ip}\nsshKeyFile: env:SITE_KEY\n'),
    ...Object.fromEntries(names.map((name) => [`base/openshift/99-${name}.yaml`, manifest(name)])),
  });
  variables['SITE_KEY'] = publicKey;
  const { problems, secrets = [], objects = [] } = await job(dir);
  expect(problems.map(({ code }) => code).filter((code) => !code.endsWith('unused'))).toEqual([]);
  const ofFiles = secrets.filter(({ name }) => !name.endsWith('-store'));
  expect(ofFiles.map(({ name, keys }) => [name, keys.map(({ from }) => from)])).toEqual([
    ['sno-install-fleet-files', ['base/install-config.yaml', 'base/openshift/99-a.yaml']],
    ['sno-install-fleet-files-2', ['base/openshift/99-b.yaml']],
    ['sno-install-fleet-files-3', ['base/openshift/99-c.yaml']],
    ['sno-install-fleet-variables', ['env:SITE_KEY']],
  ]);
  const told = JSON.stringify(objects.find(({ kind }) => kind === 'Job'));
  for (const { name, keys } of ofFiles) {
    const items = keys.map(({ key, from }) => ({ key, path: from }));
    expect(told).toContain(
      name.endsWith('-variables')
        ? JSON.stringify({ secretKeyRef: { name, key: 'SITE_KEY' } })
        : JSON.stringify({ secret: { name, items } }),
    );
  }
});

test('files are in one group up to its last byte, and more of them than a Job can name are refused', () => {
  const file = (key: string, length: number): FleetFile => ({
    path: key,
    key,
    bytes: new Uint8Array(length),
    isSecret: true,
  });
  const limit = 1_032_192;
  const sizes = (...lengths: readonly number[]): unknown => {
    const grouped = groupFiles(
      'job',
      lengths.map((length, index) => file(String(index), length)),
    );
    return grouped.ok
      ? grouped.value.secrets.map(({ files }) => files.length)
      : grouped.problems.map(({ code }) => code);
  };
  expect(sizes(limit - 6, 2)).toEqual([2]);
  expect(sizes(limit - 6, 3)).toEqual([1, 1]);
  expect(sizes(limit - 2)).toEqual([1]);
  expect(sizes(limit - 1)).toEqual(['job/too-large']);
  const many = Array.from({ length: 12_000 }, (_, index) =>
    file(`overrides/site-${index}/sno-config.yaml`, 0),
  );
  const refused = groupFiles('job', many);
  expect(problemsOf(refused)).toMatchObject([
    { code: 'job/too-large', message: expect.stringContaining('12000 files') as string },
  ]);
});

test('of the store the Job has the endpoint and region that count, and certificates alone', async () => {
  const dir = fleetFolder({
    'fleet.yaml': fleetText(encrypted),
    'authorities.pem': `word-of-it\n${throwawayCaPem}-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n`,
    'notes.txt': 'word-of-it',
  });
  variables['AWS_ENDPOINT_URL'] = 'https://user:word-of-it@store.example';
  variables['AWS_ENDPOINT_URL_S3'] = 'https://s3.example/gateway/';
  variables['AWS_REGION'] = 'north-1';
  variables['AWS_DEFAULT_REGION'] = 'word-of-it';
  variables['AWS_CA_BUNDLE'] = join(dir, 'authorities.pem');
  const { stdout } = await snoInProcess(['fleet', 'job', '--dir', dir, '--output', 'json', ...words], {
    variables,
  });
  expect(stdout).not.toMatch(/word-of-it|PRIVATE/);
  const { objects = [] } = JSON.parse(stdout) as Told;
  expect(objects.flatMap(({ data = {} }) => Object.entries(data))).toContainEqual(['ca.pem', throwawayCaPem]);
  const named = [...stdout.matchAll(/"name": "(AWS_(?:ENDPOINT\w*|\w*REGION))",\s+"value": "(.*)"/g)];
  expect(named.map(([, name, value]) => `${name}=${value}`)).toEqual([
    'AWS_ENDPOINT_URL_S3=https://s3.example/gateway',
    'AWS_REGION=north-1',
  ]);

  variables['AWS_CA_BUNDLE'] = join(dir, 'notes.txt');
  const refused = await snoInProcess(['fleet', 'job', '--dir', dir, '--output', 'json', ...words], {
    variables,
  });
  expect(refused.stdout).not.toContain('word-of-it');
  expect((JSON.parse(refused.stdout) as Told).problems.map(({ code }) => code)).toEqual([
    'usage/unreadable-file',
  ]);
});

test('of sites that cannot be made no Job is printed', async () => {
  const dir = fleetFolder({
    'fleet.yaml': fleetText(encrypted),
    'sites.csv': 'name,ip\nnorth-1,192.168.126.10\nnorth-2,not an address\n',
  });
  const { code, stdout } = await snoInProcess(['fleet', 'job', '--dir', dir, ...words]);
  expect([code, stdout]).toEqual([1, '']);
  const { problems, objects } = await job(dir);
  expect([problems.map((each) => each.code), objects]).toEqual([['config/node-ip'], undefined]);
});

test('reports files that do not fit into a Job', async () => {
  const stdin = fleetFolder({
    'fleet.yaml': fleetText(encrypted),
    'base/sno-config.yaml': snoConfigText('hostname: ${name}\nnodeIP: ${ip}\npullSecretFile: "-"\n'),
  });
  expect((await job(stdin)).problems.map(({ code }) => code)).toEqual(['job/stdin']);
  const odd = fleetFolder({ 'fleet.yaml': fleetText(encrypted) });
  const codes = (await job(odd, '--shards', '0', '--name', 'A', '--image', 'user:word@x', '--jobs', 'all'))
    .problems;
  expect(codes.map(({ code }) => code)).toEqual(Array.from({ length: 4 }, () => 'job/setting'));
  expect((await job(fleetFolder())).problems.map(({ code }) => code)).toEqual(['store/plain']);

  const gone = fleetFolder({ 'fleet.yaml': fleetText(encrypted) });
  symlinkSync('/dev/null', join(gone, 'base/odd.yaml'));
  expect((await job(gone)).problems.map(({ code }) => code)).toEqual(['job/files']);
});
