import { createHash } from 'node:crypto';
import { closeSync, constants, createReadStream, fstatSync, openSync, read } from 'node:fs';
import { promisify } from 'node:util';

import { success, type Result } from '../../core/result.js';
import { imageFromFile } from '../../disk/image/image-file.js';
import { unreadableFile } from '../../disk/named-file.js';
import { unopened } from '../../disk/regular-file.js';
import { piecesOf, type ByteRange, type DiskImage } from '../../formats/disk-image.js';

/** A large file that many readers share through one file descriptor. */
export interface SharedImage {
  readonly bytes: number;
  readonly sha256: string;
  /** SHA-256 of the range that was named when the file was opened. */
  readonly rangeSha256?: string;
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
export function openShared(option: string, path: string, range?: ByteRange): Result<SharedImage> {
  try {
    // Without O_NONBLOCK, opening a FIFO blocks until another process opens it for writing (open(2)).
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const opened = fstatSync(file, { bigint: true });
    if (!opened.isFile()) {
      closeSync(file);
      return unreadableFile(option, path, 'it is not a regular file');
    }
    const bytes = Number(opened.size);
    const { sha256, ...ofRange } = hashesOf(imageFromFile(file, bytes), range);
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
      ...ofRange,
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

/** Hashes of an image and of a range of it, in one pass. */
function hashesOf(image: DiskImage, range?: ByteRange): Pick<SharedImage, 'sha256' | 'rangeSha256'> {
  const [whole, part] = [createHash('sha256'), createHash('sha256')];
  let offset = 0;
  for (const piece of piecesOf(image)) {
    whole.update(piece);
    if (range !== undefined) {
      const start = Math.max(0, range.offset - offset);
      part.update(piece.subarray(start, Math.max(start, range.offset + range.length - offset)));
    }
    offset += piece.length;
  }
  return { sha256: whole.digest('hex'), ...(range && { rangeSha256: part.digest('hex') }) };
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
