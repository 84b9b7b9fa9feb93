import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { sno, snapshot } from '../support/command.js';
import { readTree } from '../support/explode.js';
import { scratchFolder } from '../support/scratch.js';
import { throwawayState } from '../support/throwaway-state.js';

let state = '';
beforeAll(async () => {
  state = await throwawayState(readTree('fixtures/configs/aio-minimal'), {}, 'aio-ignition');
});

/** A folder with the smallest config and a state whose keys are drawn already. */
function site(): string {
  const dir = join(scratchFolder(), 'site');
  mkdirSync(dir);
  cpSync('fixtures/configs/aio-minimal', dir, { recursive: true });
  writeFileSync(join(dir, '.sno-install-state.json'), state);
  return dir;
}

describe('create aio-ignition', () => {
  it('says what it wrote, until when the machine may be booted, and what to do next', () => {
    const dir = site();
    const { code, stdout, stderr } = sno(['create', 'aio-ignition', '--dir', 'site'], { cwd: dirname(dir) });

    expect([code, stderr]).toEqual([0, '']);
    const text = stdout.replaceAll(/\d{4}-\d\d-\d\dT[\d:]+Z/g, 'DATE').replaceAll(/ +[\d.]+ k?B/g, ' SIZE');
    expect(text.split('\n')).toEqual([
      'FILE                  MODE       SIZE  CHANGE',
      'site/aio.ign          0600 SIZE  written',
      'site/auth/kubeconfig  0600 SIZE  written',
      'site/metadata.json    0644 SIZE  written',
      '',
      'Boot the machine before DATE; from then on it renews its certificates itself.',
      '',
      'Next, from a live system of CoreOS, or with a disk image of it in QEMU:',
      '  coreos-installer install --ignition-file site/aio.ign /dev/disk/by-id/…',
      '  qemu-system-x86_64 … -fw_cfg name=opt/com.coreos/config,file=site/aio.ign',
      'Then: kubectl --kubeconfig site/auth/kubeconfig get nodes',
      '',
    ]);
  });

  it('needs no disk to install to, and writes the same bytes again', () => {
    const dir = site();
    expect(readFileSync(join(dir, 'install-config.yaml'), 'utf8')).not.toContain('bootstrapInPlace');
    sno(['create', 'aio-ignition', '--dir', dir]);
    const before = snapshot(dir);
    const { code, stdout } = sno(['create', 'aio-ignition', '--dir', dir, '--output', 'json']);
    expect([code, snapshot(dir)]).toEqual([0, before]);
    const result = JSON.parse(stdout) as {
      ok: boolean;
      outputs: { path: string; change: string }[];
      bootableUntil: string;
    };
    expect(result.outputs.map(({ path, change }) => [path, change])).toEqual([
      ['aio.ign', 'unchanged'],
      ['auth/kubeconfig', 'unchanged'],
      ['metadata.json', 'unchanged'],
    ]);
    const metadata = JSON.parse(readFileSync(join(dir, 'metadata.json'), 'utf8')) as {
      bootableUntil: string;
    };
    expect([result.ok, result.bootableUntil]).toEqual([true, metadata.bootableUntil]);
  });

  it('prints no key, and keeps every secret from others', () => {
    const dir = site();
    const { stdout, stderr } = sno(['create', 'aio-ignition', '--dir', dir, '--log-level', 'debug']);
    const { draws } = JSON.parse(readFileSync(join(dir, '.sno-install-state.json'), 'utf8')) as {
      draws: Record<string, string>;
    };
    const secrets = Object.entries(draws).filter(([label]) => /^key\/|encryption-key/.test(label));
    expect(secrets.length).toBeGreaterThan(20);
    for (const [label, secret] of secrets) {
      const body = secret.split('\n')[3] ?? secret;
      expect(`${stdout}${stderr}`.includes(body), label).toBe(false);
    }
    expect(Object.entries(snapshot(dir)).map(([path, file]) => [path, file.slice(0, 3)])).toEqual([
      ['.sno-install-state.json', '600'],
      ['aio.ign', '600'],
      ['auth/kubeconfig', '600'],
      ['install-config.yaml', '644'],
      ['metadata.json', '644'],
      ['sno-config.yaml', '644'],
    ]);
  });

  it('writes nothing without the programs that the machine would lack', () => {
    const dir = site();
    writeFileSync(join(dir, 'sno-config.yaml'), 'apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\n');
    const before = snapshot(dir);
    const { code, stderr } = sno(['create', 'aio-ignition', '--dir', dir]);
    expect([code, snapshot(dir)]).toEqual([1, before]);
    expect(stderr.match(/error\[aio\/missing-program\]/g)).toHaveLength(3);
    expect(stderr).toContain('3 problems; nothing was written');
  });
});

describe('validate --target aio-ignition', () => {
  it('asks for what this target needs, and not for a disk', () => {
    const dir = site();
    const before = snapshot(dir);
    expect(sno(['validate', '--dir', dir, '--target', 'aio-ignition'])).toMatchObject({
      code: 0,
      stdout: 'no problems found\n',
      stderr: '',
    });
    expect(snapshot(dir)).toEqual(before);
    expect(sno(['validate', '--dir', dir]).stderr).toContain('error[config/bootstrap-in-place]');
  });
});
