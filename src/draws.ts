import { randomInt, randomUUID } from 'node:crypto';

import { whyNotEcKey, whyNotRsaKey } from './formats/kept-key.js';
import type { Draws, EcCurve, RsaBits } from './graph/context.js';

/** Called when a key is asked for that was not drawn before, and again when it is there. */
export type KeyProgress = (done: number, asked: number) => void;

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
  rsaKey: async (_label, bits) => (await import('./formats/rsa-key.js')).generateRsaKey(bits),
  ecKey: async (_label, curve) => (await import('./formats/rsa-key.js')).generateEcKey(curve),
  uuid: () => randomUUID(),
  text: (_label, length, alphabet) =>
    Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join(''),
};

/** The same with RSA keys that OpenSSL makes as a whole: for a cluster in FIPS mode (decision 0003). */
export const approvedChance: ChanceSource = {
  ...realChance,
  rsaKey: async (_label, bits) => (await import('./formats/rsa-key.js')).generateApprovedRsaKey(bits),
};

export interface DrawsInHand {
  readonly draws: Draws;
  /** Kept and new draws together, by label, to be kept in the state file. */
  readonly taken: () => Readonly<Record<string, string>>;
  /** Kept draws that were asked for and do not do, by label, with the reason. Others were drawn in their place. */
  readonly unfit: () => Readonly<Record<string, string>>;
}

/** Draws over those already made. */
export function drawsOver(
  kept: Readonly<Record<string, string>>,
  { source = realChance, onKey = () => undefined }: { source?: ChanceSource; onKey?: KeyProgress } = {},
): DrawsInHand {
  const values = new Map<string, string>();
  const unfit = new Map<string, string>();
  const underWay = new Map<string, Promise<string>>();
  const counted = countKeys(onKey);

  /** What is kept of a label, unless it does not do. */
  const keptOf = (label: string, whyUnfit: (value: string) => string | undefined): string | undefined => {
    const value = values.get(label) ?? kept[label];
    if (value === undefined || values.has(label)) return value;
    const reason = whyUnfit(value);
    if (reason === undefined) values.set(label, value);
    else unfit.set(label, reason);
    return reason === undefined ? value : undefined;
  };
  const later = async (label: string, known: string | undefined, draw: Draw): Promise<string> => {
    if (known !== undefined) return known;
    const pending = underWay.get(label) ?? Promise.resolve(draw());
    underWay.set(label, pending);
    const value = await pending;
    values.set(label, value);
    return value;
  };
  const atOnce = (label: string, known: string | undefined, draw: () => string): string => {
    const value = known ?? draw();
    values.set(label, value);
    return value;
  };
  const draws: Draws = {
    rsaKey: (name, bits) => {
      const label = `key/rsa-${bits}/${name}`;
      const known = keptOf(label, (pem) => whyNotRsaKey(pem, bits));
      return later(label, known, () => counted(source.rsaKey(name, bits)));
    },
    ecKey: (name, curve) => {
      const label = `key/${curve.toLowerCase()}/${name}`;
      const known = keptOf(label, (pem) => whyNotEcKey(pem, curve));
      return later(label, known, () => counted(source.ecKey(name, curve)));
    },
    once: (label, form, draw) => later(label, keptOf(label, unlike(form)), draw),
    uuid: (name) => {
      const label = `uuid/${name}`;
      return atOnce(label, keptOf(label, unlike(uuidForm)), () => source.uuid(name));
    },
    text: (name, length, alphabet) => {
      const label = `text/${name}`;
      const known = keptOf(label, (value) =>
        value.length === length && Array.from(value).every((each) => alphabet.includes(each))
          ? undefined
          : `expected ${length} characters of ${alphabet}`,
      );
      return atOnce(label, known, () => source.text(name, length, alphabet));
    },
  };
  return {
    draws,
    // What was not asked for this time is kept as it is.
    taken: () => ({ ...kept, ...Object.fromEntries(values) }),
    unfit: () => Object.fromEntries(unfit),
  };
}

type Draw = () => string | Promise<string>;

/** RFC 9562 §4 */
const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function unlike(form: RegExp): (value: string) => string | undefined {
  return (value) => (form.test(value) ? undefined : `expected text of the form ${form.source}`);
}

function countKeys(onKey: KeyProgress): (key: Promise<string>) => Promise<string> {
  let asked = 0;
  let done = 0;
  return async (key) => {
    asked += 1;
    const pem = await key;
    done += 1;
    onKey(done, asked);
    return pem;
  };
}
