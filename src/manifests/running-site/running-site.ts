import type { Manifest, SourcedObject } from '../../kube/manifest.js';
import type { KubeObject } from '../../kube/object.js';
import type { PostInstallObject } from '../post-install/post-install-objects.js';

/** The configuration of a running cluster: all objects that `apply` creates, changes or deletes. */
export interface RunningSite {
  /** Generated and added manifests, in the order in which they are applied. */
  readonly manifests: readonly Manifest[];
  readonly postInstall: readonly PostInstallObject[];
  /** Objects that must not exist. */
  readonly removals: readonly SourcedObject[];
  /** The user's own manifests, whose Subscriptions the objects of post-install/ may need. */
  readonly added: readonly { readonly object: KubeObject }[];
  /** Default time limit of a wave. */
  readonly waveTimeoutMs: number;
}
