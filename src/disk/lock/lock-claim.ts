import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, lstatSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import process from 'node:process';

import { removeFile, renameOver } from '../file-systems/held-open.js';
import { systemErrorCode } from '../file-system-problem.js';
import type { HeldFolder } from '../held-folder.js';
import { readRegularFile } from '../regular-file.js';
import { count, members, text } from '../state/state-shape.js';
import { isOfOneKernel, isRunning, kernelId, ownIdentity, type ProcessIdentity } from './kernel.js';
import { draftSuffix, holderSuffix, lockName } from './lock-names.js';

/** A claim of this process on a folder. */
export interface Claim {
  readonly name: string;
  readonly withdraw: () => void;
}

/** `unknown` when nobody on this kernel can tell: a claim from another machine, or one that this user may not ask. */
export type Life = 'alive' | 'dead' | 'unknown';

/**
 * Puts a claim into a folder, under a name that is never used again. It is a socket that this process listens at: whoever
 * connects learns whether the process lives, from any container of this kernel, and the kernel takes it back at any death.
 * Where a folder cannot hold one that answers, it is a file that says which process it is; on Windows, where no folder can, the process
 * listens at a pipe of that name.
 */
export async function publishClaim(folder: HeldFolder): Promise<Claim> {
  const name = `${lockName}.${kernelId()}.${randomBytes(8).toString('hex')}`;
  const server = await listenAt(folder, name);
  if (server !== undefined) {
    if ((await askSocket(folder.at(name))) === 'alive') return claimOf(folder, name, server);
    withdraw(folder, name, server);
  }
  const pipe = hasPipes() ? await listeningAt(pipeOf(name)) : undefined;
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

/** sun_path without its end (unix(7)), where it is shortest. */
const maxSocketPathBytes = 103;

/** Windows has names for what listens that lie beside all folders, and whose pipe ends with its process. */
function hasPipes(): boolean {
  return process.platform === 'win32';
}

function pipeOf(name: string): string {
  return `\\\\.\\pipe\\${name}`;
}

/**
 * The claim gets its name when it listens already: one that does not answer is dead, and never merely young. Folders without sockets say
 * so in many ways (FUSE: EIO), so whatever the reason is, a file is tried, and says what is wrong with the folder.
 */
async function listenAt(folder: HeldFolder, name: string): Promise<Server | undefined> {
  const draft = folder.at(name + draftSuffix);
  if (hasPipes() || Buffer.byteLength(draft) > maxSocketPathBytes) return undefined;
  let server: Server | undefined;
  try {
    server = await listeningAt(draft);
    // Whoever can enter the folder may ask whether we live; nothing else is said.
    chmodSync(draft, 0o666);
    renameSync(draft, folder.at(name));
    return server;
  } catch (error) {
    server?.close();
    // Another run took it away while it was on its way.
    if (server !== undefined && systemErrorCode(error) === 'ENOENT') throw error;
    // Some make a file of the name before they say that it cannot be a socket.
    removeFile(draft);
    return undefined;
  }
}

/** A server that says nothing to whoever connects; it does not keep the process from ending. */
async function listeningAt(path: string): Promise<Server> {
  const server = createServer((connection) => connection.destroy());
  server.unref();
  server.listen(path);
  await once(server, 'listening');
  return server;
}

/** Claims of others in the folder, but for the dead ones, which are cleared away. */
export async function claimsBeside(
  folder: HeldFolder,
  own: string,
): Promise<readonly { readonly name: string; readonly life: Life }[]> {
  const names = readdirSync(folder.at('.')).filter((name) => name.startsWith(`${lockName}.`));
  const claims = names.filter((name) => !suffixes.some((suffix) => name.endsWith(suffix)));
  // A draft claims nothing: who made it looks for us once it has its name, and makes another when it is cleared away.
  const drafts = names.filter((name) => name.endsWith(draftSuffix));
  for (const draft of drafts) if ((await lifeOf(folder, draft)) !== 'alive') clear(folder, draft);
  const others = claims.filter((name) => name !== own);
  const lives = await Promise.all(others.map(async (name) => ({ name, life: await lifeOf(folder, name) })));
  for (const { name } of lives.filter(({ life }) => life === 'dead'))
    clear(folder, name, name + holderSuffix);
  for (const name of names.filter((each) => each.endsWith(holderSuffix)))
    if (!claims.includes(name.slice(0, -holderSuffix.length))) clear(folder, name);
  return lives.filter(({ life }) => life !== 'dead');
}

const suffixes = [draftSuffix, holderSuffix];

/** Takes away exactly what was seen: what is a draft in one moment is a claim under its own name in the next. */
function clear(folder: HeldFolder, ...names: readonly string[]): void {
  try {
    for (const name of names) rmSync(folder.at(name), { force: true });
  } catch {
    // It stays behind, and claims nothing.
  }
}

async function lifeOf(folder: HeldFolder, name: string): Promise<Life> {
  if (!name.startsWith(`${lockName}.${kernelId()}.`))
    return isOfOneKernel(folder.at('.')) ? 'dead' : 'unknown';
  const stats = lstatSync(folder.at(name), { throwIfNoEntry: false });
  if (stats === undefined) return 'dead';
  if (hasPipes()) return askSocket(pipeOf(name.replace(/\.new$/, '')));
  return stats.isSocket() ? askSocket(folder.at(name)) : lifeOfProcess(folder.at(name));
}

function askSocket(path: string): Promise<Life> {
  return new Promise((answer) => {
    const connection = connect(path);
    connection.once('connect', () => {
      connection.destroy();
      answer('alive');
    });
    connection.once('error', (error) => {
      const code = systemErrorCode(error);
      if (code === 'ECONNREFUSED' || code === 'ENOENT') answer('dead');
      // EAGAIN: so many ask at once that the queue is full (connect(2)).
      else answer(code === 'EAGAIN' ? 'alive' : 'unknown');
    });
  });
}

const identityShape = members({ namespace: text(), pid: count, started: text() });

function lifeOfProcess(path: string): Life {
  const read = readRegularFile(path);
  if (read.kind === 'absent') return 'dead';
  if (read.kind === 'unreadable') return 'unknown';
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
