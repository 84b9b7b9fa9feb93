import { isDeepStrictEqual } from 'node:util';

import { problem, type Place, type Problem } from '../core/problem.js';
import type { SnoConfig } from './schema/sno-config-schema.js';
import { pathText, type FieldPath } from '../formats/yaml/yaml-tree.js';
import { aioDistributions } from './aio-distributions.js';

/** Kind of machine: a single-node cluster from a release, or an all-in-one control plane. */
export type MachineKind = 'single-node' | 'aio';

/** A setting that has no effect on one kind of machine. */
export interface IgnoredSetting {
  readonly file: 'install-config.yaml' | 'sno-config.yaml';
  /** As in the schema, such as `compute[].replicas`; includes everything below it. */
  readonly field: string;
  readonly on: MachineKind;
  /** The value that matches the actual behavior; it causes no warning. */
  readonly unless?: unknown;
  /** Whether the setting is ignored with this configuration; absent if always. */
  readonly where?: (sno: SnoConfig) => boolean;
  readonly hint: string;
}

const isFedora = ({ aio }: SnoConfig): boolean => aio.operatingSystem === 'FedoraCoreOS';
const isUpstream = ({ controlPlane }: SnoConfig): boolean =>
  !aioDistributions[controlPlane.distribution].hasImagesOfReleases;

const onAio = { file: 'install-config.yaml', on: 'aio' } as const;
const ofSnoOnAio = { file: 'sno-config.yaml', on: 'aio' } as const;
const onSingleNode = { file: 'sno-config.yaml', on: 'single-node' } as const;
const noOperators = 'remove it: no OpenShift operators run on the machine';

/**
 * All ignored settings. Every other setting changes the outputs or is rejected;
 * test/config/settings-by-target.test.ts checks this for each field and kind of machine.
 */
export const ignoredSettings: readonly IgnoredSetting[] = [
  {
    ...onAio,
    field: 'controlPlane.hyperthreading',
    unless: 'Enabled',
    hint: 'pass --append-karg nosmt to coreos-installer',
  },
  {
    ...onAio,
    field: 'compute[].replicas',
    unless: 0,
    hint: 'join workers by hand when the node is Ready (docs/aio.md)',
  },
  {
    ...onAio,
    field: 'compute[].hyperthreading',
    unless: 'Enabled',
    hint: 'remove it: no worker.ign is written',
  },
  {
    ...onAio,
    field: 'networking.networkType',
    unless: 'OVNKubernetes',
    hint: 'install the network plugin with kubectl when the node is Ready (docs/aio.md)',
  },
  { ...onAio, field: 'networking.ovnKubernetesConfig', hint: 'remove it: OVN-Kubernetes does not run there' },
  ...['imageDigestSources', 'imageContentSources'].map((field) => ({
    ...onAio,
    field,
    unless: [],
    where: isFedora,
    hint: 'set the images of the mirror in controlPlane.images of sno-config.yaml',
  })),
  {
    ...onAio,
    field: 'fips',
    unless: false,
    where: isFedora,
    hint: 'use RHCOS: Fedora CoreOS has no FIPS mode',
  },
  { ...onAio, field: 'cpuPartitioningMode', unless: 'None', hint: noOperators },
  {
    ...onAio,
    field: 'bootstrapInPlace',
    hint: 'pass the disk to coreos-installer; remove the field, or keep it for the other targets',
  },
  { ...onAio, field: 'platform.external', hint: 'write "none: {}": the machine has no platform integration' },
  { ...onAio, field: 'capabilities', hint: noOperators },
  { ...onAio, field: 'featureSet', unless: '', hint: 'set controlPlane.featureGates in sno-config.yaml' },
  { ...onAio, field: 'featureGates', unless: [], hint: 'set controlPlane.featureGates in sno-config.yaml' },
  {
    ...onAio,
    field: 'osImageStream',
    hint: 'boot the image of this stream',
  },
  { ...onAio, field: 'pki', hint: 'set certificates.keyAlgorithm in sno-config.yaml' },
  ...['releaseImage', 'releaseVersion', 'imageReferences'].map((field) => ({
    ...ofSnoOnAio,
    field,
    where: isUpstream,
    hint: 'set controlPlane.distribution to OpenShift to run the programs of the release',
  })),
  {
    ...ofSnoOnAio,
    field: 'controlPlane.render',
    hint: 'remove it: sno-install always renders this control plane',
  },
  {
    ...ofSnoOnAio,
    field: 'kernelArguments',
    unless: [],
    hint: 'pass them to coreos-installer with --append-karg',
  },
  {
    ...ofSnoOnAio,
    field: 'nodeLabels',
    unless: {},
    hint: 'set node-labels in controlPlane.extraArguments.kubelet',
  },
  {
    ...ofSnoOnAio,
    field: 'rootDeviceHints',
    hint: 'pass the disk to coreos-installer; remove the field, or keep it for the other targets',
  },
  ...(
    [
      ['savePartitionLabels', '--save-partlabel'],
      ['savePartitionIndexes', '--save-partindex'],
      ['appendKernelArguments', '--append-karg'],
      ['deleteKernelArguments', '--delete-karg'],
    ] as const
  ).map(([field, option]) => ({
    ...ofSnoOnAio,
    field: `coreosInstaller.${field}`,
    unless: [],
    hint: `pass ${option} to coreos-installer`,
  })),
  {
    ...ofSnoOnAio,
    field: 'diskEncryption',
    hint: 'remove it: the Ignition config of this machine does not encrypt its disk',
  },
  {
    ...ofSnoOnAio,
    field: 'extraManifests',
    unless: [],
    hint: 'apply them with kubectl when the node is Ready',
  },
  {
    ...ofSnoOnAio,
    field: 'manifestChecks',
    unless: 'error',
    hint: 'remove it: the node gets no manifests of yours',
  },
  {
    ...ofSnoOnAio,
    field: 'postInstallTimeout',
    hint: 'remove it: nothing is applied after the installation',
  },
  {
    ...ofSnoOnAio,
    field: 'reinstall',
    unless: 'Refuse',
    hint: 'remove it: coreos-installer overwrites the disk',
  },
  {
    ...ofSnoOnAio,
    field: 'dns.local',
    unless: false,
    hint: 'remove it: the node does not resolve these names',
  },
  {
    ...ofSnoOnAio,
    field: 'dns.apiCheck',
    unless: 'Address',
    hint: 'remove it: the node does not check these names',
  },
  {
    ...ofSnoOnAio,
    field: 'aio.mirror',
    where: (sno) => !isFedora(sno),
    hint: 'remove it: RHCOS downloads only aio.files, from their own URLs',
  },
  { ...ofSnoOnAio, field: 'report', hint: 'remove it: this machine sends no reports' },
  {
    ...onSingleNode,
    field: 'controlPlane.distribution',
    unless: 'OpenShift',
    hint: 'remove it: this node always runs OpenShift',
  },
  {
    ...onSingleNode,
    field: 'controlPlane.kubernetesVersion',
    hint: 'set releaseImage: the release decides the version of Kubernetes',
  },
  {
    ...onSingleNode,
    field: 'controlPlane.images',
    hint: 'set releaseImage: the release names its images',
  },
  {
    ...onSingleNode,
    field: 'controlPlane.imagesByDigest',
    unless: false,
    hint: 'remove it: the release names its images by digest',
  },
  ...['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kube-proxy'].map((program) => ({
    ...onSingleNode,
    field: `controlPlane.extraArguments.${program}`,
    hint: 'remove it: the operators of the release decide the arguments',
  })),
  {
    ...onSingleNode,
    field: 'controlPlane.extraArguments.kubelet',
    hint: 'add a KubeletConfig to manifests/',
  },
  {
    ...onSingleNode,
    field: 'controlPlane.featureGates',
    unless: {},
    hint: 'set featureSet: CustomNoUpgrade and featureGates in install-config.yaml',
  },
  {
    ...onSingleNode,
    field: 'controlPlane.encryption',
    unless: 'None',
    hint: 'add an APIServer with spec.encryption.type to manifests/; by default OpenShift does not encrypt etcd',
  },
  {
    ...onSingleNode,
    field: 'controlPlane.certificates',
    hint: 'remove it: the operators of the release renew the certificates',
  },
  { ...onSingleNode, field: 'aio', hint: 'remove it: only create aio-ignition reads it' },
];

/** The user's configs with the positions of their fields. */
export interface UserConfigs {
  readonly sno: SnoConfig;
  readonly files: Readonly<Record<IgnoredSetting['file'], WrittenConfig | undefined>>;
}

interface WrittenConfig {
  readonly input: unknown;
  readonly placeOf: (path: FieldPath) => Place | undefined;
}

/** Warns about each setting in the configs that this kind of machine ignores: aio/ignored-setting, config/ignored-setting. */
export function ignoredSettingProblems(on: MachineKind, { sno, files }: UserConfigs): readonly Problem[] {
  return ignoredSettings
    .filter((row) => row.on === on && row.where?.(sno) !== false)
    .flatMap(({ file, field, hint, ...row }) => {
      const written = files[file];
      return given(written?.input, field.replaceAll('[]', '.[]').split('.')).flatMap(({ path, value }) =>
        'unless' in row && isDeepStrictEqual(value, row.unless)
          ? []
          : [ignoredSettingWarning(pathText(path), { on, at: written?.placeOf(path), hint })],
      );
    });
}

/** The values of a field with their paths. For a path with `[]`, one value per list item. */
function given(
  input: unknown,
  [step, ...rest]: readonly string[],
  path: FieldPath = [],
): readonly { readonly path: FieldPath; readonly value: unknown }[] {
  if (input === undefined || input === null) return [];
  if (step === undefined) return [{ path, value: input }];
  if (step === '[]')
    return Array.isArray(input) ? input.flatMap((item, index) => given(item, rest, [...path, index])) : [];
  return typeof input === 'object' && Object.hasOwn(input, step)
    ? given(Reflect.get(input, step), rest, [...path, step])
    : [];
}

const machines = {
  aio: { code: 'aio/ignored-setting', name: 'an all-in-one machine' },
  'single-node': { code: 'config/ignored-setting', name: 'a single-node cluster' },
} as const;

/** The warning for an ignored setting or folder. */
export function ignoredSettingWarning(
  field: string,
  { on, at, hint }: { readonly on: MachineKind; readonly at: Place | undefined; readonly hint: string },
): Problem {
  const { code, name } = machines[on];
  return problem(code, `${field} has no effect on ${name}`, { at, hint });
}
