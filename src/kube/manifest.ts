import type { YamlNode } from '../formats/yaml/yaml-tree.js';
import type { KubeObject } from './object.js';

/**
 * `generated`: as we make it; `edited`: a file we wrote and the user changed; `added`: a file of the user's,
 * or one document of it.
 */
type Origin = 'generated' | 'edited' | 'added';

/** One manifest file. `text` is what is written: ours in canonical YAML, or the user's own bytes. */
export interface Manifest {
  /** Relative to the directory and to /opt/openshift on the node, such as `manifests/cluster-dns-02-config.yml`. */
  readonly path: string;
  readonly object: KubeObject;
  readonly text: string;
  /** Whether it holds private material, which makes it 0600 everywhere. */
  readonly isSecret: boolean;
  readonly origin: Origin;
  /** Where the user wrote it; absent for what we generate. */
  readonly source?: ManifestSource;
}

/** Where a manifest was read from, for problems about it. */
export interface ManifestSource {
  /** The file as the user names it; it differs from the path where a file was split or came from elsewhere. */
  readonly file: string;
  /** The document; its lines are those of the file. */
  readonly root: YamlNode;
}

/** An object of the user, and where it stands. */
export interface SourcedObject {
  readonly object: KubeObject;
  readonly source: ManifestSource;
}
