import { authSecretPattern, clearKeyPattern, urlPasswordPattern } from '../core/secrets.js';

/**
 * Whether a file holds what only root may read: a private key, the user of a kubeconfig, or the credentials of a registry or a
 * proxy, as they are, in base64 or percent-encoded, as Kubernetes objects, machine configs and data URLs carry them. A script or
 * a document that only names such things holds none.
 */
export function holdsPrivateMaterial(contents: string): boolean {
  return holdsIn(contents, deepest);
}

/** A registry login in a Secret in a data URL in a MachineConfig. */
const deepest = 4;

function holdsIn(text: string, depth: number): boolean {
  if (privateForms.some((form) => form.test(text))) return true;
  if (depth === 0) return false;
  return decoded(text).some((inner) => holdsIn(inner, depth - 1));
}

const privateForms = [
  clearKeyPattern,
  // A kubeconfig, in YAML or JSON. Source: k8s.io/client-go tools/clientcmd/api/v1 types.go
  /\bclient-key-data"?:\s*"?[A-Za-z0-9+/]{16}/,
  authSecretPattern,
  /\.dockerconfigjson"?:\s*"?[A-Za-z0-9+/{]{2}/,
  urlPasswordPattern,
];

/** What stands in base64 in a text and begins like PEM or JSON, and the text without percent-encoding. */
function decoded(text: string): readonly string[] {
  const tokens = text.match(/(?:LS0tLS1CRUdJTi|ey|ew)[A-Za-z0-9+/]{24,}/g) ?? [];
  const inner = tokens.map((token) => Buffer.from(token, 'base64').toString('latin1'));
  return /%(?:22|2B|3A)/i.test(text) ? [...inner, unescaped(text)] : inner;
}

function unescaped(text: string): string {
  return text.replace(/%([0-9A-F]{2})/gi, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
