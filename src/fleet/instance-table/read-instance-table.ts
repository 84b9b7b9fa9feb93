import { posix } from 'node:path';

import { problem, type Place, type Problem } from '../../core/problem.js';
import { quotedName } from '../../core/quoted.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import type { InputRead, Inputs } from '../../graph/context.js';
import { instanceSite } from '../../imports/cluster-instance/instance-site.js';
import { severalNodes } from '../../imports/cluster-instance/node-count.js';
import { instanceValues, instanceVariables } from '../cluster-instances/instance-values.js';
import { instanceName, instancesIn, type Instance } from '../cluster-instances/instances.js';
import type { Resource } from '../cluster-instances/resources.js';
import { namedRow, type SiteRow } from '../site-row.js';
import type { SiteTable } from '../site-table.js';
import type { Variable } from '../variables.js';

/** So many names of clusters that are left out. */
const shownNames = 5;

/**
 * Reads a folder of ClusterInstances and SiteConfigs as a table: each of their clusters of one node is a site, with variables and with
 * the files that `import cluster-instance` makes of it. Nothing outside of the folder is read. Warnings: import/not-read,
 * fleet/several-nodes. Problems: fleet/table, fleet/site-name, fleet/site-twice.
 */
export function readInstanceTable(folder: string, inputs: Inputs): Result<SiteTable> {
  const inside = insideOf(folder, inputs);
  const { instances, resources, problems } = instancesIn(inside, posix.normalize(folder).replace(/\/$/, ''));
  const meant = instances.filter((each) => severalNodes(each) === undefined);
  const warnings = [...problems, ...leftOut(instances.filter((each) => severalNodes(each) !== undefined))];
  if (meant.length === 0) return failure(...warnings, noCluster(folder));
  const drafts = meant.map((instance) => ({ instance, known: instanceValues(instance, resources) }));
  const columns = columnsOf(drafts.map(({ known }) => known));
  const named = drafts.map(({ instance, known }) => {
    const at = placeOfInstance(instance);
    const empty = new Map([...columns.keys()].filter((name) => !known.has(name)).map((name) => [name, at]));
    const row = namedRow({ at, known: new Map(known), empty }, instance.resource.file);
    return row.ok ? success(withLayer(row.value, instance, { resources, inputs: inside })) : row;
  });
  const rows = named.flatMap((each) => (each.ok ? [each.value] : []));
  const faults = [...named.flatMap(problemsOf), ...twice(rows)];
  return faults.length === 0
    ? success({ rows, columns, hasLayers: true }, warnings)
    : failure(...warnings, ...faults);
}

/** Made when it is looked at: the files of ten thousand sites are not held at once. */
function withLayer(
  row: SiteRow,
  instance: Instance,
  found: { readonly resources: readonly Resource[]; readonly inputs: Inputs },
): SiteRow {
  return {
    ...row,
    get layer() {
      const { files, problems } = instanceSite(instance, found, {});
      return { files, problems };
    },
  };
}

/** What kustomizations and SiteConfigs refer to elsewhere is none of the table. */
function insideOf(folder: string, inputs: Inputs): Inputs {
  const isInside = (path: string): boolean => !posix.relative(folder, path).startsWith('..');
  const outside: InputRead = { kind: 'unreadable', reason: 'it lies outside of the folder of the sites' };
  return {
    ...inputs,
    read: (path) => (isInside(path) ? inputs.read(path) : outside),
    list: (path) => (isInside(path) ? inputs.list(path) : undefined),
  };
}

/** Said once, where the first of them stands. */
function leftOut(clusters: readonly Instance[]): readonly Problem[] {
  const [first] = clusters.flatMap((each) => severalNodes(each) ?? []);
  if (first === undefined) return [];
  const names = clusters.slice(0, shownNames).map((each) => quotedName(instanceName(each)));
  const more = clusters.length > shownNames ? ` and ${clusters.length - shownNames} more` : '';
  const message = `of several nodes, and no sites of this fleet, are the clusters ${names.join(', ')}${more}`;
  return [problem('fleet/several-nodes', message, { at: first.at, hint: 'a hub installs them' })];
}

function noCluster(folder: string): Problem {
  const hint = 'name the folder that ClusterInstances lie in, or a table: a file of CSV, YAML or JSON';
  return problem('fleet/table', 'there is no cluster of one node in this folder', {
    at: { file: folder },
    hint,
  });
}

/** All that clusters can say, also where none does. */
function columnsOf(values: readonly ReadonlyMap<string, Variable>[]): ReadonlyMap<string, Place> {
  const known = new Map<string, Place>(Object.keys(instanceVariables).map((name) => [name, { file: '' }]));
  for (const each of values) {
    for (const [name, { at }] of each) if ((known.get(name)?.file ?? '') === '') known.set(name, at);
  }
  return known;
}

function placeOfInstance({ resource, parts: [own] }: Instance): Place {
  return { file: resource.file, ...(own?.root ?? resource.root).span };
}

function twice(rows: readonly SiteRow[]): readonly Problem[] {
  const first = new Map<string, Place>();
  return rows.flatMap(({ name, at }) => {
    const earlier = first.get(name);
    if (earlier === undefined) first.set(name, at);
    if (earlier === undefined) return [];
    const message = `there is a site ${name} in ${earlier.file}:${earlier.line ?? 1} already`;
    return [problem('fleet/site-twice', message, { at })];
  });
}
