/** Types of program headers and of entries in the dynamic section. Source: elf(5), PT_LOAD, PT_DYNAMIC, DT_NEEDED, DT_STRTAB */
const kinds = { load: 1, dynamic: 2, needed: 1, stringTable: 5 };

interface Segment {
  readonly kind: number;
  readonly offset: number;
  readonly address: number;
  readonly size: number;
}

/** Shared libraries that a 64-bit ELF file needs; empty for a static one. */
export function neededLibraries(bytes: Buffer): readonly string[] {
  const segments = segmentsOf(bytes);
  const dynamic = segments.find(({ kind }) => kind === kinds.dynamic);
  if (dynamic === undefined) return [];
  const entries = Array.from({ length: dynamic.size / 16 }, (_, index) => ({
    kind: numberAt(bytes, dynamic.offset + index * 16),
    value: numberAt(bytes, dynamic.offset + index * 16 + 8),
  }));
  const table = entries.find(({ kind }) => kind === kinds.stringTable)?.value ?? 0;
  const loaded = segments.find(
    ({ kind, address, size }) => kind === kinds.load && address <= table && table < address + size,
  );
  if (loaded === undefined) throw new Error('the names of libraries are not in what is loaded');
  const start = table - loaded.address + loaded.offset;
  const name = (at: number): string => bytes.toString('latin1', start + at, bytes.indexOf(0, start + at));
  return entries.filter(({ kind }) => kind === kinds.needed).map(({ value }) => name(value));
}

function segmentsOf(bytes: Buffer): readonly Segment[] {
  const first = numberAt(bytes, 32);
  return Array.from({ length: bytes.readUInt16LE(56) }, (_, index) => {
    const at = first + index * bytes.readUInt16LE(54);
    return {
      kind: bytes.readUInt32LE(at),
      offset: numberAt(bytes, at + 8),
      address: numberAt(bytes, at + 16),
      size: numberAt(bytes, at + 32),
    };
  });
}

function numberAt(bytes: Buffer, at: number): number {
  return Number(bytes.readBigUInt64LE(at));
}
