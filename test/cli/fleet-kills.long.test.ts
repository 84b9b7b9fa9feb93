import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { describe, expect, it, vi } from 'vitest';

import { fleetFolder, fleetText } from '../fleet/files.js';
import { ageKeys } from '../support/age-keys.js';
import { sno, snapshot } from '../support/command.js';
import { scaledMs } from '../support/time-scale.js';

vi.setConfig({ testTimeout: scaledMs(600_000) });

const killer = ['--import', resolve('test/support/kill-at.mjs')];
const encrypted = fleetText(`recipients: [${ageKeys.ours.recipient}]\nencryptOutputs: true\n`);

/** A fleet with encrypted states and outputs. */
function encryptedFleet(sites: number): string {
  const rows = Array.from({ length: sites }, (_, index) => `site-${index},192.168.126.${index + 10}\n`);
  return fleetFolder({ 'fleet.yaml': encrypted, 'sites.csv': `name,ip\n${rows.join('')}` });
}

/** Paths of files that contain a secret in plain text. */
function plainSecretsBelow(folder: string): readonly string[] {
  const paths = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  return paths.filter((path) => {
    const file = join(folder, path);
    return (
      statSync(file).isFile() &&
      /PRIVATE KEY|"generatedValues"|client-key-data|"ignition"/.test(readFileSync(file, 'latin1'))
    );
  });
}

/** Names of the complete sites, which have a record. */
function completeIn(out: string): readonly string[] {
  const names = existsSync(out) ? readdirSync(out) : [];
  return names.filter((name) => existsSync(join(out, name, '.sno-install-site.json')));
}

describe('a kill of fleet create at any moment', () => {
  it('leaves each site complete or not started, no secret as plain text, and a fleet that the next run completes without an identity', () => {
    const dir = encryptedFleet(2);
    const out = join(dir, 'out');
    const create = ['fleet', 'create', '--dir', dir, '--jobs', '1'];
    let kills = 0;
    // KILL_AT counts calls per thread, so a kill hits either the main thread or a worker.
    for (let killAt = 1; ; killAt += 11) {
      rmSync(out, { recursive: true, force: true });
      const killed = sno(create, { nodeArguments: killer, variables: { KILL_AT: String(killAt) } });
      if (killed.signal === null) {
        expect(killed).toMatchObject({ code: 0, stderr: '' });
        break;
      }
      kills += 1;
      expect([killed.signal, plainSecretsBelow(out)], `kill at change ${killAt}`).toEqual(['SIGKILL', []]);
      const before = completeIn(out).map((name) => [name, snapshot(join(out, name))] as const);

      expect(sno(create), `the run after a kill at change ${killAt}`).toMatchObject({ code: 0, stderr: '' });
      for (const [name, files] of before) {
        const kept = Object.entries(files).filter(([path]) => !path.startsWith('.sno-install-pending'));
        expect(snapshot(join(out, name))).toMatchObject(
          Object.fromEntries(kept.filter(([path]) => path.endsWith('state.json'))),
        );
      }
      expect(completeIn(out)).toEqual(['site-0', 'site-1']);
      const left = readdirSync(out, { recursive: true, encoding: 'utf8' });
      expect(left.filter((path) => /pending|\.lock|draft/.test(path))).toEqual([]);
      expect(sno(create).stdout).toMatch(/^ +2 {2}unchanged/m);
    }
    expect(kills).toBeGreaterThan(3);
  });
});

describe('SIGINT', () => {
  it('finishes running sites and prints how to continue; the next run completes the fleet', async () => {
    const dir = encryptedFleet(6);
    const out = join(dir, 'out');
    const run = spawn(process.execPath, ['dist/cli.js', 'fleet', 'create', '--dir', dir, '--jobs', '1']);
    let stderr = '';
    run.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    while (completeIn(out).length === 0 && run.exitCode === null) await pause(20);
    run.kill('SIGINT');
    const [code] = (await once(run, 'exit')) as [number];

    const made = completeIn(out).length;
    expect([code, made < 6]).toEqual([130, true]);
    expect(stderr).toBe(
      'stopping after the sites in progress; send a second signal to stop immediately\n' +
        `interrupted, ${6 - made} sites not started; run the same command again to continue\n`,
    );
    const { sites } = JSON.parse(readFileSync(join(out, 'fleet.json'), 'utf8')) as {
      readonly sites: readonly { readonly result: string }[];
    };
    expect(sites.filter(({ result }) => result === 'created')).toHaveLength(made);
    const { stdout } = sno(['fleet', 'create', '--dir', dir]);
    expect(stdout).toMatch(new RegExp(`^ +${6 - made} {2}made\\n +${made} {2}unchanged`, 'm'));
  });
});
