// Shared state of a machine's stubs: the path of the release, requested failures and requested kills.
import { appendFileSync, existsSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Files written by the lab. Read-only. */
export const data = '/usr/share/sno-lab';

/** Mutable state. It persists across reboots of the machine. */
export const state = '/var/lib/sno-lab';

/** The image's key in the payload: `release` for the payload itself. */
export function keyOf(reference) {
  const name = basename(reference.replace(/[:@].*$/, ''));
  return name === 'ocp-release' ? 'release' : name;
}

/**
 * Kills all processes of a unit, once, if the lab requested it. The default is the unit that this program runs for. In a
 * container, SNO_LAB_UNIT names that unit; the container survives the kill, because podman puts containers into another slice.
 */
export function perhapsDie(place, unit = process.env['SNO_LAB_UNIT']) {
  try {
    unlinkSync(join(state, 'die-at', place.replaceAll(' ', '_')));
  } catch {
    return;
  }
  appendFileSync(join(state, 'died-at'), `${Date.now()} ${place}\n`);
  if (unit === undefined) killOwnUnit();
  else writeFileSync(join(cgroups, unit, 'cgroup.kill'), '1');
}

/** The machine's cgroups. Containers have them mounted at another path. */
const cgroups = existsSync('/lab/cgroup') ? '/lab/cgroup' : '/sys/fs/cgroup';

/** The cgroup of a service contains all of its processes: this is `kill -9` of all of them at the same moment. */
function killOwnUnit() {
  const path = readFileSync('/proc/self/cgroup', 'utf8')
    .split('\n')
    .find((line) => line.startsWith('0::'))
    ?.slice(3);
  writeFileSync(join(cgroups, path, 'cgroup.kill'), '1');
  // The kernel kills asynchronously.
  pause(60_000);
}

export function pause(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** The factor by which the waits of the machine's scripts are shortened. */
export function haste() {
  const file = '/run/sno-lab/haste';
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 1;
}

/** Returns true if the lab requested this failure. A file contains the number of failures left. */
export function perhapsFail(name) {
  const file = join(state, 'fail', name);
  if (!existsSync(file)) return false;
  const left = Number(readFileSync(file, 'utf8'));
  if (left > 0) writeFileSync(file, String(left - 1));
  return left > 0;
}
