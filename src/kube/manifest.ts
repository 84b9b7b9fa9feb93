import type { YamlNode } from '../formats/yaml/yaml-tree.js';
import type { KubeObject } from './object.js';

/**
 * `generated`: unchanged output of this program; `edited`: an earlier output that the user changed; `added`: a file of the
 * user, or one document of it.
 */
type Origin = 'generated' | 'edited' | 'added';

/** A manifest file. `text` is written as is: generated canonical YAML, or the user's bytes. */
export interface Manifest {
  /** Relative to the directory and to /opt/openshift on the node, such as `manifests/cluster-dns-02-config.yml`. */
  readonly path: string;
  readonly object: KubeObject;
  readonly text: string;
  /** True if it contains secrets; its mode is then 0600 everywhere. */
  readonly isSecret: boolean;
  readonly origin: Origin;
  /** Source of a user's manifest; absent if generated. */
  readonly source?: ManifestSource;
}

/** Source of a manifest, for problems about it. */
export interface ManifestSource {
  /** The user's name of the file; differs from the path if a file was split or comes from another folder. */
  readonly file: string;
  /** The YAML document, with line numbers of the file. */
  readonly root: YamlNode;
}

/** A user's object and its source. */
export interface SourcedObject {
  readonly object: KubeObject;
  readonly source: ManifestSource;
}
