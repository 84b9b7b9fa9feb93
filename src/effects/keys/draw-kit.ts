import { newId, type PoolFolder } from '../../disk/keypool/pool-folder.js';
import { kitText, type KeyKit, type KeyNeed } from '../../disk/keypool/key-kit.js';
import { encryptAge } from '../../formats/age.js';
import type { RsaBits } from '../../graph/context.js';

/** A kit that nobody has read, as age encrypts it. */
export interface SealedKit {
  readonly id: string;
  readonly sealed: string;
}

/** Draws the keys of one site, one after the other, and encrypts them. What is drawn is plain in memory alone. */
export async function drawKit(
  pool: PoolFolder,
  need: KeyNeed,
  { recipients, stop }: { readonly recipients: readonly string[]; readonly stop: AbortSignal },
): Promise<SealedKit | undefined> {
  const { generateApprovedRsaKey, generateRsaKey } = await import('../../formats/keys/rsa-key.js');
  const generate = need.isApproved ? generateApprovedRsaKey : generateRsaKey;
  const keys: [string, string][] = [];
  for (const label of need.labels) {
    if (stop.aborted) return undefined;
    keys.push([label, await generate(bitsOf(label))]);
  }
  const kit: KeyKit = {
    pool: pool.id,
    id: newId(),
    isApproved: need.isApproved,
    keys: Object.fromEntries(keys),
  };
  return { id: kit.id, sealed: await encryptAge(kitText(kit), { recipients }) };
}

/** The size of the key that a label asks for. */
function bitsOf(label: string): RsaBits {
  const bits = Number(/^key\/rsa-([0-9]+)\//.exec(label)?.[1]);
  if (bits === 2048 || bits === 3072 || bits === 4096) return bits;
  throw new Error('internal error: a label in a kit is none of an RSA key');
}
