import { createPublicKey } from 'node:crypto';

/**
 * The public half of a private key: SPKI under the label that names it. Upstream writes `RSA PUBLIC KEY` over the same
 * bytes, which openssl cannot read; Kubernetes goes by the contents. Source: k8s.io/client-go util/keyutil
 */
export function publicKeyPem(privateKeyPem: string): string {
  return createPublicKey(privateKeyPem).export({ type: 'spki', format: 'pem' }).toString();
}
