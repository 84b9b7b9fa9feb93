import { createHmac } from 'node:crypto';

import { authSecretPattern, clearKeyPattern, withoutSecrets } from '../../core/secrets.js';
import { sha256 } from '../../formats/sha256.js';

/**
 * Whether a plain hash of a file would let somebody who knows the rest of it find a secret in it by trying: it may hold one, and none
 * that is too long for that. What may hold one is judged generously: the other hash serves as well (decision 38).
 */
export function isGuessable(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes).toString('utf8');
  return mayHoldSecret(text) && !holdsLongSecret(text);
}

/** What the one vocabulary of secrets knows, Secrets, files within files, and keys of networks. */
function mayHoldSecret(text: string): boolean {
  return withoutSecrets(text) !== text || authSecretPattern.test(text) || hidingPlaces.test(text);
}

const hidingPlaces =
  /\bkind["']?\s*:\s*["']?Secret\b|;base64,|(?:psk|wep-key|pass(?:word|wd|phrase)?|secret|token)[\w-]*["']?\s*[:=]/i;

/** A private key, or the login of a registry with a password of as many characters as nobody tries: a robot's, or a token. */
function holdsLongSecret(text: string): boolean {
  if (clearKeyPattern.test(text)) return true;
  const logins = text.matchAll(/\\*"auth\\*"\s*:\s*\\*"([A-Za-z0-9+/=]+)/g);
  return [...logins].some(([, login = '']) => {
    const [, ...password] = Buffer.from(login, 'base64').toString('latin1').split(':');
    return password.join(':').length >= longPassword;
  });
}

/** 95 bits where its characters are drawn from 27 or more. */
const longPassword = 20;

/**
 * HMAC-SHA256 (hex) of a file, with a key made of an output that holds private keys: who has that output has every secret of the
 * cluster, and nobody else can compute it. The key is not the output's plain hash, which the receipt shows.
 */
export function keyedHash(keyHolder: Uint8Array, bytes: Uint8Array): string {
  const key = sha256(Buffer.concat([Buffer.from('sno-install receipt key\0'), keyHolder]));
  return createHmac('sha256', Buffer.from(key, 'hex')).update(bytes).digest('hex');
}
