import { fieldAt, isList } from '../../kube/fields.js';
import type { KubeObject } from '../../kube/object.js';
import { clusterVersionPath } from '../cluster-version-path.js';
import { installConfigIn } from '../install-config-in.js';
import { proxyFields } from '../proxy-urls.js';
import { isCidr, isLineOrAbsent, isListOf, type FieldRequirement } from './edited-values.js';

/** Requirements of the node on the object in a generated file, for every config; none for most files. */
export function requirementsAt(path: string, object: KubeObject): readonly FieldRequirement[] {
  return byPath[path]?.(object) ?? [];
}

/** Whether a value is a valid entry of a Network's `clusterNetwork`. */
export function isClusterNetwork(value: unknown): boolean {
  return isCidr(fieldAt(value, ['cidr'])) && Number.isInteger(fieldAt(value, ['hostPrefix']));
}

/** etcd and cluster-bootstrap detect a single-node installation by these two fields. Source: their `render` and `start`. */
export const forOneNode = 'an install-config with controlPlane.replicas 1 and its bootstrapInPlace';

const byPath: Readonly<Record<string, (object: KubeObject) => readonly FieldRequirement[]>> = {
  'manifests/cluster-config.yaml': () => [
    {
      path: ['data', 'install-config'],
      expected: forOneNode,
      isRight: (value) => fieldAt(installConfigIn(value), ['controlPlane', 'replicas']) === 1,
    },
  ],
  'manifests/cluster-network-02-config.yml': () => [
    {
      path: ['spec', 'clusterNetwork'],
      expected: 'a list of networks, each with cidr and hostPrefix',
      isRight: (value) => isListOf(value, isClusterNetwork),
    },
    {
      path: ['spec', 'serviceNetwork'],
      expected: 'a list of networks such as 172.30.0.0/16',
      isRight: (value) => isListOf(value, isCidr),
    },
  ],
  'manifests/cluster-proxy-01-config.yaml': (object) => [
    ...proxyFields.map((field) => ({
      path: ['status', field],
      expected: 'a text on one line, or nothing',
      isRight: isLineOrAbsent,
    })),
    // The live system reads one of them, the cluster the other.
    ...(['httpProxy', 'httpsProxy'] as const).map((field) => ({
      path: ['status', field],
      expected: `what spec.${field} says`,
      isRight: (value: unknown) => value === fieldAt(object, ['spec', field]),
    })),
  ],
  [clusterVersionPath]: () => [
    {
      path: ['spec', 'overrides'],
      expected: 'a list, or nothing',
      isRight: (value) => value === undefined || value === null || isList(value),
    },
  ],
};
