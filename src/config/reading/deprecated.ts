import type { InstallConfigInput } from '../schema/install-config-schema.js';
import { addressBits, parseCidr } from '../../formats/cidr.js';
import type { Draft } from '../../formats/field-schema.js';
import type { FieldPath } from '../../formats/yaml/yaml-tree.js';

type Input = Draft<InstallConfigInput>;
type Networking = NonNullable<Input['networking']>;
type ClusterEntry = NonNullable<Networking['clusterNetwork']>[number];

/** A deprecated field of `networking` and its replacement. */
export interface Renaming {
  readonly from: 'clusterNetworks' | 'machineCIDR' | 'serviceCIDR' | 'type';
  readonly to: 'clusterNetwork' | 'machineNetwork' | 'serviceNetwork' | 'networkType';
  /** Computes the new field from the old one. */
  readonly move: (networking: Networking) => unknown;
  /** Maps a path in the new field to the old field. */
  readonly back: (rest: FieldPath) => FieldPath;
}

/** Source: openshift/installer pkg/types/conversion/installconfig.go. */
export const renamings: readonly Renaming[] = [
  {
    from: 'clusterNetworks',
    to: 'clusterNetwork',
    move: ({ clusterNetworks }) => clusterNetworks,
    back: (rest) => rest,
  },
  {
    from: 'machineCIDR',
    to: 'machineNetwork',
    move: ({ machineCIDR }) => [{ cidr: machineCIDR }],
    back: () => [],
  },
  { from: 'serviceCIDR', to: 'serviceNetwork', move: ({ serviceCIDR }) => [serviceCIDR], back: () => [] },
  { from: 'type', to: 'networkType', move: ({ type }) => type, back: () => [] },
];

/** Whether a field is set: openshift-install treats an empty list or string like a missing field. */
export function isSet(value: unknown): boolean {
  return value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
}

/** Renames deprecated fields. If both are set, the new one is kept. */
export function convertDeprecated(input: Input): Input {
  if (!input.networking) return input;
  return { ...input, networking: convertNetworking(input.networking) };
}

/** The path of a field as the user wrote it, possibly under its deprecated name. */
export function writtenPath(path: FieldPath, input: Input): FieldPath {
  const [head, field, ...rest] = path;
  const { networking } = input;
  if (head !== 'networking' || !networking) return path;
  const used = renamings.find(
    ({ from, to }) => to === field && !isSet(networking[to]) && isSet(networking[from]),
  );
  const at: FieldPath = used ? [head, used.from, ...used.back(rest)] : path;
  const isOldPrefix = at.at(-1) === 'hostPrefix' && entryAt(networking, at)?.hostSubnetLength !== undefined;
  return isOldPrefix ? [...at.slice(0, -1), 'hostSubnetLength'] : at;
}

/** Corrects the letter case of a network plugin known to openshift-install. */
export function pluginSpelling(given: string): string {
  return (
    ['OVNKubernetes', 'OpenShiftSDN'].find((name) => name.toLowerCase() === given.toLowerCase()) ?? given
  );
}

function convertNetworking(networking: Networking): Networking {
  const { clusterNetworks, machineCIDR, serviceCIDR, type } = networking;
  const clusterNetwork = isSet(networking.clusterNetwork) ? networking.clusterNetwork : clusterNetworks;
  const networkType = isSet(networking.networkType) ? networking.networkType : type;
  const needsMachine = !isSet(networking.machineNetwork) && machineCIDR !== undefined && machineCIDR !== '';
  const needsService = !isSet(networking.serviceNetwork) && serviceCIDR !== undefined && serviceCIDR !== '';
  return {
    ...networking,
    ...(clusterNetwork && { clusterNetwork: clusterNetwork.map(convertHostPrefix) }),
    ...(networkType !== undefined && { networkType: pluginSpelling(networkType) }),
    ...(needsMachine && { machineNetwork: [{ cidr: machineCIDR }] }),
    ...(needsService && { serviceNetwork: [serviceCIDR] }),
  };
}

function convertHostPrefix(entry: ClusterEntry): ClusterEntry {
  const cidr = parseCidr(entry.cidr ?? '');
  if (!cidr || entry.hostSubnetLength === undefined || (entry.hostPrefix ?? 0) !== 0) return entry;
  return { ...entry, hostPrefix: Math.max(0, addressBits(cidr.family) - entry.hostSubnetLength) };
}

function entryAt(networking: Networking, path: FieldPath): ClusterEntry | undefined {
  const [, list, index] = path;
  if (typeof index !== 'number') return undefined;
  if (list === 'clusterNetworks') return networking.clusterNetworks?.[index];
  return list === 'clusterNetwork' ? networking.clusterNetwork?.[index] : undefined;
}
