/** Components of an all-in-one control plane with a configurable image. */
export const aioImages = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kube-proxy',
  'coredns',
  'pause',
] as const;

export type AioImage = (typeof aioImages)[number];

/** Programs of an all-in-one node with configurable arguments. */
export const aioPrograms = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kube-proxy',
  'kubelet',
] as const;

export type AioProgram = (typeof aioPrograms)[number];

/** Values by flag without leading dashes. */
export type ArgumentValues = Readonly<Record<string, readonly string[]>>;

/** `controlPlane` of sno-config.yaml for an all-in-one control plane, with defaults. */
export interface AioControlPlane {
  readonly distribution: 'Kubernetes' | 'OpenShift';
  /** `<major>.<minor>.<patch>`, if set by the user. */
  readonly kubernetesVersion?: string;
  /** Whether images with a tag are reported. */
  readonly imagesByDigest: boolean;
  readonly images: Readonly<Partial<Record<AioImage, string>>>;
  readonly extraArguments: Readonly<Record<AioProgram, ArgumentValues>>;
  readonly featureGates: Readonly<Record<string, boolean>>;
  readonly encryption: 'secretbox' | 'aescbc' | 'aesgcm' | 'None';
  readonly certificates: { readonly signersSeconds: number; readonly leavesSeconds: number };
}

/** `aio` of sno-config.yaml, with defaults. */
export interface AioMachine {
  readonly operatingSystem: 'FedoraCoreOS' | 'RHCOS';
  /** URL of a mirror of published files. */
  readonly mirror?: string;
  readonly files: readonly FetchedFile[];
}

/** A file that the machine downloads at first boot. */
export interface FetchedFile {
  readonly path: string;
  readonly url: string;
  readonly hash: { readonly type: 'sha256' | 'sha512'; readonly hex: string };
  readonly mode: number;
  readonly compression?: 'gzip';
  readonly unpackInto?: string;
  readonly stripComponents: number;
}
