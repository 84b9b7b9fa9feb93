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
  readonly draws: ValueSource;
  /** Unusable stored values by label, with the reason. Placeholders replace them. */
  readonly unfit: () => Readonly<Record<string, string>>;
  /** Labels of values that are neither stored nor may be generated. */
  readonly lacking: () => readonly string[];
}

/** Stored values, completed with placeholders that have the length of real values and are otherwise useless. */
export function dryRunValues(kept: Readonly<Record<string, string>>, isRefused?: Refusal): DryRunValues {
  const { fitting, unfit, lacking } = storedValues(kept, isRefused);
  return {
    draws: {
      rsaKey: (name, bits) =>
        Promise.resolve(fitting(valueRequests.rsaKey(name, bits)) ?? placeholderRsaKey(name, bits)),
      ecKey: (name, curve) => {
        const key = fitting(valueRequests.ecKey(name, curve));
        return Promise.resolve(key === undefined ? placeholderEcKey(name, curve) : withoutChance(key, curve));
      },
      bcryptHash: (name) =>
        Promise.resolve(
          fitting(valueRequests.bcryptHash(name)) ?? `$2a$10$${placeholderText(name, 53, bcryptAlphabet)}`,
        ),
      once: async (label, form, draw) => fitting(valueRequests.once(label, form)) ?? (await draw()),
      uuid: (name) => fitting(valueRequests.uuid(name)) ?? standInUuid(name),
      text: (name, length, alphabet) =>
        fitting(valueRequests.text(name, length, alphabet)) ?? placeholderText(name, length, alphabet),
    },
    unfit,
    lacking,
  };
}

/** A stored key with placeholder signatures, because real ECDSA signatures are random. */
function withoutChance(key: PrivateKey, curve: EcCurve): PrivateKey {
  return {
    ...key,
    sign: (bytes) => Promise.resolve(placeholderEcSignature(Buffer.from(bytes).toString('base64'), curve)),
  };
}

/** Source: golang.org/x/crypto/bcrypt */
const bcryptAlphabet = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

function standInUuid(name: string): string {
  const hex = (length: number): string => placeholderText(`${name}/${length}`, length, '0123456789abcdef');
  return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
}
