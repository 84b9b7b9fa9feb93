import { randomBytes } from 'node:crypto';

import { bcrypt, bcryptVerify } from 'hash-wasm';

/** 2^10 rounds. Source: golang.org/x/crypto/bcrypt DefaultCost, used by the installer and the OAuth server */
const cost = 10;

/** bcrypt ignores further bytes of a password. Source: golang.org/x/crypto/bcrypt, "up to 72 bytes" */
const maxPasswordBytes = 72;

/** Hashes a password with a new salt, in the `$2a$` form of Go. Blocks its thread for about 50 ms. */
export function bcryptHash(password: string): Promise<string> {
  return bcrypt({
    password: counting(password),
    salt: randomBytes(16),
    costFactor: cost,
    outputType: 'encoded',
  });
}

export function bcryptMatches(password: string, hashed: string): Promise<boolean> {
  // The letter identifies an old implementation; all of them agree on ASCII.
  return bcryptVerify({ password: counting(password), hash: hashed.replace(/^\$2[bxy]\$/, '$2a$') });
}

/** Checks only the form. */
export function isBcryptHash(text: string): boolean {
  return /^\$2[abxy]\$(0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{53}$/.test(text);
}

function counting(password: string): Buffer {
  return Buffer.from(password).subarray(0, maxPasswordBytes);
}
