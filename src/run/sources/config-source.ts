import { success, type Result } from '../../core/result.js';
import { openImage } from '../../disk/image/image-file.js';
import { readNamedFile } from '../../disk/named-file.js';
import { openFile } from '../../disk/state/open-state.js';
import type { StateAccess } from '../../disk/state/state-access.js';
import { configOf, readMedium, type Medium } from '../../media/read-medium.js';

/** A file from the command line that may contain an Ignition config. */
export interface ConfigSource {
  readonly path: string;
  /** Bytes of the file, or of the config in a medium; undefined for a medium without a config. */
  readonly bytes?: Uint8Array;
  /** For a live ISO or initrd overlay: its other contents. */
  readonly medium?: Medium;
}

/**
 * Reads a file of any kind: looks into an ISO or initrd overlay and decrypts encrypted contents.
 * Problems: usage/unreadable-file, state/no-identity, state/wrong-identity, those of media and of `access`.
 */
export async function readConfigSource(
  path: string,
  access: StateAccess,
  { opens = true }: { readonly opens?: boolean } = {},
): Promise<Result<ConfigSource>> {
  const opened = openImage('the file', path);
  if (!opened.ok) return opened;
  const { image, close } = opened.value;
  try {
    const medium = await readMedium(image);
    if (!medium.ok) return medium;
    if (medium.value !== undefined) {
      const bytes = configOf(medium.value);
      return success({ path, medium: medium.value, ...(bytes && { bytes }) });
    }
    const read = readNamedFile('the file', path);
    const opened = read.ok && opens ? await openFile(read.value, path, access) : read;
    return opened.ok ? success({ path, bytes: opened.value }) : opened;
  } finally {
    close();
  }
}
