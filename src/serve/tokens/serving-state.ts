import { sortedRecord } from '../../core/map-record.js';
import { problem } from '../../core/problem.js';
import { Redacted } from '../../core/redacted.js';
import { failure, success, type Result } from '../../core/result.js';
import { readTrustedFile } from '../../disk/trust.js';
import { replaceFile } from '../../disk/replace-file.js';
import { openFileSealed } from '../../disk/state/open-state.js';
import {
  countShape,
  listShape,
  objectShape,
  recordShape,
  textShape,
  type Shape,
} from '../../disk/state/state-shape.js';
import type { StateAccess } from '../../disk/state/state-access.js';
import { encryptAge, recipientFault, type Seal, type SealedBy } from '../../formats/age.js';
import { checkedAs } from '../../formats/apply-schema.js';
import { parseJson } from '../../formats/json.js';
import { KeyPem } from '../../formats/keys/key-pem.js';

/** The secrets of the server: token key and CA. */
export interface ServingState {
  /** 256 bits in base64url. All tokens are derived from it. */
  readonly tokenKey: Redacted<string>;
  /** How often the token of each site was revoked; sites with 0 are omitted. */
  readonly generations: Readonly<Record<string, number>>;
  /** How often the viewer token of the page was revoked. */
  readonly viewerGeneration: number;
  /** The CA that signs the server certificate if the user provides none. */
  readonly authority: { readonly keyPem: KeyPem; readonly certPem: string };
  /** The age recipients of an encrypted file. */
  readonly recipients?: readonly string[];
}

export interface StoredServing {
  readonly state: ServingState;
  /** Absent if the file is plain text. */
  readonly sealedBy?: SealedBy;
}

const stateVersion = 1;

/** The token file: the secrets are plain text. */
interface ServingDocument extends Omit<ServingState, 'tokenKey' | 'authority'> {
  readonly version: number;
  readonly tokenKey: string;
  readonly authority: { readonly keyPem: string; readonly certPem: string };
}

const pem = textShape('PEM', (value) => value.startsWith('-----BEGIN '));
const generation: Shape = countShape;
const shape = objectShape(
  {
    version: countShape,
    tokenKey: textShape('32 bytes in base64url', (value) => Buffer.from(value, 'base64url').length === 32),
    generations: recordShape(generation),
    viewerGeneration: generation,
    authority: objectShape({ keyPem: pem, certPem: pem }),
  },
  { recipients: listShape(textShape()) },
);

/** The default name of the token file. */
export const servingStateName = '.sno-install-serve.json';

/** `hasOwn`, because a site may have the name of an inherited property such as `constructor`. */
export function generationOf({ generations }: Pick<ServingState, 'generations'>, name: string): number {
  return Object.hasOwn(generations, name) ? (generations[name] ?? 0) : 0;
}

/** Reads and decrypts the token file; undefined if it does not exist. Problems: media/serve-state, and those of decryption. */
export async function readServingState(
  path: string,
  access: StateAccess,
): Promise<Result<StoredServing | undefined>> {
  const read = readTrustedFile(path);
  if (read.kind === 'absent') return success(undefined);
  if (read.kind === 'unreadable') return unreadable(path, read.reason);
  const opened = await openFileSealed(read.bytes, path, access);
  if (!opened.ok) return opened;
  const { bytes, sealedBy } = opened.value;
  const value = parseJson(Buffer.from(bytes).toString('utf8'));
  const fault = shape(value, '');
  if (fault !== undefined)
    return unreadable(path, `${fault.path === '' ? 'it' : fault.path} is not ${fault.expected}`);
  const { version, ...document } = checkedAs<ServingDocument>(value);
  if (version !== stateVersion)
    return unreadable(path, `it has version ${version}, expected ${stateVersion}`);
  const state = stateOf(document);
  const reasons = await Promise.all((state.recipients ?? []).map(recipientFault));
  const faulty = reasons.findIndex((reason) => reason !== undefined);
  return faulty === -1
    ? success({ state, ...(sealedBy && { sealedBy }) })
    : unreadable(path, `recipients[${faulty}] ${reasons[faulty] ?? ''}`);
}

function stateOf(document: Omit<ServingDocument, 'version'>): ServingState {
  const { keyPem, certPem } = document.authority;
  return {
    ...document,
    tokenKey: new Redacted(document.tokenKey),
    authority: { keyPem: new KeyPem(keyPem), certPem },
  };
}

/**
 * Writes the token file with owner-only permissions, encrypted if `seal` is set. Stores the recipients in it. Problems:
 * dir/not-writable.
 */
export async function writeServingState(
  path: string,
  state: ServingState,
  seal: Seal | undefined,
): Promise<Result<void>> {
  const { generations, tokenKey, authority, ...rest } = state;
  const value: ServingDocument & { readonly note: string } = {
    note: 'this file gives access to every medium: protect it like a password',
    tokenKey: tokenKey.reveal(),
    ...rest,
    authority: { keyPem: authority.keyPem.reveal(), certPem: authority.certPem },
    version: stateVersion,
    generations: sortedRecord(Object.entries(generations)),
    ...(seal && 'recipients' in seal && { recipients: seal.recipients }),
  };
  const json = `${JSON.stringify(value, null, 2)}\n`;
  return replaceFile(path, seal ? await encryptAge(json, seal) : json);
}

function unreadable(path: string, reason: string): Result<never> {
  const hint =
    'restore it from a backup, or name another file with --tokens; a new file has new tokens and a new CA';
  return failure(
    problem('media/serve-state', `${path} cannot be used: ${reason}`, { at: { file: path }, hint }),
  );
}
