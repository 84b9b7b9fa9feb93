import { createHmac } from 'node:crypto';

import { authSecretPattern, clearKeyPattern, redactSecrets } from '../../core/secrets.js';
import { sha256 } from '../../formats/sha256.js';

/**
 * Whether a plain hash of the file would allow guessing a secret in it. True if the file may contain a secret, and none long
 * enough to resist guessing. Errs on the side of true, because a keyed hash works as well (decision 38).
 */
export function isGuessable(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes).toString('utf8');
  return mayHoldSecret(text) && !holdsLongSecret(text);
}

/** Recognizes secrets by the shared patterns, Kubernetes Secrets, embedded base64 files, and network keys. */
function mayHoldSecret(text: string): boolean {
  return redactSecrets(text) !== text || authSecretPattern.test(text) || hidingPlaces.test(text);
}

const hidingPlaces =
  /\bkind["']?\s*:\s*["']?Secret\b|;base64,|(?:psk|wep-key|pass(?:word|wd|phrase)?|secret|token)[\w-]*["']?\s*[:=]/i;

/** A private key, or a registry login with a long password, such as a robot token. */
function holdsLongSecret(text: string): boolean {
  if (clearKeyPattern.test(text)) return true;
  const logins = text.matchAll(/\\*"auth\\*"\s*:\s*\\*"([A-Za-z0-9+/=]+)/g);
  return [...logins].some(([, login = '']) => {
    const [, ...password] = Buffer.from(login, 'base64').toString('latin1').split(':');
    return password.join(':').length >= longPassword;
  });
}

/** 95 bits for random characters from an alphabet of 27 or more. */
const longPassword = 20;

/**
 * HMAC-SHA256 (hex) of a file. The key is derived from an output that contains private keys. That output already gives access to
 * every secret of the cluster. Without it, the HMAC cannot be computed. The key differs from the output's plain hash, which the
 * receipt contains.
 */
export function keyedHash(keyHolder: Uint8Array, bytes: Uint8Array): string {
  const key = sha256(Buffer.concat([Buffer.from('sno-install receipt key\0'), keyHolder]));
  return createHmac('sha256', Buffer.from(key, 'hex')).update(bytes).digest('hex');
}
