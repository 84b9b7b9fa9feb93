import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** One file of an archive. `text` is what `read` asked for: its end, up to that many bytes. */
export interface ArchivedFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly text?: string;
}

/** What an archive holds, as far as the limits let it be read. */
export interface TarContents {
  readonly files: readonly ArchivedFile[];
  /** Links, devices and the like, which are passed over. */
  readonly otherEntries: number;
  /** Whether texts are missing because all of them together had more than `keptBytes`. */
  readonly isCut: boolean;
  /** How the archive ended: `damaged` when it stops in the middle, `too-large` when a limit was met. */
  readonly end: 'whole' | 'damaged' | 'too-large';
}

/** How much of an archive is read: somebody else made it. */
export interface TarLimits {
  /** Of the whole archive, unpacked. */
  readonly totalBytes: number;
  readonly entries: number;
  /** Of all texts together: those that come after have none. */
  readonly keptBytes: number;
  /** How many bytes of a file are kept, counted from its end; 0 for a file that is only listed. */
  readonly keptBytesOf: (path: string) => number;
}

/**
 * Reads a tar.gz into memory, entry by entry; nothing is laid onto a disk, so neither `..` nor a link leads anywhere.
 * What comes before a damage is given back.
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

/** Counts what went by, which the limits are about. */
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
      // The reader of the entries hears of it, and the promise of this call is not waited for then.
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
    // To the end even where nothing is kept: modern-tar 0.8 takes the cancelling of a body that it has already handed out whole
    // for one of the next entry's, which then never ends.
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

/** The last bytes of a stream as text; where it is cut off, the first line is a part of one and goes. */
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

/** The end of a file's bytes as text, up to so many bytes. */
export function textOf(bytes: Uint8Array, keptBytes: number, isCut = false): string {
  const text = new TextDecoder('utf-8').decode(bytes.subarray(Math.max(0, bytes.length - keptBytes)));
  return isCut || bytes.length > keptBytes ? text.slice(text.indexOf('\n') + 1) : text;
}
