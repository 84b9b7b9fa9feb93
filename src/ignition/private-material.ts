import { authSecretPattern, clearKeyPattern, urlPasswordPattern } from '../core/secrets.js';

/**
 * True if a file must be readable by root only: it contains a private key, a kubeconfig's credentials, or registry or proxy
 * credentials; as plain text, in base64 or percent-encoded, as in Kubernetes objects, machine configs and data URLs. Scripts and
 * documents that only mention such fields do not count.
 */
export function containsPrivateMaterial(contents: string): boolean {
  return holdsIn(contents, deepest);
}

/** Maximum nesting: a registry login in a Secret in a data URL in a MachineConfig. */
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

/** Decodes base64 that starts like PEM or JSON, and percent-encoded text. */
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
