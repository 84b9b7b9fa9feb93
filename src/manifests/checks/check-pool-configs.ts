import { isRecord } from '../../core/is-record.js';
import { problem, type Problem } from '../../core/problem.js';
import { maskedWord } from '../../core/quoted.js';
import type { FieldPath } from '../../formats/yaml/yaml-tree.js';
import { fieldAt } from '../../kube/fields.js';
import { manifestFieldPlace } from '../../kube/manifest-place.js';
import type { Manifest } from '../../kube/manifest.js';
import { isOperatorKind, isSelected, poolsOf, type Pool } from './machine-config-pools.js';

/** A manifest that becomes a KubeletConfig or ContainerRuntimeConfig of a pool. */
interface PoolConfig {
  readonly manifest: Manifest;
  readonly becomes: 'KubeletConfig' | 'ContainerRuntimeConfig';
  readonly pools: readonly string[];
}

/**
 * Reports more than one KubeletConfig or ContainerRuntimeConfig of a pool: the machine-config operator accepts one during the
 * bootstrap. The node tuning operator renders a KubeletConfig from each PerformanceProfile. Problems: manifest/pool-config-twice.
 * Sources: machine-config-operator pkg/controller/kubelet-config, generateBootstrapManagedKeyKubelet, and
 * container-runtime-config, generateBootstrapManagedKeyContainerConfig; cluster-node-tuning-operator
 * pkg/performanceprofile/cmd/render
 */
export function poolConfigProblems(manifests: readonly Manifest[]): readonly Problem[] {
  const pools = poolsOf(manifests);
  // A problem is reported at the user's file.
  const configs = manifests
    .flatMap((manifest) => poolConfigOf(manifest, pools))
    .toSorted((left, right) => Number(isUsers(left)) - Number(isUsers(right)));
  return configs.flatMap((config, index) => {
    const earlier = configs
      .slice(0, index)
      .map((other) => ({ other, pool: sharedPool(config, other) }))
      .find(({ pool }) => pool !== undefined);
    return earlier?.pool === undefined ? [] : twice(config, earlier.other, earlier.pool);
  });
}

function isUsers({ manifest }: PoolConfig): boolean {
  return manifest.source !== undefined;
}

function sharedPool(left: PoolConfig, right: PoolConfig): string | undefined {
  return left.becomes === right.becomes ? left.pools.find((pool) => right.pools.includes(pool)) : undefined;
}

function poolConfigOf(manifest: Manifest, pools: readonly Pool[]): readonly PoolConfig[] {
  const { object } = manifest;
  const selectedPools = (isPoolSelected: (pool: Pool) => boolean): readonly string[] => [
    ...new Set(pools.filter(isPoolSelected).map(({ name }) => name)),
  ];
  for (const becomes of ['KubeletConfig', 'ContainerRuntimeConfig'] as const) {
    if (!isOperatorKind(object, becomes)) continue;
    const selector = fieldAt(object, ['spec', 'machineConfigPoolSelector']);
    return [{ manifest, becomes, pools: selectedPools(({ labels }) => isSelected(selector, labels)) }];
  }
  // The render of the node tuning operator reads only this version.
  if (object.kind !== 'PerformanceProfile' || object.apiVersion !== 'performance.openshift.io/v2') return [];
  const labels = fieldAt(object, ['spec', 'machineConfigPoolSelector']);
  if (isRecord(labels)) {
    return [
      {
        manifest,
        becomes: 'KubeletConfig',
        pools: selectedPools((pool) => isSelected({ matchLabels: labels }, pool.labels)),
      },
    ];
  }
  const nodes = fieldAt(object, ['spec', 'nodeSelector']);
  const ofNodes = isRecord(nodes) ? selectedPools((pool) => isSelected(pool.nodeSelector, nodes)) : [];
  return [{ manifest, becomes: 'KubeletConfig', pools: ofNodes }];
}

function twice(later: PoolConfig, earlier: PoolConfig, pool: string): readonly Problem[] {
  const { source, object } = later.manifest;
  if (source === undefined) return [];
  const message = `${described(later)} is the second ${later.becomes} of pool ${maskedWord(pool)}, after ${described(earlier)}${placeOf(earlier)}: the machine-config operator's bootstrap accepts one per pool and ends with an error`;
  const path: FieldPath =
    fieldAt(object, ['spec', 'machineConfigPoolSelector']) === undefined
      ? ['metadata', 'name']
      : ['spec', 'machineConfigPoolSelector'];
  return [
    problem('manifest/pool-config-twice', message, {
      at: manifestFieldPlace(source, path, 'key'),
      hint: hintOf(later, earlier),
    }),
  ];
}

function described({ manifest: { object } }: PoolConfig): string {
  return `${object.kind} ${maskedWord(object.metadata.name)}`;
}

function placeOf({ manifest: { source } }: PoolConfig): string {
  return source === undefined ? ' (from kubelet.gracefulShutdown in sno-config.yaml)' : ` in ${source.file}`;
}

function hintOf(later: PoolConfig, earlier: PoolConfig): string {
  if (later.becomes === 'ContainerRuntimeConfig') return 'merge the two into one';
  const kinds = [later, earlier].map(({ manifest }) => manifest.object.kind);
  const profiles = kinds.filter((kind) => kind === 'PerformanceProfile').length;
  if (profiles === 2) return 'keep one PerformanceProfile per pool';
  const target =
    profiles === 1
      ? 'the annotation kubeletconfig.experimental of the PerformanceProfile, as JSON'
      : described(later);
  if (earlier.manifest.source === undefined)
    return `remove kubelet.gracefulShutdown, and write shutdownGracePeriod and shutdownGracePeriodCriticalPods into ${target}`;
  return profiles === 1 ? `write the fields of the KubeletConfig into ${target}` : 'merge the two into one';
}
