import { closeSync, constants, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';

import type { DiskImage, Patch } from '../../formats/disk-image.js';
import { systemErrorCode } from '../system-error.js';

/** Writes to a target. Throws system errors. */
export interface TargetWriter {
  readonly write: (patch: Patch) => Promise<void>;
  /** Waits until the disk has everything. */
  readonly flush: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Bytes between two flushes: without them, gigabytes in memory would count as written. */
const unflushedBytes = 32 * 1024 * 1024;

/** Opens a device, or a file, which is created if it does not exist. The kernel refuses devices in use with EBUSY (open(2), O_EXCL). */
export async function openForWriting(path: string, kind: 'device' | 'file'): Promise<TargetWriter> {
  const flags =
    kind === 'device' ? constants.O_RDWR | constants.O_EXCL : constants.O_RDWR | constants.O_CREAT;
  const file = await open(path, flags, 0o600);
  let unflushed = 0;
  return {
    write: async ({ offset, bytes }) => {
      for (let done = 0; done < bytes.length;)
        done += (await file.write(bytes, done, bytes.length - done, offset + done)).bytesWritten;
      unflushed += bytes.length;
      if (unflushed < unflushedBytes) return;
      unflushed = 0;
      await file.datasync();
    },
    flush: () => file.sync(),
    close: () => file.close(),
  };
}

/** A target opened for reading. */
export interface TargetReader {
  readonly image: DiskImage;
  /** Whether the bytes come from the disk and not from the memory of this machine. */
  readonly isDirect: boolean;
  readonly close: () => void;
}

/** Largest read, and alignment of direct ones. */
const pieceBytes = 1024 * 1024;
const alignment = 4096;

/** Opens a target for reads at multiples of 4096 bytes, past the page cache where the file system allows it. Throws system errors. */
export function openForReading(path: string, bytes: number): TargetReader {
  const buffer = Buffer.alloc(pieceBytes + alignment);
  const direct = openDirect(path, buffer);
  const { file, start } = direct ?? { file: openSync(path, constants.O_RDONLY), start: 0 };
  return {
    isDirect: direct !== undefined,
    image: {
      bytes,
      read: (offset, length) => {
        if (offset < 0 || offset + length > bytes) return undefined;
        const pieces: Buffer[] = [];
        for (let done = 0; done < length;) {
          const read = readSync(file, buffer, start, Math.min(pieceBytes, length - done), offset + done);
          if (read === 0) return undefined;
          pieces.push(Buffer.from(buffer.subarray(start, start + read)));
          done += read;
        }
        return Buffer.concat(pieces);
      },
    },
    close: () => {
      closeSync(file);
    },
  };
}

/** The address of the buffer must be aligned too, but is not known: tries each place of it. Source: open(2), O_DIRECT */
function openDirect(
  path: string,
  buffer: Buffer,
): { readonly file: number; readonly start: number } | undefined {
  // Other systems than Linux do not have the flag.
  if (process.platform !== 'linux') return undefined;
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_DIRECT);
    for (let start = 0; start < alignment; start += 8)
      if (isReadable(file, buffer, start)) return { file, start };
  } catch (error) {
    // File systems without direct reads refuse the flag with EINVAL.
    if (systemErrorCode(error) !== 'EINVAL') throw error;
  }
  if (file !== undefined) closeSync(file);
  return undefined;
}

function isReadable(file: number, buffer: Buffer, start: number): boolean {
  try {
    readSync(file, buffer, start, alignment, 0);
    return true;
  } catch (error) {
    if (systemErrorCode(error) !== 'EINVAL') throw error;
    return false;
  }
}
