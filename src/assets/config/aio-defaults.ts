import { parseDuration } from '../../formats/duration.js';
import type { Draft } from '../../formats/field-schema.js';
import { aioPrograms, type AioControlPlane, type AioMachine, type FetchedFile } from './aio-model.js';
import type { SnoConfigInput } from './sno-config-schema.js';

type Input = Draft<SnoConfigInput>;
type FileInput = NonNullable<NonNullable<Input['aio']>['files']>[number];

const yearSeconds = 365 * 24 * 60 * 60;

/** The fields of `controlPlane` for an all-in-one control plane, with the defaults that the schema documents. */
export function aioControlPlane({ controlPlane = {} }: Input): AioControlPlane {
  const { kubernetesVersion, extraArguments = {}, certificates = {} } = controlPlane;
  return {
    distribution: controlPlane.distribution ?? 'Kubernetes',
    ...(kubernetesVersion && { kubernetesVersion }),
    images: controlPlane.images ?? {},
    extraArguments: byProgram((program) => extraArguments[program] ?? {}),
    featureGates: controlPlane.featureGates ?? {},
    encryption: controlPlane.encryption ?? 'secretbox',
    certificates: {
      signersSeconds: parseDuration(certificates.signers ?? '') ?? 10 * yearSeconds,
      leavesSeconds: parseDuration(certificates.leaves ?? '') ?? yearSeconds,
    },
  };
}

/** What `aio` says, with defaults. */
export function aioMachine({ aio = {}, controlPlane = {} }: Input): AioMachine {
  const usual = controlPlane.distribution === 'OpenShift' ? 'RHCOS' : 'FedoraCoreOS';
  return { operatingSystem: aio.operatingSystem ?? usual, files: (aio.files ?? []).map(fetchedFile) };
}

function fetchedFile(file: FileInput): FetchedFile {
  const { path = '', url = '', mode = '0755', sha256, sha512, compression, unpackInto } = file;
  return {
    path,
    url,
    hash: sha512 ? { type: 'sha512', hex: sha512 } : { type: 'sha256', hex: sha256 ?? '' },
    mode: Number.parseInt(mode, 8),
    ...(compression && { compression }),
    ...(unpackInto && { unpackInto }),
    stripComponents: file.stripComponents ?? 0,
  };
}

function byProgram<T>(valueOf: (program: (typeof aioPrograms)[number]) => T): Record<(typeof aioPrograms)[number], T> {
  return {
    etcd: valueOf('etcd'),
    'kube-apiserver': valueOf('kube-apiserver'),
    'kube-controller-manager': valueOf('kube-controller-manager'),
    'kube-scheduler': valueOf('kube-scheduler'),
    'kube-proxy': valueOf('kube-proxy'),
    kubelet: valueOf('kubelet'),
  };
}
