import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, chmodSync, lstatSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import process from 'node:process';

import { removeFile, renameOver } from '../file-systems/rename-over.js';
import { systemErrorCode } from '../system-error.js';
import type { HeldFolder } from '../held-folder.js';
import { readRegularFile } from '../regular-file.js';
import { countShape, objectShape, textShape } from '../state/state-shape.js';
import { isLocalFileSystem, isRunning, kernelId, ownIdentity, type ProcessIdentity } from './kernel.js';
import { draftSuffix, holderSuffix, lockName } from './lock-names.js';

/** Claim of this process on a folder. */
export interface Claim {
  readonly name: string;
  readonly withdraw: () => void;
}

/** `unknown` for a claim of another machine, or one that this user has no permission to check. */
export type Liveness = 'alive' | 'dead' | 'unknown';

/**
 * Creates a claim in a folder, under a name that is never reused. It is a Unix socket that this process listens on. A successful
 * connection shows that the process is alive, from any container on this kernel; the kernel closes it when the process dies.
 * Falls back to a file that identifies the process where sockets do not work. On Windows the process listens on a
 * named pipe.
 */
export async function publishClaim(folder: HeldFolder): Promise<Claim> {
  const name = `${lockName}.${kernelId()}.${randomBytes(8).toString('hex')}`;
  const server = await listenAt(folder, name);
  if (server !== undefined) {
    if ((await probeSocket(folder.at(name))) === 'alive') return claimOf(folder, name, server);
    withdraw(folder, name, server);
  }
  const pipe = usesNamedPipes() ? await startServer(pipePath(name)) : undefined;
  writeFileSync(folder.at(name + draftSuffix), JSON.stringify(ownIdentity()), { flag: 'wx', mode: 0o644 });
  renameOver(folder.at(name + draftSuffix), folder.at(name));
  return claimOf(folder, name, pipe);
}

function claimOf(folder: HeldFolder, name: string, server: Server | undefined): Claim {
  return {
    name,
    withdraw: () => {
      withdraw(folder, name, server);
    },
  };
}

function withdraw(folder: HeldFolder, name: string, server: Server | undefined): void {
  for (const suffix of ['', holderSuffix, draftSuffix]) removeFile(folder.at(name + suffix));
  server?.close();
}

/** Length of sun_path without the final NUL (unix(7)), on the platform with the shortest. */
const maxSocketPathBytes = 103;

/** Windows has named pipes outside the file system, which end with their process. */
function usesNamedPipes(): boolean {
  return process.platform === 'win32';
}

function pipePath(name: string): string {
  return `\\\\.\\pipe\\${name}`;
}

/**
 * Renames the socket to the claim's name only once it listens, so a claim that does not answer is dead, never just new. Folders without
 * socket support fail with various codes (FUSE: EIO). After any error a file is tried, which reports real faults of the folder.
 */
async function listenAt(folder: HeldFolder, name: string): Promise<Server | undefined> {
  const draft = folder.at(name + draftSuffix);
  if (usesNamedPipes() || Buffer.byteLength(draft) > maxSocketPathBytes) return undefined;
  let server: Server | undefined;
  try {
    server = await startServer(draft);
    // Any user who can enter the folder may check whether this process lives; the socket sends nothing.
    chmodSync(draft, 0o666);
    renameSync(draft, folder.at(name));
    return server;
  } catch (error) {
    server?.close();
    // Another run removed it before it got its name.
    if (server !== undefined && systemErrorCode(error) === 'ENOENT') throw error;
    // Some file systems create a file before they reject the socket.
    removeFile(draft);
    return undefined;
  }
}

/** A server that sends nothing to its clients and does not keep the process running. */
async function startServer(path: string): Promise<Server> {
  const server = createServer((connection) => connection.destroy());
  server.unref();
  server.listen(path);
  await once(server, 'listening');
  return server;
}

/** Claims of other processes in the folder. Removes dead ones. */
export async function otherClaims(
  folder: HeldFolder,
  own: string,
): Promise<readonly { readonly name: string; readonly life: Liveness }[]> {
  const names = readdirSync(folder.at('.')).filter((name) => name.startsWith(`${lockName}.`));
  const claims = names.filter((name) => !suffixes.some((suffix) => name.endsWith(suffix)));
  // A draft is not a claim: its process looks for other claims after the rename, and makes a new draft if this one is removed.
  const drafts = names.filter((name) => name.endsWith(draftSuffix));
  for (const draft of drafts) if ((await claimLiveness(folder, draft)) !== 'alive') clear(folder, draft);
  const others = claims.filter((name) => name !== own);
  const lives = await Promise.all(
    others.map(async (name) => ({ name, life: await claimLiveness(folder, name) })),
  );
  for (const { name } of lives.filter(({ life }) => life === 'dead'))
    clear(folder, name, name + holderSuffix);
  for (const name of names.filter((each) => each.endsWith(holderSuffix)))
    if (!claims.includes(name.slice(0, -holderSuffix.length))) clear(folder, name);
  return lives.filter(({ life }) => life !== 'dead');
}

const suffixes = [draftSuffix, holderSuffix];

/** Removes exactly these names: a draft can become a claim under its own name at any moment. */
function clear(folder: HeldFolder, ...names: readonly string[]): void {
  try {
    for (const name of names) rmSync(folder.at(name), { force: true });
  } catch {
    // It remains, and claims nothing.
  }
}

async function claimLiveness(folder: HeldFolder, name: string): Promise<Liveness> {
  if (!name.startsWith(`${lockName}.${kernelId()}.`))
    return isLocalFileSystem(folder.at('.')) ? 'dead' : 'unknown';
  const stats = lstatSync(folder.at(name), { throwIfNoEntry: false });
  if (stats === undefined) return 'dead';
  if (usesNamedPipes()) return probeSocket(pipePath(name.replace(/\.new$/, '')));
  return stats.isSocket() ? probeSocket(folder.at(name)) : processLiveness(folder.at(name));
}

function probeSocket(path: string): Promise<Liveness> {
  return new Promise((answer) => {
    const connection = connect(path);
    connection.once('connect', () => {
      connection.destroy();
      answer('alive');
    });
    connection.once('error', (error) => {
      const code = systemErrorCode(error);
      if (code === 'ECONNREFUSED' || code === 'ENOENT') answer('dead');
      // EAGAIN: the queue is full because many processes connect at once (connect(2)).
      else answer(code === 'EAGAIN' ? 'alive' : 'unknown');
    });
  });
}

const identityShape = objectShape({ namespace: textShape(), pid: countShape, started: textShape() });

function processLiveness(path: string): Liveness {
  const read = readRegularFile(path);
  if (read.kind === 'absent') return 'dead';
  if (read.kind === 'unreadable') return existsSync(path) ? 'unknown' : 'dead';
  const isAlive = isProcessRunning(read.bytes);
  return isAlive === undefined ? 'unknown' : isAlive ? 'alive' : 'dead';
}

function isProcessRunning(json: Buffer): boolean | undefined {
  try {
    const value: unknown = JSON.parse(json.toString('utf8'));
    return isIdentity(value) ? isRunning(value) : undefined;
  } catch {
    return undefined;
  }
}

function isIdentity(value: unknown): value is ProcessIdentity {
  return identityShape(value, '') === undefined;
}
