import { byCodeUnit } from '../../core/compare.js';
import { isRecord } from '../../core/is-record.js';
import { problem, type Problem } from '../../core/problem.js';
import { quoted } from '../../core/quoted.js';
import { failure, success, type Result } from '../../core/result.js';
import { writeYamlInOrder } from '../../formats/yaml/write-yaml.js';
import { nodeAt } from '../../formats/yaml/yaml-tree.js';
import type { Inputs } from '../../graph/context.js';
import { resourcesIn, type Resource } from '../resources/resources.js';
import { withVariables, type ConfigMaps, type HubValues } from './hub-templates.js';
import { layerOf, type PolicyLayer } from './policy-binding.js';
import { leftOut, policyObjects, waveAnnotation, type PolicyObject } from './policy-objects.js';

/** Policies as files of a fleet. */
export interface ImportedPolicies {
  readonly policies: readonly string[];
  /** Relative to the folder of fleet.yaml. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly layers: readonly PolicyLayer[];
  /** Number of objects of all policies. */
  readonly found: number;
  /** Number of objects that are in the files. */
  readonly taken: number;
  /** Warnings: import/left-out, import/missing, import/no-place, import/not-read. */
  readonly problems: readonly Problem[];
}

export const policyColumnsName = 'columns.csv';

/**
 * Converts PolicyGenerators, PolicyGenTemplates and Policies of a folder to `post-install/` of a fleet. `sourceCrs` is the folder of the
 * source CRs. Problems: import/no-source.
 */
export function importPolicies(inputs: Inputs, sourceCrs: Inputs | undefined): Result<ImportedPolicies> {
  const read = [...resourcesIn(inputs, '.')];
  const resources = read.flatMap((each) => each.resources);
  const found = policyObjects({ inputs, resources, sourceCrs });
  if (found.policies.length === 0) {
    const hint = 'name the folder with the PolicyGenerators, PolicyGenTemplates or Policies';
    return failure(problem('import/no-source', 'the folder contains no policies', { hint }));
  }
  const problems = [...read.flatMap((each) => each.problems), ...found.problems];
  const layers = new Layers(configMapsIn(resources), problems);
  for (const object of found.objects) layers.add(object);
  return success({
    policies: found.policies,
    files: layers.files(),
    layers: layers.list(),
    found: found.objects.length,
    taken: layers.taken,
    problems: [...problems, ...layers.unreadVariables(), ...otherObjects(resources)],
  });
}

const known = [
  'PolicyGenerator',
  'PolicyGenTemplate',
  'Policy',
  'PlacementBinding',
  'Placement',
  'PlacementRule',
  'ConfigMap',
  'Kustomization',
  'Namespace',
  'PolicySet',
  'ManagedClusterSetBinding',
];

function otherObjects(resources: readonly Resource[]): readonly Problem[] {
  return resources
    .filter(({ kind }) => !known.includes(kind))
    .map((each) =>
      leftOut(`${quoted(each.kind)} is not a policy and is not imported`, {
        file: each.file,
        ...each.root().span,
      }),
    );
}

function configMapsIn(resources: readonly Resource[]): ConfigMaps {
  const maps = resources.filter(({ kind }) => kind === 'ConfigMap');
  return new Map(
    maps.map((each) => {
      const node = nodeAt(each.root(), ['data']);
      const entries = node?.kind === 'map' ? node.entries : [];
      const texts = entries.flatMap(({ key, value }) =>
        value.kind === 'scalar' ? [[key, value.text] as const] : [],
      );
      return [`${each.namespace}/${each.name}`, new Map(texts)];
    }),
  );
}

type Data = Readonly<Record<string, unknown>>;

interface LayerFile {
  readonly policy: string;
  readonly data: Data;
}

interface Layer extends PolicyLayer {
  readonly files: Map<string, LayerFile>;
  readonly variables: Map<string, unknown>;
}

/** Collects the files of the layers. */
class Layers {
  readonly #layers = new Map<string, Layer>();
  readonly #columns = new Map<string, Map<string, unknown>>();
  readonly #configMaps: ConfigMaps;
  readonly #problems: Problem[];
  readonly #noted = new Set<string>();
  taken = 0;

  constructor(configMaps: ConfigMaps, problems: Problem[]) {
    [this.#configMaps, this.#problems] = [configMaps, problems];
  }

  add(object: PolicyObject): void {
    const applied = appliedPart(object, this.#problems);
    if (applied === undefined) return;
    const place = layerOf(object.binding);
    this.#noteLabels(place, object);
    const layer: Layer = this.#layers.get(place.folder) ?? {
      ...place,
      files: new Map(),
      variables: new Map(),
    };
    const { namespace, binding, at, policy } = object;
    const context = { configMaps: this.#configMaps, namespace, labels: binding.labels, at };
    const values: HubValues = { variables: new Map(), columns: this.#columns, problems: this.#problems };
    const data = withVariables(applied, context, values);
    if (!isRecord(data)) return;
    this.#layers.set(place.folder, layer);
    this.taken += 1;
    for (const [name, value] of values.variables) this.#setVariable(layer, { name, value, at });
    const path = `post-install/${fileName(object.wave, data)}`;
    const earlier = layer.files.get(path);
    if (earlier !== undefined && JSON.stringify(earlier.data) !== JSON.stringify(data)) {
      const message = `policies ${quoted(earlier.policy)} and ${quoted(policy)} have the same object; the fields of the later one win`;
      this.#problems.push(problem('import/no-place', message, { at, hint: 'check the merged object' }));
    }
    layer.files.set(path, { policy, data: earlier === undefined ? data : mergedData(earlier.data, data) });
  }

  /** The other labels of policies for all sites, once per policy. */
  #noteLabels({ folder, labels }: PolicyLayer, { policy, at }: PolicyObject): void {
    const others = [...labels.keys()].filter((key) => key !== 'common');
    if (folder !== 'base' || others.length === 0 || this.#noted.has(policy)) return;
    this.#noted.add(policy);
    const message = `policy ${quoted(policy)} is for sites with common=true and ${others.join(', ')}; its objects are in the base, for all sites`;
    const hint = 'move its files to a class if other sites must not have them';
    this.#problems.push(problem('import/no-place', message, { at, hint }));
  }

  #setVariable(
    layer: Layer,
    { name, value, at }: { readonly name: string; readonly value: unknown; readonly at: PolicyObject['at'] },
  ): void {
    const before = layer.variables.get(name);
    if (before !== undefined && JSON.stringify(before) !== JSON.stringify(value)) {
      const message = `the variable ${quoted(name)} has two values in ${layer.folder}`;
      this.#problems.push(problem('import/no-place', message, { at, hint: 'rename one of the variables' }));
      return;
    }
    layer.variables.set(name, value);
  }

  list(): readonly PolicyLayer[] {
    return [...this.#layers.values()]
      .map(({ folder, labels }) => ({ folder, labels }))
      .toSorted((left, right) => byCodeUnit(left.folder, right.folder));
  }

  /** Only classes have a file for variables. */
  unreadVariables(): readonly Problem[] {
    const unread = [...this.#layers.values()].filter(
      ({ folder, variables }) => variables.size > 0 && !folder.startsWith('classes/'),
    );
    return unread.map(({ folder, variables }) => {
      const message = `no command reads ${variablesName(folder)}, which has values for ${folder}: ${[...variables.keys()].join(', ')}`;
      const hint =
        folder === 'base'
          ? 'copy them to variables in fleet.yaml, and remove the file'
          : 'copy them to columns of the site in the table, and remove the file';
      return problem('import/no-place', message, { hint });
    });
  }

  files(): ImportedPolicies['files'] {
    const all = [...this.#layers.values()].flatMap(({ folder, files, variables }) => [
      ...[...files].map(([path, { data }]) => ({ path: `${folder}/${path}`, text: writeYamlInOrder(data) })),
      ...variablesFile(folder, variables),
    ]);
    const columns = this.#columns.size === 0 ? [] : [{ path: policyColumnsName, text: csvOf(this.#columns) }];
    return [...all, ...columns].toSorted((left, right) => byCodeUnit(left.path, right.path));
  }
}

/** Values of the base are those of all sites. A site has no file for variables; its values are columns. */
function variablesFile(folder: string, variables: ReadonlyMap<string, unknown>): ImportedPolicies['files'] {
  if (variables.size === 0) return [];
  const sorted = [...variables].toSorted(([left], [right]) => byCodeUnit(left, right));
  return [{ path: variablesName(folder), text: writeYamlInOrder(Object.fromEntries(sorted)) }];
}

function variablesName(folder: string): string {
  return folder.startsWith('classes/')
    ? `${folder}/variables.yaml`
    : `${folder.replaceAll('/', '-')}-variables.yaml`;
}

/** The object as it is applied; undefined if it is not applied. */
function appliedPart(
  { data, complianceType, at, policy }: PolicyObject,
  problems: Problem[],
): Data | undefined {
  const { status, ...fields } = data;
  const { metadata } = data;
  const name = isRecord(metadata) ? metadata['name'] : undefined;
  const shown = `${String(data['kind'])} ${typeof name === 'string' ? name : 'without a name'}`;
  const reason = reasonToSkip(data, complianceType);
  if (reason !== undefined) {
    problems.push(leftOut(`${shown} of policy ${policy} is not imported: ${reason.words}`, at, reason.hint));
    return undefined;
  }
  if (complianceType.toLowerCase() === 'mustonlyhave') {
    const hint = 'other fields of the object on the cluster are kept';
    problems.push(
      problem('import/no-place', `mustonlyhave of ${shown} is imported as musthave`, { at, hint }),
    );
  }
  if (status !== undefined)
    problems.push(
      problem('import/no-place', `the status of ${shown} is not imported`, {
        at,
        hint: 'a status is no configuration',
      }),
    );
  return withoutWave(fields);
}

interface SkipReason {
  readonly words: string;
  readonly hint: string;
}

function reasonToSkip(data: Data, complianceType: string): SkipReason | undefined {
  const { status, ...fields } = data;
  const name = isRecord(data['metadata']) ? data['metadata']['name'] : undefined;
  const isMetadataOnly = Object.keys(fields).every((key) => ['apiVersion', 'kind', 'metadata'].includes(key));
  const isWorkload = /^(?:apps|batch)\//.test(String(data['apiVersion']));
  if (isMetadataOnly && (status !== undefined || isWorkload))
    return {
      words: 'the policy only checks that it exists, or its status',
      hint: 'wait for it with `wait-for post-install-complete`',
    };
  if (typeof name !== 'string') return { words: 'it has no name', hint: 'give it a name' };
  return complianceType.toLowerCase() === 'mustnothave'
    ? { words: 'mustnothave', hint: 'delete it on running sites; new sites must not create it' }
    : undefined;
}

function withoutWave(data: Data): Data {
  const metadata = isRecord(data['metadata']) ? data['metadata'] : {};
  const { annotations, ...others } = metadata;
  const kept = isRecord(annotations)
    ? Object.entries(annotations).filter(([key]) => key !== waveAnnotation)
    : [];
  return {
    ...data,
    metadata: { ...others, ...(kept.length > 0 && { annotations: Object.fromEntries(kept) }) },
  };
}

/** Such as `10-ptpconfig-openshift-ptp-slave.yaml`. */
function fileName(wave: number, { kind, metadata }: Data): string {
  const { name, namespace } = isRecord(metadata) ? metadata : {};
  const words = [kind, namespace, name].filter((each) => typeof each === 'string').join('-');
  return `${String(wave).padStart(2, '0')}-${words.toLowerCase().replaceAll(/[^a-z0-9.-]+/g, '-')}.yaml`;
}

function mergedData(base: Data, above: Data): Data {
  const merged = Object.entries(above).map(([key, value]) => {
    const below = base[key];
    return [key, isRecord(below) && isRecord(value) ? mergedData(below, value) : value] as const;
  });
  return { ...base, ...Object.fromEntries(merged) };
}

function csvOf(columns: ReadonlyMap<string, ReadonlyMap<string, unknown>>): string {
  const sites = [...new Set([...columns.values()].flatMap((each) => [...each.keys()]))].sort(byCodeUnit);
  const names = [...columns.keys()].sort(byCodeUnit);
  const lines = sites.map((site) =>
    [site, ...names.map((name) => cell(columns.get(name)?.get(site)))].join(','),
  );
  return `${[['name', ...names].join(','), ...lines].join('\n')}\n`;
}

/** A text in quotes stays a text. */
function cell(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return `"${(typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('"', '""')}"`;
}
