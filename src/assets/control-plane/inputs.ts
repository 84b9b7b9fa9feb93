import type { KubeObject } from '../../kube/object.js';
import type { CertifiedKey } from '../tls/certified-key.js';
import type { RotatorName } from './certificates/rotators.js';
import type { Component } from './components.js';

/** What the loops may know beside the store: plain data, with every draw already made. The same inputs give the same store. */
export interface ControlPlaneInputs {
  /**
   * How the static pods are run. `OpenShift`: by hyperkube of a payload, with configuration files and names as its
   * operators write them, so that these adopt the pods. `Kubernetes`: with upstream's flags and nothing of OpenShift, for a
   * control plane without operators; etcd then listens on loopback only, and nothing names the node's address.
   */
  readonly profile: 'OpenShift' | 'Kubernetes';
  readonly versions: Versions;
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
  /** Arguments of the user's, by flag without dashes; they take the place of ours. */
  readonly extraArguments: Readonly<Record<Component, Readonly<Record<string, readonly string[]>>>>;
  /** The clock of the state: when rotated certificates begin. */
  readonly now: Date;
}

export interface Versions {
  /** Minor of Kubernetes 1.x. */
  readonly kubernetesMinor: number;
  readonly etcd: `${number}.${number}`;
}

/** The node, or what stands for it until the node fills it in (see `placeholders.ts`). */
export interface NodeIdentity {
  readonly name: string;
  /** The name with `-` and `.` as `_`, for names of environment variables. */
  readonly environmentName: string;
  /** The address in its canonical form, without brackets. */
  readonly ip: string;
  /** The address as the host of a URL: IPv6 in brackets. */
  readonly urlHost: string;
  /** Base64 of the address without padding: the node's key in the list of etcd endpoints. */
  readonly endpointKey: string;
}

export interface Networks {
  readonly clusterNetwork: readonly { readonly cidr: string; readonly hostPrefix: number }[];
  readonly serviceNetwork: readonly string[];
  readonly machineNetwork: readonly string[];
  /** Family of the first service network; addresses to listen on follow it. */
  readonly family: 'IPv4' | 'IPv6';
  readonly isDualStack: boolean;
}

export interface ApiServerNames {
  /** `api.<cluster domain>` */
  readonly externalHost: string;
  /** `api-int.<cluster domain>` */
  readonly internalHost: string;
  readonly clusterName: string;
  readonly clusterDomain: string;
  /** The infrastructure name with its five drawn characters. */
  readonly infraId: string;
  /** Further names and addresses for the serving certificate that answers where no name fits. */
  readonly extraNames: readonly string[];
}

export interface EncryptionKey {
  readonly provider: 'aescbc' | 'aesgcm' | 'secretbox';
  /** 32 bytes, base64. */
  readonly key: string;
}

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
