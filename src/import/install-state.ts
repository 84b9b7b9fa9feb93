import { decodeUtf8 } from '../formats/utf8.js';
import { parseJson } from '../formats/json.js';
import type { Inputs } from '../graph/context.js';

/** Where openshift-install keeps what it has consumed. */
export const installStateName = '.openshift_install_state.json';

/**
 * The files that openshift-install's state keeps, by path. An asset holds its files as objects of a name and bytes in base64.
 * Empty where there is no state, or none that can be read. Source: openshift/installer pkg/asset/asset.go, File
 */
export function filesOfState(inputs: Inputs): ReadonlyMap<string, string> {
  const read = inputs.read(installStateName);
  const files = new Map<string, string>();
  if (read.kind !== 'file') return files;
  // Not by recursion: JSON may be nested deeper than the stack is.
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
