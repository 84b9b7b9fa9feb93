import { isRecord } from '../../core/is-record.js';
import { quoted, quotedName } from '../../core/quoted.js';
import type { FieldPath } from '../../formats/yaml/yaml-tree.js';
import { fieldAt, textAt } from '../../kube/fields.js';

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
    ...softEvictionFaults(given),
    ...imageThresholdFaults(given),
    ...choiceFaults(given),
    ...negativeFaults(given),
  ];
}

const doesNotStart = 'the kubelet does not start, and the node never joins';

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
  memoryManagerPolicy: ['None', 'Static'],
  topologyManagerPolicy: ['none', 'best-effort', 'restricted', 'single-numa-node'],
  topologyManagerScope: ['container', 'pod'],
};

function choiceFaults(given: unknown): readonly KubeletFault[] {
  return Object.entries(choices).flatMap(([field, values]) => {
    const value = textAt(given, [field]);
    if (value === undefined || values.includes(value)) return [];
    return [
      fault([field], `${field} ${quoted(value)} is unknown: ${doesNotStart}`, `write ${values.join(', ')}`),
    ];
  });
}

const unsigned = ['maxPods', 'podsPerCore', 'maxOpenFiles', 'eventBurst', 'kubeAPIBurst', 'registryBurst'];

function negativeFaults(given: unknown): readonly KubeletFault[] {
  return unsigned
    .filter((field) => (numberAt(given, field) ?? 0) < 0)
    .map((field) => fault([field], `${field} is negative: ${doesNotStart}`, 'write 0 or more'));
}

function numberAt(given: unknown, field: string): number | undefined {
  const value = fieldAt(given, [field]);
  return typeof value === 'number' ? value : undefined;
}

function fault(path: readonly string[], message: string, hint: string): KubeletFault {
  return { kind: 'refused', path, message, hint };
}
