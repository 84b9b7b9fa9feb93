import { problem, type Problem } from '../../core/problem.js';
import { maskedWord, quoted } from '../../core/quoted.js';
import { commonCpus, isSameCpus, parseCpuSet } from '../../formats/cpu-set.js';
import type { FieldPath } from '../../formats/yaml/yaml-tree.js';
import { fileText } from '../../ignition/foreign/config-entries.js';
import { listAt, textAt, fieldAt } from '../../kube/fields.js';
import { roleLabel } from '../../kube/machine-config.js';
import { manifestFieldPlace } from '../../kube/manifest-place.js';
import type { Manifest } from '../../kube/manifest.js';
import { isPerformanceProfile } from './check-performance-profile.js';
import { isOperatorKind, isSelected, poolsOf } from './machine-config-pools.js';

/** `reserved`: for the platform. `partition`: of workload partitioning, the same as reserved. `isolated`: for workloads alone. */
type Purpose = 'reserved' | 'partition' | 'isolated';

export interface CpuSetting {
  readonly manifest: Manifest;
  readonly purpose: Purpose;
  /** Such as `cpu.reserved of PerformanceProfile a`. */
  readonly what: string;
  readonly path: FieldPath;
  readonly text: string;
  readonly cpus: ReadonlySet<number>;
}

/**
 * Reports CPU lists for the node that contradict each other: those of PerformanceProfiles, workload partitioning, kubelet and
 * kernel arguments. Problems: manifest/cpu-sets. Source: docs.openshift.com, "Workload partitioning on single-node OpenShift"
 */
export function cpuSetProblems(manifests: readonly Manifest[]): readonly Problem[] {
  const settings = cpuSettings(manifests);
  return settings.flatMap((later, index) => {
    const { source } = later.manifest;
    const conflict = settings
      .slice(0, index)
      .map((earlier) => ({ earlier, reason: contradiction(earlier, later) }))
      .find(({ reason }) => reason !== undefined);
    if (source === undefined || conflict?.reason === undefined) return [];
    const { earlier, reason } = conflict;
    const message = `${later.what} is ${quoted(later.text)}, and ${earlier.what} ${quoted(earlier.text)}: ${reason}`;
    const hint =
      reason === areDifferent
        ? 'write the same CPUs, or remove one of the two'
        : 'write each CPU into one of the two lists';
    return [
      problem('manifest/cpu-sets', message, {
        at: manifestFieldPlace(source, later.path),
        ...(earlier.manifest.source && { other: manifestFieldPlace(earlier.manifest.source, earlier.path) }),
        hint,
      }),
    ];
  });
}

/** The CPU lists for the node. */
export function cpuSettings(manifests: readonly Manifest[]): readonly CpuSetting[] {
  return manifests.flatMap((manifest) => settingsOf(manifest, manifests));
}

const areDifferent = 'both reserve CPUs for the platform, and differ';

function contradiction(left: CpuSetting, right: CpuSetting): string | undefined {
  // The lists within a profile are checked with it.
  if (left.manifest === right.manifest && isPerformanceProfile(left.manifest.object)) return undefined;
  if (left.purpose === 'isolated' && right.purpose === 'isolated') return undefined;
  if (left.purpose !== 'isolated' && right.purpose !== 'isolated') {
    const isPartition = left.purpose === 'partition' || right.purpose === 'partition';
    return isPartition && !isSameCpus(left.cpus, right.cpus) ? areDifferent : undefined;
  }
  const common = commonCpus(left.cpus, right.cpus);
  return common === '' ? undefined : `CPU ${common} is isolated and reserved for the platform`;
}

function settingsOf(manifest: Manifest, all: readonly Manifest[]): readonly CpuSetting[] {
  const { object } = manifest;
  const name = `${object.kind} ${maskedWord(object.metadata.name)}`;
  const setting = (purpose: Purpose, what: string, path: FieldPath, text: string): readonly CpuSetting[] => {
    const cpus = parseCpuSet(text.trim());
    return cpus === undefined || cpus.size === 0
      ? []
      : [{ manifest, purpose, what: `${what} of ${name}`, path, text: text.trim(), cpus }];
  };
  if (isPerformanceProfile(object) && isOfMaster(fieldAt(object, ['spec', 'nodeSelector']))) {
    const found = (['reserved', 'isolated'] as const).flatMap((field) => {
      const path = ['spec', 'cpu', field];
      return setting(field, `cpu.${field}`, path, textAt(object, path) ?? '');
    });
    return [...found, ...kernelSettings(object, ['spec', 'additionalKernelArgs'], setting)];
  }
  if (isOperatorKind(object, 'KubeletConfig')) {
    const path = ['spec', 'kubeletConfig', 'reservedSystemCPUs'];
    const selector = fieldAt(object, ['spec', 'machineConfigPoolSelector']);
    const isForMaster = poolsOf(all).some(
      ({ name: pool, labels }) => pool === 'master' && isSelected(selector, labels),
    );
    return isForMaster ? setting('reserved', 'reservedSystemCPUs', path, textAt(object, path) ?? '') : [];
  }
  const isForMaster = object.metadata.labels?.[roleLabel] === 'master';
  if (!isOperatorKind(object, 'MachineConfig') || !isForMaster) return [];
  return [
    ...kernelSettings(object, ['spec', 'kernelArguments'], setting),
    ...partitionSettings(object, setting),
  ];
}

type MakeSetting = (purpose: Purpose, what: string, path: FieldPath, text: string) => readonly CpuSetting[];

function isOfMaster(nodeSelector: unknown): boolean {
  return fieldAt(nodeSelector, ['node-role.kubernetes.io/master']) !== undefined;
}

/** Source: kernel.org/doc, admin-guide/kernel-parameters; isolcpus may start with flags such as managed_irq */
const isolatingArguments = /^(isolcpus|nohz_full|rcu_nocbs)=(?:[a-z_]+,)*([\d,-]+)$/;

function kernelSettings(
  object: unknown,
  list: readonly string[],
  setting: MakeSetting,
): readonly CpuSetting[] {
  return listAt(object, list).flatMap((word, index) => {
    if (typeof word !== 'string') return [];
    const [, argument, isolated] = isolatingArguments.exec(word) ?? [];
    const [, affinity] = /^systemd\.cpu_affinity=([\d,-]+)$/.exec(word) ?? [];
    const path = [...list, index];
    return [
      ...(argument === undefined || isolated === undefined
        ? []
        : setting('isolated', argument, path, isolated)),
      ...(affinity === undefined ? [] : setting('reserved', 'systemd.cpu_affinity', path, affinity)),
    ];
  });
}

/** Files of workload partitioning: a drop-in of CRI-O and the kubelet's file. */
function partitionSettings(object: unknown, setting: MakeSetting): readonly CpuSetting[] {
  const list = ['spec', 'config', 'storage', 'files'];
  return listAt(object, list).flatMap((entry, index) => {
    const file = textAt(entry, ['path']) ?? '';
    const isKubelets = file === '/etc/kubernetes/openshift-workload-pinning';
    if (!isKubelets && !/^\/etc\/crio\/crio\.conf\.d\/[^/]+$/.test(file)) return [];
    const text = fileText(entry) ?? '';
    const [, cpus] =
      (isKubelets
        ? /"management"\s*:\s*\{[^}]*"cpuset"\s*:\s*"([^"]*)"/.exec(text)
        : /\[crio\.runtime\.workloads\.management\][^]*?\bcpuset["']?\s*=\s*["']([^"']*)["']/.exec(text)) ??
      [];
    return cpus === undefined
      ? []
      : setting('partition', `the cpuset in ${file}`, [...list, index, 'contents'], cpus);
  });
}
