import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

import { gunzip } from './gzip.js';

/** A file in an archive. `text` is the end of its contents, up to `keptBytesOf` bytes. */
export interface ArchivedFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly text?: string;
}

/** Contents of an archive, as far as the limits allow. */
export interface TarContents {
  readonly files: readonly ArchivedFile[];
  /** Number of skipped links, devices and similar entries. */
  readonly otherEntries: number;
  /** Whether texts are missing because all of them together exceed `keptBytes`. */
  readonly isCut: boolean;
  /** `damaged` if the archive ends prematurely, `too-large` if it exceeds a limit. */
  readonly end: 'whole' | 'damaged' | 'too-large';
}

/** Limits for reading an untrusted archive. */
export interface TarLimits {
  /** Size of the unpacked archive. */
  readonly totalBytes: number;
  readonly entries: number;
  /** Total size of all texts; later files have no text. */
  readonly keptBytes: number;
  /** Number of bytes to keep from the end of a file; 0 for a file that is only listed. */
  readonly keptBytesOf: (path: string) => number;
}

/**
 * Reads a tar.gz into memory, entry by entry. Nothing is written to disk, so `..` and links are harmless.
 * For a damaged archive, returns the entries before the damage.
 */
export async function readTarGz(source: Readable, limits: TarLimits): Promise<TarContents> {
  const { createTarDecoder } = await import('modern-tar');
  const reading = new Reading(limits);
  const bytes = source.pipe(createGunzip());
  source.on('error', (error) => bytes.destroy(error));
  try {
    const { readable, writable } = createTarDecoder({ strict: true });
    const written = reading.feed(bytes, writable.getWriter());
    for await (const { header, body } of readable) await reading.take(header, body);
    await written;
    return reading.contents('whole');
  } catch {
    return reading.contents(reading.isOverLimit ? 'too-large' : 'damaged');
  } finally {
    source.destroy();
    bytes.destroy();
  }
}

interface Header {
  readonly name: string;
  readonly size: number;
  readonly type?: string;
}

/** Collects entries and enforces the limits. */
class Reading {
  isOverLimit = false;
  readonly #files: ArchivedFile[] = [];
  readonly #limits: TarLimits;
  #otherEntries = 0;
  #keptBytes = 0;
  #isCut = false;

  constructor(limits: TarLimits) {
    this.#limits = limits;
  }

  async feed(bytes: Readable, writer: WritableStreamDefaultWriter<Uint8Array>): Promise<void> {
    let total = 0;
    try {
      for await (const chunk of bytes as AsyncIterable<Uint8Array>) {
        total += chunk.length;
        if (total > this.#limits.totalBytes) throw this.#limitMet();
        await writer.write(chunk);
      }
      await writer.close();
    } catch (error) {
      // The reader of the entries gets the error, and then does not wait for this call.
      await writer.abort(error).catch(() => undefined);
    }
  }

  async take({ name, size, type = 'file' }: Header, body: ReadableStream<Uint8Array>): Promise<void> {
    if (this.#files.length + this.#otherEntries >= this.#limits.entries) throw this.#limitMet();
    const wanted = type === 'file' ? this.#limits.keptBytesOf(name) : 0;
    const isRead = wanted > 0;
    const kept = Math.min(wanted, this.#limits.keptBytes - this.#keptBytes);
    this.#keptBytes += Math.min(kept, size);
    this.#isCut ||= kept < Math.min(wanted, size);
    // Read to the end even if nothing is kept. modern-tar 0.8 takes the cancellation of a completely delivered body as one of the next
    // entry, which then never ends.
    const text = await endOf(body, kept);
    if (type === 'file') this.#files.push({ path: name, sizeBytes: size, ...(isRead && { text }) });
    else if (type !== 'directory') this.#otherEntries += 1;
  }

  contents(end: TarContents['end']): TarContents {
    return { files: this.#files, otherEntries: this.#otherEntries, isCut: this.#isCut, end };
  }

  #limitMet(): Error {
    this.isOverLimit = true;
    return new Error('the archive is larger than it may be');
  }
}

/** The last bytes of a stream as text. If it is truncated, the partial first line is removed. */
async function endOf(body: ReadableStream<Uint8Array>, keptBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let held = 0;
  let isCut = false;
  for await (const chunk of body) {
    chunks.push(chunk);
    held += chunk.length;
    while (chunks[0] !== undefined && held - chunks[0].length >= keptBytes) {
      held -= chunks[0].length;
      chunks.shift();
      isCut = true;
    }
  }
  return textOf(Buffer.concat(chunks), keptBytes, isCut);
}

/** The last `keptBytes` bytes of a file as text; of its contents if it is compressed. */
export function textOf(bytes: Uint8Array, keptBytes: number, isCut = false): string {
  if (isGzip(bytes)) return textOfGzip(bytes, keptBytes, isCut);
  const text = new TextDecoder('utf-8').decode(bytes.subarray(Math.max(0, bytes.length - keptBytes)));
  return isCut || bytes.length > keptBytes ? text.slice(text.indexOf('\n') + 1) : text;
}

/** Source: RFC 1952 §2.3.1 */
function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** A journal of a busy node has 100 MB. */
const maxUnpackedBytes = 256 * 1024 ** 2;

/** Empty if the archive is cut off, damaged or too large. */
function textOfGzip(bytes: Uint8Array, keptBytes: number, isCut: boolean): string {
  const unpacked = isCut || bytes.length > keptBytes ? undefined : gunzip(bytes, maxUnpackedBytes);
  // An archive within the archive is not text.
  return unpacked === undefined || isGzip(unpacked) ? '' : textOf(unpacked, keptBytes);
}
