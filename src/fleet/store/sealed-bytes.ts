import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Key of a fleet (hex) and the site that the bytes belong to. */
export interface SiteSeal {
  readonly fleetKey: string;
  readonly site: string;
}

/** Format version, key ID, nonce, ciphertext and tag. */
const layout = { version: Buffer.of(1), keyId: 8, nonce: 12, tag: 16 } as const;

/** Encrypts with AES-256-GCM and a key derived from the fleet key. The site's name is authenticated, so bytes of another site do not open. */
export function sealBytes(bytes: Uint8Array, { fleetKey, site }: SiteSeal): Buffer {
  const nonce = randomBytes(layout.nonce);
  const cipher = createCipheriv('aes-256-gcm', recordKey(fleetKey), nonce);
  cipher.setAAD(Buffer.from(site));
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([layout.version, keyIdOf(fleetKey), nonce, sealed, cipher.getAuthTag()]);
}

/** `other-key`: sealed with another fleet key; `damaged`: changed, cut off, or of another site. */
export function openBytes(
  sealed: Uint8Array,
  { fleetKey, site }: SiteSeal,
): { readonly bytes: Buffer } | { readonly fault: 'other-key' | 'damaged' } {
  const all = Buffer.from(sealed);
  const [version, keyId, nonce, rest] = splitBytes(all, [1, layout.keyId, layout.nonce]);
  if (!version?.equals(layout.version) || rest === undefined || rest.length < layout.tag)
    return { fault: 'damaged' };
  const isOwn = keyId?.equals(keyIdOf(fleetKey)) === true;
  const decipher = createDecipheriv('aes-256-gcm', recordKey(fleetKey), nonce ?? '', {
    authTagLength: layout.tag,
  });
  decipher.setAAD(Buffer.from(site));
  decipher.setAuthTag(rest.subarray(-layout.tag));
  try {
    const bytes = Buffer.concat([decipher.update(rest.subarray(0, -layout.tag)), decipher.final()]);
    return isOwn ? { bytes } : { fault: 'damaged' };
  } catch {
    return { fault: isOwn ? 'damaged' : 'other-key' };
  }
}

function recordKey(fleetKey: string): Buffer {
  return derived(fleetKey, 'sno-install site record', 32);
}

/** Distinguishes a wrong key from damage. Reveals nothing about a random key of 256 bits. */
function keyIdOf(fleetKey: string): Buffer {
  return derived(fleetKey, 'sno-install fleet key id', layout.keyId);
}

/** HKDF-SHA256 (RFC 5869) without salt; the fleet key is random. */
function derived(fleetKey: string, info: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(fleetKey, 'hex'), '', info, bytes));
}

/** Splits off parts with these lengths; the last part is the rest. */
function splitBytes(bytes: Buffer, lengths: readonly number[]): readonly Buffer[] {
  let at = 0;
  const parts = lengths.map((length) => bytes.subarray(at, (at += length)));
  return [...parts, bytes.subarray(at)];
}
