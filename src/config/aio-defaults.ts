import type { AioControlPlane, AioMachine, FetchedFile } from './schema/aio-model.js';
import type { SnoConfigInput } from './schema/sno-config-schema.js';
import { parseDuration } from '../formats/duration.js';
import type { Draft } from '../formats/field-schema.js';
import { aioDistributions } from './aio-distributions.js';

type Input = Draft<SnoConfigInput>;
type ControlPlaneInput = NonNullable<Input['controlPlane']>;
type Arguments = NonNullable<ControlPlaneInput['extraArguments']>;
type FileInput = NonNullable<NonNullable<Input['aio']>['files']>[number];

const yearSeconds = 365 * 24 * 60 * 60;

/** Applies the schema's defaults to the fields of `controlPlane` for an all-in-one control plane. */
export function aioControlPlane({ controlPlane = {} }: Input): AioControlPlane {
  const { kubernetesVersion, extraArguments = {}, certificates = {} } = controlPlane;
  return {
    distribution: distributionOf(controlPlane),
    ...(kubernetesVersion && { kubernetesVersion }),
    imagesByDigest: controlPlane.imagesByDigest ?? false,
    images: controlPlane.images ?? {},
    extraArguments: byProgram(extraArguments),
    featureGates: given(controlPlane.featureGates),
    encryption: controlPlane.encryption ?? 'secretbox',
    certificates: {
      signersSeconds: parseDuration(certificates.signers ?? '') ?? 10 * yearSeconds,
      leavesSeconds: parseDuration(certificates.leaves ?? '') ?? yearSeconds,
    },
  };
}

export function aioMachine({ aio = {}, controlPlane = {} }: Input): AioMachine {
  return {
    operatingSystem: aio.operatingSystem ?? aioDistributions[distributionOf(controlPlane)].operatingSystem,
    ...(aio.mirror !== undefined && { mirror: aio.mirror }),
    files: (aio.files ?? []).map(fetchedFile),
  };
}

function distributionOf({ distribution = 'Kubernetes' }: ControlPlaneInput): AioControlPlane['distribution'] {
  return distribution;
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

function byProgram(extraArguments: Arguments): AioControlPlane['extraArguments'] {
  return {
    etcd: given(extraArguments.etcd),
    'kube-apiserver': given(extraArguments['kube-apiserver']),
    'kube-controller-manager': given(extraArguments['kube-controller-manager']),
    'kube-scheduler': given(extraArguments['kube-scheduler']),
    'kube-proxy': given(extraArguments['kube-proxy']),
    kubelet: given(extraArguments.kubelet),
  };
}

/** Drops undefined values. */
function given<T>(record: Readonly<Record<string, T | undefined>> = {}): Readonly<Record<string, T>> {
  return Object.fromEntries(
    Object.entries(record).filter((entry): entry is [string, T] => entry[1] !== undefined),
  );
}
