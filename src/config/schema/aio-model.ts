/** Programs of an all-in-one control plane whose images and arguments can be set. */
export const aioImages = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kube-proxy',
  'coredns',
  'pause',
] as const;

/** An image of the all-in-one control plane. */
export type AioImage = (typeof aioImages)[number];

/** Programs of an all-in-one node whose arguments can be set. */
export const aioPrograms = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kube-proxy',
  'kubelet',
] as const;

/** A program of the all-in-one node. */
export type AioProgram = (typeof aioPrograms)[number];

/** By flag without dashes. */
export type ArgumentValues = Readonly<Record<string, readonly string[]>>;

/** What `controlPlane` of sno-config.yaml says of an all-in-one control plane, after defaults. */
export interface AioControlPlane {
  readonly distribution: 'Kubernetes' | 'OpenShift';
  /** `<major>.<minor>.<patch>`, if the user names one. */
  readonly kubernetesVersion?: string;
  /** Whether an image by tag is told of. */
  readonly imagesByDigest: boolean;
  readonly images: Readonly<Partial<Record<AioImage, string>>>;
  readonly extraArguments: Readonly<Record<AioProgram, ArgumentValues>>;
  readonly featureGates: Readonly<Record<string, boolean>>;
  readonly encryption: 'secretbox' | 'aescbc' | 'aesgcm' | 'None';
  readonly certificates: { readonly signersSeconds: number; readonly leavesSeconds: number };
}

/** What `aio` of sno-config.yaml says, after defaults. */
export interface AioMachine {
  readonly operatingSystem: 'FedoraCoreOS' | 'RHCOS';
  /** URL of a mirror of published files. */
  readonly mirror?: string;
  readonly files: readonly FetchedFile[];
}

/** A file that the machine fetches at its first boot. */
export interface FetchedFile {
  readonly path: string;
  readonly url: string;
  readonly hash: { readonly type: 'sha256' | 'sha512'; readonly hex: string };
  readonly mode: number;
  readonly compression?: 'gzip';
  readonly unpackInto?: string;
  readonly stripComponents: number;
}
