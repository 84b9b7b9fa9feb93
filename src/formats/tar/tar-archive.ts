/** A file of an archive. */
export interface TarFile {
  /** Relative, with `/` between its parts. */
  readonly path: string;
  /** Permission bits. */
  readonly mode: number;
  readonly contents: Uint8Array;
}

/** An archive of files in this order (POSIX.1-2001 ustar), the same for the same files: without owners and times. */
export async function tarOf(files: readonly TarFile[]): Promise<Buffer> {
  const { packTar } = await import('modern-tar');
  const entries = files.map(({ path, mode, contents }) => ({
    header: { name: path, mode, size: contents.length, mtime: new Date(0), type: 'file' as const },
    body: contents,
  }));
  return Buffer.from(await packTar(entries));
}

/** The files of an archive in memory; undefined where it is damaged or holds anything but files. */
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

/** The first file of an archive whose beginning alone was read; undefined where that is cut off, or no archive. */
export function firstFileOfTar(bytes: Uint8Array): Pick<TarFile, 'path' | 'contents'> | undefined {
  const text = (range: readonly [number, number]): string =>
    Buffer.from(bytes.subarray(...range))
      .toString('latin1')
      .replace(/[\0 ].*$/s, '');
  const size = /^[0-7]+$/.test(text(ustar.size)) ? parseInt(text(ustar.size), 8) : Infinity;
  if (ustar.block + size > bytes.length) return undefined;
  return { path: text(ustar.name), contents: bytes.subarray(ustar.block, ustar.block + size) };
}
