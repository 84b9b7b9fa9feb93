import type { Identity } from 'age-encryption';

/** Who can read what is encrypted: the holders of identities, or whoever knows a passphrase (a file of age takes one or the other). */
export type Seal = { readonly recipients: readonly string[] } | { readonly passphrase: string };

/** What opens encrypted files: identities, `AGE-SECRET-KEY-1…` each, and passphrases. */
export interface AgeKeys {
  readonly identities: readonly string[];
  readonly passphrases: readonly string[];
}

/** How a file is encrypted, as its header says it. */
export type SealedBy = 'recipients' | 'passphrase';

/** What came of opening a file. `no-key`: none of the keys is one of its; `damaged`: it is not as it was written. */
export type Opened = { readonly bytes: Uint8Array } | { readonly fault: 'no-key' | 'damaged' };

/** Source: the age format, age-encryption.org/v1, "Version line" and "ASCII armor" */
const armorHeader = '-----BEGIN AGE ENCRYPTED FILE-----';
const versionLine = 'age-encryption.org/v1\n';

/** Whether bytes are those of a file of age, armored or not. */
export function isAge(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 256)).toString('latin1');
  return head.trimStart().startsWith(armorHeader) || head.startsWith(versionLine);
}

/** Encrypts a text, with armor: lines of ASCII, other ones each time. The recipients are sound ones. */
export async function encryptAge(text: string | Uint8Array, seal: Seal): Promise<string> {
  const { armor, Encrypter } = await loadAge();
  const encrypter = new Encrypter();
  if ('passphrase' in seal) encrypter.setPassphrase(seal.passphrase);
  else for (const recipient of seal.recipients) encrypter.addRecipient(recipient);
  return armor.encode(await encrypter.encrypt(text));
}

/** Opens a file with whichever of the keys it has; `sealedBy` is what its header says. */
export async function decryptAge(
  bytes: Uint8Array,
  keys: AgeKeys,
): Promise<Opened & { readonly sealedBy: SealedBy }> {
  const { armor, Decrypter } = await loadAge();
  let binary: Uint8Array;
  try {
    binary = isArmored(bytes) ? armor.decode(Buffer.from(bytes).toString('latin1')) : bytes;
  } catch {
    return { fault: 'damaged', sealedBy: 'recipients' };
  }
  const sealedBy = sealedByOf(binary);
  const decrypter = new Decrypter();
  // A passphrase is stretched for a second, so it is tried only where it can be one.
  if (sealedBy === 'passphrase') for (const each of keys.passphrases) decrypter.addPassphrase(each);
  else for (const each of keys.identities) decrypter.addIdentity(each);
  const witness = lastIdentity();
  decrypter.addIdentity(witness);
  try {
    return { bytes: await decrypter.decrypt(binary), sealedBy };
  } catch {
    return { fault: witness.wasAsked() ? 'no-key' : 'damaged', sealedBy };
  }
}

/** Opens nothing, and knows whether it was asked to: the last one is asked when no other had an answer. */
function lastIdentity(): Identity & { readonly wasAsked: () => boolean } {
  let wasAsked = false;
  return {
    unwrapFileKey: () => {
      wasAsked = true;
      return null;
    },
    wasAsked: () => wasAsked,
  };
}

/** Why a text is no recipient that can be encrypted to; undefined when it is one. Never repeats it: it may be an identity. */
export async function whyNoRecipient(text: string): Promise<string | undefined> {
  if (/^ssh-/.test(text))
    return 'is an SSH key, which cannot be encrypted to here: `age-keygen` makes a key that can';
  if (/^AGE-SECRET-KEY-/i.test(text))
    return 'is an identity, which must stay secret: the recipient is its public key';
  if (!/^age1(?:pq1)?[02-9ac-hj-np-z]+$/.test(text) || isHardwareRecipient(text))
    return 'is no recipient of age: those begin with `age1`, as `age-keygen -y` prints them';
  const { Encrypter } = await loadAge();
  try {
    new Encrypter().addRecipient(text);
    return undefined;
  } catch {
    return 'is mistyped: its checksum does not match';
  }
}

/** Recipients of plugins and of hardware keys are longer or shorter than those of X25519; only a plugin could open the file again. */
function isHardwareRecipient(text: string): boolean {
  return !text.startsWith('age1pq1') && text.length !== x25519RecipientLength;
}

/** `age1`, 32 bytes in groups of five bits, and a checksum of six characters (BIP 173). */
const x25519RecipientLength = 62;

/** Why a text is no identity that opens files; undefined when it is one. Never repeats it. */
export async function whyNoIdentity(text: string): Promise<string | undefined> {
  if (/^AGE-PLUGIN-/i.test(text)) return 'is the identity of a plugin, and plugins are not run';
  if (!/^AGE-SECRET-KEY-/.test(text)) return 'is no identity of age: those begin with `AGE-SECRET-KEY-1`';
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

/** The stanza of a passphrase is the only one of its file (age-encryption.org/v1, "The scrypt recipient type"). */
function sealedByOf(binary: Uint8Array): SealedBy {
  const head = Buffer.from(binary.subarray(0, 64)).toString('latin1');
  return head.startsWith(`${versionLine}-> scrypt `) ? 'passphrase' : 'recipients';
}

/** Takes a quarter of a second to load: only those who encrypt wait for it. */
function loadAge() {
  return import('age-encryption');
}
