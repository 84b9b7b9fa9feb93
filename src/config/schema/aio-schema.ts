import { z } from 'zod';

import { defaultKubernetesVersion, kubernetesReleaseOf } from '../../release/kubernetes.js';
import { optional, required } from './schema-parts.js';

const values = z.array(z.string().meta({ description: 'One value.' }));

/** The user's arguments of a program: values by flag without leading dashes. */
function argumentsOf(
  program: string,
  example: Readonly<Record<string, readonly string[]>> = { v: ['4'] },
): z.ZodOptional<z.ZodRecord<z.ZodString, typeof values>> {
  return optional(
    z.record(
      z.string(),
      values.meta({ description: 'Values of this flag; the flag is repeated for each value.' }),
    ),
    `Arguments of ${program}: flags without dashes, each with a list of values.`,
    { examples: [example] },
  );
}

const newest = kubernetesReleaseOf(Number(defaultKubernetesVersion.split('.')[1]));

function image(what: string, nameAndTag: string): z.ZodOptional<z.ZodString> {
  const example = `registry.example.com:5000/kubernetes/${nameAndTag}`;
  return optional(z.string(), `Pull spec of ${what}, by tag or by digest.`, { examples: [example] });
}

/** The fields of `controlPlane` for `create aio-ignition`. */
export const controlPlaneFields = {
  distribution: optional(
    z.enum(['Kubernetes', 'OpenShift']),
    'Distribution of an all-in-one control plane: `Kubernetes` runs the upstream images, `OpenShift` those of a release payload. Used by create aio-ignition.',
    { default: 'Kubernetes' },
  ),
  kubernetesVersion: optional(
    z.string(),
    `Kubernetes version of an all-in-one control plane, such as \`${defaultKubernetesVersion}\`. Omitted means ${defaultKubernetesVersion}; with distribution OpenShift, the version in the release.`,
    { examples: [defaultKubernetesVersion] },
  ),
  images: optional(
    z.strictObject({
      etcd: image('etcd', `etcd:${newest.etcd}`),
      'kube-apiserver': image('kube-apiserver', `kube-apiserver:v${defaultKubernetesVersion}`),
      'kube-controller-manager': image(
        'kube-controller-manager',
        `kube-controller-manager:v${defaultKubernetesVersion}`,
      ),
      'kube-scheduler': image('kube-scheduler', `kube-scheduler:v${defaultKubernetesVersion}`),
      'kube-proxy': image('kube-proxy', `kube-proxy:v${defaultKubernetesVersion}`),
      coredns: image('CoreDNS', `coredns:${newest.coredns}`),
      pause: image('the pause container of each pod', `pause:${newest.pause}`),
    }),
    'Images of an all-in-one control plane. Defaults are the images of kubeadm of the same version, or those of the release.',
  ),
  imagesByDigest: optional(
    z.boolean(),
    'Whether `images` of an all-in-one control plane must use digests. Each image without a digest is a warning, with the command that prints the digest.',
    { default: false },
  ),
  extraArguments: optional(
    z.strictObject({
      etcd: argumentsOf('etcd', { 'quota-backend-bytes': ['4294967296'] }),
      'kube-apiserver': argumentsOf('kube-apiserver'),
      'kube-controller-manager': argumentsOf('kube-controller-manager'),
      'kube-scheduler': argumentsOf('kube-scheduler'),
      'kube-proxy': argumentsOf('kube-proxy'),
      kubelet: argumentsOf('the kubelet'),
    }),
    'Extra arguments for the programs of an all-in-one control plane. They override the arguments that sno-install sets.',
  ),
  featureGates: optional(
    z.record(z.string(), z.boolean().meta({ description: 'Whether the feature gate is enabled.' })),
    'Feature gates of all programs of an all-in-one control plane, including the kubelet.',
    { default: {}, examples: [{ ContextualLogging: true }] },
  ),
  encryption: optional(
    z.enum(['secretbox', 'aescbc', 'aesgcm', 'None']),
    'Encryption of Secrets in etcd on an all-in-one control plane. The key is generated once and kept in the state file.',
    { default: 'secretbox' },
  ),
  certificates: optional(
    z.strictObject({
      signers: optional(z.string(), 'Lifetime of the CA certificates, and so of the cluster: 1y to 30y.', {
        default: '10y',
      }),
      leaves: optional(
        z.string(),
        'Lifetime of the certificates that the node renews itself, including those of the kubelet: 7d to 5y, at most half of `signers`.',
        { default: '1y' },
      ),
    }),
    'Certificates of an all-in-one control plane.',
  ),
};

const file = z.strictObject({
  path: required(z.string(), 'Path on the machine, such as `/usr/local/bin/kubelet`.', {
    examples: ['/opt/cni-plugins.tgz'],
  }),
  url: required(z.string(), 'https URL that the machine downloads it from at its first boot.', {
    examples: ['https://files.example.com/cni-plugins.tgz'],
  }),
  sha256: optional(z.string(), 'SHA-256 of the file, in hex. Exactly one of sha256 and sha512 is required.'),
  sha512: optional(z.string(), 'SHA-512 of the file, in hex.'),
  mode: optional(z.string(), 'Permissions in octal, such as `"0755"`.', { default: '0755' }),
  compression: optional(
    z.enum(['gzip']),
    'Compression of the download; the hash is that of the uncompressed file.',
    { examples: ['gzip'] },
  ),
  unpackInto: optional(
    z.string(),
    'For a tar archive: the folder that it is extracted to before the kubelet starts. The archive is then removed.',
    { examples: ['/opt/cni/bin'] },
  ),
  stripComponents: optional(
    z.int().min(0).max(9),
    'Number of leading path components to strip from the names in the archive.',
    { default: 0 },
  ),
});

/** Settings of an all-in-one machine only. */
export const aio = z.strictObject({
  operatingSystem: optional(
    z.enum(['FedoraCoreOS', 'RHCOS']),
    'Operating system of the machine: `FedoraCoreOS` has containerd and no Kubernetes programs; `RHCOS` (also for SCOS) has CRI-O, a kubelet and oc. Omitted means FedoraCoreOS, or RHCOS with distribution OpenShift.',
  ),
  mirror: optional(
    z.string(),
    'https URL of a mirror for kubelet, kubectl and CNI plugins. The mirror contains each file below its original host and path, as `wget --force-directories` stores it. Entries of `files` keep their own URLs.',
    { examples: ['https://files.example.com/mirror'] },
  ),
  files: optional(
    z.array(file.meta({ description: 'One file.' })),
    'Additional programs, or replacements for the published kubelet, kubectl and CNI plugins. Each is downloaded at the first boot; Ignition fails if its hash differs.',
    { default: [] },
  ),
});
