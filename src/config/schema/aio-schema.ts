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
    z.record(z.string(), values.meta({ description: 'Values of this flag; several repeat it.' })),
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
    'Whose programs an all-in-one control plane runs: `Kubernetes`, those of the Kubernetes project, or `OpenShift`, those of a release payload. Read by create aio-ignition.',
    { default: 'Kubernetes' },
  ),
  kubernetesVersion: optional(
    z.string(),
    `Version of Kubernetes of an all-in-one control plane, as \`${defaultKubernetesVersion}\`. Omitted means ${defaultKubernetesVersion}, and with distribution OpenShift the version in the release.`,
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
      pause: image('the container that holds a pod together', `pause:${newest.pause}`),
    }),
    'Images of an all-in-one control plane. Omitted ones are those that kubeadm of the same version uses, or those of the release.',
  ),
  imagesByDigest: optional(
    z.boolean(),
    'Whether each image of an all-in-one control plane is to be named by digest in `images`. One that is not is a warning, with the command that prints its digest.',
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
    'Arguments for the programs of an all-in-one control plane. One that sno-install gives too takes its place.',
  ),
  featureGates: optional(
    z.record(z.string(), z.boolean().meta({ description: 'Whether the feature is on.' })),
    'Feature gates of every program of an all-in-one control plane, the kubelet among them.',
    { default: {}, examples: [{ ContextualLogging: true }] },
  ),
  encryption: optional(
    z.enum(['secretbox', 'aescbc', 'aesgcm', 'None']),
    'What Secrets of an all-in-one control plane are encrypted with in etcd. The key is drawn once and kept in the state file.',
    { default: 'secretbox' },
  ),
  certificates: optional(
    z.strictObject({
      signers: optional(
        z.string(),
        'How long authorities hold, and with them the whole cluster: from 1y to 30y.',
        { default: '10y' },
      ),
      leaves: optional(
        z.string(),
        'How long the certificates hold that the node renews by itself, kubelets included: from 7d to 5y, and at most half as long as authorities.',
        { default: '1y' },
      ),
    }),
    'Certificates of an all-in-one control plane.',
  ),
};

const file = z.strictObject({
  path: required(z.string(), 'Where the file is put, such as `/usr/local/bin/kubelet`.', {
    examples: ['/opt/cni-plugins.tgz'],
  }),
  url: required(z.string(), 'Where the machine fetches it at its first boot; https only.', {
    examples: ['https://files.example.com/cni-plugins.tgz'],
  }),
  sha256: optional(z.string(), 'SHA-256 of the file, in hex. One of sha256 and sha512 is given.'),
  sha512: optional(z.string(), 'SHA-512 of the file, in hex.'),
  mode: optional(z.string(), 'Permissions in octal, as `"0755"`.', { default: '0755' }),
  compression: optional(
    z.enum(['gzip']),
    'How the file at the URL is packed; the hash is that of the unpacked file.',
    { examples: ['gzip'] },
  ),
  unpackInto: optional(
    z.string(),
    'For a tar archive: the folder that its files are put into before the kubelet starts. The archive itself is removed.',
    { examples: ['/opt/cni/bin'] },
  ),
  stripComponents: optional(
    z.int().min(0).max(9),
    'How many folders at the beginning of the names in the archive are left out.',
    { default: 0 },
  ),
});

/** Settings of an all-in-one machine only. */
export const aio = z.strictObject({
  operatingSystem: optional(
    z.enum(['FedoraCoreOS', 'RHCOS']),
    'What the machine boots: `FedoraCoreOS`, which has containerd and nothing of Kubernetes, or `RHCOS` (SCOS too), which has CRI-O, a kubelet and oc. Omitted means FedoraCoreOS, and RHCOS with distribution OpenShift.',
  ),
  mirror: optional(
    z.string(),
    'https URL of a mirror of what kubelet, kubectl and CNI plugins are published at: each below it by host and path, as `wget --force-directories` lays them. Entries of `files` keep their own URLs.',
    { examples: ['https://files.example.com/mirror'] },
  ),
  files: optional(
    z.array(file.meta({ description: 'One file.' })),
    'Programs that the operating system lacks, in place of the published kubelet, kubectl and CNI plugins or beside them. Each is fetched at the first boot and refused when its hash differs.',
    { default: [] },
  ),
});
