import { closeSync, fstatSync, openSync, read, readSync, type BigIntStats } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';

import { success, type Result } from '../../core/result.js';
import { reasonOf } from '../../disk/file-system-problem.js';
import { unreadableFile } from '../../disk/named-file.js';
import { quickReads } from './quick-reads.js';

/** A large file that many readers share through one descriptor, until it is closed. */
export interface SharedImage {
  readonly bytes: number;
  /**
   * Exactly so many bytes from an offset, read into a buffer that has room for them; undefined where the file has not that many, or is
   * not as it was when it was opened.
   */
  read(offset: number, length: number, into?: Buffer): Promise<Buffer | undefined>;
  /** Whether nobody has written into it since it was opened. */
  isAsOpened(): boolean;
  readonly close: () => void;
}

const readAt = promisify(read);

/** Opens a file to be read by many at once, without waiting for the disk in between but for what is small (quick-reads.ts). Problems: usage/unreadable-file. */
export function openShared(option: string, path: string): Result<SharedImage> {
  try {
    const file = openSync(path, 'r');
    const opened = fstatSync(file, { bigint: true });
    if (!opened.isFile()) {
      closeSync(file);
      return unreadableFile(option, path, 'it is not a regular file');
    }
    const bytes = Number(opened.size);
    const quick = quickReads();
    const readSome = async (into: Buffer, offset: number): Promise<number> => {
      const startMs = performance.now();
      if (!quick.isQuick(into.length, startMs))
        return (await readAt(file, into, 0, into.length, offset)).bytesRead;
      const bytesRead = readSync(file, into, 0, into.length, offset);
      quick.took(startMs, performance.now());
      return bytesRead;
    };
    const isAsOpened = (): boolean => isSame(opened, fstatSync(file, { bigint: true }));
    return success({
      bytes,
      isAsOpened,
      read: async (offset, length, into) => {
        if (!isAsOpened()) return undefined;
        // Every byte is read into it, or it is not given out.
        const buffer = into?.subarray(0, length) ?? Buffer.allocUnsafeSlow(length);
        for (let done = 0; done < length;) {
          const bytesRead = await readSome(buffer.subarray(done, length), offset + done);
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
