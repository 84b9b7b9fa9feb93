import type { Place, Problem } from '../../core/problem.js';
import { nodeAt, pathText, type FieldPath, type YamlNode } from '../../formats/yaml/yaml-tree.js';
import type { Inputs } from '../../graph/context.js';
import { itemsAt, resourcesIn, textAt, type Resource } from './resources.js';

/** A cluster of a ClusterInstance or SiteConfig. */
export interface Instance {
  readonly resource: Resource;
  /** Maps to search for a field: the cluster's own first, then the one shared by all clusters of the SiteConfig. */
  readonly parts: () => readonly InstancePart[];
  readonly nodes: () => readonly InstancePart[];
}

/** A map in the resource. */
export interface InstancePart {
  readonly root: YamlNode;
  readonly path: FieldPath;
}

/** The clusters and all other Kubernetes objects of a folder. */
export interface FoundInstances {
  readonly instances: readonly Instance[];
  readonly resources: readonly Resource[];
  readonly problems: readonly Problem[];
}

/**
 * Finds every ClusterInstance and every cluster of a SiteConfig in a file or folder, in file order. Warnings: import/not-read.
 * Source: stolostron/siteconfig api/v1alpha1; openshift-kni/cnf-features-deploy ztp/siteconfig-generator.
 */
export function instancesIn(inputs: Inputs, path: string): FoundInstances {
  const all = [...instancesByFile(inputs, path)];
  return {
    instances: all.flatMap(({ instances }) => instances),
    resources: all.flatMap(({ resources }) => resources),
    problems: all.flatMap(({ problems }) => problems),
  };
}

/** Like `instancesIn`, file by file. Read an instance before advancing to the next file, or its file may be parsed again. */
export function* instancesByFile(inputs: Inputs, path: string): Generator<FoundInstances> {
  for (const found of resourcesIn(inputs, path))
    yield { ...found, instances: found.resources.flatMap(instancesOf) };
}

function instancesOf(resource: Resource): readonly Instance[] {
  const { apiVersion, kind } = resource;
  const isInstance =
    kind === 'ClusterInstance' && apiVersion.startsWith('siteconfig.open-cluster-management.io/');
  const isConfig = kind === 'SiteConfig' && apiVersion.startsWith('ran.openshift.io/');
  if (!isInstance && !isConfig) return [];
  const spec = nodeAt(resource.root(), ['spec']);
  if (spec === undefined) return [];
  const shared = partAt(resource, ['spec']);
  if (isInstance) return [instanceOf(resource, [shared])];
  return itemsAt(spec, ['clusters']).map((_cluster, index) =>
    instanceOf(resource, [partAt(resource, ['spec', 'clusters', index]), shared]),
  );
}

function partAt({ root }: Resource, path: FieldPath): () => readonly InstancePart[] {
  return () => {
    const node = nodeAt(root(), path);
    return node === undefined ? [] : [{ root: node, path }];
  };
}

/** The first of `parts` is the cluster's own. */
function instanceOf(resource: Resource, parts: readonly (() => readonly InstancePart[])[]): Instance {
  const nodesOf = ({ root, path }: InstancePart): readonly InstancePart[] =>
    itemsAt(root, ['nodes']).map((node, index) => ({ root: node, path: [...path, 'nodes', index] }));
  return {
    resource,
    parts: () => parts.flatMap((part) => part()),
    nodes: () => (parts[0]?.() ?? []).flatMap(nodesOf),
  };
}

/** A field and its path in the resource. */
export interface Found {
  readonly node: YamlNode;
  readonly path: FieldPath;
}

/** Returns a field of the cluster, or of the part that the clusters of a SiteConfig share. Skips empty values. */
export function clusterField({ parts }: Instance, path: FieldPath): Found | undefined {
  return parts()
    .map((part) => fieldOf(part, path))
    .find((found) => found !== undefined);
}

/** Returns a field of the first node. Skips empty values. */
export function nodeField({ nodes }: Instance, path: FieldPath): Found | undefined {
  const [node] = nodes();
  return node && fieldOf(node, path);
}

function fieldOf(part: InstancePart, path: FieldPath): Found | undefined {
  const node = nodeAt(part.root, path);
  const isEmpty = node?.kind === 'scalar' && (node.value === null || node.value === '');
  return node === undefined || isEmpty ? undefined : { node, path: [...part.path, ...path] };
}

/** Returns the cluster name, which is also the site name; empty if it is not set. */
export function instanceName({ parts, resource }: Instance): string {
  const [own] = parts();
  return textAt(own?.root, ['clusterName']) ?? (resource.kind === 'SiteConfig' ? '' : resource.name);
}

export function placeOf({ resource: { file } }: Instance, { node, path }: Found): Place {
  return { file, path: pathText(path), ...node.span };
}
