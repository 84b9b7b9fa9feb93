import { createHash } from 'node:crypto';
import { closeSync, constants, createReadStream, fstatSync, openSync, read } from 'node:fs';
import { promisify } from 'node:util';

import { success, type Result } from '../../core/result.js';
import { digestFile } from '../../disk/file-digest.js';
import { unreadableFile } from '../../disk/named-file.js';
import { unopened } from '../../disk/regular-file.js';

/** A large file that many readers share through one file descriptor. */
export interface SharedImage {
  readonly bytes: number;
  readonly sha256: string;
  /**
   * Returns exactly `length` bytes from `offset`, read into `into` if given. Returns undefined if the file is shorter, or was
   * modified since it was opened.
   */
  read(offset: number, length: number, into?: Buffer): Promise<Buffer | undefined>;
  /** Whether the content still matches `sha256`. */
  isUnchanged(): Promise<boolean>;
  readonly close: () => void;
}

const readAt = promisify(read);

/**
 * Opens and hashes a file for concurrent reads. A changed ctime with the same size and mtime triggers another hash: the file was
 * renamed, got another mode, or was written in place with its old mtime restored. Problems: usage/unreadable-file.
 */
export function openShared(option: string, path: string): Result<SharedImage> {
  try {
    // Without O_NONBLOCK, opening a FIFO blocks until another process opens it for writing (open(2)).
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const opened = fstatSync(file, { bigint: true });
    const digest = opened.isFile() ? digestFile(path) : undefined;
    if (digest?.kind !== 'file') {
      closeSync(file);
      return unreadableFile(option, path, 'it is not a regular file');
    }
    const { sha256 } = digest;
    const bytes = Number(opened.size);
    let known = { changedNs: opened.ctimeNs, isSame: Promise.resolve(true) };
    const isUnchanged = (): Promise<boolean> => {
      const { size, mtimeNs, ctimeNs } = fstatSync(file, { bigint: true });
      if (size !== opened.size || mtimeNs !== opened.mtimeNs) return Promise.resolve(false);
      if (ctimeNs !== known.changedNs)
        known = { changedNs: ctimeNs, isSame: hashOf(file).then((found) => found === sha256) };
      return known.isSame;
    };
    return success({
      bytes,
      sha256,
      isUnchanged,
      read: async (offset, length, into) => {
        if (!(await isUnchanged())) return undefined;
        const buffer = into?.subarray(0, length) ?? Buffer.allocUnsafeSlow(length);
        for (let done = 0; done < length;) {
          const { bytesRead } = await readAt(file, buffer, done, length - done, offset + done);
          if (bytesRead === 0) return undefined;
          done += bytesRead;
        }
        return buffer;
      },
      close: () => {
        closeSync(file);
      },
    });
  } catch (error) {
    const unread = unopened(path, error);
    return unreadableFile(option, path, unread.kind === 'absent' ? 'it does not exist' : unread.reason);
  }
}

async function hashOf(file: number): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream('', {
    fd: file,
    start: 0,
    autoClose: false,
    highWaterMark: 2 ** 20,
  }))
    hash.update(piece as Buffer);
  return hash.digest('hex');
}
