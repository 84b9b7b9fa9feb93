// Removes secrets from texts of a report: values of the site, and texts with the form of a secret.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { shownLine } from '../../.cache/modules/analysis/redact.js';

/** `shownLine` sees one line, and the last line of a key has no form. */
const keyBlock = /-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;

/** Shorter values would also match words that are no secrets. */
const shortest = 8;

/** Returns a function that removes the secrets of a site. It reads their files again, because `create` writes more of them. */
export function redactor(site) {
  return (text) => {
    const withoutKeys = text.replaceAll(keyBlock, '[redacted private key]');
    const plain = secretsOf(site).reduce(
      (rest, secret) => rest.replaceAll(secret, '[redacted]'),
      withoutKeys,
    );
    return plain.split('\n').map(shownLine).join('\n');
  };
}

/** The values of the pull secret, the state and the files in auth/, longest first. */
function secretsOf(site) {
  const auth = existsSync(join(site, 'auth'))
    ? readdirSync(join(site, 'auth')).map((name) => `auth/${name}`)
    : [];
  const names = ['install-config.yaml', '.sno-install-state.json', ...auth];
  const texts = names
    .map((name) => join(site, name))
    .filter(existsSync)
    .map((path) => readFileSync(path, 'utf8'));
  const values = texts.flatMap(secretValues);
  return [...new Set(values)].toSorted((left, right) => right.length - left.length);
}

function secretValues(text) {
  // Credentials of registries are base64 of USER:PASSWORD.
  const credentials = [...text.matchAll(/"auth"\s*:\s*"([^"]+)"/g)].map(([, value]) => value);
  const passwords = credentials.map((value) =>
    Buffer.from(value, 'base64').toString('utf8').split(':').slice(1).join(':'),
  );
  const proxies = [...text.matchAll(/:\/\/[^/\s:@'"]*:([^/\s@'"]+)@/g)].map(([, value]) => value);
  const fields = [...text.matchAll(/(?:client-key-data|token|password)"?:\s*"?([^\s",]+)/gi)].map(
    ([, value]) => value,
  );
  const words = /^\S+$/.test(text.trim()) ? [text.trim()] : [];
  return [...credentials, ...passwords, ...proxies, ...fields, ...words].filter(
    (value) => value.length >= shortest,
  );
}
