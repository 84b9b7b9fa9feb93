import { posix } from 'node:path';

import { problem, type Problem } from '../../core/problem.js';
import { quotedName } from '../../core/quoted.js';
import { instanceName, type FoundInstances, type Instance } from './instances.js';
import { itemsAt, type Resource } from './resources.js';

/** The clusters of a source that its kustomizations list, and the others. */
export interface ListedSites {
  readonly listed: readonly Instance[];
  readonly unlisted: readonly Instance[];
}

/**
 * Separates the clusters whose file the kustomization of the same folder does not list: a hub does not install them, for example because
 * they are removed or not ready. A folder without a kustomization that lists sites lists all of its files.
 */
export function listedSites({
  instances,
  resources,
}: Pick<FoundInstances, 'instances' | 'resources'>): ListedSites {
  const siteFiles = new Set(instances.map(({ resource }) => resource.file));
  const lists = new Map(
    resources
      .filter(({ kind }) => kind === 'Kustomization')
      .map((each) => [posix.dirname(each.file), filesOf(each)] as const)
      .filter(([, files]) => [...files].some((file) => siteFiles.has(file))),
  );
  const isListed = ({ resource: { file } }: Instance): boolean => {
    const files = lists.get(posix.dirname(file));
    return files === undefined || files.has(file);
  };
  return {
    listed: instances.filter(isListed),
    unlisted: instances.filter((each) => !isListed(each)),
  };
}

/** Warnings: import/unlisted. */
export function unlistedProblems(unlisted: readonly Instance[]): readonly Problem[] {
  return unlisted.map((each) => {
    const message = `the kustomization of this folder does not list the file of ${quotedName(instanceName(each))}`;
    const hint = 'a hub does not install the cluster: remove the site here too, or hold it in rollout.yaml';
    return problem('import/unlisted', message, { at: { file: each.resource.file }, hint });
  });
}

/** Source: kubernetes-sigs/kustomize api/types/kustomization.go */
const lists = ['resources', 'generators', 'bases', 'components'];

function filesOf({ file, root }: Resource): ReadonlySet<string> {
  const items = lists.flatMap((field) => itemsAt(root(), [field]));
  return new Set(
    items.flatMap((item) =>
      item.kind === 'scalar' ? [posix.join(posix.dirname(file), item.text).replace(/\/$/, '')] : [],
    ),
  );
}
