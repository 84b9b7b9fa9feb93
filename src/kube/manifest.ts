import type { KubeObject } from './object.js';

/** One manifest file. `text` is what is written: ours in canonical YAML, or the user's own bytes. */
export interface Manifest {
  /** Relative to the directory and to /opt/openshift on the node, such as `manifests/cluster-dns-02-config.yml`. */
  readonly path: string;
  readonly object: KubeObject;
  readonly text: string;
  /** Whether it holds private material, which makes it 0600 everywhere. */
  readonly isSecret: boolean;
}
