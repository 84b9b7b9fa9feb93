import { once } from 'node:events';
import { lstatSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';

import type { ProblemCode } from '../../../src/core/problem.js';
import { failure } from '../../../src/core/result.js';
import { holdFolder, type HeldFolder } from '../../../src/disk/held-folder.js';
import { otherClaims } from '../../../src/disk/lock/lock-claim.js';
import { kernelId, ownIdentity } from '../../../src/disk/lock/kernel.js';

export function claimName(id: string, kernel = kernelId()): string {
  return `.sno-install.lock.${kernel}.${id.padStart(16, '0')}`;
}

/** Holds a folder until the test ends. */
export function held(folder: string): HeldFolder {
  const folderHeld = holdFolder(folder, []);
  onTestFinished(() => {
    folderHeld.close();
  });
  return folderHeld;
}

/** Writes a claim as a file; a string `identity` is written as it is. */
export function layFile(folder: string, name: string, identity: unknown = ownIdentity()): void {
  const text = typeof identity === 'string' ? identity : JSON.stringify(identity);
  writeFileSync(join(folder, name), text, { flag: 'wx' });
}

/** Creates a socket that listens until the test ends, or a stale one. */
export async function laySocket(folder: string, name: string, answers: boolean): Promise<void> {
  const server = createServer((connection) => connection.destroy()).listen(join(folder, 'bound'));
  await once(server, 'listening');
  renameSync(join(folder, 'bound'), join(folder, name));
  const close = async (): Promise<void> => {
    server.close();
    await once(server, 'close');
  };
  if (answers) onTestFinished(close);
  else await close();
}

/** The `life` of each claim that is not dead, by name, except `own`. */
export async function livesIn(folder: string, own = ''): Promise<object> {
  const claims = await otherClaims(held(folder), own);
  return Object.fromEntries(claims.map(({ name, life }) => [name, life]));
}

/** The contents of a claim that is a file; undefined for a socket. */
export function identityIn(folder: string, name: string): unknown {
  const path = join(folder, name);
  return lstatSync(path).isSocket() ? undefined : JSON.parse(readFileSync(path, 'utf8'));
}

export function notLocked(code: ProblemCode, message: string, hint: string): object {
  return failure({ code, severity: 'error', message, hint });
}

/** The problem of a directory that another run is taking at the same time; `other` is the claim of that run. */
export function lockedNow(dir: string, other: string): object {
  const message = `another run is locking ${dir}`;
  const hint = `run the command again; if no other run uses the directory, delete ${join(dir, other)}`;
  return notLocked('dir/locked', message, hint);
}

/** Removes the random delay of runs that collide, until the test ends. Returns the number of delays so far. */
export function neverWaiting(): () => number {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0);
  onTestFinished(() => {
    random.mockRestore();
  });
  return () => random.mock.calls.length;
}
