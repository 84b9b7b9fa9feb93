import { problem } from '../core/problem.js';
import { failure, success, type Result } from '../core/result.js';
import type { Inputs } from '../graph/context.js';
import { type FoundInstances, type Instance, instanceName, instancesIn } from './resources/instances.js';
import { kustomizationsOf, listedSites, missingFiles, unlistedProblems } from './resources/kustomizations.js';
import { unusedResources } from './resources/unused-resources.js';
import { agentSite } from './agent-config/agent-site.js';
import { nodeCountProblem } from './cluster-instance/node-count.js';
import { instanceSite, metadataProblems } from './cluster-instance/instance-site.js';
import type { ImportedSite, ImportOverrides } from './imported-site.js';
import { installSite } from './install-dir/install-site.js';

export type SourceKind = 'agent-config' | 'cluster-instance' | 'install-dir';

export interface Source {
  /** Rooted at the folder of the source. */
  readonly inputs: Inputs;
  /** The file to import, or `.` for the whole folder. */
  readonly path: string;
  /** Name of the cluster to import, if the source contains several. */
  readonly site?: string;
}

/** Converts one site without validating it. Problems: import/no-source, import/several, and those of the source kind. */
export function importOneSite(
  kind: SourceKind,
  source: Source,
  overrides: ImportOverrides,
): Result<ImportedSite> {
  switch (kind) {
    case 'agent-config':
      return agentSite(source.inputs, overrides);
    case 'install-dir':
      return installSite(source.inputs, overrides);
    case 'cluster-instance':
      return oneInstance(source, overrides);
  }
}

/** Converts every single-node cluster of a source and warns of the others. Problems: import/no-source. Warnings: import/left-out. */
export function importClusters(
  { inputs, path }: Source,
  overrides: ImportOverrides,
): Result<readonly ImportedSite[]> {
  const found = instancesIn(inputs, path);
  const unlisted = unlistedProblems(listedSites(found.instances, kustomizationsOf(found.resources)).unlisted);
  const missing = missingFiles(kustomizationsOf(found.resources), found.resources, inputs);
  const single = found.instances.filter((each) => nodeCountProblem(each) === undefined);
  const several = found.instances.flatMap((each) => nodeCountProblem(each) ?? []);
  const left = several.map(({ message, at }) =>
    problem('import/left-out', `${message}; it is not imported`, { at, hint: 'install it with a hub' }),
  );
  if (single.length === 0) {
    const hint = 'pass a file or directory that contains one';
    const message = 'no ClusterInstance or SiteConfig of a single-node cluster found';
    const others = unusedResources(found.resources, [], { inputs, path });
    return failure(
      ...found.problems,
      ...missing,
      ...left,
      ...others,
      problem('import/no-source', message, { hint }),
    );
  }
  const beside = path === '.' ? found : { ...found, ...instancesIn(inputs, '.') };
  const sites = single.map((each) => clusterSite(each, { resources: beside.resources, inputs }, overrides));
  const unused = unusedResources(found.resources, found.instances, { inputs, path });
  return success(sites, [...found.problems, ...unlisted, ...missing, ...left, ...unused]);
}

function clusterSite(...given: Parameters<typeof instanceSite>): ImportedSite {
  const made = instanceSite(...given);
  return { ...made, problems: [...made.problems, ...metadataProblems(given[0])] };
}

/** Clusters with this name; those that a kustomization does not list only if no other matches. */
function matchingSites(found: FoundInstances, site: string | undefined): readonly Instance[] {
  const isMatch = (each: Instance): boolean => site === undefined || instanceName(each) === site;
  const { listed, unlisted } = listedSites(found.instances, kustomizationsOf(found.resources));
  const matching = listed.filter(isMatch);
  return matching.length > 0 ? matching : unlisted.map(({ instance }) => instance).filter(isMatch);
}

function oneInstance({ inputs, path, site }: Source, overrides: ImportOverrides): Result<ImportedSite> {
  const found = instancesIn(inputs, path);
  const matching = matchingSites(found, site);
  const [instance, second] = matching;
  if (instance === undefined) {
    const what = site === undefined ? 'no ClusterInstance or SiteConfig' : 'no cluster with this name';
    const hint = 'pass a file or directory that contains one';
    const others = unusedResources(found.resources, [], { inputs, path });
    const missing = missingFiles(kustomizationsOf(found.resources), found.resources, inputs);
    return failure(
      ...[...found.problems, ...missing, ...others],
      problem('import/no-source', `${what} found`, { hint }),
    );
  }
  if (second !== undefined) {
    const hint = 'select one with --site, or pass its file';
    const message = `found ${matching.length} clusters, but a directory holds only one`;
    const at = { file: second.resource.file, ...second.parts()[0]?.root.span };
    return failure(problem('import/several', message, { at, hint }));
  }
  const beside = path === '.' ? found : { ...found, ...instancesIn(inputs, '.') };
  const made = clusterSite(instance, { resources: beside.resources, inputs }, overrides);
  const unused = unusedResources(found.resources, found.instances, { inputs, path });
  const unlisted = unlistedProblems(
    listedSites(found.instances, kustomizationsOf(found.resources)).unlisted.filter(
      (each) => each.instance === instance,
    ),
  );
  const missing = missingFiles(kustomizationsOf(found.resources), found.resources, inputs);
  return success({
    ...made,
    problems: [...found.problems, ...unlisted, ...missing, ...made.problems, ...unused],
  });
}
