import { decodeUtf8 } from '../formats/utf8.js';
import { parseJson } from '../formats/json.js';
import type { Inputs } from '../graph/context.js';

/** State file of openshift-install. It contains the configs and manifests that the installer has consumed. */
export const installStateName = '.openshift_install_state.json';

/**
 * Returns the files in the state of openshift-install, by path. Assets store a file as an object with a name and base64 data.
 * Empty if the state file is missing or unreadable. Source: openshift/installer pkg/asset/asset.go, File
 */
export function filesOfState(inputs: Inputs): ReadonlyMap<string, string> {
  const read = inputs.read(installStateName);
  const files = new Map<string, string>();
  if (read.kind !== 'file') return files;
  // Not recursive: deeply nested JSON would overflow the stack.
  const left: unknown[] = [parseJson(decodeUtf8(read.bytes) ?? '')];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value !== 'object' || value === null) continue;
    const { Filename: name, Data: data }: { readonly Filename?: unknown; readonly Data?: unknown } = value;
    if (typeof name === 'string' && typeof data === 'string')
      files.set(name, decodeUtf8(Buffer.from(data, 'base64')) ?? '');
    else for (const below of Object.values(value).reverse()) left.push(below);
  }
  return files;
}
