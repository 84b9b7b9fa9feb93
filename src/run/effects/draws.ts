import { randomInt, randomUUID } from 'node:crypto';

import { generateEcKey, privateKeyOf, type PrivateKey } from '../../formats/keys/private-key.js';
import { standInEcKey, standInRsaKey } from '../../formats/keys/stand-in-key.js';
import type { Draws, EcCurve, RsaBits } from '../../graph/context.js';
import { asks, keptDraws, type Ask, type Refusal } from './kept-draws.js';

/** Where draws come from that were not kept. A test gives one of its own. */
export interface ChanceSource {
  rsaKey(label: string, bits: RsaBits): Promise<string>;
  ecKey(label: string, curve: EcCurve): Promise<string>;
  uuid(label: string): string;
  text(label: string, length: number, alphabet: string): string;
}

/** Chance as the operating system gives it; labels play no part. */
const realChance: ChanceSource = {
  // Loaded with the first key: most runs find all of theirs in the state file.
  rsaKey: async (_label, bits) => (await import('../../formats/keys/rsa-key.js')).generateRsaKey(bits),
  ecKey: (_label, curve) => generateEcKey(curve),
  uuid: () => randomUUID(),
  text: (_label, length, alphabet) =>
    Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join(''),
};

/** The same with RSA keys that OpenSSL makes as a whole: for a cluster in FIPS mode (decision 0003). */
const approvedChance: ChanceSource = {
  ...realChance,
  rsaKey: async (_label, bits) =>
    (await import('../../formats/keys/rsa-key.js')).generateApprovedRsaKey(bits),
};

/** Chance as a cluster takes it. */
export function chanceFor({ isFips }: { readonly isFips: boolean }): ChanceSource {
  return isFips ? approvedChance : realChance;
}

/** Draws over those that are kept, and what came of them. */
export interface DrawsInHand {
  readonly draws: Draws;
  /** Kept and new draws together, by label, to be kept in the state file. */
  readonly taken: () => Readonly<Record<string, string>>;
  /** Kept draws that were asked for and do not do, by label, with the reason. Others were drawn in their place. */
  readonly unfit: () => Readonly<Record<string, string>>;
  /** What was asked for, is not kept and may not be drawn, by label. */
  readonly lacking: () => readonly string[];
}

/** Draws over those already made. */
export function drawsOver(
  kept: Readonly<Record<string, string>>,
  { source = realChance, isRefused }: { readonly source?: ChanceSource; readonly isRefused?: Refusal } = {},
): DrawsInHand {
  const values = new Map<string, string>();
  const { fitting, unfit, isLacking, lacking } = keptDraws(kept, isRefused);
  const keys = new Map<string, Promise<PrivateKey>>();
  const underWay = new Map<string, Promise<string>>();

  const keep = (label: string, value: string): string => {
    values.set(label, value);
    return value;
  };
  const known = (ask: Ask): string | undefined => values.get(ask.label) ?? fitting(ask);
  const later = async (ask: Ask, draw: Draw): Promise<string> => {
    const pending = underWay.get(ask.label) ?? Promise.resolve(known(ask) ?? draw());
    underWay.set(ask.label, pending);
    return keep(ask.label, await pending);
  };
  const atOnce = (ask: Ask, draw: () => string): string => keep(ask.label, known(ask) ?? draw());
  const keptOrNew = async (ask: Ask<PrivateKey>, draw: () => Promise<string>): Promise<PrivateKey> => {
    const made = fitting(ask) ?? privateKeyOf(await draw());
    keep(ask.label, made.pem);
    return made;
  };
  const key = (ask: Ask<PrivateKey>, draw: () => Promise<string>): Promise<PrivateKey> => {
    const made = keys.get(ask.label) ?? keptOrNew(ask, draw);
    keys.set(ask.label, made);
    return made;
  };
  /** The run will end, having found what else is lacking: no key is drawn for that. */
  const inPlaceOf = (ask: Ask<PrivateKey>, standIn: PrivateKey): Promise<PrivateKey> => {
    fitting(ask);
    return Promise.resolve(standIn);
  };
  const draws: Draws = {
    rsaKey: (name, bits) => {
      const ask = asks.rsaKey(name, bits);
      return isLacking(ask)
        ? inPlaceOf(ask, standInRsaKey(name, bits))
        : key(ask, () => source.rsaKey(name, bits));
    },
    ecKey: (name, curve) => {
      const ask = asks.ecKey(name, curve);
      return isLacking(ask)
        ? inPlaceOf(ask, standInEcKey(name, curve))
        : key(ask, () => source.ecKey(name, curve));
    },
    bcryptHash: (name, password) =>
      later(asks.bcryptHash(name), async () =>
        (await import('../../formats/keys/bcrypt.js')).bcryptHash(password),
      ),
    once: (label, form, draw) => later(asks.once(label, form), draw),
    uuid: (name) => atOnce(asks.uuid(name), () => source.uuid(name)),
    text: (name, length, alphabet) =>
      atOnce(asks.text(name, length, alphabet), () => source.text(name, length, alphabet)),
  };
  return {
    draws,
    // What was not asked for this time is kept as it is.
    taken: () => ({ ...kept, ...Object.fromEntries(values) }),
    unfit,
    lacking,
  };
}

type Draw = () => string | Promise<string>;
