import { byCodeUnit } from '../core/compare.js';
import { whyNotEcKey, whyNotRsaKey } from '../formats/keys/kept-key.js';
import type { EcCurve, RsaBits } from '../graph/context.js';

/** What a draw is kept under, and why a kept value does not do; undefined when it does. */
export interface Ask {
  readonly label: string;
  readonly whyUnfit: (value: string) => string | undefined;
}

/** What can be asked for, by the names of `Draws`. */
export const asks = {
  rsaKey: (name: string, bits: RsaBits): Ask => ({
    label: `key/rsa-${bits}/${name}`,
    whyUnfit: (pem) => whyNotRsaKey(pem, bits),
  }),
  ecKey: (name: string, curve: EcCurve): Ask => ({
    label: `key/${curve.toLowerCase()}/${name}`,
    whyUnfit: (pem) => whyNotEcKey(pem, curve),
  }),
  bcryptHash: (name: string): Ask => ({ label: `bcrypt/${name}`, whyUnfit: unlike(bcryptForm) }),
  once: (label: string, form: RegExp): Ask => ({ label, whyUnfit: unlike(form) }),
  uuid: (name: string): Ask => ({ label: `uuid/${name}`, whyUnfit: unlike(uuidForm) }),
  text: (name: string, length: number, alphabet: string): Ask => ({
    label: `text/${name}`,
    whyUnfit: (value) =>
      value.length === length && Array.from(value).every((each) => alphabet.includes(each))
        ? undefined
        : `expected ${length} characters of ${alphabet}`,
  }),
};

/** The draws of a state file, each believed only where it is what is asked for. */
export interface KeptDraws {
  /** What is kept of what is asked for, where it does. */
  readonly fitting: (ask: Ask) => string | undefined;
  /** What was asked for and does not do, by label, with the reason. */
  readonly unfit: () => Readonly<Record<string, string>>;
  /** Whether something is not kept and may not be drawn either. */
  readonly isLacking: (ask: Ask) => boolean;
  /** What was asked for and is so, by label. */
  readonly lacking: () => readonly string[];
}

/** Labels that may not be drawn: where there is nowhere to keep them, or they were taken out for good. */
export type Refusal = (label: string) => boolean;

/** The draws of a state file, judged as they are asked for. */
export function keptDraws(
  kept: Readonly<Record<string, string>>,
  isRefused: Refusal = () => false,
): KeptDraws {
  const isLacking = ({ label }: Ask): boolean => kept[label] === undefined && isRefused(label);
  const lacking = new Set<string>();
  const unfit = new Map<string, string>();
  return {
    fitting: (ask) => {
      const { label, whyUnfit } = ask;
      const value = kept[label];
      if (isLacking(ask)) lacking.add(label);
      if (value === undefined) return undefined;
      const reason = whyUnfit(value);
      if (reason === undefined) return value;
      unfit.set(label, reason);
      return undefined;
    },
    unfit: () => Object.fromEntries(unfit),
    isLacking,
    lacking: () => [...lacking].sort(byCodeUnit),
  };
}

/** RFC 9562 §4 */
const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Source: golang.org/x/crypto/bcrypt; 22 characters of salt and 31 of hash */
const bcryptForm = /^\$2[aby]\$[0-9]{2}\$[./A-Za-z0-9]{53}$/;

function unlike(form: RegExp): Ask['whyUnfit'] {
  return (value) => (form.test(value) ? undefined : `expected text of the form ${form.source}`);
}
