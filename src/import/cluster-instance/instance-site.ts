import { type Problem, problem } from '../../core/problem.js';
import type { FoundData } from '../resources/data-entry.js';
import { parseEmbeddedJson } from '../resources/embedded-json.js';
import { instanceValues, valuesOf } from '../resources/instance-values.js';
import {
  type Found,
  type FoundInstances,
  type Instance,
  clusterField,
  instanceName,
  nodeField,
  placeOf,
} from '../resources/instances.js';
import { referencedData } from '../resources/resource-data.js';
import { type Resource, textAt } from '../resources/resources.js';
import { mergePatch } from '../../formats/yaml/merge-patch.js';
import { tracedAt, type Origin, type Traced, type TracedMap } from '../../formats/yaml/traced.js';
import { installerFields, valuesIn } from '../../config/reading/installer-arguments.js';
import { nodeAt, pathText } from '../../formats/yaml/yaml-tree.js';
import type { Inputs } from '../../graph/context.js';
import { type FoundPullSecret, configFile, nodeFiles } from '../configs-of-site.js';
import { unconvertedFields } from '../field-rows.js';
import {
  type ImportOverrides,
  type ImportedFile,
  type ImportedSite,
  originOfOption,
} from '../imported-site.js';
import { tracedMap, tracedMapIfAny, tracedNode, tracedText, tracedVariable } from '../tracing.js';
import { hostFaults, unusedHints } from './host-faults.js';
import { clusterFields, metadataFields, nodeFields, ofTemplates } from './instance-fields.js';
import { manifestFiles } from './manifest-files.js';
import { singleNodeProblems } from './node-count.js';

/**
 * Converts a cluster of a ClusterInstance or SiteConfig. Problems: import/not-single-node, import/malformed. Warnings: import/no-place,
 * import/missing, import/left-out.
 */
export function instanceSite(
  instance: Instance,
  found: Pick<FoundInstances, 'resources'> & { readonly inputs: Inputs },
  importOverrides: ImportOverrides,
): ImportedSite {
  const { resource } = instance;
  const origin: Origin = { at: { file: resource.file, ...resource.root().span, length: 1 } };
  const values = instanceValues(instance, found.resources);
  const value = (name: string): Traced | undefined => {
    const variable = values.get(name);
    return variable && tracedVariable(variable);
  };
  const referred = referredFiles(instance, found);
  const overrides = overridesOf(instance);
  const disk = importOverrides.installationDisk;
  const plain = installConfig({
    value,
    trustBundle: referred.trustBundle,
    disk:
      disk === undefined
        ? value('installationDisk')
        : tracedText(disk, originOfOption('--installation-disk')),
    origin,
  });
  const merged = overrides.patch === undefined ? plain : mergePatch(plain, overrides.patch);
  const hints = nodeField(instance, ['rootDeviceHints']);
  const hasDisk = tracedAt(merged, ['bootstrapInPlace']) !== undefined;
  const settings = {
    hostname: value('hostname'),
    nodeLabels: value('nodeLabels'),
    releaseImage: value('releaseImage'),
    network: value('network'),
    ntpSources: value('ntpSources'),
    diskEncryption: value('diskEncryption'),
    rootDeviceHints: hasDisk ? undefined : value('rootDeviceHints'),
    coreosInstaller: installerSettings(instance),
  };
  const machineConfig = ignitionOverride(instance);
  const files: readonly ImportedFile[] = [
    ...(merged.kind === 'map' ? [configFile('install-config.yaml', merged)] : []),
    ...nodeFiles(defined(settings), referred.pullSecret, importOverrides, origin),
    ...machineConfig.files,
    ...referred.manifests,
  ];
  const bmc = values.get('bmc')?.value;
  return {
    name: instanceName(instance),
    ...(bmc?.kind === 'scalar' && { bmc: bmc.text }),
    ...(isOnHold(instance) && { isOnHold: true }),
    files,
    problems: [
      ...singleNodeProblems(instance),
      ...overrides.problems,
      ...machineConfig.problems,
      ...referred.problems.filter(
        ({ code }) => importOverrides.pullSecret === undefined || code !== 'import/no-pull-secret',
      ),
      ...imageSetMissing(instance, values.has('releaseImage') || importOverrides.releaseImage !== undefined),
      ...(hints && hasDisk && disk === undefined && value('rootDeviceHints')
        ? unusedHints(hints.node, resource.file, hints.path)
        : []),
      ...hostFaults(instance),
      ...fieldsOf(instance),
    ],
  };
}

export function isOnHold(instance: Instance): boolean {
  const hold = clusterField(instance, ['holdInstallation'])?.node;
  return hold?.kind === 'scalar' && hold.value === true;
}

function defined(settings: Readonly<Record<string, Traced | undefined>>): Readonly<Record<string, Traced>> {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([key, each]) => (each === undefined ? [] : [[key, each]])),
  );
}

/**
 * `coreosInstaller` of `installerArgs`. Kernel arguments stay arguments of coreos-installer, so that they apply to the first boot: those of
 * a MachineConfig apply after it.
 */
function installerSettings(instance: Instance): TracedMap | undefined {
  const found = nodeField(instance, ['installerArgs']);
  if (found === undefined) return undefined;
  const { file } = instance.resource;
  const origin: Origin = { at: { file, path: pathText(found.path), ...found.node.span } };
  const fields = Object.entries(installerFields).flatMap(([option, field]) => {
    const values = valuesOf(found.node, option);
    if (values?.kind !== 'list') return [];
    const items = values.items.flatMap((item) =>
      item.kind === 'scalar' ? valuesIn(field, item.text).map((text) => tracedText(text, origin)) : [],
    );
    return [[field, { kind: 'list', items, origin }] as const];
  });
  return tracedMapIfAny(Object.fromEntries(fields), origin);
}

interface Parts {
  readonly value: (name: string) => Traced | undefined;
  readonly trustBundle: Traced | undefined;
  readonly disk: Traced | undefined;
  readonly origin: Origin;
}

function installConfig({ value, trustBundle, disk, origin }: Parts): TracedMap {
  const text = (each: string): Traced => tracedText(each, origin);
  const number = (yaml: string): Traced => ({ kind: 'scalar', yaml, origin });
  const master = { name: text('master'), replicas: number('1'), architecture: value('architecture') };
  const worker = tracedMap({ name: text('worker'), replicas: number('0') }, origin);
  return tracedMap(
    {
      apiVersion: text('v1'),
      metadata: tracedMap({ name: value('name') }, origin),
      baseDomain: value('baseDomain'),
      controlPlane: tracedMap(master, origin),
      compute: { kind: 'list', items: [worker], origin },
      networking: tracedMapIfAny(
        {
          networkType: value('networkType'),
          machineNetwork: value('machineNetwork'),
          clusterNetwork: value('clusterNetwork'),
          serviceNetwork: value('serviceNetwork'),
        },
        origin,
      ),
      platform: tracedMap({ none: tracedMap({}, origin) }, origin),
      cpuPartitioningMode: value('cpuPartitioningMode'),
      proxy: tracedMapIfAny(
        { httpProxy: value('httpProxy'), httpsProxy: value('httpsProxy'), noProxy: value('noProxy') },
        origin,
      ),
      additionalTrustBundle: trustBundle,
      sshKey: value('sshKey'),
      bootstrapInPlace: disk && tracedMap({ installationDisk: disk }, origin),
    },
    origin,
  );
}

/** Reads `installConfigOverrides`, a merge patch for install-config.yaml. Problems: import/malformed. */
function overridesOf(instance: Instance): {
  readonly patch?: Traced;
  readonly problems: readonly Problem[];
} {
  const found = clusterField(instance, ['installConfigOverrides']);
  if (found === undefined) return { problems: [] };
  const json = found.node.kind === 'scalar' ? parseEmbeddedJson(found.node) : undefined;
  if (json?.kind !== 'map') {
    const hint = 'write a JSON object';
    const message = 'installConfigOverrides is not a JSON object';
    return { problems: [problem('import/malformed', message, { at: placeOf(instance, found), hint })] };
  }
  return { patch: tracedNode(json, instance.resource.file, found.path), problems: [] };
}

function imageSetMissing(instance: Instance, isKnown: boolean): readonly Problem[] {
  const found = clusterField(instance, ['clusterImageSetNameRef']);
  if (found === undefined || isKnown) return [];
  const message = 'ClusterImageSet not found in the input files; the default release of sno-install is used';
  const hint = 'add it to the imported directory, or set --release-image';
  return [problem('import/missing', message, { at: placeOf(instance, found), hint })];
}

/** Reports labels, which a fleet with a table of ClusterInstances reads as variables. Warnings: import/no-place. */
export function metadataProblems({ resource: { root, file } }: Instance): readonly Problem[] {
  const metadata = nodeAt(root(), ['metadata']);
  return metadata === undefined
    ? []
    : unconvertedFields({ root: metadata, path: ['metadata'], file, rows: metadataFields });
}

function fieldsOf(instance: Instance): readonly Problem[] {
  const {
    resource: { file },
    parts,
    nodes,
  } = instance;
  return [
    ...[clusterField(instance, ['templateRefs']), nodeField(instance, ['templateRefs'])].flatMap((refs) =>
      refs === undefined ? [] : ownTemplates(instance, refs),
    ),
    ...parts().flatMap((part) => unconvertedFields({ ...part, file, rows: clusterFields })),
    ...nodes()
      .slice(0, 1)
      .flatMap((part) => unconvertedFields({ ...part, file, rows: nodeFields })),
  ];
}

/** Templates of the operator itself. Source: stolostron/siteconfig internal/templates/assisted-installer and image-based-installer */
const templatesOfOperator = /^(?:ai|ibi)-(?:cluster|node)-templates-v\d+$/;

/** Warnings: import/no-place. */
function ownTemplates({ resource: { file } }: Instance, { node, path }: Found): readonly Problem[] {
  const refs = node.kind === 'list' ? node.items : [];
  return refs.flatMap((ref, index) => {
    const text = textAt(ref, ['name']) ?? '';
    if (text === '' || templatesOfOperator.test(text)) return [];
    const message = 'these templates are not those of the operator, and are not imported';
    const at = { file, path: pathText([...path, index, 'name']), ...ref.span };
    return [problem('import/no-place', message, { at, hint: ofTemplates })];
  });
}

const name = '99-master-ignition-override';

/**
 * Converts `ignitionConfigOverride` to a MachineConfig, so that the installed node still receives it.
 * Problems: import/malformed.
 */
function ignitionOverride(instance: Instance): {
  readonly files: readonly ImportedFile[];
  readonly problems: readonly Problem[];
} {
  const found = nodeField(instance, ['ignitionConfigOverride']);
  if (found === undefined) return { files: [], problems: [] };
  const { file } = instance.resource;
  const origin: Origin = { at: { file, path: pathText(found.path), ...found.node.span } };
  const config = found.node.kind === 'scalar' ? parseEmbeddedJson(found.node) : undefined;
  if (config?.kind !== 'map') {
    const message = 'ignitionConfigOverride is not a JSON object';
    return {
      files: [],
      problems: [
        problem('import/malformed', message, { at: origin.at, hint: 'write an Ignition config as JSON' }),
      ],
    };
  }
  const root = tracedMap(
    {
      apiVersion: tracedText('machineconfiguration.openshift.io/v1', origin),
      kind: tracedText('MachineConfig', origin),
      metadata: tracedMap(
        {
          labels: tracedMap(
            { 'machineconfiguration.openshift.io/role': tracedText('master', origin) },
            origin,
          ),
          name: tracedText(name, origin),
        },
        origin,
      ),
      spec: tracedMap({ config: tracedNode(config, file, found.path) }, origin),
    },
    origin,
  );
  return { files: [configFile(`openshift/${name}.yaml`, root)], problems: [] };
}

/** Objects and folders that a cluster references by name. */
interface ReferredFiles {
  readonly pullSecret?: FoundPullSecret;
  readonly trustBundle?: Traced;
  readonly manifests: readonly ImportedFile[];
  readonly problems: readonly Problem[];
}

interface Beside {
  readonly resources: readonly Resource[];
  readonly inputs: Inputs;
}

/** Problems: import/no-pull-secret, import/malformed. Warnings: import/missing, import/left-out. */
function referredFiles(instance: Instance, beside: Beside): ReferredFiles {
  const look = (kind: 'ConfigMap' | 'Secret', name: string): FoundData | undefined =>
    referencedData(beside.resources, beside.inputs, { kind, name, namespace: instance.resource.namespace });
  const manifests = manifestFiles(instance, beside.inputs, (name) => look('ConfigMap', name));
  const secret = pullSecret(instance, look);
  const bundle = trustBundle(instance, look);
  return {
    ...(secret.found && { pullSecret: secret.found }),
    ...(bundle.found && { trustBundle: bundle.found }),
    manifests: manifests.files,
    problems: [...secret.problems, ...bundle.problems, ...manifests.problems],
  };
}

type Look = (kind: 'ConfigMap' | 'Secret', name: string) => FoundData | undefined;

function pullSecret(
  instance: Instance,
  look: Look,
): { readonly found?: FoundPullSecret; readonly problems: readonly Problem[] } {
  const reference = clusterField(instance, ['pullSecretRef']);
  const data = look('Secret', textAt(reference?.node, ['name']) ?? '');
  const entry = data?.entries.find(({ key }) => key === '.dockerconfigjson');
  if (entry !== undefined)
    return { found: { text: entry.text, origin: { at: entry.at } }, problems: data?.problems ?? [] };
  const at = reference ? placeOf(instance, reference) : { file: instance.resource.file };
  const message = 'pull secret not found in the input files';
  const hint = 'set --pull-secret-file to FILE or env:NAME, or add the Secret to the imported directory';
  return { problems: [...(data?.problems ?? []), problem('import/no-pull-secret', message, { at, hint })] };
}

function trustBundle(
  instance: Instance,
  look: Look,
): { readonly found?: Traced; readonly problems: readonly Problem[] } {
  const reference = clusterField(instance, ['caBundleRef']);
  if (reference === undefined) return { problems: [] };
  const data = look('ConfigMap', textAt(reference.node, ['name']) ?? '');
  const entry = data?.entries.find(({ text }) => text.includes('-----BEGIN CERTIFICATE-----'));
  if (entry !== undefined)
    return { found: tracedText(entry.text, { at: entry.at }), problems: data?.problems ?? [] };
  const at = placeOf(instance, reference);
  const hint =
    'add it to the imported directory, or add the certificates to additionalTrustBundle in the new install-config.yaml';
  return {
    problems: [
      ...(data?.problems ?? []),
      problem('import/missing', 'ConfigMap with certificates not found in the input files', { at, hint }),
    ],
  };
}
