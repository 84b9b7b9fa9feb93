import { posix } from 'node:path';

import { problem, type Place, type Problem } from '../../core/problem.js';
import { quotedName } from '../../core/quoted.js';
import { failure, success, type Result } from '../../core/result.js';
import type { InputRead, Inputs } from '../../graph/context.js';
import { instanceSite, isOnHold } from '../../import/cluster-instance/instance-site.js';
import { nodeCountProblem } from '../../import/cluster-instance/node-count.js';
import {
  instanceValues,
  instanceVariables,
  type InstanceValues,
} from '../../import/resources/instance-values.js';
import { instanceName, instancesByFile, type Instance } from '../../import/resources/instances.js';
import { copyText, type Resource } from '../../import/resources/resources.js';
import {
  type Kustomization,
  kustomizationsOf,
  listedSites,
  missingFiles,
  unlistedProblems,
} from '../../import/resources/kustomizations.js';
import { unusedResources } from '../../import/resources/unused-resources.js';
import { namedRow, type NamedRow, type SiteRow } from './site-row.js';
import type { SiteTable } from './site-table.js';
import type { SiteVariables } from '../../config/variables.js';

/** Number of names of skipped clusters in a message. */
const shownNames = 5;

/**
 * Reads a folder of ClusterInstances and SiteConfigs as a table. Each single-node cluster is a site, with variables and with the files
 * that `import cluster-instance` creates. Files outside of the folder are not read. Warnings: import/not-read, import/unlisted,
 * import/missing, fleet/several-nodes.
 * Problems: fleet/table, fleet/site-name, fleet/site-twice.
 */
export function readInstanceTable(folder: string, inputs: Inputs): Result<SiteTable> {
  const inside = insideOf(folder, inputs);
  const path = posix.normalize(folder).replace(/\/$/, '');
  const columns = new Columns();
  const [resources, problems]: [Resource[], Problem[]] = [[], []];
  const kustomizations: Kustomization[] = [];
  const named: NamedRow[] = [];
  const [instances, several]: [Instance[], Instance[]] = [[], []];
  for (const found of instancesByFile(inside, path)) {
    resources.push(...found.resources);
    kustomizations.push(...kustomizationsOf(found.resources));
    problems.push(...found.problems);
    for (const instance of found.instances) {
      instances.push(instance);
      if (nodeCountProblem(instance) !== undefined) several.push(instance);
      else named.push(rowOf(instance, { resources, inputs: inside, columns }));
    }
  }
  const unlisted = unlistedProblems(listedSites(instances, kustomizations).unlisted);
  const warnings = [
    ...problems,
    ...unlisted,
    ...missingFiles(kustomizations, resources, inside),
    ...leftOut(several),
  ];
  if (named.length === 0) return failure(...warnings, noCluster(folder));
  const rows = named.map(({ row }) => row);
  const faults = [...named.flatMap((each) => each.problems), ...twice(rows)];
  const unused = (): readonly Problem[] => unusedResources(resources, instances, { inputs: inside, path });
  return success({ rows, leftOut: [], faults, columns: columns.all(), hasLayers: true, unused }, warnings);
}

/** The resources and files around a cluster. */
interface Beside {
  /** Complete only after all files are read. */
  readonly resources: readonly Resource[];
  readonly inputs: Inputs;
  readonly columns: Columns;
}

/** Computes variables and files on each access, so that those of ten thousand sites are not in memory at once. */
function rowOf(instance: Instance, { resources, inputs, columns }: Beside): NamedRow {
  const at = placeOfInstance(instance);
  const known = instanceValues(instance, []);
  columns.add(known);
  const bmc = known.get('bmc');
  const { row, problems } = namedRow({ at, known, empty: new Map() }, instance.resource.file);
  const variables = new InstanceVariables(() => instanceValues(instance, resources), columns, at);
  return {
    row: {
      ...row,
      variables,
      ...(isOnHold(instance) && { isOnHold: true }),
      ...(bmc?.value.kind === 'scalar' && { bmc: { text: copyText(bmc.value.text), at: bmc.at } }),
      get layer() {
        const { files, problems } = instanceSite(instance, { resources, inputs }, {});
        return { files, problems };
      },
    },
    problems,
  };
}

class InstanceVariables implements SiteVariables {
  readonly #values: () => InstanceValues;
  readonly #columns: Columns;
  readonly #at: Place;

  constructor(values: () => InstanceValues, columns: Columns, at: Place) {
    [this.#values, this.#columns, this.#at] = [values, columns, at];
  }

  get known(): InstanceValues {
    return this.#values();
  }

  get empty(): ReadonlyMap<string, Place> {
    const known = this.known;
    const unset = [...this.#columns.all().keys()].filter((name) => !known.has(name));
    return new Map(unset.map((name) => [name, this.#at]));
  }
}

/** Limits kustomizations and SiteConfigs to files below the folder. */
function insideOf(folder: string, inputs: Inputs): Inputs {
  const isInside = (path: string): boolean => !posix.relative(folder, path).startsWith('..');
  const outside: InputRead = { kind: 'unreadable', reason: 'it is outside the directory of the sites' };
  return {
    ...inputs,
    read: (path) => (isInside(path) ? inputs.read(path) : outside),
    list: (path) => (isInside(path) ? inputs.list(path) : undefined),
  };
}

/** One warning for all clusters with several nodes, at the first of them. */
function leftOut(clusters: readonly Instance[]): readonly Problem[] {
  const [first] = clusters.flatMap((each) => nodeCountProblem(each) ?? []);
  if (first === undefined) return [];
  const names = clusters.slice(0, shownNames).map((each) => quotedName(instanceName(each)));
  const more = clusters.length > shownNames ? ` and ${clusters.length - shownNames} more` : '';
  const message = `clusters with several nodes are not sites of this fleet: ${names.join(', ')}${more}`;
  return [problem('fleet/several-nodes', message, { at: first.at, hint: 'a hub installs them' })];
}

function noCluster(folder: string): Problem {
  const hint =
    'set sites in fleet.yaml to a directory with ClusterInstances, or to a CSV, YAML or JSON table';
  return problem('fleet/table', 'no single-node cluster found in this directory', {
    at: { file: folder },
    hint,
  });
}

/** All variables that a cluster can define, each with the place of its first use. */
class Columns {
  readonly #places = new Map<string, Place>(
    Object.keys(instanceVariables).map((name) => [name, { file: '' }]),
  );

  add(values: InstanceValues): void {
    for (const [name, { at }] of values) {
      if ((this.#places.get(name)?.file ?? '') === '') this.#places.set(name, at);
    }
  }

  all(): ReadonlyMap<string, Place> {
    return this.#places;
  }
}

function placeOfInstance({ resource, parts }: Instance): Place {
  const [own] = parts();
  return { file: resource.file, ...(own?.root ?? resource.root()).span };
}

function twice(rows: readonly SiteRow[]): readonly Problem[] {
  const first = new Map<string, Place>();
  return rows.flatMap(({ name, at, isMisnamed }) => {
    if (isMisnamed) return [];
    const earlier = first.get(name);
    if (earlier === undefined) first.set(name, at);
    if (earlier === undefined) return [];
    const message = `site ${name} already exists in ${earlier.file}:${earlier.line ?? 1}`;
    return [problem('fleet/site-twice', message, { at })];
  });
}
