import { linkSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { problem } from '../core/problem.js';
import { failure, success, type Result } from '../core/result.js';
import { reasonOf, systemErrorCode } from './file-system-problem.js';

/** Who works in a directory. `started` tells a process from a later one with the same number. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly started: string;
  readonly command: string;
}

export interface Lock {
  release(): void;
}

export const lockFileName = '.sno-install.lock';

/**
 * Takes the directory for this process. A lock whose process is gone is taken over.
 * Problems: dir/locked, dir/not-writable.
 */
export function takeLock(dir: string, command: string): Result<Lock> {
  const path = join(dir, lockFileName);
  const draft = `${path}${draftSuffix}${process.pid}`;
  const mine = JSON.stringify({
    pid: process.pid,
    host: hostname(),
    started: startOf(process.pid),
    command,
  } satisfies Holder);
  try {
    writeFileSync(draft, mine, { mode: 0o600 });
    const lock = placeLock(path, draft, mine);
    if (lock.ok) sweepDrafts(dir);
    return lock;
  } catch (error) {
    const message = `cannot write in ${dir}: ${reasonOf(error)}`;
    return failure(problem('dir/not-writable', message, { hint: 'name another directory with --dir' }));
  } finally {
    rmSync(draft, { force: true });
  }
}

/** A hard link appears whole or not at all, so nobody ever reads half a lock. */
function placeLock(path: string, draft: string, mine: string): Result<Lock> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      linkSync(draft, path);
      return success({
        release: () => {
          releaseLock(path, mine);
        },
      });
    } catch (error) {
      if (systemErrorCode(error) !== 'EEXIST') throw error;
    }
    const text = readLock(path);
    if (text === undefined) continue;
    const holder = parseHolder(text);
    if (holder !== undefined && isAlive(holder)) return lockedBy(holder, path);
    removeStale(path, text);
  }
  return failure(
    problem('dir/locked', `another run is taking ${path} at this moment`, { hint: 'run the command again' }),
  );
}

function lockedBy(holder: Holder, path: string): Result<never> {
  const message = `another run works in this directory: \`${holder.command}\`, process ${holder.pid} on ${holder.host}`;
  const hint =
    holder.host === hostname() ? 'wait for it to end' : `if that machine no longer runs it, delete ${path}`;
  return failure(problem('dir/locked', message, { hint }));
}

/** Marks what is on its way to become a lock, or was one, by machine and process. */
const draftSuffix = `.${hostname()}.`;

/** Takes away what processes that were killed while taking the lock left behind. */
function sweepDrafts(dir: string): void {
  const prefix = `${lockFileName}${draftSuffix}`;
  for (const name of readdirSync(dir)) {
    if (name.startsWith(prefix) && !isRunning(Number.parseInt(name.slice(prefix.length), 10)))
      rmSync(join(dir, name), { force: true });
  }
}

/** Takes away the lock that was seen, and only that one: a fresh lock that came in between is put back. */
function removeStale(path: string, seen: string): void {
  const aside = `${path}${draftSuffix}${process.pid}-stale`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (readLock(aside) !== seen) {
    try {
      linkSync(aside, path);
    } catch {
      // A third run has the lock already; it keeps it.
    }
  }
  rmSync(aside, { force: true });
}

function releaseLock(path: string, mine: string): void {
  if (readLock(path) === mine) rmSync(path, { force: true });
}

function readLock(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function parseHolder(text: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isHolder(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isHolder(value: unknown): value is Holder {
  if (typeof value !== 'object' || value === null) return false;
  if (!('pid' in value) || !('host' in value) || !('started' in value) || !('command' in value)) return false;
  return (
    Number.isInteger(value.pid) &&
    typeof value.host === 'string' &&
    typeof value.started === 'string' &&
    typeof value.command === 'string'
  );
}

/** A holder on another machine cannot be asked, so it counts as alive. */
function isAlive(holder: Holder): boolean {
  return holder.host !== hostname() || (isRunning(holder.pid) && startOf(holder.pid) === holder.started);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemErrorCode(error) !== 'ESRCH';
  }
}

/** Field 22 of /proc/PID/stat, ticks after boot (proc(5)); empty where there is no /proc. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
