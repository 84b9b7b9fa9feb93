import { problem, type Problem } from '../../core/problem.js';
import { quotedName, maskedWord } from '../../core/quoted.js';
import { quoted } from '../../core/quoted.js';
import { suggestionOr } from '../../core/suggest.js';
import { nodeAt, type FieldPath, type YamlNode } from '../../formats/yaml/yaml-tree.js';
import type { NodeFacts } from '../../ignition/foreign/node-faults.js';
import { fieldAt, listAt, textAt } from '../../kube/fields.js';
import { groupOf } from '../../kube/identity.js';
import { roleLabel } from '../../kube/machine-config.js';
import { manifestFieldPlace } from '../../kube/manifest-place.js';
import type { SourcedObject } from '../../kube/manifest.js';
import { ignitionProblems, nodeProblems, type IgnitionFacts } from './check-ignition.js';

/** Properties of the installation that determine which MachineConfigs apply to a node. */
export interface MachineFacts extends IgnitionFacts {
  /** Number of workers; undefined if the config is invalid there. */
  readonly workers: number | undefined;
  /** Path of the installation disk; absent if it is unknown. */
  readonly bootDisk?: string;
  /** Host name of the node; absent if it is unknown. */
  readonly hostname?: string;
}

/**
 * Reports MachineConfigs that will not have their intended effect on the node.
 * Problems: manifest/machine-config-role, manifest/machine-config-name, manifest/kernel-type, manifest/extension, and those of
 * `ignitionProblems` and `nodeProblems`.
 */
export function machineConfigProblems(
  objects: readonly SourcedObject[],
  { workers, bootDisk, hostname, ...facts }: MachineFacts,
): readonly Problem[] {
  const machineConfigs = objects.filter(isMachineConfig);
  // A user with MachineConfigs for both roles prepares for workers that join later.
  const isForNobody = workers === 0 && !machineConfigs.some((each) => roleOf(each) === 'master');
  const pools = objects.filter(({ object }) => object.kind === 'MachineConfigPool');
  const known = ['master', 'worker', ...pools.map(({ object }) => object.metadata.name)];
  const node: NodeFacts = {
    ...(bootDisk !== undefined && { bootDisk }),
    ...(hostname !== undefined && { hostname }),
    readsBridgeFiles: isSince(facts.version, 16),
    otherPaths: textsIn(machineConfigs, ['storage', 'files'], 'path'),
    // A unit without `enabled` is checked together with its file system.
    otherUnits: textsIn(machineConfigs, ['systemd', 'units'], 'name', isEnabled),
  };
  return machineConfigs.flatMap((each) => [
    ...roleProblems(each, { known, ofNobody: isForNobody ? ['worker'] : [] }),
    ...nameProblems(each),
    ...kernelTypeProblems(each),
    ...extensionProblems(each, facts.version),
    ...ignitionProblems(each.source, facts),
    ...nodeProblems(each.source, node),
  ]);
}

/** Whether the release is OpenShift 4.x of this minor, or newer; also if it is unknown. */
function isSince(version: MachineFacts['version'], minor: number): boolean {
  return version === undefined || version.major > 4 || version.minor >= minor;
}

function textsIn(
  objects: readonly SourcedObject[],
  list: readonly string[],
  key: string,
  isCounted: (entry: unknown) => boolean = () => true,
): ReadonlySet<string> {
  return new Set(
    objects.flatMap(({ object }) =>
      listAt(object, ['spec', 'config', ...list])
        .filter(isCounted)
        .flatMap((entry) => textAt(entry, [key]) ?? []),
    ),
  );
}

function isEnabled(unit: unknown): boolean {
  return fieldAt(unit, ['enabled']) === true || fieldAt(unit, ['enable']) === true;
}

/** Minors of OpenShift 4.x with each extension. Source: openshift/machine-config-operator pkg/controller/common, SupportedExtensions */
const extensions: Readonly<Record<string, { readonly from?: number; readonly to?: number }>> = {
  ipsec: {},
  kerberos: {},
  'kernel-devel': {},
  'sandboxed-containers': {},
  sysstat: { from: 18 },
  'two-node-ha': { from: 19 },
  usbguard: {},
  wasm: { to: 21 },
};

function extensionProblems({ source }: SourcedObject, version: MachineFacts['version']): readonly Problem[] {
  const list = nodeAt(source.root, ['spec', 'extensions']);
  const minor = version && (version.major === 4 ? version.minor : Infinity);
  const known = Object.entries(extensions).flatMap(([name, { from = 0, to = Infinity }]) =>
    minor === undefined || (from <= minor && minor <= to) ? [name] : [],
  );
  return (list?.kind === 'list' ? list.items : []).flatMap((item, index) => {
    if (item.kind === 'scalar' && known.includes(item.text)) return [];
    const message = `unknown extension ${shown(item)}, expected ${known.join(', ')}`;
    const hint = item.kind === 'scalar' ? suggestionOr(item.text, known, 'remove it') : undefined;
    return [
      problem('manifest/extension', message, {
        at: manifestFieldPlace(source, ['spec', 'extensions', index]),
        hint,
      }),
    ];
  });
}

export function isMachineConfig({ object: { apiVersion, kind } }: SourcedObject): boolean {
  return kind === 'MachineConfig' && groupOf(apiVersion) === 'machineconfiguration.openshift.io';
}

/** The role of the nodes that get a MachineConfig. */
export function roleOf({ object }: SourcedObject): string | undefined {
  return object.metadata.labels?.[roleLabel];
}

const rolePath: FieldPath = ['metadata', 'labels', roleLabel];

interface Roles {
  /** Roles with a MachineConfigPool. */
  readonly known: readonly string[];
  /** Roles without a machine in this installation. */
  readonly ofNobody: readonly string[];
}

function roleProblems(sourced: SourcedObject, { known, ofNobody }: Roles): readonly Problem[] {
  const { object, source } = sourced;
  const role = roleOf(sourced);
  if (role === undefined) {
    const message = `MachineConfig ${maskedWord(object.metadata.name)} has no label ${roleLabel}, so it applies to no node`;
    const at = manifestFieldPlace(source, rolePath, 'key');
    return [
      problem('manifest/machine-config-role', message, { at, hint: `add the label ${roleLabel}: master` }),
    ];
  }
  if (!known.includes(role)) {
    const message = `MachineConfig ${maskedWord(object.metadata.name)} has role ${quotedName(role)}, which no MachineConfigPool selects`;
    const hint = suggestionOr(role, known, 'the single node has role master');
    return [
      problem('manifest/machine-config-role', message, { at: manifestFieldPlace(source, rolePath), hint }),
    ];
  }
  if (!ofNobody.includes(role)) return [];
  const message = `MachineConfig ${maskedWord(object.metadata.name)} is for workers, and this installation has none`;
  const hint = 'the single node has only role master, although it also runs workloads';
  return [
    problem('manifest/machine-config-role', message, { at: manifestFieldPlace(source, rolePath), hint }),
  ];
}

/** Names of the MachineConfigs that the machine config operator renders. Source: its pkg/controller/render, kubelet-config. */
const ownNames =
  /^(?:rendered-|00-|01-(?:master|worker)-(?:kubelet|container-runtime)$|(?:97|98|99)-.*-generated-)/;

function nameProblems({ object, source }: SourcedObject): readonly Problem[] {
  const { name } = object.metadata;
  if (!ownNames.test(name)) return [];
  const message = `MachineConfig ${maskedWord(name)} has a name that the machine config operator uses`;
  const at = manifestFieldPlace(source, ['metadata', 'name']);
  return [problem('manifest/machine-config-name', message, { at, hint: 'call it 99-master-<topic>' })];
}

/** Source: openshift/machine-config-operator pkg/controller/common/constants.go. */
const kernelTypes: readonly string[] = ['', 'default', 'realtime', '64k-pages'];

function kernelTypeProblems({ source }: SourcedObject): readonly Problem[] {
  const path = ['spec', 'kernelType'];
  const node = nodeAt(source.root, path);
  if (node === undefined || (node.kind === 'scalar' && kernelTypes.includes(String(node.value ?? ''))))
    return [];
  const message = `kernelType is ${shown(node)}, expected default, realtime or 64k-pages`;
  return [problem('manifest/kernel-type', message, { at: manifestFieldPlace(source, path) })];
}

function shown(node: YamlNode): string {
  return node.kind === 'scalar' ? quoted(node.text) : `a ${node.kind}`;
}
