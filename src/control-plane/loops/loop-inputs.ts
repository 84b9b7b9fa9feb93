import type { ApiServerNames, Networks, NodeIdentity, Profile } from '../../config/cluster-names.js';
import type { Component } from '../../kube/components.js';
import type { KubeObject } from '../../kube/object.js';
import type { CertifiedKey } from '../../pki/certified-key.js';
import type { RotatorName } from '../../pki/rotators.js';
import type { OpenShiftRelease } from '../../release/openshift-release.js';
import type { ProgramVersions } from '../../release/flags/check-flags.js';

export type { ApiServerNames, Networks, NodeIdentity } from '../../config/cluster-names.js';

/** What the loops may know beside the store: plain data, with every draw already made. The same inputs give the same store. */
export interface ControlPlaneInputs {
  readonly profile: Profile;
  readonly versions: ProgramVersions;
  /** The release whose operators are imitated; given with the profile OpenShift, and with no other. */
  readonly payload?: OpenShiftRelease;
  readonly node: NodeIdentity;
  readonly images: Readonly<Record<ImageKey, string>>;
  readonly networks: Networks;
  readonly apiServer: ApiServerNames;
  /** What Secrets are encrypted with in etcd; absent means that they are not. */
  readonly encryption?: EncryptionKey;
  /** Every certificate that the rotators may need, issued in advance; absent where the node itself must issue it. */
  readonly issued: Readonly<Partial<Record<RotatorName, CertifiedKey>>>;
  /** Signs and verifies legacy service-account tokens (`service-account`) and bound ones (`bound`). */
  readonly serviceAccountKeys: Readonly<Record<'legacy' | 'bound', KeyPairPem>>;
  /** Objects that are there before the first loop, as an installer or the user made them. */
  readonly seeds: readonly KubeObject[];
  /** How long certificates that kube-controller-manager signs hold, in seconds. */
  readonly clusterSigningSeconds: number;
  /** Feature gates that the user turned on or off; no other is named. */
  readonly featureGates: Readonly<Record<string, boolean>>;
  /** Stands for the gates of the payload, which the node fills in; absent where there is no payload. */
  readonly payloadGates?: string;
  /** Arguments of the user's, by flag without dashes; they take the place of ours. */
  readonly extraArguments: Readonly<Record<Component, Readonly<Record<string, readonly string[]>>>>;
  /** The clock of the state: when rotated certificates begin. */
  readonly now: Date;
}

/** The same without the profile: where the profiles differ, a loop is given what differs, and never asks. */
export type LoopInputs = Omit<ControlPlaneInputs, 'profile'>;

/** The release whose operators are imitated; the profile must be OpenShift. */
export function payloadOf({ payload }: Pick<ControlPlaneInputs, 'payload'>): OpenShiftRelease {
  if (payload === undefined) throw new Error('internal error: the profile OpenShift without its release');
  return payload;
}

/** The versions of the programs in a payload. */
export function versionsOf({ kubernetesMinor, etcd }: OpenShiftRelease): ProgramVersions {
  return { kubernetesMinor, etcd: etcd.version };
}

/** What Secrets are encrypted with in etcd. */
export interface EncryptionKey {
  readonly provider: 'aescbc' | 'aesgcm' | 'secretbox';
  /** 32 bytes, base64. */
  readonly key: string;
}

/** A private key and its public half, PEM. */
export interface KeyPairPem {
  readonly keyPem: string;
  readonly publicKeyPem: string;
}

/** Keys of the images that the four pods use; those of OpenShift are the tags of the payload's image-references. */
export type ImageKey =
  | 'etcd'
  // With the profile OpenShift.
  | 'hyperkube'
  | 'cluster-policy-controller'
  | 'cluster-etcd-operator'
  | 'cluster-kube-apiserver-operator'
  // With the profile Kubernetes.
  | 'kube-apiserver'
  | 'kube-controller-manager'
  | 'kube-scheduler';
