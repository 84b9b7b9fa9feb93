import { isRecord } from '../../core/is-record.js';
import { problem, type Problem } from '../../core/problem.js';
import { quoted, maskedWord } from '../../core/quoted.js';
import { type FieldPath } from '../../formats/yaml/yaml-tree.js';
import { fieldAt, listAt, textAt } from '../../kube/fields.js';
import { groupOf } from '../../kube/identity.js';
import { roleLabel } from '../../kube/machine-config.js';
import { manifestFieldPlace } from '../../kube/manifest-place.js';
import type { SourcedObject } from '../../kube/manifest.js';
import type { KubeObject } from '../../kube/object.js';
import { isSelected, poolsOf, type Pool } from './machine-config-pools.js';

/** A selector that matches no node, with the reason. */
interface SelectorMismatch {
  readonly path: FieldPath;
  readonly target?: 'key';
  readonly because: string;
  readonly hint: string;
}

/**
 * Reports settings and pods whose node selectors match no node of the installation. With workers, only selectors that match no
 * MachineConfigPool are reported. Problems: manifest/selects-no-node.
 */
export function selectorProblems(
  objects: readonly SourcedObject[],
  { workers }: { readonly workers: number | undefined },
): readonly Problem[] {
  const pools = poolsOf(objects);
  const judged = objects.map((sourced) => ({ sourced, misses: missesOf(sourced.object, pools) }));
  return judged.flatMap(({ sourced, misses }) => {
    const { apiVersion, kind, metadata } = sourced.object;
    // A user with settings for both pools prepares for workers that join later.
    const isForBoth = judged.some(
      (other) => other.misses.length === 0 && isSameKind(other.sourced.object, apiVersion, kind),
    );
    return misses
      .filter(
        ({ because }) => because === noPool || (workers === 0 && !(because === onlyWorkers && isForBoth)),
      )
      .map(({ path, target, because, hint }) => {
        const message = `${kind} ${maskedWord(metadata.name)} ${because}`;
        return problem('manifest/selects-no-node', message, {
          at: manifestFieldPlace(sourced.source, path, target),
          hint,
        });
      });
  });
}

const noPool = 'matches no MachineConfigPool';
const onlyWorkers = 'is for workers, and this installation has none';

function isSameKind(object: KubeObject, apiVersion: string, kind: string): boolean {
  return object.kind === kind && groupOf(object.apiVersion) === groupOf(apiVersion);
}

function missesOf(object: KubeObject, pools: readonly Pool[]): readonly SelectorMismatch[] {
  switch (`${groupOf(object.apiVersion)}/${object.kind}`) {
    case 'machineconfiguration.openshift.io/KubeletConfig':
    case 'machineconfiguration.openshift.io/ContainerRuntimeConfig':
      return poolSelectorMisses(object, pools);
    case 'performance.openshift.io/PerformanceProfile':
      return profileMisses(object, pools);
    case 'tuned.openshift.io/Tuned':
      return tunedMisses(object, pools);
    case 'machineconfiguration.openshift.io/MachineConfigPool':
      return [];
    case 'operator.openshift.io/IngressController':
      return [...routerMisses(object), ...nodeSelectorMisses(object)];
    default:
      return nodeSelectorMisses(object);
  }
}

const poolHint =
  'write the label pools.operator.machineconfiguration.openshift.io/master: "" under matchLabels';

/** An empty selector matches no pool. Source: machine-config-operator pkg/controller/kubelet-config, getPoolsForKubeletConfig */
function poolSelectorMisses(object: KubeObject, pools: readonly Pool[]): readonly SelectorMismatch[] {
  const path = ['spec', 'machineConfigPoolSelector'];
  const selector = fieldAt(object, path);
  return missOf(
    pools.filter(({ labels }) => isSelected(selector, labels)),
    { path, hint: poolHint },
  );
}

/** Source: cluster-node-tuning-operator pkg/performanceprofile/controller/performanceprofile/components/profile */
function profileMisses(object: KubeObject, pools: readonly Pool[]): readonly SelectorMismatch[] {
  const selectorPath = ['spec', 'machineConfigPoolSelector'];
  const labelPath = ['spec', 'machineConfigLabel'];
  const nodePath = ['spec', 'nodeSelector'];
  const poolLabels = fieldAt(object, selectorPath);
  const configLabels = fieldAt(object, labelPath);
  const nodeLabels = fieldAt(object, nodePath);
  if (isRecord(poolLabels))
    return missOf(
      pools.filter(({ labels }) => isSelected({ matchLabels: poolLabels }, labels)),
      { path: selectorPath, hint: 'write pools.operator.machineconfiguration.openshift.io/master: ""' },
    );
  if (isRecord(configLabels))
    return missOf(
      pools.filter((pool) => isSelected(pool.machineConfigSelector, configLabels)),
      { path: labelPath, hint: `write ${roleLabel}: master` },
    );
  const [key] = isRecord(nodeLabels) ? Object.keys(nodeLabels) : [];
  if (key === undefined) return [];
  const derived = { [roleLabel]: key.split('/').at(-1) };
  return missOf(
    pools.filter((pool) => isSelected(pool.machineConfigSelector, derived)),
    { path: [...nodePath, key], target: 'key', hint: 'write node-role.kubernetes.io/master: ""' },
  );
}

/** A recommendation applies by `match` or by `machineConfigLabels`. Source: cluster-node-tuning-operator pkg/operator/profilecalculator.go */
function tunedMisses(object: KubeObject, pools: readonly Pool[]): readonly SelectorMismatch[] {
  const all = listAt(object, ['spec', 'recommend']).map((entry, index) => {
    const match = listAt(entry, ['match']);
    const path = ['spec', 'recommend', index, 'machineConfigLabels'];
    const configLabels = fieldAt(entry, ['machineConfigLabels']);
    const matchMiss = match.every((each) => textAt(each, ['type']) !== 'pod' && hasAbsentRole(each));
    if (isRecord(configLabels) && (match.length === 0 || matchMiss)) {
      const matching = pools.filter((pool) => isSelected(pool.machineConfigSelector, configLabels));
      return missOf(matching, { path, hint: `write ${roleLabel}: master` });
    }
    if (match.length === 0 || !matchMiss) return [];
    const label = textAt(match[0], ['label']) ?? '';
    return [absentLabel(['spec', 'recommend', index, 'match', 0, 'label'], label)];
  });
  return all.some((misses) => misses.length === 0) ? [] : all.flat();
}

function hasAbsentRole(match: unknown): boolean {
  return isAbsentRole(textAt(match, ['label']) ?? '', fieldAt(match, ['value']) ?? '');
}

/** Routers with HostNetwork, the default for platform none, cannot share a node. Source: cluster-ingress-operator pkg/operator/controller/ingress/deployment.go */
function routerMisses(object: KubeObject): readonly SelectorMismatch[] {
  const replicas = fieldAt(object, ['spec', 'replicas']);
  const strategy = textAt(object, ['spec', 'endpointPublishingStrategy', 'type']) ?? 'HostNetwork';
  if (typeof replicas !== 'number' || replicas <= 1 || strategy !== 'HostNetwork') return [];
  const because = `has ${String(replicas)} routers, but a node can run only one`;
  return [{ path: ['spec', 'replicas'], because, hint: 'write 1, or remove the field' }];
}

const nodeSelectorPaths: readonly (readonly string[])[] = [
  ['spec', 'nodeSelector'],
  ['spec', 'template', 'spec', 'nodeSelector'],
  ['spec', 'jobTemplate', 'spec', 'template', 'spec', 'nodeSelector'],
  ['spec', 'config', 'nodeSelector'],
  ['spec', 'nodePlacement', 'nodeSelector', 'matchLabels'],
];

/** Selectors in string form, such as `a=b,c=d`. Source: openshift/api config/v1 types_scheduling.go; apiserver-library-go nodeenv admission */
const textSelectorPaths: readonly (readonly string[])[] = [
  ['spec', 'defaultNodeSelector'],
  ['metadata', 'annotations', 'openshift.io/node-selector'],
];

function nodeSelectorMisses(object: KubeObject): readonly SelectorMismatch[] {
  const inMaps = nodeSelectorPaths.flatMap((path) => {
    const selector = fieldAt(object, path);
    if (!isRecord(selector)) return [];
    return Object.entries(selector).flatMap(([key, value]) =>
      isAbsentRole(key, value)
        ? [{ ...absentLabel([...path, key], key, value), target: 'key' as const }]
        : [],
    );
  });
  const inTexts = textSelectorPaths.flatMap((path) =>
    (textAt(object, path) ?? '').split(',').flatMap((word) => {
      const [key = '', value = ''] = word.trim().split('=');
      return isAbsentRole(key, value) ? [absentLabel(path, key, value)] : [];
    }),
  );
  return [...inMaps, ...inTexts];
}

/** Role labels of the node, all with empty values: the kubelet sets master and control-plane, the machine config operator worker. */
const nodeRoles: readonly string[] = ['master', 'control-plane', 'worker'];

function isAbsentRole(label: string, value: unknown): boolean {
  const [prefix, role = ''] = label.split('/');
  return prefix === 'node-role.kubernetes.io' && (!nodeRoles.includes(role) || value !== '');
}

function absentLabel(path: FieldPath, label: string, value: unknown = ''): SelectorMismatch {
  const shown = quoted(value === '' ? label : `${label}: ${String(value)}`);
  return {
    path,
    because: `selects nodes with ${shown}, which the single node does not have`,
    hint: 'remove it, or write node-role.kubernetes.io/master: ""',
  };
}

function missOf(
  matching: readonly Pool[],
  rest: Omit<SelectorMismatch, 'because'>,
): readonly SelectorMismatch[] {
  if (matching.length === 0) return [{ ...rest, because: noPool }];
  return matching.every(({ name }) => name === 'worker') ? [{ ...rest, because: onlyWorkers }] : [];
}
