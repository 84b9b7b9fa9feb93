import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { emptyState, serializeState } from '../../src/disk/state/state-file.js';
import { encryptAge } from '../../src/formats/age.js';
import { ageKeys } from '../support/age-keys.js';
import { snoInProcess } from '../support/in-process.js';
import { minimalInstallConfig, snoConfigText } from '../support/minimal-config.js';
import { scratchFolder } from '../support/scratch.js';

const { recipient } = ageKeys.ours;
const pullSecret = '{"auths":{"quay.io":{"auth":"YTpi"}}}';
const publicConfig = minimalInstallConfig.replace(/^pullSecret:.*\n/m, '');
const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: default}\n';
const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: Secret, namespace: default}\n';

/** A folder `site` with an unencrypted state and these files. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = scratchFolder();
  const all = { '.sno-install-state.json': serializeState(emptyState), ...files };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, 'site', path)), { recursive: true });
    writeFileSync(join(folder, 'site', path), text, { mode: 0o600 });
  }
  return folder;
}

async function plainFiles(files: Readonly<Record<string, string>>): Promise<unknown> {
  const args = ['state', 'encrypt', '--dir', 'site', '--recipient', recipient, '--output', 'json'];
  const { code, stdout } = await snoInProcess(args, { cwd: folderWith(files) });
  const { plainFiles: found } = JSON.parse(stdout) as { readonly plainFiles?: unknown };
  return [code, found];
}

describe('state encrypt names the files that stay plain text', () => {
  test.each([
    {
      name: 'a config with a pull secret',
      files: { 'install-config.yaml': minimalInstallConfig },
      want: ['install-config.yaml'],
    },
    {
      name: 'a config with a proxy password',
      files: {
        'install-config.yaml': `${publicConfig}proxy: {httpProxy: "http://user:word@proxy.example.com"}\n`,
      },
      want: ['install-config.yaml'],
    },
    {
      name: 'a pull secret in a file',
      files: {
        'install-config.yaml': publicConfig,
        'sno-config.yaml': snoConfigText('pullSecretFile: pull-secret.json\n'),
        'pull-secret.json': pullSecret,
      },
      want: ['pull-secret.json'],
    },
    {
      name: 'outputs',
      files: {
        'node.ign': '{}',
        'auth/kubeconfig': 'a',
        'auth/kubeadmin-password': 'a',
        'receipt.json': '{}',
      },
      want: ['auth/kubeadmin-password', 'auth/kubeconfig', 'node.ign'],
    },
    {
      name: 'media with a receipt',
      files: {
        ...{ 'node.iso': 'a', 'node.iso.receipt.json': '{}', 'other.iso': 'a' },
        ...{ 'pxe/kernel': 'a', 'pxe/config.img': 'a', 'pxe.receipt.json': '{}' },
      },
      want: ['node.iso', 'pxe/'],
    },
    {
      name: 'manifests with a Secret',
      files: {
        'manifests/a.yaml': `${configMap}---\n${secret}`,
        'openshift/b.json': '{"apiVersion": "v1", "kind": "Secret"}',
        'openshift/c.yaml': '{kind: "Secret", apiVersion: v1}\n',
        'openshift/d.yaml': configMap,
        'openshift/e.yaml': configMap.replace('ConfigMap', 'SecretClass'),
      },
      want: ['manifests/a.yaml', 'openshift/b.json', 'openshift/c.yaml'],
    },
    {
      name: 'passwords of 802.1X, Wi-Fi and BMCs',
      files: {
        'network/a.yaml': 'interfaces:\n- name: eth0\n  802.1x:\n    identity: a\n    password: word\n',
        'network/b.yaml': '802.1x: {identity: a, private-key-password: "word"}\n',
        'network/c.nmconnection': '[wifi-security]\nkey-mgmt=wpa-psk\npsk=word word\n',
        'network/d.nmconnection': '[802-1x]\nprivate-key-password=word\n',
        'network/e.yaml': '802.1x:\n  private-key: /etc/pki/a.pem\n  password-flags: 1\n',
        'network/f.nmconnection': '[wifi-security]\nkey-mgmt=wpa-psk\npsk-flags=1\n',
        'boot.yaml':
          'password: {env: BMC}\npassword:\n  file: a\npassword: ""\npassword: $BMC\npasswordFile: a\n',
        'bmc.yaml': 'username: root\nbmcPassword: calvin\n',
      },
      want: [
        'bmc.yaml',
        ...['a.yaml', 'b.yaml', 'c.nmconnection', 'd.nmconnection'].map((n) => `network/${n}`),
      ],
    },
    {
      name: 'hidden files',
      files: {
        '.pull-secret': pullSecret,
        '.secrets/a.json': pullSecret,
        '.git/config': pullSecret,
        '.env': 'A=b\n',
      },
      want: ['.pull-secret', '.secrets/a.json'],
    },
  ])('$name', async ({ files, want }) => {
    expect(await plainFiles(files)).toEqual([0, want.map((path) => join('site', path))]);
  });

  test('none, if none contains a secret or all are encrypted', async () => {
    const sealed = await encryptAge('{}', { recipients: [recipient] });
    const files = {
      'install-config.yaml': publicConfig,
      'sno-config.yaml': snoConfigText('ntpSources: [clock.example.com]\n'),
      ...{
        'node.ign.age': sealed,
        'auth/kubeconfig.age': sealed,
        'run.sh': 'curl https://$USER:$PASS@host\n',
      },
    };
    expect(await plainFiles(files)).toEqual([0, undefined]);
  });

  test('as text, with a hint', async () => {
    const cwd = folderWith({ 'install-config.yaml': minimalInstallConfig, 'node.ign': '{}' });
    const run = await snoInProcess(['state', 'encrypt', '--dir', 'site', '--recipient', recipient], { cwd });
    expect([run.code, run.stderr, run.stdout]).toEqual([
      0,
      '',
      'Encrypted site/.sno-install-state.json. Keep the identity or passphrase: without it the cluster keys are lost.\n' +
        'These files with secrets are still plain text:\n  site/install-config.yaml\n  site/node.ign\n' +
        'hint: `encryptOutputs: true` below `state` in sno-config.yaml encrypts Ignition configs and auth/; pullSecretFile keeps the pull secret outside of install-config.yaml\n',
    ]);
  });

  test('and says so if it cannot read the directory', async () => {
    const cwd = folderWith({ 'node.ign': '{}' });
    symlinkSync('loop', join(cwd, 'site/loop'));
    const run = await snoInProcess(['state', 'encrypt', '--dir', 'site', '--recipient', recipient], { cwd });
    expect([run.code, run.stdout.split('\n')[1]]).toEqual([
      0,
      expect.stringMatching(/^Other files in plain text are unknown: .*site.* cannot be read: /),
    ]);
  });

  test('not for a state file elsewhere', async () => {
    const cwd = folderWith({ 'install-config.yaml': minimalInstallConfig });
    writeFileSync(join(cwd, 'other.json'), serializeState(emptyState), { mode: 0o600 });
    const args = ['state', 'encrypt', '--state', 'other.json', '--dir', 'site', '--recipient', recipient];
    const { code, stdout } = await snoInProcess(args, { cwd });
    expect([code, stdout.split('\n').length]).toEqual([0, 2]);
  });
});
