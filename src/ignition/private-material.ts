/**
 * Whether a file holds what only root may read: a private key (also in base64 or in a data URL, as Kubernetes objects
 * and machine configs carry it), the user of a kubeconfig, or the credentials of a registry or a proxy.
 */
export function holdsPrivateMaterial(contents: string): boolean {
  return (
    privateForms.some((form) => form.test(contents)) || encodedPem(contents).some((pem) => keyBlock.test(pem))
  );
}

/** A private key block with some of its key: a script that only names the header is no secret. */
const keyBlock =
  /-----BEGIN(?: |%20)(?:[A-Z]+(?: |%20))*PRIVATE(?: |%20)KEY-----(?:\s|\\n|%0A)+[A-Za-z0-9+/]{16}/;

const privateForms = [
  keyBlock,
  // A kubeconfig, in YAML or JSON. Source: k8s.io/client-go tools/clientcmd/api/v1 types.go
  /\bclient-key-data"?:\s*"?[A-Za-z0-9+/]{16}/,
  // A registry login: config.json of docker and podman, and the Secret type that carries it.
  /"auths"\s*:\s*\{[^]*?"auth"\s*:/,
  /\.dockerconfigjson"?:\s*"?[A-Za-z0-9+/{]{2}/,
  // A URL with a password, such as that of a proxy.
  /\b[a-z]+:\/\/[^\s/:@"'<>$]+:[^\s/@"'<>$]+@/,
];

/** What stands in base64 in a text and begins like PEM. */
function encodedPem(contents: string): readonly string[] {
  const tokens = contents.match(/LS0tLS1CRUdJTi[A-Za-z0-9+/]{24,}/g) ?? [];
  return tokens.map((token) => Buffer.from(token, 'base64').toString('latin1'));
}
