import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { clientCatalog, aioRotators } from '../../src/pki/aio-clients.js';
import { leafCatalog, signerCatalog } from '../../src/pki/installer-catalog.js';
import { sno, snapshot } from '../support/command.js';
import { snoInProcess, type CommandOutput } from '../support/in-process.js';
import { minimalInstallConfig } from '../support/minimal-config.js';
import { secrets as corpus } from '../support/secret-corpus.js';
import { scratchFolder } from '../support/scratch.js';
import { throwawayState } from '../support/throwaway-state.js';

const secretAuth = 'dGhyb3dhd2F5OmNhbmFyeS1vZi10aGUtcHVsbC1zZWNyZXQ=';
const config = minimalInstallConfig
  .replace(/"auth":"[^"]*"/, `"auth":"${secretAuth}"`)
  .concat('proxy:\n  httpProxy: http://user:canary-of-the-proxy@proxy.example.com:3128\n');

const { rsaKey } = corpus;

const stateName = '.sno-install-state.json';
let state = '';
beforeAll(async () => {
  state = await throwawayState({ 'install-config.yaml': config });
});

function valuesIn(stateText: string): Readonly<Record<string, string>> {
  return (JSON.parse(stateText) as { readonly generatedValues: Readonly<Record<string, string>> })
    .generatedValues;
}

/** Every secret of a complete directory, by description. */
function secretsOf(dir: string): Readonly<Record<string, string>> {
  const generatedValues = valuesIn(readFileSync(join(dir, stateName), 'utf8'));
  const keys = Object.entries(generatedValues).filter(([label]) => label.startsWith('key/'));
  const encryption = Object.entries(generatedValues).filter(([label]) => label.endsWith('encryption-key'));
  const bodies = keys.map(([label, pem]) => [label, pem.split('\n')[3] ?? pem] as const);
  return {
    ...Object.fromEntries(bodies),
    ...Object.fromEntries(encryption),
    'kubeadmin password': readFileSync(join(dir, 'auth/kubeadmin-password'), 'utf8'),
    'kubeadmin hash': generatedValues['bcrypt/kubeadmin-password'] ?? 'missing',
    'pull secret': secretAuth,
    'proxy password': 'canary-of-the-proxy',
  };
}

function expectNoSecret(
  secrets: Readonly<Record<string, string>>,
  { stdout, stderr }: Pick<CommandOutput, 'stdout' | 'stderr'>,
): void {
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret.length, name).toBeGreaterThan(15);
    expect(`${stdout}${stderr}`.includes(secret), name).toBe(false);
  }
}

function site(text: string): string {
  const dir = join(scratchFolder(), 'site');
  mkdirSync(dir);
  writeFileSync(join(dir, 'install-config.yaml'), text);
  writeFileSync(join(dir, stateName), state);
  return dir;
}

describe('no secret', () => {
  it('is printed by any command, in any form', async () => {
    const dir = site(config);
    // `Installer` adds keys, and `render` needs it.
    const snoConfig =
      'apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\ncontrolPlane: {render: Installer}\n';
    writeFileSync(join(dir, 'sno-config.yaml'), snoConfig);
    const files = { 'install-config.yaml': config, 'sno-config.yaml': snoConfig };
    const ofAio = valuesIn(await throwawayState(files, {}, 'aio-ignition'));
    writeFileSync(join(dir, stateName), await throwawayState(files, ofAio));
    const results = [
      await snoInProcess(['create', 'single-node-ignition-config', '--dir', dir, '--log-level', 'debug']),
      await snoInProcess(['create', 'manifests', '--dir', dir, '--output', 'json']),
      await snoInProcess(['render', 'control-plane', '--dir', dir, '--log-level', 'debug']),
      await snoInProcess(['render', 'control-plane', '--for', 'aio', '--dir', dir, '--output', 'json']),
      await snoInProcess(['validate', '--dir', dir, '--output', 'json', '--log-level', 'debug']),
      await snoInProcess(['graph', '--dir', dir, '--output', 'dot']),
      await snoInProcess(['graph', '--dir', dir, '--output', 'mermaid']),
      await snoInProcess(['graph', '--dir', dir, '--output', 'json']),
    ];

    const secrets = secretsOf(dir);
    expect(Object.keys(secrets)).toEqual(
      expect.arrayContaining([
        ...Object.keys({ ...signerCatalog, ...leafCatalog }).map((name) => `key/rsa-2048/tls/${name}`),
        ...[...aioRotators, ...Object.keys(clientCatalog)].map((name) => `key/rsa-2048/aio/${name}`),
        'key/rsa-2048/control-plane/node-system-admin-signer',
        'text/aio/encryption-key',
      ]),
    );
    for (const result of results) {
      expect(result.code).toBe(0);
      expectNoSecret(secrets, result);
    }
  });

  const mistakes = [
    { name: 'a pull secret that is no JSON', edit: (text: string) => text.replace('{"auths"', '{"auths') },
    {
      name: 'a pull secret with a broken entry',
      edit: (text: string) => text.replace(secretAuth, `${secretAuth}!`),
    },
    {
      name: 'a pull secret given as a map',
      edit: (text: string) => text.replace(/^pullSecret: '(.*)'$/m, 'pullSecret: $1'),
    },
    {
      name: 'YAML that ends within the pull secret',
      edit: (text: string) => text.replace(/^(pullSecret: '.*)'$/m, '$1'),
    },
    {
      name: 'a tab after the pull secret',
      edit: (text: string) => text.replace(/^(pullSecret: .*)$/m, '$1\n\tx: y'),
    },
    { name: 'a second pull secret', edit: (text: string) => `${text}pullSecret: '${secretAuth}'\n` },
    {
      name: 'a proxy of another scheme',
      edit: (text: string) => text.replace('http://user', 'socks5://user'),
    },
    {
      name: 'a key as trust bundle',
      edit: (text: string) => `${text}additionalTrustBundle: |\n${rsaKey.text.replace(/^/gm, '  ')}\n`,
    },
    {
      name: 'a key as sshKey',
      edit: (text: string) => text.replace(/^sshKey: .*$/m, `sshKey: ${rsaKey.text}`),
    },
    {
      name: 'a pull secret in double quotes',
      edit: (text: string) =>
        text.replace(
          /^pullSecret: '(.*)'$/m,
          (_line, json: string) => `pull_secret: ${JSON.stringify(json)}`,
        ),
    },
    { name: 'a proxy without scheme', edit: (text: string) => text.replace('http://user', 'user') },
    { name: 'a proxy with a space', edit: (text: string) => text.replace('.com:3128', '.com:31 28') },
  ];
  it.each(mistakes)('is printed in a problem: $name', ({ edit }) => {
    const text = edit(config);
    expect(text).not.toBe(config);
    const dir = site(text);
    for (const form of ['text', 'json']) {
      const result = sno(['validate', '--dir', dir, '--output', form, '--log-level', 'debug']);

      expect(result.code).toBe(1);
      const keyLines = rsaKey.canaries.map((line, index) => [`line ${index} of the key`, line] as const);
      expectNoSecret(
        {
          ...Object.fromEntries(keyLines),
          'pull secret': secretAuth,
          'proxy password': 'canary-of-the-proxy',
        },
        result,
      );
    }
  });

  it('can be read by others, on disk or on the node', () => {
    const dir = site(config);
    sno(['create', 'single-node-ignition-config', '--dir', dir]);
    sno(['create', 'manifests', '--dir', dir]);

    const secrets = Object.values(secretsOf(dir));
    for (const [path, contents] of Object.entries(snapshot(dir))) {
      if (path === 'install-config.yaml') continue;
      const decoded = `${contents} ${decodedParts(contents)}`;
      if (!secrets.some((secret) => decoded.includes(secret))) continue;
      expect([path, statSync(join(dir, path)).mode & 0o077]).toEqual([path, 0]);
    }
    const ignition = JSON.parse(readFileSync(join(dir, 'bootstrap-in-place-for-live-iso.ign'), 'utf8')) as {
      storage: { files: { path: string; mode: number; contents?: { source: string } }[] };
    };
    const exposed = ignition.storage.files.filter(({ mode, contents }) => {
      const text = Buffer.from(contents?.source.replace(/^[^,]*,/, '') ?? '', 'base64').toString();
      const decoded = `${text} ${decodedParts(text)}`;
      return (mode & 0o077) !== 0 && secrets.some((secret) => decoded.includes(secret));
    });
    expect(exposed.map(({ path }) => path)).toEqual([]);
  });
});

/** Decodes long base64 strings, as in Secrets and kubeconfigs. */
function decodedParts(text: string): string {
  const parts = text.match(/[A-Za-z0-9+/]{40,}={0,2}/g) ?? [];
  return parts.map((part) => Buffer.from(part, 'base64').toString('latin1')).join(' ');
}
