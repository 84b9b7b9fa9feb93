import { contains, parseAddress, parseCidr } from '../../formats/cidr.js';
import {
  nodeAt,
  pathText,
  type FieldPath,
  type Span,
  type YamlNode,
  type YamlScalar,
} from '../../formats/yaml/yaml-tree.js';
import { nodeLabelFault } from '../../config/rules/sno/node-labels.js';
import { installerArgumentsOf } from '../../config/reading/installer-arguments.js';
import type { Variable } from '../../config/variables.js';
import { parseEmbeddedJson } from './embedded-json.js';
import { hostNetwork } from './host-network.js';
import { instanceLabels } from './instance-labels.js';
import { clusterField, nodeField, type Found, type Instance } from './instances.js';
import { resourcesNamed } from './resource-index.js';
import { itemsAt, textAt, type Resource } from './resources.js';
import { rootDevice } from './root-device.js';

/** Values of a ClusterInstance under the names of sno-install. Contains only fields that are set. */
export type InstanceValues = ReadonlyMap<string, Variable>;

/** Descriptions of the variables of a ClusterInstance. docs/fleet.md lists them. */
export const instanceVariables: Readonly<Record<string, string>> = {
  name: 'clusterName',
  baseDomain: 'baseDomain',
  networkType: 'networkType',
  clusterNetwork: 'clusterNetwork',
  machineNetwork: 'machineNetwork',
  serviceNetwork: 'serviceNetwork, as a list of strings',
  sshKey: 'sshPublicKey',
  ntpSources: 'additionalNTPSources',
  cpuPartitioningMode: 'cpuPartitioningMode',
  diskEncryption: 'diskEncryption of type nbde, or tpm2 without PCRs',
  httpProxy: 'proxy.httpProxy',
  httpsProxy: 'proxy.httpsProxy',
  noProxy: 'proxy.noProxy',
  imageSet: 'clusterImageSetNameRef',
  releaseImage: 'spec.releaseImage of the ClusterImageSet, if it is among the files',
  architecture: 'cpuArchitecture of the node or the cluster, such as amd64 or arm64',
  hostname: 'nodes[0].hostName',
  nodeLabels: 'nodes[0].nodeLabels that a kubelet can set',
  installationDisk: 'nodes[0].rootDeviceHints.deviceName, if it is the only hint',
  rootDeviceHints: 'nodes[0].rootDeviceHints, with any other hint',
  network: 'nodes[0].nodeNetwork.config, with interfaces matched by nodeNetwork.interfaces[].macAddress',
  nodeIP: 'the only static address in machineNetwork',
  kernelArguments: '--append-karg of nodes[0].installerArgs, for coreosInstaller.appendKernelArguments',
  mac: 'nodes[0].bootMACAddress',
  bmc: 'nodes[0].bmcAddress',
  bmcSecret: 'nodes[0].bmcCredentialsName.name',
};

/** Fields that are copied unchanged. */
const plainFields: readonly (readonly [name: string, path: FieldPath])[] = [
  ['baseDomain', ['baseDomain']],
  ['networkType', ['networkType']],
  ['clusterNetwork', ['clusterNetwork']],
  ['machineNetwork', ['machineNetwork']],
  ['sshKey', ['sshPublicKey']],
  ['ntpSources', ['additionalNTPSources']],
  ['cpuPartitioningMode', ['cpuPartitioningMode']],
  ['httpProxy', ['proxy', 'httpProxy']],
  ['httpsProxy', ['proxy', 'httpsProxy']],
  ['noProxy', ['proxy', 'noProxy']],
  ['imageSet', ['clusterImageSetNameRef']],
];

const plainNodeFields: typeof plainFields = [
  ['hostname', ['hostName']],
  ['mac', ['bootMACAddress']],
  ['bmc', ['bmcAddress']],
  ['bmcSecret', ['bmcCredentialsName', 'name']],
];

/** Collects the values of a cluster, including each field of `installConfigOverrides` and each label under its own name. */
export function instanceValues(instance: Instance, resources: readonly Resource[]): InstanceValues {
  const { file } = instance.resource;
  const values = new Map<string, Variable>();
  const put = (
    name: string,
    found: Found | undefined,
    nodeOf: (field: Found) => YamlNode | undefined = ({ node }) => node,
  ): void => {
    const node = found && nodeOf(found);
    if (found === undefined || node === undefined) return;
    values.set(name, { value: node, at: { file, path: pathText(found.path), ...placeOf(node, found) } });
  };
  put('name', clusterField(instance, ['clusterName']) ?? metadataName(instance));
  for (const [name, path] of plainFields) put(name, clusterField(instance, path));
  for (const [name, path] of plainNodeFields) put(name, nodeField(instance, path));
  put('serviceNetwork', clusterField(instance, ['serviceNetwork']), ({ node }) => textsOf(node));
  put('diskEncryption', clusterField(instance, ['diskEncryption']), ({ node }) => encryptionOf(node));
  const architecture =
    nodeField(instance, ['cpuArchitecture']) ?? clusterField(instance, ['cpuArchitecture']);
  put('architecture', architecture, ({ node }) => architectureOf(node));
  put('nodeLabels', nodeField(instance, ['nodeLabels']), ({ node }) => settableLabels(node));
  const hints = nodeField(instance, ['rootDeviceHints']);
  put('installationDisk', hints, ({ node }) => rootDevice(node).disk);
  put('rootDeviceHints', hints, ({ node }) => rootDevice(node).hints);
  const config = nodeField(instance, ['nodeNetwork', 'config']);
  const addresses = nodeField(instance, ['nodeNetwork', 'interfaces']);
  const machineNetwork = clusterField(instance, ['machineNetwork']);
  put('network', config, ({ node }) => hostNetwork(node, itemsOf(addresses)).network);
  put('nodeIP', config, ({ node }) => addressIn(node, machineNetwork?.node));
  const installerArgs = nodeField(instance, ['installerArgs']);
  put('kernelArguments', installerArgs, ({ node }) => valuesOf(node, '--append-karg'));
  const overrides = clusterField(instance, ['installConfigOverrides']);
  const json = overrides?.node.kind === 'scalar' ? parseEmbeddedJson(overrides.node) : undefined;
  for (const { key, value } of json?.kind === 'map' ? json.entries : []) {
    if (!(key in instanceVariables)) put(key, overrides, () => value);
  }
  for (const [name, found] of instanceLabels(instance)) {
    if (!(name in instanceVariables) && !values.has(name)) put(name, found);
  }
  const image = releaseImage(textOf(values.get('imageSet')), resources);
  if (image !== undefined) values.set('releaseImage', image);
  return values;
}

function placeOf(node: YamlNode, { node: field }: Found): Span {
  return node.kind === 'scalar' ? node.span : field.span;
}

function metadataName({ resource }: Instance): Found | undefined {
  const path = ['metadata', 'name'];
  const node = nodeAt(resource.root(), path);
  return resource.kind === 'SiteConfig' || node === undefined ? undefined : { node, path };
}

function itemsOf(found: Found | undefined): readonly YamlNode[] {
  return found?.node.kind === 'list' ? found.node.items : [];
}

function textOf(variable: Variable | undefined): string | undefined {
  return variable?.value.kind === 'scalar' ? variable.value.text : undefined;
}

/** Converts networks to strings. A ClusterInstance has maps with a `cidr`, a SiteConfig has strings. */
function textsOf(node: YamlNode): YamlNode {
  if (node.kind !== 'list') return node;
  return { ...node, items: node.items.map((item) => nodeAt(item, ['cidr']) ?? item) };
}

/** Architectures of ClusterInstances by the name in install-config.yaml. */
export const architectures: Readonly<Record<string, string>> = {
  x86_64: 'amd64',
  aarch64: 'arm64',
  ppc64le: 'ppc64le',
  s390x: 's390x',
};

function architectureOf(node: YamlNode): YamlScalar | undefined {
  const ours = node.kind === 'scalar' ? architectures[node.text] : undefined;
  return node.kind === 'scalar' && ours !== undefined ? { ...node, value: ours, text: ours } : undefined;
}

/**
 * `diskEncryption` of sno-config.yaml; undefined if the disk is not encrypted, or in a way that it does not have. Source of the types:
 * stolostron/siteconfig api/v1alpha1 DiskEncryption
 */
export function encryptionOf(node: YamlNode): YamlNode | undefined {
  const type = nodeAt(node, ['type']);
  if (node.kind !== 'map' || type?.kind !== 'scalar') return undefined;
  if (type.text === 'nbde') return { ...node, entries: node.entries.filter(({ key }) => key === 'tang') };
  if (type.text !== 'tpm2' || textAt(node, ['tpm2', 'pcrList'])) return undefined;
  const entries = node.entries.filter(({ key }) => key === 'type');
  return {
    ...node,
    entries: entries.map((each) => ({
      ...each,
      key: 'tpm2',
      value: { ...type, value: true, text: 'true' },
    })),
  };
}

/** The labels that a kubelet can set; undefined if there are none. `hostFaults` reports the others. */
function settableLabels(node: YamlNode): YamlNode | undefined {
  if (node.kind !== 'map') return undefined;
  const entries = node.entries.filter(({ key }) => nodeLabelFault(key) === undefined);
  return entries.length === 0 ? undefined : { ...node, entries };
}

/** Returns the static address within the machine networks; undefined if there is none or more than one. */
function addressIn(network: YamlNode, machineNetworks: YamlNode | undefined): YamlScalar | undefined {
  const cidrs = (machineNetworks?.kind === 'list' ? machineNetworks.items : []).flatMap((item) => {
    const cidr = parseCidr(textAt(item, ['cidr']) ?? '');
    return cidr ? [cidr] : [];
  });
  const found = itemsAt(network, ['interfaces'])
    .flatMap((each) => ['ipv4', 'ipv6'].flatMap((family) => itemsAt(each, [family, 'address'])))
    .flatMap((item) => {
      const node = nodeAt(item, ['ip']);
      const address = node?.kind === 'scalar' ? parseAddress(node.text) : undefined;
      const isIn = address !== undefined && cidrs.some((cidr) => contains(cidr, address));
      return node?.kind === 'scalar' && isIn ? [node] : [];
    });
  return found.length === 1 ? found[0] : undefined;
}

/** Extracts the values of an option from arguments of coreos-installer. */
export function valuesOf(node: YamlNode, option: string): YamlNode | undefined {
  const args = node.kind === 'scalar' ? parseEmbeddedJson(node) : undefined;
  if (args?.kind !== 'list') return undefined;
  const words = args.items.map((item) => (item.kind === 'scalar' ? item.text : ''));
  const items = installerArgumentsOf(words).flatMap(({ name, value, index }) => {
    const item = args.items[index];
    return name === option && value !== undefined && item?.kind === 'scalar'
      ? [{ ...item, value, text: value }]
      : [];
  });
  return items.length === 0 ? undefined : { ...args, items };
}

function releaseImage(name: string | undefined, resources: readonly Resource[]): Variable | undefined {
  const [set] = name === undefined ? [] : resourcesNamed(resources, 'ClusterImageSet', name);
  const value = set && nodeAt(set.root(), ['spec', 'releaseImage']);
  return set === undefined || value === undefined
    ? undefined
    : { value, at: { file: set.file, path: 'spec.releaseImage', ...value.span } };
}
