import { randomBytes } from 'node:crypto';

import { bcrypt, bcryptVerify } from 'hash-wasm';

/** 2^10 rounds. Source: golang.org/x/crypto/bcrypt DefaultCost, which the installer and the OAuth server use */
const cost = 10;

/** Bytes of a password that count. Source: golang.org/x/crypto/bcrypt, "up to 72 bytes" */
const maxPasswordBytes = 72;

/** The bcrypt hash of a password under a fresh salt, in the `$2a$` form that Go writes. Takes some 50 ms of the thread it is called on. */
export function bcryptHash(password: string): Promise<string> {
  return bcrypt({
    password: counting(password),
    salt: randomBytes(16),
    costFactor: cost,
    outputType: 'encoded',
  });
}

/** Whether the hash is that of the password. */
export function bcryptMatches(password: string, hashed: string): Promise<boolean> {
  // The letter tells which old implementation a hash comes from; on ASCII they agree.
  return bcryptVerify({ password: counting(password), hash: hashed.replace(/^\$2[bxy]\$/, '$2a$') });
}

/** Whether a text has the form of a bcrypt hash. */
export function isBcryptHash(text: string): boolean {
  return /^\$2[abxy]\$(0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{53}$/.test(text);
}

function counting(password: string): Buffer {
  return Buffer.from(password).subarray(0, maxPasswordBytes);
}
