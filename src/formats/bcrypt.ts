import { compare, genSalt, hash } from 'bcryptjs';

/** 2^10 rounds. Source: golang.org/x/crypto/bcrypt DefaultCost, which the installer and the OAuth server use */
const cost = 10;

/** The bcrypt hash of a password under a fresh salt, in the `$2a$` form that Go writes. */
export async function bcryptHash(password: string): Promise<string> {
  // The letter tells which old implementation a hash comes from; below 256 characters of ASCII all give the same bytes.
  return hash(password, (await genSalt(cost)).replace(/^\$2[a-z]\$/, '$2a$'));
}

/** Whether the hash is that of the password. */
export function bcryptMatches(password: string, hashed: string): Promise<boolean> {
  return compare(password, hashed);
}

/** Whether a text has the form of a bcrypt hash. */
export function isBcryptHash(text: string): boolean {
  return /^\$2[abxy]\$(0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{53}$/.test(text);
}
