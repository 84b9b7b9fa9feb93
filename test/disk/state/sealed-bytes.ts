import { armor, Encrypter } from 'age-encryption';

import { encryptAge } from '../../../src/formats/age.js';

/** What is encrypted to recipients. */
export async function sealedTo(text: string, ...recipients: readonly string[]): Promise<Buffer> {
  return Buffer.from(await encryptAge(text, { recipients }));
}

/** What is encrypted by a passphrase, which is stretched as little as it can be: how long it takes to guess is not looked at. */
export async function sealedByPassphrase(text: string, passphrase: string): Promise<Buffer> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(1);
  return Buffer.from(armor.encode(await encrypter.encrypt(text)));
}

/** What was encrypted, and changed afterwards. */
export function damaged(sealed: Buffer): Buffer {
  const bytes = armor.decode(sealed.toString('latin1'));
  return Buffer.from(armor.encode(bytes.map((byte, at) => (at === bytes.length - 1 ? byte ^ 1 : byte))));
}
