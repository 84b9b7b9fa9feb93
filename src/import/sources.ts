import { problem } from '../core/problem.js';
import { failure, success, type Result } from '../core/result.js';
import type { Inputs } from '../graph/context.js';
import { instanceName, instancesIn } from './resources/instances.js';
import { agentSite } from './agent-config/agent-site.js';
import { severalNodes } from './cluster-instance/node-count.js';
import { instanceSite } from './cluster-instance/instance-site.js';
import type { ImportedSite, ImportWishes } from './imported-site.js';
import { installSite } from './install-dir/install-site.js';

/** What can be imported. */
export type SourceKind = 'agent-config' | 'cluster-instance' | 'install-dir';

/** A source on the disk. */
export interface Source {
  /** Of its folder. */
  readonly inputs: Inputs;
  /** The file in it that is meant, or `.` for all. */
  readonly path: string;
  /** The cluster that is meant, of several. */
  readonly site?: string;
}

/** Our files of a source, not judged yet. Problems: import/no-source, import/several, and those of its kind. */
export function importedFrom(kind: SourceKind, source: Source, wishes: ImportWishes): Result<ImportedSite> {
  switch (kind) {
    case 'agent-config':
      return agentSite(source.inputs, wishes);
    case 'install-dir':
      return installSite(source.inputs, wishes);
    case 'cluster-instance':
      return oneInstance(source, wishes);
  }
}

/** Every cluster of one node of a source, and what is to be said of the others. Problems: import/no-source. */
export function clustersFrom(
  { inputs, path }: Source,
  wishes: ImportWishes,
): Result<readonly ImportedSite[]> {
  const found = instancesIn(inputs, path);
  const single = found.instances.filter((each) => severalNodes(each) === undefined);
  const several = found.instances.flatMap((each) => severalNodes(each) ?? []);
  const left = several.map(({ message, at }) =>
    problem('import/left-out', `${message}, and is not taken over`, { at, hint: 'a hub installs it' }),
  );
  if (single.length === 0) {
    const hint = 'name the folder, or the file, that holds one';
    const message = 'there is no ClusterInstance or SiteConfig of a single node here';
    return failure(...found.problems, ...left, problem('import/no-source', message, { hint }));
  }
  const beside = path === '.' ? found : { ...found, ...instancesIn(inputs, '.') };
  const sites = single.map((each) => instanceSite(each, { resources: beside.resources, inputs }, wishes));
  return success(sites, [...found.problems, ...left]);
}

function oneInstance({ inputs, path, site }: Source, wishes: ImportWishes): Result<ImportedSite> {
  const found = instancesIn(inputs, path);
  const meant = found.instances.filter((each) => site === undefined || instanceName(each) === site);
  const [instance, second] = meant;
  if (instance === undefined) {
    const what = site === undefined ? 'no ClusterInstance or SiteConfig' : 'no cluster of that name';
    const hint = 'name the folder, or the file, that holds one';
    return failure(...found.problems, problem('import/no-source', `there is ${what} here`, { hint }));
  }
  if (second !== undefined) {
    const hint = 'name one with --site, or its file';
    const message = `there are ${meant.length} clusters here, and one goes into a directory`;
    const at = { file: second.resource.file, ...second.parts()[0]?.root.span };
    return failure(problem('import/several', message, { at, hint }));
  }
  const beside = path === '.' ? found : { ...found, ...instancesIn(inputs, '.') };
  const made = instanceSite(instance, { resources: beside.resources, inputs }, wishes);
  return success({ ...made, problems: [...found.problems, ...made.problems] });
}
