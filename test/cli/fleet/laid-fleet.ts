import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'vitest';

import { sno } from '../../support/command.js';
import { snoInProcess } from '../../support/in-process.js';
import { scratchFolder } from '../../support/scratch.js';

/** The smallest number of sites for which the commands start threads. */
export const sites = 17;

export function tableOf(mtuOf: (site: number) => string): string {
  const rows = Array.from({ length: sites }, (_, site) =>
    [
      `site-${site}`,
      `10.1.${site}.0/24`,
      `10.1.${site}.10`,
      `10.1.${site}.1`,
      `52:54:00:00:02:${site + 10}`,
    ].join(),
  );
  const lines = rows.map((row, site) => `${row},${mtuOf(site)}`);
  return ['name,machineNetwork,ip,gateway,mac,mtu', ...lines, ''].join('\n');
}

/** A fleet whose table differs from the committed one. */
export function laidFleet(): string {
  const fleet = join(scratchFolder(), 'fleet');
  for (const path of ['base', 'fleet.yaml'])
    cpSync(join('fixtures/fleet', path), join(fleet, path), { recursive: true });
  const config = join(fleet, 'base/sno-config.yaml');
  writeFileSync(config, `${readFileSync(config, 'utf8')}certificates:\n  keyAlgorithm: ECDSA-P256\n`);
  writeFileSync(
    join(fleet, 'sites.csv'),
    tableOf(() => ''),
  );
  const git = (...args: readonly string[]): unknown =>
    spawnSync('git', ['-C', fleet, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args]);
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'sites');
  writeFileSync(
    join(fleet, 'sites.csv'),
    tableOf((site) => (site % 3 === 0 ? '9000' : '')),
  );
  return fleet;
}

/** Sites of `makeOutputs`, named by the fault of their outputs. */
const missing = 'site-2';
const unreadable = 'site-7';
export const removedSite = 'site-0';
export const edited = 'site-11';

/** Creates the outputs of a fleet, copies them to `before`, and deletes or changes some. */
export function makeOutputs(fleet: string): void {
  const made = sno(['fleet', 'create', '--jobs', '2'], { cwd: fleet });
  expect([made.code, made.stdout]).toEqual([0, expect.stringMatching(/17 +created/)]);
  const out = join(fleet, 'out');
  cpSync(out, join(fleet, 'before'), { recursive: true });
  rmSync(join(out, removedSite), { recursive: true });
  rmSync(join(out, missing, 'metadata.json'));
  writeFileSync(join(out, unreadable, 'worker.ign'), 'no JSON');
  const config = join(out, edited, 'bootstrap-in-place-for-live-iso.ign');
  writeFileSync(config, readFileSync(config, 'utf8').replace('"mode":420', '"mode":438'));
}

/** Runs a command with one job and with two; both must print the same. */
export async function printed(fleet: string, args: readonly string[]): Promise<string> {
  const one = await snoInProcess([...args, '--jobs', '1'], { cwd: fleet });
  expect(await snoInProcess([...args, '--jobs', '2'], { cwd: fleet })).toEqual(one);
  return JSON.stringify(one);
}
