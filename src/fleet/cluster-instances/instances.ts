import type { Place, Problem } from '../../core/problem.js';
import { nodeAt, pathText, type FieldPath, type YamlNode } from '../../formats/yaml/yaml-tree.js';
import type { Inputs } from '../../graph/context.js';
import { itemsAt, resourcesIn, textAt, type Resource } from './resources.js';

/** A cluster as ZTP describes it, with what its repository holds beside it. */
export interface Instance {
  readonly resource: Resource;
  /** Where its fields stand: those of the cluster first, then those that clusters of one file share. */
  readonly parts: readonly InstancePart[];
  /** Its nodes. */
  readonly nodes: readonly InstancePart[];
}

/** A map of the resource. */
export interface InstancePart {
  readonly root: YamlNode;
  readonly path: FieldPath;
}

/** The clusters of a folder and everything that stands beside them. */
export interface FoundInstances {
  readonly instances: readonly Instance[];
  readonly resources: readonly Resource[];
  readonly problems: readonly Problem[];
}

/**
 * Every ClusterInstance, and every cluster of a SiteConfig, in a file or below a folder, in the order of the files. Warnings:
 * import/not-read. Source: stolostron/siteconfig api/v1alpha1; openshift-kni/cnf-features-deploy ztp/siteconfig-generator.
 */
export function instancesIn(inputs: Inputs, path: string): FoundInstances {
  const { resources, problems } = resourcesIn(inputs, path);
  return { instances: resources.flatMap(instancesOf), resources, problems };
}

function instancesOf(resource: Resource): readonly Instance[] {
  const { apiVersion, kind, root } = resource;
  const spec = nodeAt(root, ['spec']);
  if (spec === undefined) return [];
  const shared: InstancePart = { root: spec, path: ['spec'] };
  if (kind === 'ClusterInstance' && apiVersion.startsWith('siteconfig.open-cluster-management.io/'))
    return [{ resource, parts: [shared], nodes: nodesOf(shared) }];
  if (kind !== 'SiteConfig' || !apiVersion.startsWith('ran.openshift.io/')) return [];
  return itemsAt(spec, ['clusters']).map((cluster, index) => {
    const own: InstancePart = { root: cluster, path: ['spec', 'clusters', index] };
    return { resource, parts: [own, shared], nodes: nodesOf(own) };
  });
}

function nodesOf({ root, path }: InstancePart): readonly InstancePart[] {
  return itemsAt(root, ['nodes']).map((node, index) => ({ root: node, path: [...path, 'nodes', index] }));
}

/** A field with its path in the resource. */
export interface Found {
  readonly node: YamlNode;
  readonly path: FieldPath;
}

/** A field of the cluster, or what clusters of its file share. */
export function clusterField({ parts }: Instance, path: FieldPath): Found | undefined {
  return parts.map((part) => fieldOf(part, path)).find((found) => found !== undefined);
}

/** A field of the first node. */
export function nodeField({ nodes: [node] }: Instance, path: FieldPath): Found | undefined {
  return node && fieldOf(node, path);
}

function fieldOf(part: InstancePart, path: FieldPath): Found | undefined {
  const node = nodeAt(part.root, path);
  const isEmpty = node?.kind === 'scalar' && (node.value === null || node.value === '');
  return node === undefined || isEmpty ? undefined : { node, path: [...part.path, ...path] };
}

/** The name of the cluster, which is that of its site; empty where it has none. */
export function instanceName({ parts, resource }: Instance): string {
  const [own] = parts;
  return textAt(own?.root, ['clusterName']) ?? (resource.kind === 'SiteConfig' ? '' : resource.name);
}

/** Where a field of a cluster stands. */
export function placeOf({ resource: { file } }: Instance, { node, path }: Found): Place {
  return { file, path: pathText(path), ...node.span };
}
