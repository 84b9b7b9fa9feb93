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
      name: 'keys of WireGuard and MACsec, and other network passwords',
      files: {
        'network/a.nmconnection': `[wireguard]\nprivate-key=${'A'.repeat(43)}=\n`,
        'network/b.yaml': `macsec:\n  mka-cak: ${'0a'.repeat(16)}\n  mka-ckn: ${'0b'.repeat(16)}\n`,
        'network/c.nmconnection': '[802-1x]\npassword-raw=119;111;\nprivate-key=/etc/pki/a.pem\n',
        'network/d.nmconnection': '[802-1x]\nprivate-key=/etc/pki/a.pem\nca-cert=/etc/pki/b.pem\n',
        'network/e.yaml': 'interfaces:\n- name: wg0\n  wireguard: {public-key: a}\n',
      },
      want: ['network/a.nmconnection', 'network/b.yaml', 'network/c.nmconnection'],
    },
    {
      name: 'files with nothing but a passphrase',
      files: {
        ...{ passphrase: 'correct horse\n', 'state-passphrase.txt': 'word', '.bmcPassword': 'calvin\r\n' },
        ...{ 'secrets/token': 'word\n', 'passphrase.txt.age': 'age', 'password.sh': '#!/bin/sh\n' },
        ...{ 'password-policy': 'long\n', password: '', 'core.password': '$6$salt$hash\n' },
        ...{ 'passwords.md': 'Ask the owner.\n', 'a/secret': 'one\ntwo\n' },
      },
      want: ['.bmcPassword', 'passphrase', 'secrets/token', 'state-passphrase.txt'],
    },
    {
      name: 'tables with a column of passwords',
      files: {
        'a.csv': 'name,bmcPassword\nnorth-1,calvin\n',
        'b.csv': 'name;BMC password (iDRAC)\nnorth-1;calvin\n',
        'c.tsv': 'name\tbmc_pw\nnorth-1\tcalvin\n',
        'd.csv': 'name,bmcPassword\nnorth-1,\nnorth-2,${secret}\nnorth-3,<password>\n',
        'e.csv': 'name,passwordFile,sshKey,author,login,token_url\nnorth-1,a,ssh-ed25519 A,joe,root,b\n',
        'f.csv': 'name,proxy\nnorth-1,http://user:word@proxy.example.com\n',
        'g.csv': 'name,ip\n"north-1,10.0.0.1\n',
      },
      want: ['a.csv', 'b.csv', 'c.tsv', 'f.csv'],
    },
    {
      name: 'logins of programs',
      files: {
        '.netrc': 'machine bmc.example.com\n  login root\n  password calvin\n',
        '.env': 'export BMC_PASSWORD=calvin\n',
        README: 'Each machine has a login page; set a new password there.\n',
      },
      want: ['.env', '.netrc'],
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

  test('and the file of the passphrase of this run, by any name', async () => {
    const cwd = folderWith({ pp: 'word\n', other: 'word\n' });
    const args = ['state', 'encrypt', '--dir', 'site', '--passphrase-file', 'site/pp'];
    const { code, stdout } = await snoInProcess([...args, '--output', 'json'], { cwd });
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { plainFiles: ['site/pp'] }]);
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
