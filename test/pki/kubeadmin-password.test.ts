import { compareSync, hashSync } from 'bcryptjs';
import { describe, expect, it } from 'vitest';

import { kubeadminPassword } from '../../src/assets/kubeconfig/kubeadmin-password.js';
import { kubeadminPasswordFile } from '../../src/assets/manifests/cluster-secrets.js';
import type { Result } from '../../src/core/result.js';
import { generatedValues } from '../../src/run/effects/generated-values.js';
import type { Inputs } from '../../src/graph/context.js';
import { resolve } from '../../src/graph/engine.js';
import type { KubeadminPassword } from '../../src/pki/kubeadmin-password.js';
import { testContext } from '../support/context.js';
import { minimalInstallConfig } from '../support/minimal-config.js';

async function make(
  files: Readonly<Record<string, string>>,
  context = {},
): Promise<Result<KubeadminPassword>> {
  const given = testContext({ files: { 'install-config.yaml': minimalInstallConfig, ...files } });
  const result = await resolve([kubeadminPassword], { ...given, ...context });
  return result.ok ? { ok: true, value: result.value.valueOf(kubeadminPassword), warnings: [] } : result;
}

describe('a password that is drawn', () => {
  it('has the upstream form, goes to a file without a newline, and its hash is of cost 10', async () => {
    const given = testContext({ files: { 'install-config.yaml': minimalInstallConfig } });
    const { valueSource, stateValues } = generatedValues({});
    const result = await resolve([kubeadminPassword, kubeadminPasswordFile], {
      ...given,
      valueSource,
    });
    if (!result.ok) throw new Error('the minimal config has problems');
    const { password, hash } = result.value.valueOf(kubeadminPassword);

    const text = password.reveal();
    expect(text).toMatch(/^[a-km-zA-NP-Z2-9]{5}(-[a-km-zA-NP-Z2-9]{5}){3}$/);
    expect(hash).toMatch(/^\$2a\$10\$/);
    expect(compareSync(text, hash)).toBe(true);
    expect(result.value.files).toContainEqual({
      path: 'auth/kubeadmin-password',
      contents: text,
      mode: 0o600,
    });
    // The same generated values give the same password and the same hash, although its salt is random.
    const again = await make({}, { valueSource: generatedValues(stateValues()).valueSource });
    expect(again.ok && [again.value.password.reveal(), again.value.hash]).toEqual([text, hash]);
  });

  it('goes to no file where the user deleted the Secret', async () => {
    const secret = 'openshift/99_kubeadmin-password-secret.yaml';
    const other = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"default"}}';
    const files = { 'install-config.yaml': minimalInstallConfig, 'openshift/other.yaml': other };
    const given = testContext({ files, written: { [secret]: 'kind: Secret\n' } });
    const result = await resolve([kubeadminPasswordFile], given);
    expect(result.ok && result.value.files.map(({ path }) => path)).toEqual([]);
  });

  it('never shows when it is printed', async () => {
    const made = await make({});
    const text = made.ok ? made.value.password.reveal() : '';

    expect(text).not.toBe('');
    expect(`${JSON.stringify(made)} ${made.ok ? String(made.value.password) : ''}`).not.toContain(text);
  });
});

describe('a password of the user', () => {
  const password = 'throw-away-password-of-30-chars';
  const hash = hashSync(password, 4);

  it('is used with its hash unchanged', async () => {
    const made = await make({
      'tls/kubeadmin-password.hash': `${hash}\n`,
      'tls/kubeadmin-password': `${password}\n`,
    });
    expect(made.ok && [made.value.password.reveal(), made.value.hash]).toEqual([password, hash]);
  });

  it('may stay unknown: the hash alone does', async () => {
    const made = await make({ 'tls/kubeadmin-password.hash': hash });
    expect(made.ok && [made.value.password.reveal(), made.value.hash]).toEqual(['', hash]);
  });

  it.each([
    {
      name: 'that is no hash',
      files: { 'tls/kubeadmin-password.hash': 'plain' },
      code: 'tls/kubeadmin-hash',
    },
    {
      name: 'that is too short',
      files: { 'tls/kubeadmin-password.hash': hashSync('hunter2', 4), 'tls/kubeadmin-password': 'hunter2' },
      code: 'tls/kubeadmin-password',
    },
    {
      name: 'that belongs to another hash',
      files: { 'tls/kubeadmin-password.hash': hash, 'tls/kubeadmin-password': `${password}!` },
      code: 'tls/kubeadmin-password',
    },
    { name: 'without a hash', files: { 'tls/kubeadmin-password': password }, code: 'tls/kubeadmin-password' },
  ])('$name is a problem that does not show it', async ({ files, code }) => {
    const made = await make(files);

    expect(!made.ok && made.problems.map((found) => found.code)).toEqual([code]);
    for (const secret of Object.values(files)) expect(JSON.stringify(made)).not.toContain(secret);
  });

  it.each([
    {
      path: 'tls/kubeadmin-password.hash',
      code: 'tls/kubeadmin-hash',
      hint: 'write it with `htpasswd -nbBC 10 "" PASSWORD | tr -d ":\\n"`, or remove tls/kubeadmin-password* to generate a password',
    },
    {
      path: 'tls/kubeadmin-password',
      code: 'tls/kubeadmin-password',
      hint: 'write the password to tls/kubeadmin-password and its hash to tls/kubeadmin-password.hash, or remove tls/kubeadmin-password* to generate one',
    },
  ])(
    'that cannot be read is a problem, and none is drawn in its place: $path',
    async ({ path, code, hint }) => {
      const { inputs } = testContext({ files: { 'install-config.yaml': minimalInstallConfig } });
      const reason = 'permission denied';
      const blocked: Inputs = {
        ...inputs,
        read: (read) => (read === path ? { kind: 'unreadable', reason } : inputs.read(read)),
      };

      const made = await make({}, { inputs: blocked });

      expect(!made.ok && made.problems).toEqual([
        {
          code,
          severity: 'error',
          message: `${path} cannot be read: permission denied`,
          at: { file: path },
          hint,
          asset: 'auth/supplied-kubeadmin-password',
        },
      ]);
    },
  );
});
