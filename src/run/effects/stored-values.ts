import { byCodeUnit } from '../../core/compare.js';
import { readEcKey, readRsaKey, type PrivateKey } from '../../formats/keys/private-key.js';
import type { EcCurve, RsaBits } from '../../graph/context.js';

/** A generated value: its label in the state file and the parser of its stored text. */
export interface ValueRequest<Value = string> {
  readonly label: string;
  readonly read: (text: string) => { readonly value: Value } | { readonly fault: string };
}

/** One request per method of `Draws`. */
export const valueRequests = {
  rsaKey: (name: string, bits: RsaBits): ValueRequest<PrivateKey> => ({
    label: `key/rsa-${bits}/${name}`,
    read: (pem) => readRsaKey(pem, bits),
  }),
  ecKey: (name: string, curve: EcCurve): ValueRequest<PrivateKey> => ({
    label: `key/${curve.toLowerCase()}/${name}`,
    read: (pem) => readEcKey(pem, curve),
  }),
  bcryptHash: (name: string): ValueRequest => ({ label: `bcrypt/${name}`, read: textOf(bcryptForm) }),
  once: (label: string, form: RegExp): ValueRequest => ({ label, read: textOf(form) }),
  uuid: (name: string): ValueRequest => ({ label: `uuid/${name}`, read: textOf(uuidForm) }),
  text: (name: string, length: number, alphabet: string): ValueRequest => ({
    label: `text/${name}`,
    read: (text) =>
      text.length === length && Array.from(text).every((each) => alphabet.includes(each))
        ? { value: text }
        : { fault: `expected ${length} characters of ${alphabet}` },
  }),
};

/** Values of a state file, each validated when it is used. */
export interface StoredValues {
  /** The stored value, if it is valid. */
  readonly fitting: <Value>(ask: ValueRequest<Value>) => Value | undefined;
  /** Invalid values by label, with the reason. */
  readonly unusable: () => Readonly<Record<string, string>>;
  /** Whether a value is not stored and must not be generated. */
  readonly isMissing: (ask: Pick<ValueRequest, 'label'>) => boolean;
  /** Labels of requested values of this kind. */
  readonly missing: () => readonly string[];
}

/** Labels that must not be generated: they cannot be stored, or `state prune` removed them. */
export type Refusal = (label: string) => boolean;

export function storedValues(
  kept: Readonly<Record<string, string>>,
  isRefused: Refusal = () => false,
): StoredValues {
  const isMissing = ({ label }: Pick<ValueRequest, 'label'>): boolean =>
    kept[label] === undefined && isRefused(label);
  const missing = new Set<string>();
  const unusable = new Map<string, string>();
  return {
    fitting: (ask) => {
      const { label, read } = ask;
      const text = kept[label];
      if (isMissing(ask)) missing.add(label);
      if (text === undefined) return undefined;
      const reading = read(text);
      if ('value' in reading) return reading.value;
      unusable.set(label, reading.fault);
      return undefined;
    },
    unusable: () => Object.fromEntries(unusable),
    isMissing,
    missing: () => [...missing].sort(byCodeUnit),
  };
}

/** RFC 9562 §4 */
const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Source: golang.org/x/crypto/bcrypt; 22 characters of salt and 31 of hash */
const bcryptForm = /^\$2[aby]\$[0-9]{2}\$[./A-Za-z0-9]{53}$/;

function textOf(form: RegExp): ValueRequest['read'] {
  return (text) =>
    form.test(text) ? { value: text } : { fault: `expected text of the form ${form.source}` };
}
