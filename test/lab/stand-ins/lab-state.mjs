// What the stand-ins of a machine share: where the lab put the release, what was called, what is to fail, and where to die.
import { appendFileSync, existsSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** What the lab laid; read only. */
export const data = '/usr/share/sno-lab';

/** What changes; it outlives a reboot of the machine. */
export const state = '/var/lib/sno-lab';

/** A call and its time, one JSON line each. */
export function note(program, args) {
  mkdirSync(state, { recursive: true });
  appendFileSync(join(state, 'calls'), `${JSON.stringify({ time: Date.now(), program, args })}\n`);
}

/** The key by which the payload lists the image: `release` for the payload itself. */
export function keyOf(reference) {
  const name = basename(reference.replace(/[:@].*$/, ''));
  return name === 'ocp-release' ? 'release' : name;
}

/** Kills the unit that this program works for, everything in it, where the lab asked for it; once. */
export function perhapsDie(place) {
  try {
    unlinkSync(join(state, 'die-at', place.replaceAll(' ', '_')));
  } catch {
    return;
  }
  appendFileSync(join(state, 'died-at'), `${Date.now()} ${place}\n`);
  killOwnUnit();
}

/** The cgroup of a service holds all of its processes: this is `kill -9` of everything at the same moment. */
function killOwnUnit() {
  const path = readFileSync('/proc/self/cgroup', 'utf8')
    .split('\n')
    .find((line) => line.startsWith('0::'))
    ?.slice(3);
  writeFileSync(join('/sys/fs/cgroup', path, 'cgroup.kill'), '1');
  // The kernel needs a moment.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
}

/** Whether the lab asked for a failure of this name: a file holds how many are left. */
export function perhapsFail(name) {
  const file = join(state, 'fail', name);
  if (!existsSync(file)) return false;
  const left = Number(readFileSync(file, 'utf8'));
  if (left > 0) writeFileSync(file, String(left - 1));
  return left > 0;
}
