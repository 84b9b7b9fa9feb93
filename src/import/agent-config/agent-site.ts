import { problem, type Problem } from '../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import type { Inputs } from '../../graph/context.js';
import { hostNetwork } from '../resources/host-network.js';
import { itemsAt, textAt } from '../resources/resources.js';
import { rootDevice } from '../resources/root-device.js';
import type { Origin, Traced } from '../../formats/yaml/traced.js';
import { nodeAt, type FieldPath, type YamlNode } from '../../formats/yaml/yaml-tree.js';
import { unusedAddresses, unusedHints } from '../cluster-instance/host-faults.js';
import { nodeFiles } from '../configs-of-site.js';
import { unconvertedFields } from '../field-rows.js';
import { addedManifests } from '../added-manifests.js';
import type { ImportedSite, ImportOverrides } from '../imported-site.js';
import { sourceTextOf, copiedInstallConfig, type SourceText } from '../install-config-source.js';
import { tracedNode } from '../tracing.js';
import { unreadEntries } from '../unread-entries.js';
import { agentFields, hostFields } from './agent-fields.js';

const agentConfig = 'agent-config.yaml';
const installConfig = 'install-config.yaml';

/**
 * Converts the folder of the agent-based installer. Problems: import/no-source, import/not-single-node, and those of `sourceTextOf`.
 * Warnings: import/no-place, import/left-out.
 */
export function agentSite(inputs: Inputs, overrides: ImportOverrides): Result<ImportedSite> {
  const agent = sourceOf(inputs, agentConfig);
  const install = sourceOf(inputs, installConfig);
  if (!agent.ok || !install.ok) return failure(...problemsOf(agent), ...problemsOf(install));
  const host = new Host(agent.value);
  const manifests = addedManifests(inputs, ['openshift']);
  const origin: Origin = { at: { file: agent.value.file } };
  const hasDisk = nodeAt(install.value.root, ['bootstrapInPlace']) !== undefined;
  const isDiskGiven = overrides.installationDisk !== undefined;
  const hints = hasDisk || isDiskGiven ? undefined : host.hints;
  return success({
    name: textAt(install.value.root, ['metadata', 'name']) ?? '',
    files: [
      copiedInstallConfig(install.value, host.disk, overrides),
      ...nodeFiles(
        { ...host.settings, ...(hints && { rootDeviceHints: hints }) },
        undefined,
        overrides,
        origin,
      ),
      ...manifests.files,
    ],
    problems: [
      ...host.problems(hasDisk && !isDiskGiven),
      ...manifests.problems,
      ...unreadEntries(inputs, { read: [agentConfig, installConfig], hints: leftOut }),
    ],
  });
}

function sourceOf(inputs: Inputs, name: string): Result<SourceText> {
  const hint =
    'pass the directory of the agent installer; files it has consumed are read from its state file';
  return (
    sourceTextOf(inputs, name) ??
    failure(problem('import/no-source', `${name} is missing in the directory`, { hint }))
  );
}

/** The first host of agent-config.yaml and the settings that apply to it. */
class Host {
  readonly #path: FieldPath = ['hosts', 0];
  readonly #source: SourceText;
  readonly #root: YamlNode;
  readonly #host: YamlNode | undefined;

  constructor(source: SourceText) {
    this.#source = source;
    this.#root = withKnownKeys(source.root);
    this.#host = itemsAt(this.#root, ['hosts'])[0];
  }

  get disk(): Traced | undefined {
    const hints = this.#of(['rootDeviceHints']);
    const found = hints && rootDevice(hints).disk;
    return found && this.#traced(found, [...this.#path, 'rootDeviceHints', 'deviceName']);
  }

  get hints(): Traced | undefined {
    const hints = this.#of(['rootDeviceHints']);
    const found = hints && rootDevice(hints).hints;
    return found && this.#traced(found, [...this.#path, 'rootDeviceHints']);
  }

  get settings(): Readonly<Record<string, Traced>> {
    const config = this.#of(['networkConfig']);
    const network = config && hostNetwork(config, itemsAt(this.#host, ['interfaces'])).network;
    const ofRoot = (name: string): YamlNode | undefined => nodeAt(this.#root, [name]);
    const fields: readonly (readonly [string, YamlNode | undefined, FieldPath])[] = [
      ['hostname', this.#of(['hostname']), [...this.#path, 'hostname']],
      ['nodeIP', ofRoot('rendezvousIP'), ['rendezvousIP']],
      ['ntpSources', ofRoot('additionalNTPSources'), ['additionalNTPSources']],
      ['network', network, [...this.#path, 'networkConfig']],
    ];
    return Object.fromEntries(
      fields.flatMap(([name, node, path]) => (node === undefined ? [] : [[name, this.#traced(node, path)]])),
    );
  }

  problems(hasOtherDisk: boolean): readonly Problem[] {
    const { file } = this.#source;
    const hosts = itemsAt(this.#root, ['hosts']);
    const [hints, config, map] = [
      this.#of(['rootDeviceHints']),
      this.#of(['networkConfig']),
      this.#of(['interfaces']),
    ];
    const role = this.#of(['role']);
    return [
      ...(hosts[1] ? [notSingle(`agent-config.yaml has ${hosts.length} hosts`, file, hosts[1])] : []),
      ...(role?.kind === 'scalar' && !['master', ''].includes(role.text)
        ? [notSingle('the role of the node is not master', file, role)]
        : []),
      ...unconvertedFields({ file, root: this.#root, path: [], rows: agentFields }),
      ...(this.#host
        ? unconvertedFields({ file, root: this.#host, path: this.#path, rows: hostFields })
        : []),
      ...(hints && hasOtherDisk ? unusedHints(hints, file, [...this.#path, 'rootDeviceHints']) : []),
      ...(map ? unusedAddresses(config, map, { file, path: [...this.#path, 'interfaces'] }) : []),
    ];
  }

  #of(path: FieldPath): YamlNode | undefined {
    return this.#host && nodeAt(this.#host, path);
  }

  /** Omits line numbers for a file that comes from the state file, where they would be meaningless. */
  #traced(node: YamlNode, path: FieldPath): Traced {
    const { file, hasLines } = this.#source;
    const traced = tracedNode(node, file, path);
    return hasLines ? traced : atFile(traced, file);
  }
}

/** Known field names by their lower-case form. */
const knownKeys: ReadonlyMap<string, string> = new Map(
  [...agentFields, ...hostFields]
    .flatMap(({ field }) => field.replaceAll('[]', '').split('.'))
    .concat('name', 'macAddress')
    .map((name) => [name === 'BMC' ? name : name.toLowerCase(), name]),
);

/**
 * Corrects the letter case of known keys, because Go matches keys regardless of case. nmstate does not, so networkConfig is unchanged.
 */
function withKnownKeys(node: YamlNode): YamlNode {
  if (node.kind === 'list') return { ...node, items: node.items.map(withKnownKeys) };
  if (node.kind !== 'map') return node;
  return {
    ...node,
    entries: node.entries.map((entry) => {
      const key = knownKeys.get(entry.key.toLowerCase()) ?? entry.key;
      return { ...entry, key, value: key === 'networkConfig' ? entry.value : withKnownKeys(entry.value) };
    }),
  };
}

function atFile(node: Traced, file: string): Traced {
  const origin: Origin = { at: { file } };
  switch (node.kind) {
    case 'scalar':
      return { ...node, origin };
    case 'list':
      return { ...node, origin, items: node.items.map((item) => atFile(item, file)) };
    case 'map':
      return {
        ...node,
        origin,
        entries: node.entries.map((entry) => ({ ...entry, origin, value: atFile(entry.value, file) })),
      };
  }
}

function notSingle(message: string, file: string, { span }: YamlNode): Problem {
  return problem('import/not-single-node', message, {
    at: { file, ...span },
    hint: 'keep only the host of the single node',
  });
}

/** Folders that are not imported. */
const leftOut = {
  'cluster-manifests/': 'the agent installer generates it from agent-config.yaml and install-config.yaml',
  'manifests/': 'the agent installer reads only openshift/; add the manifests that the cluster needs',
  'mirror/':
    'add its registries to imageDigestSources and its certificates to additionalTrustBundle in install-config.yaml',
} as const;
