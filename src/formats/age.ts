import type { Identity } from 'age-encryption';

/** Recipients or a passphrase. An age file is encrypted to one or the other. */
export type Seal = { readonly recipients: readonly string[] } | { readonly passphrase: string };

/** Keys that decrypt files: identities (`AGE-SECRET-KEY-1…`) and passphrases. */
export interface AgeKeys {
  readonly identities: readonly string[];
  readonly passphrases: readonly string[];
}

/** Kind of encryption in the header of a file. */
export type SealedBy = 'recipients' | 'passphrase';

/** Result of decryption. `no-key`: none of the keys matches; `damaged`: the file was modified or cut off. */
export type DecryptResult = { readonly bytes: Uint8Array } | { readonly fault: 'no-key' | 'damaged' };

/** Source: the age format, age-encryption.org/v1, "Version line" and "ASCII armor" */
const armorHeader = '-----BEGIN AGE ENCRYPTED FILE-----';
const versionLine = 'age-encryption.org/v1\n';

/** Whether the bytes are an age file, armored or binary. */
export function isAge(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 256)).toString('latin1');
  return head.trimStart().startsWith(armorHeader) || head.startsWith(versionLine);
}

/** Encrypts to an armored file. The output differs on each call. Recipients must be valid. */
export async function encryptAge(text: string | Uint8Array, seal: Seal): Promise<string> {
  const { armor } = await loadAge();
  return armor.encode(await encryptAgeBinary(text, seal));
}

/** Like `encryptAge`, without armor, which adds a third. */
export async function encryptAgeBinary(text: string | Uint8Array, seal: Seal): Promise<Uint8Array> {
  const { Encrypter } = await loadAge();
  const encrypter = new Encrypter();
  if ('passphrase' in seal) encrypter.setPassphrase(seal.passphrase);
  else for (const recipient of seal.recipients) encrypter.addRecipient(recipient);
  return encrypter.encrypt(text);
}

/** Decrypts with any of the keys. `sealedBy` comes from the header. */
export async function decryptAge(
  bytes: Uint8Array,
  keys: AgeKeys,
): Promise<DecryptResult & { readonly sealedBy: SealedBy }> {
  const { armor, Decrypter } = await loadAge();
  let binary: Uint8Array;
  try {
    binary = isArmored(bytes) ? armor.decode(Buffer.from(bytes).toString('latin1')) : bytes;
  } catch {
    return { fault: 'damaged', sealedBy: 'recipients' };
  }
  const sealedBy = sealedByOf(binary);
  const decrypter = new Decrypter();
  // Deriving a key from a passphrase takes a second, so passphrases are tried only on files that use one.
  if (sealedBy === 'passphrase') for (const each of keys.passphrases) decrypter.addPassphrase(each);
  else for (const each of keys.identities) decrypter.addIdentity(each);
  const witness = witnessIdentity();
  decrypter.addIdentity(witness);
  try {
    return { bytes: await decrypter.decrypt(binary), sealedBy };
  } catch {
    return { fault: witness.wasTried() ? 'no-key' : 'damaged', sealedBy };
  }
}

/** Never decrypts. Records that it was tried, which happens only if no other identity matches. */
function witnessIdentity(): Identity & { readonly wasTried: () => boolean } {
  let wasTried = false;
  return {
    unwrapFileKey: () => {
      wasTried = true;
      return null;
    },
    wasTried: () => wasTried,
  };
}

/** Explains why a text is not a valid recipient; undefined if it is. Never quotes the text, which may be an identity. */
export async function recipientFault(text: string): Promise<string | undefined> {
  if (/^ssh-/.test(text))
    return 'is an SSH key, which is not supported as a recipient: create a key with `age-keygen`';
  if (/^AGE-SECRET-KEY-/i.test(text))
    return 'is an identity, which must stay secret: the recipient is its public key';
  if (!/^age1(?:pq1)?[02-9ac-hj-np-z]+$/.test(text) || isHardwareRecipient(text))
    return 'is not an age recipient: write the `age1…` line that `age-keygen -y` prints';
  const { Encrypter } = await loadAge();
  try {
    new Encrypter().addRecipient(text);
    return undefined;
  } catch {
    return 'is mistyped: its checksum does not match';
  }
}

/** Recipients of plugins and hardware keys differ in length from X25519 ones. Only a plugin could decrypt such a file. */
function isHardwareRecipient(text: string): boolean {
  return !text.startsWith('age1pq1') && text.length !== x25519RecipientLength;
}

/** `age1`, 32 bytes in groups of five bits, and a checksum of six characters (BIP 173). */
const x25519RecipientLength = 62;

/** Explains why a text is not a valid identity; undefined if it is. Never quotes the text. */
export async function identityFault(text: string): Promise<string | undefined> {
  if (/^AGE-PLUGIN-/i.test(text)) return 'is the identity of a plugin, and plugins are not run';
  if (!/^AGE-SECRET-KEY-/.test(text))
    return 'is not an age identity: identities start with `AGE-SECRET-KEY-1`';
  const { Decrypter } = await loadAge();
  try {
    new Decrypter().addIdentity(text);
    return undefined;
  } catch {
    return 'is damaged: its checksum does not match';
  }
}

function isArmored(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 256)).toString('latin1').trimStart().startsWith(armorHeader);
}

/** A passphrase stanza is always the only stanza of its file (age-encryption.org/v1, "The scrypt recipient type"). */
function sealedByOf(binary: Uint8Array): SealedBy {
  const head = Buffer.from(binary.subarray(0, 64)).toString('latin1');
  return head.startsWith(`${versionLine}-> scrypt `) ? 'passphrase' : 'recipients';
}

/** Loaded on demand, since it takes a quarter of a second. */
function loadAge() {
  return import('age-encryption');
}
