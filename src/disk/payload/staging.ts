import {
  chmodSync,
  closeSync,
  createReadStream,
  createWriteStream,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { success, type Result } from '../../core/result.js';
import { attemptWrite, notWritable } from '../attempt-write.js';
import { digestFile } from '../file-digest.js';
import { fileSize } from '../file-size.js';
import { takeLock } from '../lock/lock.js';
import { removeEmpty } from '../remove-empty.js';
import { systemErrorCode } from '../system-error.js';
import type { BlobPlace } from './blob-places.js';
import { readBlob } from './read-blob.js';

/** Folder in which a payload is put together. It is kept if the command fails, and the next run continues. */
export interface Staging {
  /** The folder that becomes the file system; empty at first. */
  readonly root: string;
  /** Path of the file of a blob, by hex digits. */
  readonly blob: (hex: string) => string;
  /** Whether the blob is there with its hash. */
  readonly holds: (hex: string) => boolean;
  /** Contents of a blob that is there. */
  readonly read: (hex: string) => Readable;
  /** Contents of a blob such as a configuration; undefined if it is not there or larger. */
  readonly small: (hex: string) => Buffer | undefined;
  /** Writes a small blob, such as a manifest. */
  readonly write: (hex: string, contents: Uint8Array) => Result<void>;
  /** Copies a blob; `false` if it has another hash. Problems: dir/not-writable, payload/source. */
  readonly copy: (hex: string, from: BlobPlace, onBytes: (bytes: number) => void) => Promise<Result<boolean>>;
  /** Writes a small file below `root`. */
  readonly put: (path: string, contents: string) => Result<void>;
  /** Puts a blob below `root`. */
  readonly place: (hex: string, path: string) => Result<void>;
  /** Ends the use of the folder, and removes it if the payload is done. */
  readonly close: (end: 'done' | 'kept') => void;
}

const retryHint =
  'free disk space or grant write permission, and run the command again: it continues the copy';
const maxSmallBytes = 4 * 1024 * 1024;

/** Opens the folder beside the payload. Problems: dir/locked, dir/not-writable. */
export async function openStaging(folder: string, command: string): Promise<Result<Staging>> {
  const root = join(folder, 'root');
  const blobs = join(folder, 'blobs');
  const prepared = attemptWrite(folder, retryHint, () => {
    mkdirSync(blobs, { recursive: true });
  });
  if (!prepared.ok) return prepared;
  const lock = await takeLock(folder, command);
  if (!lock.ok) return lock;
  const cleared = attemptWrite(root, retryHint, () => {
    rmSync(root, { recursive: true, force: true });
    mkdirSync(root);
    chmodSync(root, 0o755);
  });
  if (!cleared.ok) {
    lock.value.release();
    return cleared;
  }
  const blob = (hex: string): string => join(blobs, hex);
  return success({
    root,
    blob,
    holds: (hex) => {
      const found = digestFile(blob(hex));
      return found.kind === 'file' && found.sha256 === hex;
    },
    read: (hex) => createReadStream(blob(hex)),
    small: (hex) => {
      const bytes = fileSize(blob(hex)) ?? Infinity;
      return bytes > maxSmallBytes ? undefined : readBlob({ file: blob(hex), offset: 0, bytes });
    },
    write: (hex, contents) =>
      attemptWrite(blob(hex), retryHint, () => {
        replaceWhole(blob(hex), contents);
      }),
    copy: (hex, from, onBytes) => copyBlob(blob(hex), hex, from, onBytes),
    put: (path, contents) =>
      attemptWrite(path, retryHint, () => {
        makeFolders(root, dirname(path));
        writeFileSync(join(root, path), contents, { flag: 'wx' });
        chmodSync(join(root, path), 0o644);
      }),
    place: (hex, path) =>
      attemptWrite(path, retryHint, () => {
        makeFolders(root, dirname(path));
        linkSync(blob(hex), join(root, path));
        chmodSync(join(root, path), 0o644);
      }),
    close: (end) => {
      rmSync(root, { recursive: true, force: true });
      if (end === 'done') rmSync(blobs, { recursive: true, force: true });
      else removeEmpty(blobs);
      lock.value.release();
      removeEmpty(folder);
    },
  });
}

/** The umask must not change the modes in the file system. */
function makeFolders(root: string, path: string): void {
  if (path === '.') return;
  makeFolders(root, dirname(path));
  try {
    mkdirSync(join(root, path));
    chmodSync(join(root, path), 0o755);
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
  }
}

function replaceWhole(path: string, contents: Uint8Array): void {
  rmSync(`${path}.new`, { force: true });
  writeFileSync(`${path}.new`, contents, { flag: 'wx' });
  renameSync(`${path}.new`, path);
}

async function copyBlob(
  path: string,
  hex: string,
  { file, offset, bytes }: BlobPlace,
  onBytes: (bytes: number) => void,
): Promise<Result<boolean>> {
  const draft = `${path}.new`;
  const hash = createHash('sha256');
  let source: number | undefined;
  try {
    source = openSync(file, 'r');
    const input = createReadStream(file, {
      fd: source,
      autoClose: false,
      start: offset,
      end: offset + bytes - 1,
    });
    const counted = async function* (pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const piece of pieces) {
        hash.update(piece);
        onBytes(piece.length);
        yield piece;
      }
    };
    rmSync(draft, { force: true });
    if (bytes === 0) writeFileSync(draft, '', { flag: 'wx' });
    else await pipeline(input, counted, createWriteStream(draft, { flags: 'wx' }));
    if (hash.digest('hex') !== hex) {
      rmSync(draft, { force: true });
      return success(false);
    }
    renameSync(draft, path);
    return success(true);
  } catch (error) {
    rmSync(draft, { force: true });
    return notWritable(path, retryHint, error);
  } finally {
    if (source !== undefined) closeSync(source);
  }
}
