/** A file in an archive. */
export interface TarFile {
  /** Relative, separated by `/`. */
  readonly path: string;
  /** Permission bits. */
  readonly mode: number;
  readonly contents: Uint8Array;
}

/** An archive (POSIX.1-2001 ustar) of files in this order. Deterministic: without owners and times. */
export async function tarOf(files: readonly TarFile[]): Promise<Buffer> {
  const { packTar } = await import('modern-tar');
  const entries = files.map(({ path, mode, contents }) => ({
    header: { name: path, mode, size: contents.length, mtime: new Date(0), type: 'file' as const },
    body: contents,
  }));
  return Buffer.from(await packTar(entries));
}

/** Reads all files of an archive; undefined if it is damaged or contains anything but files. */
export async function filesOfTar(bytes: Uint8Array): Promise<readonly TarFile[] | undefined> {
  const { unpackTar } = await import('modern-tar');
  try {
    const entries = await unpackTar(bytes, { strict: true });
    const files = entries.map(({ header: { name, mode = 0, type = 'file' }, data }) =>
      type === 'file' ? { path: name, mode, contents: data ?? new Uint8Array() } : undefined,
    );
    const whole = files.filter((file) => file !== undefined);
    return whole.length === files.length ? whole : undefined;
  } catch {
    return undefined;
  }
}

/** Source: pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html, "ustar Interchange Format" */
const ustar = { block: 512, name: [0, 100], size: [124, 136] } as const;

/** Reads the first file from the beginning of an archive; undefined if the file is cut off, or the bytes are not an archive. */
export function firstFileOfTar(bytes: Uint8Array): Pick<TarFile, 'path' | 'contents'> | undefined {
  const text = (range: readonly [number, number]): string =>
    Buffer.from(bytes.subarray(...range))
      .toString('latin1')
      .replace(/[\0 ].*$/s, '');
  const size = /^[0-7]+$/.test(text(ustar.size)) ? parseInt(text(ustar.size), 8) : Infinity;
  if (ustar.block + size > bytes.length) return undefined;
  return { path: text(ustar.name), contents: bytes.subarray(ustar.block, ustar.block + size) };
}
