import type { PrivateKey } from '../../formats/keys/private-key.js';
import {
  standInEcKey,
  standInEcSignature,
  standInRsaKey,
  standInText,
} from '../../formats/keys/stand-in-key.js';
import type { Draws, EcCurve } from '../../graph/context.js';
import { asks, keptDraws, type Refusal } from './kept-draws.js';

/** Values of a dry run; they cannot be stored. */
export interface RehearsedDraws {
  readonly draws: Draws;
  /** Unusable stored values by label, with the reason. Placeholders replace them. */
  readonly unfit: () => Readonly<Record<string, string>>;
  /** Labels of values that are neither stored nor may be generated. */
  readonly lacking: () => readonly string[];
}

/** Stored values, completed with placeholders that have the length of real values and are otherwise useless. */
export function rehearsedDraws(kept: Readonly<Record<string, string>>, isRefused?: Refusal): RehearsedDraws {
  const { fitting, unfit, lacking } = keptDraws(kept, isRefused);
  return {
    draws: {
      rsaKey: (name, bits) => Promise.resolve(fitting(asks.rsaKey(name, bits)) ?? standInRsaKey(name, bits)),
      ecKey: (name, curve) => {
        const key = fitting(asks.ecKey(name, curve));
        return Promise.resolve(key === undefined ? standInEcKey(name, curve) : withoutChance(key, curve));
      },
      bcryptHash: (name) =>
        Promise.resolve(fitting(asks.bcryptHash(name)) ?? `$2a$10$${standInText(name, 53, bcryptAlphabet)}`),
      once: async (label, form, draw) => fitting(asks.once(label, form)) ?? (await draw()),
      uuid: (name) => fitting(asks.uuid(name)) ?? standInUuid(name),
      text: (name, length, alphabet) =>
        fitting(asks.text(name, length, alphabet)) ?? standInText(name, length, alphabet),
    },
    unfit,
    lacking,
  };
}

/** A stored key with placeholder signatures, because real ECDSA signatures are random. */
function withoutChance(key: PrivateKey, curve: EcCurve): PrivateKey {
  return {
    ...key,
    sign: (bytes) => Promise.resolve(standInEcSignature(Buffer.from(bytes).toString('base64'), curve)),
  };
}

/** Source: golang.org/x/crypto/bcrypt */
const bcryptAlphabet = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

function standInUuid(name: string): string {
  const hex = (length: number): string => standInText(`${name}/${length}`, length, '0123456789abcdef');
  return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
}
