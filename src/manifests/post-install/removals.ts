import { problem, type Problem } from '../../core/problem.js';
import { problemsOf } from '../../core/result.js';
import { describeIdentity, groupOf, identityKey, identityOf } from '../../kube/identity.js';
import { manifestFieldPlace } from '../../kube/manifest-place.js';
import type { SourcedObject } from '../../kube/manifest.js';
import type { KubeObject } from '../../kube/object.js';
import { namespacesAfter } from '../checks/check-namespaces.js';
import { readObjects } from '../edits/documents.js';
import type { UserFile } from '../edits/find-files.js';
import { baseNameOf } from '../edits/paths.js';
import { operandNamespaces } from './operand-namespaces.js';

/** Whether a file of post-install/ lists objects to delete, instead of objects to apply. */
export function isRemovalFile({ file }: Pick<UserFile, 'file'>): boolean {
  return /^remove\.(?:yaml|yml|json)$/.test(baseNameOf(file));
}

export interface RemovalReading {
  readonly removals: readonly SourcedObject[];
  readonly problems: readonly Problem[];
}

/** Reads the objects that must not exist. Problems: those of `readObjects`, post-install/remove. */
export function readRemovals(files: readonly Pick<UserFile, 'file' | 'bytes'>[]): RemovalReading {
  const read = files.map(({ file, bytes }) => readObjects(file, bytes));
  const removals = read.flatMap((each) => (each.ok ? each.value : []));
  return {
    removals: removals.map(({ object, source }) => ({ object, source })),
    problems: [...read.flatMap(problemsOf), ...removals.flatMap(formProblems)],
  };
}

/** An entry with more than a name may be meant as a manifest. */
function formProblems({ object, source }: SourcedObject): readonly Problem[] {
  const extra = [
    ...Object.keys(object).filter((field) => !['apiVersion', 'kind', 'metadata'].includes(field)),
    ...Object.keys(object.metadata)
      .filter((field) => !['name', 'namespace'].includes(field))
      .map((field) => `metadata.${field}`),
  ];
  const [first] = extra;
  if (first === undefined) return [];
  const message = `${describeIdentity(identityOf(object))} has the field ${first}, but this file lists objects to delete`;
  return [
    problem('post-install/remove', message, {
      at: manifestFieldPlace(source, first.split('.'), 'key'),
      hint: 'keep only apiVersion, kind, name and namespace, or move the object to another file to create it',
    }),
  ];
}

/** Reports entries that another manifest creates, or whose deletion damages the cluster. Problems: post-install/remove. */
export function removalProblems(
  removals: readonly SourcedObject[],
  others: readonly { readonly object: KubeObject; readonly path: string }[],
): readonly Problem[] {
  const paths = new Map(others.map(({ object, path }) => [identityKey(identityOf(object)), path]));
  return removals.flatMap(({ object, source }) => {
    const path = paths.get(identityKey(identityOf(object)));
    const reason = path === undefined ? whyProtected(object) : `${path} creates it`;
    if (reason === undefined) return [];
    const message = `${describeIdentity(identityOf(object))} cannot be deleted: ${reason}`;
    const at = manifestFieldPlace(source, ['metadata', 'name']);
    return [problem('post-install/remove', message, { at, hint: 'remove the entry' })];
  });
}

/** Why a cluster needs an object; undefined if it does not. */
export function whyProtected({ apiVersion, kind, metadata: { name } }: KubeObject): string | undefined {
  const group = groupOf(apiVersion);
  if (kind === 'Namespace' && ofCluster().has(name)) return 'it is a namespace of the cluster';
  if (kind === 'Node' && group === '') return 'it is the node';
  if (kind === 'CustomResourceDefinition' && /\.(?:config|operator)\.openshift\.io$/.test(name))
    return 'it defines a kind of the cluster';
  if (['config.openshift.io', 'operator.openshift.io'].includes(group))
    return ['cluster', 'version', 'default'].includes(name) ? 'it is a setting of the cluster' : undefined;
  return kind === 'MachineConfigPool' && ['master', 'worker'].includes(name)
    ? 'it is a pool of the cluster'
    : undefined;
}

/** The namespaces of a release, and those that its operators create. */
function ofCluster(): ReadonlySet<string> {
  return new Set([...namespacesAfter([]), ...operandNamespaces(undefined)]);
}
