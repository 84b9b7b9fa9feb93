import type { PrivateKey } from '../../formats/keys/private-key.js';
import {
  placeholderEcKey,
  placeholderEcSignature,
  placeholderRsaKey,
  placeholderText,
} from '../../formats/keys/placeholder-key.js';
import type { ValueSource, EcCurve } from '../../graph/context.js';
import { valueRequests, storedValues, type Refusal } from './stored-values.js';

/** Values of a dry run; they cannot be stored. */
export interface DryRunValues {
  readonly valueSource: ValueSource;
  /** Unusable stored values by label, with the reason. Placeholders replace them. */
  readonly unusable: () => Readonly<Record<string, string>>;
  /** Labels of values that are neither stored nor may be generated. */
  readonly missing: () => readonly string[];
}

/** Stored values, completed with placeholders that have the length of real values and are otherwise useless. */
export function dryRunValues(kept: Readonly<Record<string, string>>, isRefused?: Refusal): DryRunValues {
  const { fitting, unusable, missing } = storedValues(kept, isRefused);
  return {
    valueSource: {
      rsaKey: (name, bits) =>
        Promise.resolve(fitting(valueRequests.rsaKey(name, bits)) ?? placeholderRsaKey(name, bits)),
      ecKey: (name, curve) => {
        const key = fitting(valueRequests.ecKey(name, curve));
        return Promise.resolve(
          key === undefined ? placeholderEcKey(name, curve) : withPlaceholderSignatures(key, curve),
        );
      },
      bcryptHash: (name) =>
        Promise.resolve(
          fitting(valueRequests.bcryptHash(name)) ?? `$2a$10$${placeholderText(name, 53, bcryptAlphabet)}`,
        ),
      once: async (label, form, draw) => fitting(valueRequests.once(label, form)) ?? (await draw()),
      uuid: (name) => fitting(valueRequests.uuid(name)) ?? placeholderUuid(name),
      text: (name, length, alphabet) =>
        fitting(valueRequests.text(name, length, alphabet)) ?? placeholderText(name, length, alphabet),
    },
    unusable,
    missing,
  };
}

/** A stored key with placeholder signatures, because real ECDSA signatures are random. */
function withPlaceholderSignatures(key: PrivateKey, curve: EcCurve): PrivateKey {
  return {
    ...key,
    sign: (bytes) => Promise.resolve(placeholderEcSignature(Buffer.from(bytes).toString('base64'), curve)),
  };
}

/** Source: golang.org/x/crypto/bcrypt */
const bcryptAlphabet = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

function placeholderUuid(name: string): string {
  const hex = (length: number): string => placeholderText(`${name}/${length}`, length, '0123456789abcdef');
  return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
}
