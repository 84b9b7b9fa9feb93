import { isAge } from '../../formats/age.js';
import { openFile } from '../state/open-state.js';
import { sealedName } from '../state/sealed-outputs.js';
import type { StateAccess } from '../state/state-access.js';
import { bytesBelow } from './file-below.js';
import type { ReadReceipt } from './read-receipt.js';

/** Decrypted outputs that a receipt check needs, by path. */
export type DecryptedFiles = ReadonlyMap<string, Uint8Array>;

/**
 * Decrypts the outputs that are keys of keyed hashes, and the Ignition config of a medium. Files that cannot be decrypted are left out
 * and not compared.
 */
export async function decryptNeeded(
  folder: string,
  { receipt }: ReadReceipt,
  access: StateAccess,
): Promise<DecryptedFiles> {
  const opened = new Map<string, Uint8Array>();
  const config = receipt.medium?.config.path;
  const needed = [
    ...receipt.inputs.flatMap((input) => ('keyedBy' in input ? [input.keyedBy] : [])),
    ...(config === undefined ? [] : [sealedName(config)]),
  ];
  for (const path of new Set(needed)) {
    const bytes = bytesBelow(folder, path);
    const plain = bytes && isAge(bytes) ? await openFile(bytes, path, access) : undefined;
    if (plain?.ok === true) opened.set(path, plain.value);
  }
  return opened;
}
