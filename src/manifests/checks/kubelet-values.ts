import { isRecord } from '../../core/is-record.js';
import { quoted, quotedName } from '../../core/quoted.js';
import { suggestionOr } from '../../core/suggest.js';
import { goDurationSeconds } from '../../formats/go-duration.js';
import type { FieldPath } from '../../formats/yaml/yaml-tree.js';
import { fieldAt, listAt, textAt } from '../../kube/fields.js';
import { quantity } from '../schemas/field-formats.js';

export interface KubeletFault {
  /** `refused`: the machine-config operator ends with an error, or the kubelet does not start. `unknown`: the operator drops the field. */
  readonly kind: 'refused' | 'unknown';
  /** Below the KubeletConfiguration. */
  readonly path: FieldPath;
  readonly message: string;
  readonly hint: string;
}

/**
 * Values with which the kubelet does not start; the machine-config operator accepts them.
 * Source: kubernetes pkg/kubelet/apis/config/validation/validation.go, pkg/kubelet/eviction/helpers.go, cm/cpumanager, cm/memorymanager
 */
export function valueFaults(given: unknown): readonly KubeletFault[] {
  return [
    ...evictionFaults(given),
    ...softEvictionFaults(given),
    ...imageThresholdFaults(given),
    ...choiceFaults(given),
    ...policyOptionFaults(given),
    ...rangeFaults(given),
    ...shutdownFaults(given),
    ...parallelPullFaults(given),
    ...enforcementFaults(given),
  ];
}

const doesNotStart = 'the kubelet does not start, and the node never joins';

/** `allocatableMemory.available` is known too, but only the kubelet sets it. */
const signals = [
  'memory.available',
  'nodefs.available',
  'nodefs.inodesFree',
  'imagefs.available',
  'imagefs.inodesFree',
  'containerfs.available',
  'containerfs.inodesFree',
  'pid.available',
] as const;

const signalFields = [
  'evictionHard',
  'evictionSoft',
  'evictionSoftGracePeriod',
  'evictionMinimumReclaim',
] as const;

function evictionFaults(given: unknown): readonly KubeletFault[] {
  return signalFields.flatMap((field) => {
    const thresholds = fieldAt(given, [field]);
    if (!isRecord(thresholds)) return [];
    return Object.entries(thresholds).flatMap(([signal, value]) => {
      const path = [field, signal];
      if (signal !== 'allocatableMemory.available' && !signals.some((each) => each === signal)) {
        const hint = suggestionOr(signal, signals, `write ${signals.join(', ')}`);
        return [fault(path, `${quotedName(signal)} is no eviction signal: ${doesNotStart}`, hint)];
      }
      if (typeof value !== 'string' || isEvictionValue(field, value)) return [];
      const [kind, sample] =
        field === 'evictionSoftGracePeriod'
          ? ['a duration', 'a duration such as 1m30s']
          : ['a quantity or percentage', 'a quantity such as 500Mi, or a percentage such as 10%'];
      return [fault(path, `${field} ${quoted(value)} is not ${kind}: ${doesNotStart}`, `write ${sample}`)];
    });
  });
}

function isEvictionValue(field: (typeof signalFields)[number], value: string): boolean {
  if (field === 'evictionSoftGracePeriod') return (goDurationSeconds(value) ?? -1) >= 0;
  if (value.endsWith('%')) return /^\+?\d*\.?\d+%$/.test(value) && Number(value.slice(0, -1)) <= 100;
  return quantity.isValid(value) && !value.startsWith('-');
}

function softEvictionFaults(given: unknown): readonly KubeletFault[] {
  const [soft, periods] = [fieldAt(given, ['evictionSoft']), fieldAt(given, ['evictionSoftGracePeriod'])];
  if (!isRecord(soft)) return [];
  return Object.keys(soft)
    .filter((signal) => !isRecord(periods) || !Object.hasOwn(periods, signal))
    .map((signal) =>
      fault(
        ['evictionSoft', signal],
        `evictionSoftGracePeriod has no entry for ${quotedName(signal)}: ${doesNotStart}`,
        'add it, such as 1m30s',
      ),
    );
}

/** The defaults are those of the kubelet. */
function imageThresholdFaults(given: unknown): readonly KubeletFault[] {
  const [low, high] = ['imageGCLowThresholdPercent', 'imageGCHighThresholdPercent'] as const;
  const values = { [low]: numberAt(given, low) ?? 80, [high]: numberAt(given, high) ?? 85 };
  const outside = [low, high].find((field) => values[field] < 0 || values[field] > 100);
  if (outside !== undefined)
    return [
      fault([outside], `${outside} is not a percentage: ${doesNotStart}`, 'write a number from 0 to 100'),
    ];
  if (values[low] < values[high]) return [];
  const field = numberAt(given, low) === undefined ? high : low;
  const message = `${low} ${values[low]} is not less than ${high} ${values[high]}: ${doesNotStart}`;
  return [fault([field], message, 'set both, the low threshold below the high one')];
}

const choices: Readonly<Record<string, readonly string[]>> = {
  cpuManagerPolicy: ['none', 'static'],
  // BestEffort exists on Windows alone. Source: kubernetes pkg/kubelet/cm/memorymanager memory_manager.go NewManager, since 1.32
  memoryManagerPolicy: ['None', 'Static'],
  topologyManagerPolicy: ['none', 'best-effort', 'restricted', 'single-numa-node'],
  topologyManagerScope: ['container', 'pod'],
  hairpinMode: ['promiscuous-bridge', 'hairpin-veth', 'none'],
  configMapAndSecretChangeDetectionStrategy: ['Get', 'Cache', 'Watch'],
  tlsMinVersion: ['VersionTLS10', 'VersionTLS11', 'VersionTLS12', 'VersionTLS13'],
};

function choiceFaults(given: unknown): readonly KubeletFault[] {
  return Object.entries(choices).flatMap(([field, values]) => {
    const value = textAt(given, [field]);
    // The machine-config operator merges, and empty texts do not replace its own.
    if (value === undefined || value === '' || values.includes(value)) return [];
    return [
      fault([field], `${field} ${quoted(value)} is unknown: ${doesNotStart}`, `write ${values.join(', ')}`),
    ];
  });
}

/** Options by policy field; a policy that is not set takes none. Source: cm/cpumanager and cm/topologymanager policy_options.go */
const policyOptions: Readonly<Record<string, readonly string[]>> = {
  cpuManagerPolicyOptions: [
    'full-pcpus-only',
    'distribute-cpus-across-numa',
    'align-by-socket',
    'distribute-cpus-across-cores',
    'strict-cpu-reservation',
    'prefer-align-cpus-by-uncorecache',
  ],
  topologyManagerPolicyOptions: ['prefer-closest-numa-nodes', 'max-allowable-numa-nodes'],
};

function policyOptionFaults(given: unknown): readonly KubeletFault[] {
  const unknown = Object.entries(policyOptions).flatMap(([field, names]) => {
    const options = fieldAt(given, [field]);
    if (!isRecord(options)) return [];
    return Object.keys(options)
      .filter((name) => !names.includes(name))
      .map((name) => {
        const hint = suggestionOr(name, names, `write ${names.join(', ')}`);
        return fault([field, name], `${quotedName(name)} is no option of ${field}: ${doesNotStart}`, hint);
      });
  });
  const cpuOptions = fieldAt(given, ['cpuManagerPolicyOptions']);
  const hasOptions = isRecord(cpuOptions) && Object.keys(cpuOptions).length > 0;
  if (!hasOptions || textAt(given, ['cpuManagerPolicy']) === 'static') return unknown;
  const message = `cpuManagerPolicyOptions needs cpuManagerPolicy static: ${doesNotStart}`;
  return [...unknown, fault(['cpuManagerPolicyOptions'], message, 'write "cpuManagerPolicy: static"')];
}

const unlimited = Infinity;

/** Least and largest values. The machine-config operator drops zeros, so that the default applies. */
const ranges: Readonly<Record<string, readonly [least: number, largest: number]>> = {
  maxPods: [0, unlimited],
  podsPerCore: [0, unlimited],
  maxOpenFiles: [0, unlimited],
  eventBurst: [0, unlimited],
  eventRecordQPS: [0, unlimited],
  kubeAPIBurst: [0, unlimited],
  kubeAPIQPS: [0, unlimited],
  registryBurst: [0, unlimited],
  registryPullQPS: [0, unlimited],
  maxParallelImagePulls: [1, unlimited],
  containerLogMaxFiles: [2, unlimited],
  containerLogMaxWorkers: [1, unlimited],
  nodeLeaseDurationSeconds: [1, unlimited],
  nodeStatusMaxImages: [-1, unlimited],
  oomScoreAdj: [-1000, 1000],
  port: [1, 65535],
  readOnlyPort: [0, 65535],
  healthzPort: [0, 65535],
  iptablesDropBit: [0, 31],
  iptablesMasqueradeBit: [0, 31],
};

function rangeFaults(given: unknown): readonly KubeletFault[] {
  return Object.entries(ranges).flatMap(([field, [least, largest]]) => {
    const value = numberAt(given, field) ?? 0;
    if (value === 0 || (value >= least && value <= largest)) return [];
    if (largest === unlimited && least === 0)
      return [fault([field], `${field} is negative: ${doesNotStart}`, 'write 0 or more')];
    const hint =
      largest === unlimited ? `write ${least} or more` : `write a number from ${least} to ${largest}`;
    return [fault([field], `${field} ${value} is out of range: ${doesNotStart}`, hint)];
  });
}

function shutdownFaults(given: unknown): readonly KubeletFault[] {
  const [total, critical] = ['shutdownGracePeriod', 'shutdownGracePeriodCriticalPods'] as const;
  const seconds = (field: string): number => goDurationSeconds(textAt(given, [field]) ?? '') ?? 0;
  const short = [total, critical].filter((field) => seconds(field) !== 0 && seconds(field) < 1);
  if (short.length > 0)
    return short.map((field) =>
      fault([field], `${field} is shorter than a second: ${doesNotStart}`, 'write 1s or more'),
    );
  if (seconds(critical) > seconds(total)) {
    const than = seconds(total) === 0 ? 'set, and shutdownGracePeriod is not' : `larger than ${total}`;
    const hint = `write the whole time into ${total}; ${critical} is a part of it`;
    return [fault([critical], `${critical} is ${than}: ${doesNotStart}`, hint)];
  }
  const byPriority = 'shutdownGracePeriodByPodPriority';
  if (seconds(total) === 0 || listAt(given, [byPriority]).length === 0) return [];
  const message = `${byPriority} and ${total} exclude each other: ${doesNotStart}`;
  return [fault([byPriority], message, 'remove one of the two')];
}

/** The machine-config operator sets serializeImagePulls to false. */
function parallelPullFaults(given: unknown): readonly KubeletFault[] {
  const pulls = numberAt(given, 'maxParallelImagePulls') ?? 0;
  if (fieldAt(given, ['serializeImagePulls']) !== true || pulls <= 1) return [];
  const message = `maxParallelImagePulls is ${pulls} although serializeImagePulls is true: ${doesNotStart}`;
  return [fault(['maxParallelImagePulls'], message, 'remove serializeImagePulls, or maxParallelImagePulls')];
}

const enforcements = [
  'pods',
  'system-reserved',
  'system-reserved-compressible',
  'kube-reserved',
  'kube-reserved-compressible',
  'none',
];

function enforcementFaults(given: unknown): readonly KubeletFault[] {
  const field = 'enforceNodeAllocatable';
  const values = listAt(given, [field]).filter((each) => typeof each === 'string');
  return values.flatMap((value, index) => {
    const reason = enforcementFault(given, values, index);
    return reason === undefined
      ? []
      : [fault([field, index], `${field} ${quoted(value)} ${reason.message}: ${doesNotStart}`, reason.hint)];
  });
}

function enforcementFault(
  given: unknown,
  values: readonly string[],
  index: number,
): Pick<KubeletFault, 'message' | 'hint'> | undefined {
  const value = values[index] ?? '';
  if (!enforcements.includes(value))
    return { message: 'is unknown', hint: `write ${enforcements.join(', ')}` };
  if (values.indexOf(value) !== index) return { message: 'is listed twice', hint: 'remove one of the two' };
  if (value === 'none' && values.length > 1)
    return { message: 'excludes other values', hint: 'remove it, or the others' };
  if (!value.startsWith('kube-reserved') || (textAt(given, ['kubeReservedCgroup']) ?? '') !== '')
    return undefined;
  return { message: 'needs kubeReservedCgroup', hint: `remove ${value}, or set kubeReservedCgroup` };
}

function numberAt(given: unknown, field: string): number | undefined {
  const value = fieldAt(given, [field]);
  return typeof value === 'number' ? value : undefined;
}

function fault(path: FieldPath, message: string, hint: string): KubeletFault {
  return { kind: 'refused', path, message, hint };
}
