import { closeSync, fstatSync, openSync, read, type BigIntStats } from 'node:fs';
import { promisify } from 'node:util';

import { success, type Result } from '../../core/result.js';
import { reasonOf } from '../../disk/file-system-problem.js';
import { unreadableFile } from '../../disk/named-file.js';

/** A large file that many readers share through one descriptor, until it is closed. */
export interface SharedImage {
  readonly bytes: number;
  /**
   * Exactly `length` bytes from an offset, read into `into` if given; undefined if the file is shorter, or was written to since it was
   * opened.
   */
  read(offset: number, length: number, into?: Buffer): Promise<Buffer | undefined>;
  /** Whether nobody has written into it since it was opened. */
  isAsOpened(): boolean;
  readonly close: () => void;
}

const readAt = promisify(read);

/** Opens a file that many requests read at once. Problems: usage/unreadable-file. */
export function openShared(option: string, path: string): Result<SharedImage> {
  try {
    const file = openSync(path, 'r');
    const opened = fstatSync(file, { bigint: true });
    if (!opened.isFile()) {
      closeSync(file);
      return unreadableFile(option, path, 'it is not a regular file');
    }
    const bytes = Number(opened.size);
    const isAsOpened = (): boolean => isSame(opened, fstatSync(file, { bigint: true }));
    return success({
      bytes,
      isAsOpened,
      read: async (offset, length, into) => {
        if (!isAsOpened()) return undefined;
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
    return unreadableFile(option, path, reasonOf(error));
  }
}

/** Whoever writes into a file, or shortens it, changes one of these. */
function isSame(one: BigIntStats, other: BigIntStats): boolean {
  return one.size === other.size && one.mtimeNs === other.mtimeNs;
}
