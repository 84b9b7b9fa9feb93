import type { Transform } from 'node:stream';

/** What makes an xz file of bytes. */
export type XzEncoder = (input: Uint8Array) => Promise<Buffer>;

/**
 * Loads the encoder, which takes longer than much of a run. It gives what `xz -9 --check=crc32` does, to the byte: the form
 * the kernel unpacks, which knows no other check than CRC32 (kernel.org/doc/Documentation/xz.txt).
 */
export async function loadXzEncoder(): Promise<XzEncoder> {
  const { default: lzma } = (await import('lzma-native')) as unknown as { readonly default: Lzma };
  return (input) => {
    const filter = {
      id: lzma.FILTER_LZMA2,
      options: {
        dictSize: dictionaryFor(input.length),
        // The rest of preset 9. Source: liblzma, lzma/lzma_encoder_presets.c.
        mode: lzma.MODE_NORMAL,
        mf: lzma.MF_BT4,
        niceLen: 64,
      },
    };
    return collect(lzma.createStream('streamEncoder', { check: lzma.CHECK_CRC32, filters: [filter] }), input);
  };
}

/** The parts of lzma-native that its type package leaves out or has otherwise. */
interface Lzma {
  readonly FILTER_LZMA2: string;
  readonly CHECK_CRC32: number;
  readonly MODE_NORMAL: number;
  readonly MF_BT4: number;
  createStream(
    coder: 'streamEncoder',
    options: { readonly check: number; readonly filters: object[] },
  ): Transform;
}

/** The dictionary of preset 9. Source: xz(1). */
const largestDictionary = 64 * 1024 * 1024;

/** Bytes of dictionary: no more than the input needs, which gives the same output in less memory and time. */
function dictionaryFor(inputLength: number): number {
  const covering = 2 ** Math.ceil(Math.log2(Math.max(inputLength, 4096)));
  return Math.min(covering, largestDictionary);
}

function collect(stream: Transform, input: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      resolve(Buffer.concat(chunks));
    });
    stream.on('error', reject);
    stream.end(input);
  });
}
