import { byCodeUnit } from '../../core/compare.js';
import { sha256 } from '../../formats/sha256.js';
import { list, members, names, text, truth } from '../state/state-shape.js';

/** Which keys a site draws, as far as they are worth drawing ahead. */
export interface KeyNeed {
  /** Labels of draws as the state file has them, such as `key/rsa-2048/tls/root-ca`; sorted. */
  readonly labels: readonly string[];
  /** Whether OpenSSL is to make them as a whole, for FIPS mode (decision 0003). */
  readonly isApproved: boolean;
}

/** The keys of one site, which has not been decided yet. */
export interface KeyKit {
  /** Of the pool it was drawn for. */
  readonly pool: string;
  /** Its own: no other kit has it. */
  readonly id: string;
  readonly isApproved: boolean;
  /** PKCS#8 PEM, by label. */
  readonly keys: Readonly<Record<string, string>>;
}

/** What a name of a pool or a kit looks like: 32 hexadecimal digits. */
export const idForm = /^[0-9a-f]{32}$/;

/** The name of a need: 12 hexadecimal digits, the same for the same labels. */
export function needName({ labels, isApproved }: KeyNeed): string {
  return sha256(JSON.stringify([isApproved, ...labels])).slice(0, 12);
}

/** A need as `need.json` has it, which holds no secret. */
export function needText({ labels, isApproved }: KeyNeed): string {
  return `${JSON.stringify({ version: 1, approved: isApproved, labels }, null, 2)}\n`;
}

/** Undefined for a text that is no need. */
export function readNeed(bytes: Uint8Array): KeyNeed | undefined {
  const value = jsonOf(bytes);
  if (!isNeed(value)) return undefined;
  return { labels: [...value.labels].sort(byCodeUnit), isApproved: value.approved };
}

/** A kit as it is encrypted. */
export function kitText({ pool, id, isApproved, keys }: KeyKit): string {
  return JSON.stringify({ version: 1, pool, kit: id, approved: isApproved, keys });
}

/** Undefined for a text that is no kit. */
export function readKit(bytes: Uint8Array): KeyKit | undefined {
  const value = jsonOf(bytes);
  if (!isKit(value)) return undefined;
  return { pool: value.pool, id: value.kit, isApproved: value.approved, keys: value.keys };
}

interface WrittenNeed {
  readonly approved: boolean;
  readonly labels: readonly string[];
}

interface WrittenKit {
  readonly pool: string;
  readonly kit: string;
  readonly approved: boolean;
  readonly keys: Readonly<Record<string, string>>;
}

const labelShape = text('a label of an RSA key', (value) => /^key\/rsa-(?:2048|3072|4096)\/./.test(value));
const idShape = text('32 hexadecimal digits', (value) => idForm.test(value));
const needShape = members({ approved: truth, labels: list(labelShape) });
const kitShape = members({
  pool: idShape,
  kit: idShape,
  approved: truth,
  keys: names(text(), labelShape),
});

function isNeed(value: unknown): value is WrittenNeed {
  return needShape(value, '') === undefined;
}

function isKit(value: unknown): value is WrittenKit {
  return kitShape(value, '') === undefined;
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return undefined;
  }
}
