import type * as Liblzma from 'node-liblzma/wasm';

/** How hard the encoder looks for what repeats: with the settings of `xz -9`, or of `xz -3` in a third of the time. */
export type XzEffort = 'best' | 'fast';

/** What makes an xz file of bytes. */
export type XzEncoder = (input: Uint8Array, effort: XzEffort) => Promise<Buffer>;

/**
 * Packs by liblzma. At its best it takes as many bytes as `xz -9 --check=crc32` does, up to 8 MiB of input: the form the kernel
 * unpacks, which knows no other check than CRC32 (kernel.org/doc/Documentation/xz.txt). Loads the encoder when it is first called.
 */
export const xzEncode: XzEncoder = async (input, effort) => {
  const lzma = await loadLiblzma();
  const stream = new lzma.WasmLzmaStream(lzma.getModule());
  lzma.encoderInit(stream, presets[effort], lzma.LZMA_CHECK_CRC32);
  return Buffer.from(lzma.processStream(stream, input));
};

/**
 * What one xz stream holds; undefined for a damaged one, or one that holds more than so many bytes. Bytes behind its end are
 * not looked at.
 */
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
 * From 6 to 9 presets differ by their dictionaries, of 8 MiB to 64, alone: more than an input has changes nothing but the memory that is
 * taken. Source: liblzma, lzma/lzma_encoder_presets.c
 */
const presets = { best: 6, fast: 3 };

const mebibyte = 1024 * 1024;

/** A stream says itself how much memory unpacking it takes: 65 MiB of what `xz -9` packed. Source: xz(1) */
const maxDecoderBytes = 128 * mebibyte;

/** Bytes that are unpacked at a time. */
const pieceBytes = 256 * 1024;

/** One WebAssembly module a thread. */
async function loadLiblzma(): Promise<typeof Liblzma> {
  const lzma = await import('node-liblzma/wasm');
  await lzma.initModule();
  return lzma;
}

interface Unpacking {
  readonly stream: Liblzma.WasmLzmaStream;
  /** Address of a piece's room. */
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
