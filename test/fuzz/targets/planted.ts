import { secrets } from '../../support/secret-corpus.js';
import type { Canary } from '../driver/target.js';

const { auth, pullSecret, proxy, mirror, token, jwt, identity, ecKey } = secrets;

/** A pull secret whose login must not be shown. */
export const plantedPullSecret = pullSecret.text;
/** A proxy whose password must not be shown. */
export const plantedProxy = proxy.text;

/** Every secret of the seeds, with the text that marks it as one. */
export const canaries: readonly Canary[] = [
  { whole: auth.text, part: auth.text },
  ...[proxy, mirror].map(({ text, canaries: [part = text] }) => ({ whole: text, part })),
  ...[token, jwt, identity].map(({ text, canaries: [part = text] }) => ({ whole: text, part })),
];

/** Secrets in YAML lines at unexpected positions. */
export const strayLines: readonly string[] = [
  `token: ${token.text}`,
  `note: ${jwt.text}`,
  `key: ${identity.text}`,
  `login: ${auth.text}`,
  `mirror: ${mirror.text}`,
  `pem: |\n  ${ecKey.text.replaceAll('\n', '\n  ')}`,
];
