import type { Manifest } from '../../../src/kube/manifest.js';
import { readObjects, userManifest } from '../../../src/manifests/edits/documents.js';

/** The user's manifests in a file. */
export function manifestsOf(text: string, file: string): readonly Manifest[] {
  const read = readObjects(file, Buffer.from(text));
  if (!read.ok) throw new Error(`not readable: ${read.problems.map(({ message }) => message).join(', ')}`);
  return read.value.map((object) => userManifest(`manifests/${file}`, object));
}

/** The manifest without the user's source. */
export function generated({ path, object, text, isSecret }: Manifest): Manifest {
  return { path, object, text, isSecret, origin: 'generated' };
}
