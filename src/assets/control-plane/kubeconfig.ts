import { writeYaml } from '../../formats/yaml.js';

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
