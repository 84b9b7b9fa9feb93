import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import type { AioNode } from '../../shell/aio/aio-node.js';
import type { Machine } from '../../shell/disk/machine.js';
import { machineEnvironment } from '../../shell/disk/machine.js';
import type { ScratchNode } from '../../shell/support/scratch-node.js';
import { scaledMs } from '../../support/time-scale.js';

/** A machine of the shell tests that also keeps journals and gathers bundles. */
export interface Site {
  readonly root: string;
  readonly stub: string;
}

/** Accepts the machine of any harness: all keep root, stub and programs in one folder. */
export function siteOf(machine: Machine | ScratchNode | AioNode): Site {
  const folder = dirname(machine.root);
  const ours = join(folder, 'support-programs');
  const stub = join(folder, 'stub');
  mkdirSync(join(stub, 'journals'), { recursive: true });
  mkdirSync(join(stub, 'says'), { recursive: true });
  for (const path of ['root', 'tmp']) mkdirSync(join(machine.root, path), { recursive: true });
  if (!existsSync(ours)) {
    mkdirSync(ours);
    for (const name of ['curl', 'journalctl', 'podman'])
      symlinkSync(resolve('test/analysis/support/program.sh'), join(ours, name));
  }
  return { root: machine.root, stub };
}

/** Runs a unit's script once, unchanged. Its standard error becomes the unit's journal. Returns its exit status. */
export function runUnit(
  site: Site,
  unit: string,
  script: string,
  {
    args = [],
    variables = {},
  }: { args?: readonly string[]; variables?: Readonly<Record<string, string>> } = {},
): number | null {
  const now = join(site.stub, 'journals', `${unit}.now`);
  writeFileSync(now, '');
  const command = ['-c', 'exec bash "${0}" "${@}" 2>>"${NOW}"', join(site.root, 'usr/local/bin', script)];
  const { status } = spawnSync('bash', [...command, ...args], {
    encoding: 'utf8',
    timeout: scaledMs(60_000),
    env: { ...environmentOf(site), SERVICE_RECORD_NAME: unit, NOW: now, ...variables },
  });
  keepJournal(site, unit, readFileSync(now, 'utf8'));
  restartPause(site);
  return status;
}

/** Adds lines to the journal of a unit, at the current time of the machine or earlier. */
export function keepJournal(site: Site, unit: string, text: string, ageSeconds = 0): void {
  const time = new Date(presentOf(site).getTime() - ageSeconds * 1000)
    .toISOString()
    .replace(/\.\d+Z$/, '+0000');
  const lines = text.split('\n').filter((line) => line !== '');
  const journal = lines.map((line) => `${time} sno1 ${unit}[4711]: ${line}\n`).join('');
  appendFileSync(join(site.stub, 'journals', `${unit}.log`), journal.replaceAll(site.root, ''));
}

/** Sets the output of a stub; names are those of program.sh. */
export function says(site: Site, name: string, text: string): void {
  writeFileSync(join(site.stub, 'says', name), `${text}\n`);
}

/** Gathers the bundle as the node does and returns the path of the archive. */
export function bundleOf(site: Site, id = 'test'): string {
  const archive = join(dirname(site.root), `log-bundle-${id}.tar.gz`);
  const name = 'installer-gather.sh';
  const scripts = ['usr/local/bin', 'opt/sno-post-install/bin'].map((folder) =>
    join(site.root, folder, name),
  );
  const script = scripts.find((path) => existsSync(path)) ?? name;
  // The incident may have replaced this script by a stub; restore it.
  if (realpathSync(script).endsWith('stub.sh')) {
    rmSync(script);
    symlinkSync(resolve('templates/live/usr/local/bin/installer-gather.sh'), script);
  }
  const { status, stderr } = spawnSync('bash', [script, '--id', id], {
    encoding: 'utf8',
    env: { ...environmentOf(site), TAR_FILE: archive },
  });
  if (status !== 0) throw new Error(stderr);
  return archive;
}

/** The environment for scripts of a machine of any harness. */
export function environmentOf({ root, stub }: Site): Readonly<Record<string, string>> {
  const programs = ['support-programs', 'programs'].map((name) => join(dirname(root), name));
  return { ...machineEnvironment(root, stub, ...programs), BUTANE: '' };
}

/** The time of the harness clock, if there is one; records use it too. */
function presentOf({ stub }: Site): Date {
  const clock = join(stub, 'clock');
  return existsSync(clock) ? new Date(Number(readFileSync(clock, 'utf8')) * 1000) : new Date();
}

/** The pause of systemd before it restarts a unit. */
function restartPause({ stub }: Site): void {
  const clock = join(stub, 'clock');
  if (existsSync(clock)) writeFileSync(clock, `${Number(readFileSync(clock, 'utf8')) + 10}\n`);
}

/** An unpacked bundle made without the gather script; it has records and journals only. */
export function folderOf(site: Site): string {
  const folder = join(dirname(site.root), 'log-bundle-folder');
  for (const records of ['var/log/openshift', 'var/log/sno-install', 'opt/sno-post-install/records'])
    copyAll(join(site.root, records), join(folder, 'bootstrap/services'), '.json');
  copyAll(join(site.stub, 'journals'), join(folder, 'bootstrap/journals'), '.log');
  return folder;
}

function copyAll(from: string, to: string, suffix: string): void {
  mkdirSync(to, { recursive: true });
  const names = existsSync(from) ? readdirSync(from).filter((name) => name.endsWith(suffix)) : [];
  for (const name of names) copyFileSync(join(from, name), join(to, name));
}

/** A fault of a machine, and the report of `analyze` about it. */
export interface Incident {
  readonly name: string;
  /** Provokes the fault with the real scripts. */
  readonly happen: () => Site | Promise<Site>;
  readonly verdict?: 'failed' | 'blocked' | 'will-fail' | 'in-progress' | 'complete';
  readonly phase?: 'live' | 'node' | 'aio';
  /** `STAGE of SERVICE`. */
  readonly at: string;
  /** Fault IDs in order. */
  readonly faults: readonly string[];
  readonly notes?: readonly string[];
  /** Whether `npm test` creates the bundle with the gather script. Otherwise it consists of records and journals only. */
  readonly isGathered?: true;
}
