import type { ApiServerNames, Networks, NodeIdentity, Profile } from '../../config/cluster-names.js';
import type { Component } from '../../kube/components.js';
import type { KeyPairPem } from '../../formats/keys/private-key.js';
import type { KubeObject } from '../../kube/object.js';
import type { CertifiedKey } from '../../pki/certified-key.js';
import type { RotatorName } from '../../pki/rotators.js';
import type { OpenShiftRelease } from '../../release/openshift-release.js';
import type { ProgramVersions } from '../../release/flags/check-flags.js';

export type { ApiServerNames, Networks, NodeIdentity } from '../../config/cluster-names.js';

/** All input of the loops apart from the store: plain data, including every generated value. Equal inputs give an equal store. */
export interface ControlPlaneInputs {
  readonly profile: Profile;
  readonly versions: ProgramVersions;
  /** The release whose operators are reproduced; set if and only if the profile is OpenShift. */
  readonly payload?: OpenShiftRelease;
  readonly node: NodeIdentity;
  readonly images: Readonly<Record<ImageKey, string>>;
  readonly networks: Networks;
  readonly apiServer: ApiServerNames;
  /** Encryption of Secrets in etcd; absent means none. */
  readonly encryption?: EncryptionKey;
  /** Certificates for all rotators, issued in advance. A certificate is absent if the node itself issues it. */
  readonly issued: Readonly<Partial<Record<RotatorName, CertifiedKey>>>;
  /** Key pairs for legacy service-account tokens (`service-account`) and for bound ones (`bound`). */
  readonly serviceAccountKeys: Readonly<Record<'legacy' | 'bound', KeyPairPem>>;
  /** Objects of the installer or the user that exist before the first loop. */
  readonly seeds: readonly KubeObject[];
  /** Lifetime of the certificates that kube-controller-manager signs, in seconds. */
  readonly clusterSigningSeconds: number;
  /** Feature gates that the user turned on or off, and no others. */
  readonly featureGates: Readonly<Record<string, boolean>>;
  /** Placeholder for the payload's feature gates, which the node replaces; absent without a payload. */
  readonly payloadGates?: string;
  /** The user's arguments, by flag without dashes; they override the generated ones. */
  readonly extraArguments: Readonly<Record<Component, Readonly<Record<string, readonly string[]>>>>;
  /** The clock of the state: notBefore of rotated certificates. */
  readonly now: Date;
}

/** Inputs without the profile: loops receive a dialect and never branch on the profile. */
export type LoopInputs = Omit<ControlPlaneInputs, 'profile'>;

/** Throws an internal error unless the profile is OpenShift. */
export function payloadOf({ payload }: Pick<ControlPlaneInputs, 'payload'>): OpenShiftRelease {
  if (payload === undefined) throw new Error('internal error: the profile OpenShift without its release');
  return payload;
}

export function versionsOf({ kubernetesMinor, etcd }: OpenShiftRelease): ProgramVersions {
  return { kubernetesMinor, etcd: etcd.version };
}

/** Provider and key that encrypt Secrets in etcd. */
export interface EncryptionKey {
  readonly provider: 'aescbc' | 'aesgcm' | 'secretbox';
  /** 32 bytes, base64. */
  readonly key: string;
}

/** Images of the four static pods; for OpenShift, the tags of the payload's image-references. */
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
