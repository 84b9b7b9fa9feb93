import type { KeyAlgorithm } from '../config/schema/sno-config-schema.js';
import type { PrivateKey } from '../formats/keys/private-key.js';
import type { ValueSource } from '../graph/context.js';

/** Generates a private key, or returns the one stored under this label. */
export function generateKey(
  label: string,
  algorithm: KeyAlgorithm,
  valueSource: ValueSource,
): Promise<PrivateKey> {
  switch (algorithm) {
    case 'RSA-2048':
      return valueSource.rsaKey(label, 2048);
    case 'RSA-3072':
      return valueSource.rsaKey(label, 3072);
    case 'RSA-4096':
      return valueSource.rsaKey(label, 4096);
    case 'ECDSA-P256':
      return valueSource.ecKey(label, 'P-256');
    case 'ECDSA-P384':
      return valueSource.ecKey(label, 'P-384');
  }
}
