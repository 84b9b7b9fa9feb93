import { writeYaml } from '../../formats/yaml/write-yaml.js';
import { resourceFolder } from '../../kube/components.js';

/** User, credentials and server of a kubeconfig; file paths inside the component's container. */
export interface FileAccess {
  /** Name of the user and the context in the file; the certificate alone determines the identity. */
  readonly user: string;
  readonly server: string;
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
}

/**
 * A kubeconfig that refers to certificate files instead of embedding them. client-go reloads such files when they change, so a
 * renewed certificate takes effect without a restart. Source: k8s.io/client-go transport/cert_rotation.go
 */
export function fileKubeconfig({ user, server, caFile, certFile, keyFile }: FileAccess): string {
  const cluster = 'cluster';
  return writeYaml({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: cluster, cluster: { server, 'certificate-authority': caFile } }],
    contexts: [{ name: user, context: { cluster, user } }],
    'current-context': user,
    users: [{ name: user, user: { 'client-certificate': certFile, 'client-key': keyFile } }],
  });
}

const tokenFile = `${resourceFolder}/secrets/localhost-recovery-client-token/token`;

/**
 * Kubeconfig of the operators' sidecars that keep certificates up to date. It works even when all other serving certificates have
 * expired: it uses its own server name and the token of the component's recovery account.
 * Source: the operators' bindata, kubeconfig-cm.yaml
 */
export function recoveryKubeconfig(user: string, caFile: string): string {
  const cluster = 'loopback';
  return writeYaml({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: cluster,
        cluster: {
          server: 'https://localhost:6443',
          'tls-server-name': 'localhost-recovery',
          'certificate-authority': caFile,
        },
      },
    ],
    contexts: [{ name: user, context: { cluster, user } }],
    'current-context': user,
    users: [{ name: user, user: { tokenFile } }],
  });
}
