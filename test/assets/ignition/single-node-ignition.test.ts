import { describe, expect, it } from 'vitest';

import {
  singleNodeIgnition,
  type SingleNodeIgnition,
} from '../../../src/assets/ignition/single-node-ignition.js';
import { bootstrapSshKeyPair } from '../../../src/assets/tls/certificates.js';
import { isError } from '../../../src/core/problem.js';
import { problemsOf, type Result } from '../../../src/core/result.js';
import { decodeDataUrl } from '../../../src/formats/data-url.js';
import { resolve, type Resolved } from '../../../src/graph/engine.js';
import { containsPrivateMaterial } from '../../../src/ignition/private-material.js';
import type { IgnitionConfig } from '../../../src/ignition/types.js';
import { testContext, type TestInputs } from '../../support/context.js';
import { minimalInstallConfig } from '../../support/minimal-config.js';
import { seededBytes } from '../../support/seeded-keys.js';
import { expectOk } from '../../support/sound-value.js';

/** A fixed hash; real ones have a random salt. */
const hash = { 'bcrypt/kubeadmin-password': `$2a$10$${'a'.repeat(53)}` };

function make(files: TestInputs['files'], once: TestInputs['once'] = {}): Promise<Result<Resolved>> {
  const inputs = { 'install-config.yaml': minimalInstallConfig, ...files };
  const context = testContext({ files: inputs, once: { ...hash, ...once } });
  return resolve([singleNodeIgnition, bootstrapSshKeyPair], context);
}

function errorsOf(result: Result<Resolved>): readonly string[] {
  const errors = problemsOf(result).filter(isError);
  return errors.map(({ asset, code }) => `${asset ?? 'nobody'}: ${code}`);
}

async function made(
  files: TestInputs['files'] = {},
): Promise<Resolved & { readonly ignition: SingleNodeIgnition }> {
  const resolved = expectOk(await make(files));
  return { ...resolved, ignition: resolved.valueOf(singleNodeIgnition) };
}

function configOf({ text }: SingleNodeIgnition): IgnitionConfig {
  return JSON.parse(text) as IgnitionConfig;
}

describe('singleNodeIgnition', () => {
  it('writes one secret file and returns its size', async () => {
    const { ignition, files } = await made();
    const { storage } = configOf(ignition);
    expect(files).toEqual([
      { path: 'bootstrap-in-place-for-live-iso.ign', contents: ignition.text, mode: 0o600 },
    ]);
    expect(ignition.fileCount).toBe(storage?.files?.length);
    const { rawBytes, embedded, limitBytes } = ignition.size;
    expect([rawBytes, limitBytes]).toEqual([Buffer.byteLength(ignition.text), 262_144]);
    // Keys do not compress; scripts and units do.
    expect(embedded.bytes / rawBytes).toBeGreaterThan(0.1);
    expect(embedded.bytes / rawBytes).toBeLessThan(0.4);
  });

  it('gives the kubeconfigs of the live system to root alone', async () => {
    const { ignition } = await made();
    const auth = configOf(ignition).storage?.files?.filter(({ path }) =>
      path.startsWith('/opt/openshift/auth/'),
    );
    expect(auth?.map(({ path, mode }) => `${mode.toString(8)} ${path}`)).toEqual([
      '600 /opt/openshift/auth/kubeconfig',
      '600 /opt/openshift/auth/kubeconfig-kubelet',
      '600 /opt/openshift/auth/kubeconfig-loopback',
    ]);
  });

  it('restricts private material to root, including manifests of the user', async () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${'A'.repeat(64)}\n-----END PRIVATE KEY-----\n`;
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', namespace: 'default' },
      data: { key },
    };
    const { ignition } = await made({ 'openshift/zz-own.json': JSON.stringify(object) });
    const files = configOf(ignition).storage?.files ?? [];
    const secrets = files.filter(({ contents }) =>
      containsPrivateMaterial(decodeDataUrl(contents?.source ?? 'data:,')?.toString('latin1') ?? ''),
    );
    expect(secrets.map(({ path }) => path)).toContain('/opt/openshift/openshift/zz-own.json');
    expect(secrets.filter(({ mode }) => mode !== 0o600)).toEqual([]);
  });

  it('gives core the keys of the user, one a line, and ours', async () => {
    const keys = [
      'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGNv4TKSsRzq0EJfCHsYTYI4q7vcVE3ndFnI5O1fjRzO first',
      'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGNv4TKSsRzq0EJfCHsYTYI4q7vcVE3ndFnI5O1fjRzO second',
    ];
    const sshKey = `sshKey: |\n  ${[...keys, keys[0]].join('\n  ')}\n`;
    const config = `${minimalInstallConfig.replace(/^sshKey:.*\n(?:[ \t].*\n)*/m, '')}\n${sshKey}`;
    const result = await made({ 'install-config.yaml': config });
    const ours = result.valueOf(bootstrapSshKeyPair).authorizedKey.trim();
    expect(configOf(result.ignition).passwd?.users).toEqual([
      { name: 'core', sshAuthorizedKeys: [...keys, ours] },
    ]);
  });

  it('is not made without a disk to install to', async () => {
    const config = minimalInstallConfig.replace(/^bootstrapInPlace:\n(?:[ \t].*\n)*/m, '');
    const result = await make({ 'install-config.yaml': config });
    expect(errorsOf(result)).toEqual([expect.stringMatching(/^config\/bootstrap-in-place: config\//)]);
  });

  it('is refused when no live ISO has room for it', async () => {
    const noise = seededBytes('noise', 250_000).toString('base64');
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', namespace: 'default' },
      data: { noise },
    };
    const result = await make({ 'openshift/zz-big.json': JSON.stringify(object) });
    expect(errorsOf(result)).toEqual(['ignition/single-node: ignition/too-large']);
  });
});
