import { secrets } from '../../support/secret-corpus.js';
import type { Canary } from '../driver/target.js';

const { auth, pullSecret, proxy, mirror, token, jwt, identity, ecKey } = secrets;

/** A pull secret with a login that nobody may see. */
export const plantedPullSecret = pullSecret.text;
/** A proxy with a password that nobody may see. */
export const plantedProxy = proxy.text;

/** Every secret that seeds hold, by what tells it apart. */
export const canaries: readonly Canary[] = [
  { whole: auth.text, part: auth.text },
  ...[proxy, mirror].map(({ text, canaries: [part = text] }) => ({ whole: text, part })),
  ...[token, jwt, identity].map(({ text, canaries: [part = text] }) => ({ whole: text, part })),
];

/** Secrets as lines of YAML where none is expected. */
export const strayLines: readonly string[] = [
  `token: ${token.text}`,
  `note: ${jwt.text}`,
  `key: ${identity.text}`,
  `login: ${auth.text}`,
  `mirror: ${mirror.text}`,
  `pem: |\n  ${ecKey.text.replaceAll('\n', '\n  ')}`,
];
