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

/** The name of a claim of this kernel. */
export function claimName(id: string, kernel = kernelId()): string {
  return `.sno-install.lock.${kernel}.${id.padStart(16, '0')}`;
}

/** A folder that is held until the test ends. */
export function held(folder: string): HeldFolder {
  const folderHeld = holdFolder(folder, []);
  onTestFinished(() => {
    folderHeld.close();
  });
  return folderHeld;
}

/** A claim of a process as a file, or anything else of that name. */
export function layFile(folder: string, name: string, identity: unknown = ownIdentity()): void {
  const text = typeof identity === 'string' ? identity : JSON.stringify(identity);
  writeFileSync(join(folder, name), text, { flag: 'wx' });
}

/** A socket that answers until the test ends, or one that nobody listens at. */
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

/** What another claim in the folder is worth, by what follows its beginning; none where it is dead. */
export async function livesIn(folder: string, own = ''): Promise<object> {
  const claims = await otherClaims(held(folder), own);
  return Object.fromEntries(claims.map(({ name, life }) => [name, life]));
}

/** What a claim that is a file says; undefined for a socket. */
export function identityIn(folder: string, name: string): unknown {
  const path = join(folder, name);
  return lstatSync(path).isSocket() ? undefined : JSON.parse(readFileSync(path, 'utf8'));
}

/** The problem of a directory that is not taken. */
export function notTaken(code: ProblemCode, message: string, hint: string): object {
  return failure({ code, severity: 'error', message, hint });
}

/** That of one in which other runs step back as this one does; one of them has that name. */
export function takenAtThisMoment(dir: string, other: string): object {
  const message = `another run is taking ${dir} at this moment`;
  const hint = `run the command again; if no other run works there, delete ${join(dir, other)}`;
  return notTaken('dir/locked', message, hint);
}

/** Runs that meet step back for no time at all, until the test ends; how often they did is told. */
export function neverWaiting(): () => number {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0);
  onTestFinished(() => {
    random.mockRestore();
  });
  return () => random.mock.calls.length;
}
