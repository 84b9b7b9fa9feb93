// What the stand-ins of a machine share: where the lab put the release, what is to fail, and where to die.
import { appendFileSync, existsSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** What the lab laid; read only. */
export const data = '/usr/share/sno-lab';

/** What changes; it outlives a reboot of the machine. */
export const state = '/var/lib/sno-lab';

/** The key by which the payload lists the image: `release` for the payload itself. */
export function keyOf(reference) {
  const name = basename(reference.replace(/[:@].*$/, ''));
  return name === 'ocp-release' ? 'release' : name;
}

/**
 * Kills a unit, everything in it, where the lab asked for it; once. By default it is that which this program works for: in a
 * container it is told which (SNO_LAB_UNIT), and outlives it, since podman puts containers into a slice of their own.
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

/** Of the machine; containers have them elsewhere. */
const cgroups = existsSync('/lab/cgroup') ? '/lab/cgroup' : '/sys/fs/cgroup';

/** The cgroup of a service holds all of its processes: this is `kill -9` of everything at the same moment. */
function killOwnUnit() {
  const path = readFileSync('/proc/self/cgroup', 'utf8')
    .split('\n')
    .find((line) => line.startsWith('0::'))
    ?.slice(3);
  writeFileSync(join(cgroups, path, 'cgroup.kill'), '1');
  // The kernel needs a moment.
  pause(60_000);
}

/** Milliseconds. */
export function pause(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** How many times faster the waits of the machine's scripts run out. */
export function haste() {
  const file = '/run/sno-lab/haste';
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 1;
}

/** Whether the lab asked for a failure of this name: a file holds how many are left. */
export function perhapsFail(name) {
  const file = join(state, 'fail', name);
  if (!existsSync(file)) return false;
  const left = Number(readFileSync(file, 'utf8'));
  if (left > 0) writeFileSync(file, String(left - 1));
  return left > 0;
}
