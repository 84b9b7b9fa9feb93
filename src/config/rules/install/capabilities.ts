import type { Finding } from '../../schema/rule.js';
import type { InstallConfig } from '../../schema/install-config-schema.js';
import type { FieldPath } from '../../../formats/yaml/yaml-tree.js';
import { hasPreviewFeature } from '../../served-version.js';
import { capabilitiesIn, capabilitiesOf, type Capability } from '../../../release/capability-sets.js';
import type { OpenShiftRelease } from '../../../release/openshift-release.js';
import type { ReleaseVersion } from '../../../release/release-version.js';
import { releases } from '../../../release/releases.js';
import type { InstallRule } from './install-subject.js';

/** Rules on optional components. They depend on the release, so `capabilityFindings` checks them once it is known. */
export const capabilityRules: readonly InstallRule[] = [
  {
    number: 53,
    fields: ['capabilities.baselineCapabilitySet', 'capabilities.additionalEnabledCapabilities'],
    text: `The capability Ingress is enabled, from release ${firstReleaseWith('Ingress')} on: sets before v${firstReleaseWith('Ingress')} do not contain it.`,
    origin: 'openshift-install',
  },
  {
    number: 54,
    fields: ['capabilities.additionalEnabledCapabilities'],
    text: `The capability marketplace is enabled only with OperatorLifecycleManager, from release ${firstReleaseWith('OperatorLifecycleManager')} on.`,
    origin: 'openshift-install',
  },
  {
    number: 130,
    fields: ['capabilities.baselineCapabilitySet', 'capabilities.additionalEnabledCapabilities'],
    text: 'ClusterVersion of the release accepts the set and the capabilities.',
    origin: 'openshift-install',
  },
  {
    number: 131,
    fields: ['capabilities.additionalEnabledCapabilities'],
    text: `baremetal is added to the set None only with MachineAPI, up to release ${releases.lastWith(({ baremetalNeedsMachineApi }) => baremetalNeedsMachineApi).version.text}; ClusterAPI is added only with CompatibilityRequirements.`,
    origin: 'openshift-install',
  },
  {
    number: 164,
    fields: ['capabilities.baselineCapabilitySet', 'capabilities.additionalEnabledCapabilities'],
    text: 'On platform external, the capability CloudCredential is enabled, and CloudControllerManager with cloudControllerManager External.',
    origin: 'openshift-install',
  },
];

function firstReleaseWith(capability: Capability): string {
  return releases.firstWith((release) => capabilitiesOf(release).has(capability)).version.text;
}

/** Violations of `capabilityRules`. If the version is unknown, only settings that every release rejects are reported. */
export function capabilityFindings(
  config: InstallConfig,
  version: ReleaseVersion | undefined,
): readonly Finding[] {
  if (config.capabilities === undefined) return [];
  if (version !== undefined) return findingsIn(releases.like(version), config);
  const isRefusedByAll = releases.all.every((release) => findingsIn(release, config).length > 0);
  return isRefusedByAll ? findingsIn(releases.newest, config) : [];
}

const code = 'config/capabilities';
const basePath: FieldPath = ['capabilities', 'baselineCapabilitySet'];
const additionalPath: FieldPath = ['capabilities', 'additionalEnabledCapabilities'];

function findingsIn(release: OpenShiftRelease, config: InstallConfig): readonly Finding[] {
  const { baselineCapabilitySet: set = '', additionalEnabledCapabilities: added = [] } =
    config.capabilities ?? {};
  const base = capabilitiesIn(set, release);
  if (base === undefined) return set === '' ? [] : [unknownSet(set, release)];
  const enabled = new Set([...base, ...added]);
  return [
    ...added.flatMap((name, index) => refusedName(name, [...additionalPath, index], { release, config })),
    ...ingress(release, enabled, set),
    ...marketplace(release, enabled, added),
    ...ofExternalPlatform(release, enabled, config),
    ...companions(release, config),
  ];
}

function unknownSet(set: string, { version, capabilitySet }: OpenShiftRelease): Finding {
  return {
    code,
    path: basePath,
    message: `release ${version.text} has no capability set ${set}`,
    hint: `write ${capabilitySet}, its newest set, or vCurrent for all its capabilities`,
  };
}

function refusedName(
  name: string,
  path: FieldPath,
  { release, config }: { readonly release: OpenShiftRelease; readonly config: InstallConfig },
): readonly Finding[] {
  const { version, gatedCapabilities } = release;
  if (name !== '' && !capabilitiesOf(release).has(name)) {
    const message = `release ${version.text} has no capability ${name}`;
    return [{ code, path, message, hint: 'remove it' }];
  }
  const gates = Object.entries(gatedCapabilities).find(([each]) => each === name)?.[1];
  if (gates === undefined || gates.some((gate) => hasPreviewFeature(config, gate))) return [];
  const message = `the capability ${name} needs the feature gate ${gates.join(' or ')}`;
  return [{ code, path, message, hint: 'remove it, or set featureSet', with: [['featureSet']] }];
}

/** Source: openshift/installer pkg/types/validation; only hosted clusters may disable Ingress. */
function ingress(release: OpenShiftRelease, enabled: ReadonlySet<string>, set: string): readonly Finding[] {
  if (!capabilitiesOf(release).has('Ingress') || enabled.has('Ingress')) return [];
  return [
    {
      code,
      path: basePath,
      message: `the capability Ingress is required, but set ${set} does not contain it`,
      hint: 'add Ingress to additionalEnabledCapabilities',
      with: [additionalPath],
    },
  ];
}

/** Source: openshift/installer pkg/types/validation, ValidateInstallConfig */
function ofExternalPlatform(
  release: OpenShiftRelease,
  enabled: ReadonlySet<string>,
  { platform: { external } }: InstallConfig,
): readonly Finding[] {
  if (external === undefined) return [];
  const { cloudControllerManager } = external;
  const needed = ['CloudCredential', ...(cloudControllerManager === '' ? [] : ['CloudControllerManager'])];
  return needed
    .filter((name) => capabilitiesOf(release).has(name) && !enabled.has(name))
    .map((name) => ({
      code,
      path: basePath,
      message: `platform external needs the capability ${name}, but the set does not contain it`,
      hint: `add ${name} to additionalEnabledCapabilities`,
      with: [additionalPath],
    }));
}

function marketplace(
  release: OpenShiftRelease,
  enabled: ReadonlySet<string>,
  added: readonly string[],
): readonly Finding[] {
  const needed = 'OperatorLifecycleManager';
  if (!capabilitiesOf(release).has(needed) || !enabled.has('marketplace') || enabled.has(needed)) return [];
  const index = added.indexOf('marketplace');
  return [
    {
      code,
      path: index === -1 ? basePath : [...additionalPath, index],
      message: `the capability marketplace needs ${needed}, which is not enabled`,
      hint: `add ${needed} to additionalEnabledCapabilities`,
      with: [additionalPath],
    },
  ];
}

/** Checks of the API server on the list itself, independent of the set. */
function companions(
  { baremetalNeedsMachineApi, gatedCapabilities }: OpenShiftRelease,
  config: InstallConfig,
): readonly Finding[] {
  const { baselineCapabilitySet, additionalEnabledCapabilities: added = [] } = config.capabilities ?? {};
  const gates = Object.values(gatedCapabilities).flat();
  const hasGates = gates.length > 0 && gates.every((gate) => hasPreviewFeature(config, gate));
  const pairs = [
    {
      name: 'baremetal',
      needs: 'MachineAPI',
      isApplied: baremetalNeedsMachineApi && baselineCapabilitySet === 'None',
    },
    { name: 'ClusterAPI', needs: 'CompatibilityRequirements', isApplied: hasGates },
  ];
  return pairs.flatMap(({ name, needs, isApplied }) => {
    const index = added.indexOf(name);
    if (!isApplied || index === -1 || added.includes(needs)) return [];
    const message = `the capability ${name} needs ${needs} in the list too`;
    return [{ code, path: [...additionalPath, index], message, hint: `add ${needs} too` }];
  });
}
