import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { fleetFolder } from '../../fleet/files.js';
import { snoInProcess } from '../../support/in-process.js';

const digest = `sha256:${'a'.repeat(64)}`;

describe('fleet upgrade', () => {
  it.each([
    ['4.21.9', 'for OpenShift on x86_64: quay.io/openshift-release-dev/ocp-release:4.21.9-x86_64'],
    ['quay.io/ocp/release', 'write REPOSITORY:TAG'],
    [`quay.io/ocp/release@sha512:${'a'.repeat(128)}`, 'write REPOSITORY:TAG'],
  ])('rejects --to %s', async (to, hint) => {
    const { code, stderr } = await snoInProcess(['fleet', 'upgrade', fleetFolder(), '--to', to]);
    expect(code).toBe(2);
    expect(stderr).toContain(hint);
  });

  it('reports a tag that no registry resolves', async () => {
    const dir = fleetFolder({ 'rollout.yaml': 'wave: 1\n' });
    const to = ['--to', 'localhost:1/ocp/release:4.21.9-x86_64'];
    const { code, stderr } = await snoInProcess(['fleet', 'upgrade', dir, ...to]);
    expect(code).toBe(1);
    expect(stderr).toContain('error[upgrade/release]: the tag of --to cannot be resolved: ');
  });

  it('prints the waves, and contacts nothing', async () => {
    const dir = fleetFolder({ 'rollout.yaml': 'canary: {only: [north-2]}\n' });
    const to = ['--to', `quay.io/ocp/release:4.21.9-x86_64@${digest}`];
    const { code, stdout } = await snoInProcess(['fleet', 'upgrade', dir, ...to, '--dry-run']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^WAVE.*\ncanary .* north-2\n1 .* north-1\n/);
    expect(stdout).toContain(`until: quay.io/ocp/release@${digest}\n`);
    expect(existsSync(join(dir, 'out/upgrade.json'))).toBe(false);
  });
});
