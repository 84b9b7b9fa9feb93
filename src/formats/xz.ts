import type { Transform } from 'node:stream';

/** How hard the encoder looks for what repeats: with the settings of `xz -9`, or of `xz -3` in a third of the time. */
export type XzEffort = 'best' | 'fast';

/** What makes an xz file of bytes. */
export type XzEncoder = (input: Uint8Array, effort: XzEffort) => Promise<Buffer>;

/**
 * Loads the encoder, which takes longer than much of a run. At its best it gives what `xz -9 --check=crc32` does, to the
 * byte: the form the kernel unpacks, which knows no other check than CRC32 (kernel.org/doc/Documentation/xz.txt).
 */
export async function loadXzEncoder(): Promise<XzEncoder> {
  const { default: lzma } = (await import('lzma-native')) as unknown as { readonly default: Lzma };
  // Source: liblzma, lzma/lzma_encoder_presets.c.
  const presets = {
    best: { largest: 64 * mebibyte, mode: lzma.MODE_NORMAL, mf: lzma.MF_BT4, niceLen: 64, depth: 0 },
    fast: { largest: 4 * mebibyte, mode: lzma.MODE_FAST, mf: lzma.MF_HC4, niceLen: 273, depth: 24 },
  };
  return (input, effort) => {
    const { largest, ...preset } = presets[effort];
    const options = { ...preset, dictSize: dictionaryFor(input.length, largest) };
    const filters = [{ id: lzma.FILTER_LZMA2, options }];
    return collect(lzma.createStream('streamEncoder', { check: lzma.CHECK_CRC32, filters }), input);
  };
}

/** What unpacks one xz stream; undefined for a damaged one, or one that holds more than so many bytes. */
export type XzDecoder = (stream: Uint8Array, maxBytes: number) => Promise<Buffer | undefined>;

/** Loads the decoder. */
export async function loadXzDecoder(): Promise<XzDecoder> {
  const { default: lzma } = (await import('lzma-native')) as unknown as { readonly default: Lzma };
  return async (stream, maxBytes) => {
    try {
      return await collect(
        lzma.createStream('streamDecoder', { memlimit: maxDecoderBytes }),
        stream,
        maxBytes,
      );
    } catch {
      return undefined;
    }
  };
}

/** The parts of lzma-native that its type package leaves out or has otherwise. */
interface Lzma {
  readonly FILTER_LZMA2: string;
  readonly CHECK_CRC32: number;
  readonly MODE_NORMAL: number;
  readonly MODE_FAST: number;
  readonly MF_BT4: number;
  readonly MF_HC4: number;
  createStream(
    coder: 'streamEncoder',
    options: { readonly check: number; readonly filters: object[] },
  ): Transform;
  createStream(coder: 'streamDecoder', options: { readonly memlimit: number }): Transform;
}

const mebibyte = 1024 * 1024;

/** A stream says itself how much memory unpacking it takes: 65 MiB of what `xz -9` packed. Source: xz(1) */
const maxDecoderBytes = 256 * mebibyte;

/** Bytes of dictionary: no more than the input needs, which gives the same output in less memory and time. */
function dictionaryFor(inputLength: number, largest: number): number {
  const covering = 2 ** Math.ceil(Math.log2(Math.max(inputLength, 4096)));
  return Math.min(covering, largest);
}

function collect(stream: Transform, input: Uint8Array, maxBytes = Infinity): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    stream.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes) stream.destroy(new Error('more than was asked for'));
    });
    stream.on('end', () => {
      resolve(Buffer.concat(chunks));
    });
    stream.on('error', reject);
    stream.end(input);
  });
}
