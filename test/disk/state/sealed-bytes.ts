import { armor, Encrypter } from 'age-encryption';

import { encryptAge } from '../../../src/formats/age.js';

export async function sealedTo(text: string, ...recipients: readonly string[]): Promise<Buffer> {
  return Buffer.from(await encryptAge(text, { recipients }));
}

/** Encrypts with a passphrase and the lowest scrypt work factor, for speed. */
export async function sealedByPassphrase(text: string, passphrase: string): Promise<Buffer> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(1);
  return Buffer.from(armor.encode(await encrypter.encrypt(text)));
}

/** The same age file with its last byte changed. */
export function damaged(sealed: Buffer): Buffer {
  const bytes = armor.decode(sealed.toString('latin1'));
  return Buffer.from(armor.encode(bytes.map((byte, at) => (at === bytes.length - 1 ? byte ^ 1 : byte))));
}
