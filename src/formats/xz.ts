import type * as Liblzma from 'node-liblzma/wasm';

/** Compression level: that of `xz -9`, or of `xz -3` in a third of the time. */
export type XzEffort = 'best' | 'fast';

export type XzEncoder = (input: Uint8Array, effort: XzEffort) => Promise<Buffer>;

/**
 * Compresses with liblzma. For up to 8 MiB of input, `best` gives the size of `xz -9 --check=crc32`. The kernel supports no check
 * other than CRC32 (kernel.org/doc/Documentation/xz.txt). Loads the encoder at the first call.
 */
export const xzEncode: XzEncoder = async (input, effort) => {
  const lzma = await loadLiblzma();
  const stream = new lzma.WasmLzmaStream(lzma.getModule());
  lzma.encoderInit(stream, presets[effort], lzma.LZMA_CHECK_CRC32);
  return Buffer.from(lzma.processStream(stream, input));
};

/** Unpacks one xz stream; undefined if it is damaged or exceeds `maxBytes`. Ignores bytes after its end. */
export async function xzDecode(packed: Uint8Array, maxBytes: number): Promise<Buffer | undefined> {
  const lzma = await loadLiblzma();
  const stream = new lzma.WasmLzmaStream(lzma.getModule());
  const freed = [
    lzma.copyToWasm(lzma.getModule(), packed),
    lzma.copyToWasm(lzma.getModule(), new Uint8Array(pieceBytes)),
  ] as const;
  try {
    lzma.decoderInit(stream, maxDecoderBytes);
    stream.setInput(freed[0], packed.byteLength);
    return unpacked(lzma, { stream, output: freed[1], maxBytes });
  } finally {
    lzma.end(stream);
    stream.free();
    for (const address of freed) lzma.getModule()._free(address);
  }
}

/**
 * Presets 6 to 9 differ only in the size of their dictionary, 8 MiB to 64 MiB. A dictionary larger than the input only costs memory.
 * Source: liblzma, lzma/lzma_encoder_presets.c
 */
const presets = { best: 6, fast: 3 };

const mebibyte = 1024 * 1024;

/** Memory limit for unpacking. A stream declares its need: 65 MiB for `xz -9`. Source: xz(1) */
const maxDecoderBytes = 128 * mebibyte;

/** Size of the output buffer. */
const pieceBytes = 256 * 1024;

/** One WebAssembly module per thread. */
async function loadLiblzma(): Promise<typeof Liblzma> {
  const lzma = await import('node-liblzma/wasm');
  await lzma.initModule();
  return lzma;
}

interface Unpacking {
  readonly stream: Liblzma.WasmLzmaStream;
  /** Address of the output buffer. */
  readonly output: number;
  readonly maxBytes: number;
}

function unpacked(lzma: typeof Liblzma, { stream, output, maxBytes }: Unpacking): Buffer | undefined {
  const pieces: Uint8Array[] = [];
  let [bytes, status] = [0, lzma.LZMA_OK as number];
  while (status === lzma.LZMA_OK && bytes <= maxBytes) {
    stream.setOutput(output, pieceBytes);
    status = lzma.code(stream, lzma.LZMA_FINISH);
    const piece = lzma.copyFromWasm(lzma.getModule(), output, pieceBytes - stream.availOut);
    pieces.push(piece);
    bytes += piece.length;
  }
  return status === lzma.LZMA_STREAM_END && bytes <= maxBytes ? Buffer.concat(pieces) : undefined;
}
