import { writeYaml } from '../../formats/yaml/write-yaml.js';
import { resourceFolder } from '../../kube/components.js';

/** Whom a component acts as, and where it finds the API; the files are paths as the component's container sees them. */
export interface FileAccess {
  /** Names the user and the context; the certificate alone says who it is. */
  readonly user: string;
  readonly server: string;
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
}

/**
 * A kubeconfig over certificate files, not over their contents: client-go reads such a pair again when it changes, so
 * that a renewed certificate is taken up without a restart. Source: k8s.io/client-go transport/cert_rotation.go
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
 * A kubeconfig of the operators' sidecars that keep certificates up to date, of whatever component: it holds when every
 * other serving certificate has ended, under a name of its own and with the token of an account of the component.
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
