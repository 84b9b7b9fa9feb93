import { writeYaml } from '../formats/yaml/write-yaml.js';
import type { CertifiedKey } from './certified-key.js';

/** Server, CA and client credentials of a kubeconfig. */
export interface EmbeddedAccess {
  readonly cluster: string;
  readonly server: string;
  /** PEM. */
  readonly ca: string;
  readonly client: CertifiedKey;
}

/** A kubeconfig with embedded certificates: one cluster, one user and one context; the context has the user's name. Source: k8s.io/client-go tools/clientcmd/api/v1 */
export function embeddedKubeconfig(user: string, { cluster, server, ca, client }: EmbeddedAccess): string {
  return writeYaml({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: cluster, cluster: { server, 'certificate-authority-data': base64(ca) } }],
    contexts: [{ name: user, context: { cluster, user } }],
    'current-context': user,
    users: [
      {
        name: user,
        user: {
          'client-certificate-data': base64(client.certPem),
          'client-key-data': base64(client.keyPem.reveal()),
        },
      },
    ],
  });
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
