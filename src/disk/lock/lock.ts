import { lstatSync, realpathSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { reasonOf, systemErrorCode } from '../system-error.js';
import { printable } from '../../core/printable.js';
import { holdFolder, type HeldFolder } from '../held-folder.js';
import { readRegularFile } from '../regular-file.js';
import { countShape, objectShape, textShape } from '../state/state-shape.js';
import { otherClaims, publishClaim, type Claim, type Liveness } from './lock-claim.js';
import { holderSuffix, lockName } from './lock-names.js';

/** Exclusive right to write to a directory. */
export interface Lock {
  release(): void;
}

/** Process that holds a directory, for the message to other runs. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly command: string;
}

/** Retries of two runs that collide before one gives up; about two seconds in total. */
const attempts = 50;

/**
 * Locks the directory for this process until it is released or the process ends, in whatever way.
 *
 * Each run first creates its claim and then looks for others. Of two concurrent claims at least one sees the other and steps back,
 * so both never proceed. See docs/decisions/0002-atomic-writes.md.
 * Problems: dir/locked, dir/not-writable.
 */
export async function takeLock(dir: string, command: string): Promise<Result<Lock>> {
  let folder: HeldFolder | undefined;
  try {
    const root = realpathSync(dir);
    if (lstatSync(join(root, lockName), { throwIfNoEntry: false }) !== undefined) return oldLockFile(dir);
    folder = holdFolder(root, []);
    const locked = await takeFolder(folder, dir, command);
    if (!locked.ok) folder.close();
    return locked;
  } catch (error) {
    folder?.close();
    const message = `cannot write in ${dir}: ${reasonOf(error)}`;
    return failure(problem('dir/not-writable', message, { hint: 'name another directory with --dir' }));
  }
}

async function takeFolder(folder: HeldFolder, dir: string, command: string): Promise<Result<Lock>> {
  let seen = lockName;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const claim = await tryClaim(folder);
    if (claim === undefined) continue;
    const others = await claimsExcept(claim, folder);
    if (others.length === 0) return success(heldLock(claim, folder, command));
    claim.withdraw();
    for (const other of others) {
      const holder = holderBy(folder, other.name);
      if (holder !== undefined) return lockedBy(holder, other.life, join(dir, other.name));
      seen = other.name;
    }
    // Concurrent runs step back too; a random pause decides which one comes first next time.
    await pause(Math.random() * 80);
  }
  const message = `another run is locking ${dir}`;
  const hint = `run the command again; if no other run uses the directory, delete ${join(dir, seen)}`;
  return failure(problem('dir/locked', message, { hint }));
}

/** Undefined if another run removed the claim before it got its name. */
async function tryClaim(folder: HeldFolder): Promise<Claim | undefined> {
  try {
    return await publishClaim(folder);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function claimsExcept(claim: Claim, folder: HeldFolder): ReturnType<typeof otherClaims> {
  try {
    return await otherClaims(folder, claim.name);
  } catch (error) {
    claim.withdraw();
    throw error;
  }
}

function heldLock(claim: Claim, folder: HeldFolder, command: string): Lock {
  const holder = { pid: process.pid, host: hostname(), command } satisfies Holder;
  try {
    writeFileSync(folder.at(claim.name + holderSuffix), JSON.stringify(holder), { flag: 'wx', mode: 0o644 });
  } catch (error) {
    claim.withdraw();
    throw error;
  }
  return {
    release: () => {
      claim.withdraw();
      folder.close();
    },
  };
}

const holderShape = objectShape({ pid: countShape, host: textShape(), command: textShape() });

function holderBy(folder: HeldFolder, name: string): Holder | undefined {
  const read = readRegularFile(folder.at(name + holderSuffix), 64 * 1024);
  if (read.kind !== 'file') return undefined;
  try {
    const value: unknown = JSON.parse(read.bytes.toString('utf8'));
    return isHolder(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isHolder(value: unknown): value is Holder {
  return holderShape(value, '') === undefined;
}

function lockedBy(holder: Holder, life: Liveness, path: string): Result<never> {
  const [command, host] = [holder.command, holder.host].map((each) => printable(each));
  const message = `another run uses this directory: \`${command}\`, process ${holder.pid} on ${host}`;
  const hint =
    life === 'alive' ? 'wait until it has finished' : `if that process no longer runs, delete ${path}`;
  return failure(problem('dir/locked', message, { hint }));
}

/** Runs of this version create no file with this bare name. */
function oldLockFile(dir: string): Result<never> {
  const message = `${join(dir, lockName)} exists, a lock file of an earlier version`;
  const hint = 'if no other run uses the directory, delete it';
  return failure(problem('dir/locked', message, { hint }));
}
