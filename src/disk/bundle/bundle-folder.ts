import {
  chmodSync,
  createReadStream,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import type { KeyPem } from '../../formats/keys/key-pem.js';
import { renameNoReplace } from '../file-systems/rename-no-replace.js';
import { reasonOf } from '../system-error.js';
import { isLocalFileSystem, isRunning, kernelId, ownIdentity } from '../lock/kernel.js';

/** Temporary folder for an incomplete bundle and the files that ssh needs. Only its owner can enter it. */
export interface BundleFolder {
  readonly knownHostsFile: string;
  /** Writes a private key and returns its path. */
  addKey(keyPem: KeyPem): string;
  /** Opens the stream that the bundle is written to. */
  openArchive(): Writable;
  /** Whether the archive is a complete gzip file. */
  isWhole(): Promise<boolean>;
  /** Moves the complete bundle to its final name in one step. Never replaces a file. Problems: dir/file-exists, dir/not-writable. */
  keepAs(name: string): Result<{ readonly path: string; readonly bytes: number }>;
  remove(): void;
}

const prefix = '.sno-install-gather.';

/** Creates the folder in `dir` and removes the folders of killed runs. Problems: dir/not-writable. */
export function createBundleFolder(dir: string): Result<BundleFolder> {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    removeStaleFolders(dir);
    const folder = mkdtempSync(join(resolve(dir), ownFolderName()));
    chmodSync(folder, 0o700);
    return success(bundleFolder(dir, folder));
  } catch (error) {
    return notWritable(`cannot write in ${dir}`, error);
  }
}

function bundleFolder(dir: string, folder: string): BundleFolder {
  const archive = join(folder, 'bundle');
  let keys = 0;
  return {
    knownHostsFile: join(folder, 'known_hosts'),
    addKey: (keyPem) => {
      const path = join(folder, `key-${keys}`);
      keys += 1;
      writeFileSync(path, keyPem.reveal(), { mode: 0o600, flag: 'wx' });
      return path;
    },
    openArchive: () => createWriteStream(archive, { mode: 0o600, flags: 'wx', flush: true }),
    isWhole: () => isWholeGzip(archive),
    keepAs: (name) => keep(archive, join(dir, name)),
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function keep(archive: string, path: string): Result<{ readonly path: string; readonly bytes: number }> {
  try {
    if (renameNoReplace(archive, path) === 'taken') {
      const hint = 'run the command again, or name another directory with --dir';
      return failure(problem('dir/file-exists', `${path} already exists and is not overwritten`, { hint }));
    }
    return success({ path, bytes: statSync(path).size });
  } catch (error) {
    return notWritable(`cannot write ${path}`, error);
  }
}

async function isWholeGzip(path: string): Promise<boolean> {
  const nowhere = new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
  try {
    await pipeline(createReadStream(path), createGunzip(), nowhere);
    return statSync(path).size > 0;
  } catch {
    return false;
  }
}

/** The name identifies the kernel and the process that use the folder. */
function ownFolderName(): string {
  const { namespace, pid, started } = ownIdentity();
  return `${prefix}${kernelId()}.${/\d*(?=\]?$)/.exec(namespace)?.[0] ?? ''}-${pid}-${started}.`;
}

function removeStaleFolders(dir: string): void {
  for (const name of readdirSync(dir))
    if (isStale(name, dir)) rmSync(join(dir, name), { recursive: true, force: true });
}

/** Whether the process that made the folder has ended; false if that cannot be determined. */
function isStale(name: string, dir: string): boolean {
  const [, kernel, namespace, pid, started = ''] = folderName.exec(name) ?? [];
  if (kernel === undefined) return false;
  if (kernel !== kernelId()) return isLocalFileSystem(dir);
  const identity = { namespace: namespace === '' ? '' : `pid:[${namespace}]`, pid: Number(pid), started };
  return isRunning(identity) === false;
}

const folderName = /^\.sno-install-gather\.([0-9a-f]{12})\.(\d*)-(\d+)-(\d*)\./;

export function notWritable(what: string, error: unknown): Result<never> {
  const hint = 'free disk space or grant write permission, or name another directory with --dir';
  return failure(problem('dir/not-writable', `${what}: ${reasonOf(error)}`, { hint }));
}
