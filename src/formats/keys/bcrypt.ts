import { compare, genSalt, hash } from 'bcrypt';

/** 2^10 rounds. Source: golang.org/x/crypto/bcrypt DefaultCost, which the installer and the OAuth server use */
const cost = 10;

/** The bcrypt hash of a password under a fresh salt, in the `$2a$` form that Go writes. Takes a thread of the pool. */
export async function bcryptHash(password: string): Promise<string> {
  return hash(password, await genSalt(cost, 'a'));
}

/** Whether the hash is that of the password. */
export function bcryptMatches(password: string, hashed: string): Promise<boolean> {
  // The letter tells which old implementation a hash comes from; on ASCII they agree.
  return compare(password, hashed.replace(/^\$2[xy]\$/, '$2b$'));
}

/** Whether a text has the form of a bcrypt hash. */
export function isBcryptHash(text: string): boolean {
  return /^\$2[abxy]\$(0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{53}$/.test(text);
}
