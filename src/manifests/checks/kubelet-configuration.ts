import { isRecord } from '../../core/is-record.js';
import { suggestionOr } from '../../core/suggest.js';
import { quoted, quotedName } from '../../core/quoted.js';
import { goDurationSeconds } from '../../formats/go-duration.js';
import type { FieldPath } from '../../formats/yaml/yaml-tree.js';
import { fieldAt, listAt, textAt } from '../../kube/fields.js';
import { valueFaults, type KubeletFault } from './kubelet-values.js';

/** Numbers of the minor versions that decide on fields. */
export interface KubeletVersions {
  readonly kubernetesMinor: number;
  /** Of OpenShift 4.x; those after 4.x are larger. */
  readonly openshiftMinor: number;
}

/**
 * Faults of a KubeletConfiguration in a KubeletConfig, or in the annotation of a PerformanceProfile.
 * Source: machine-config-operator pkg/controller/kubelet-config/helpers.go, validateUserKubeletConfig and DecodeKubeletConfig
 */
export function kubeletFaults(given: unknown, versions: KubeletVersions): readonly KubeletFault[] {
  if (!isRecord(given)) return [];
  const entries = Object.entries(given).filter(([, value]) => value !== null);
  return [
    ...refusedFields.flatMap((rule) => refusalOf(given, rule, versions)),
    ...cgroupFaults(given, versions),
    ...entries.flatMap(([name, value]) => fieldFaults(name, value, versions)),
    ...valueFaults(given),
  ];
}

interface RefusedField {
  readonly path: readonly string[];
  /** First minor of OpenShift 4.x that refuses it, if later than 4.14. */
  readonly since?: number;
  /** For pointers: the operator refuses any value, also an empty one. */
  readonly isPointer?: boolean;
  readonly hint: string;
}

const refusedFields: readonly RefusedField[] = [
  { path: ['cgroupDriver'], hint: 'remove it; the operator sets systemd' },
  { path: ['clusterDNS'], hint: 'remove it; the operator derives it from serviceNetwork' },
  { path: ['clusterDomain'], hint: 'remove it; the operator sets cluster.local' },
  {
    path: ['featureGates'],
    hint: 'remove it; set featureGates in install-config.yaml, which apply to the whole cluster',
  },
  { path: ['staticPodPath'], hint: 'remove it; the operator sets /etc/kubernetes/manifests' },
  { path: ['failSwapOn'], since: 21, isPointer: true, hint: 'remove it' },
  { path: ['memorySwap', 'swapBehavior'], since: 21, hint: 'remove it' },
];

function refusalOf(
  given: unknown,
  { path, since = 0, isPointer = false, hint }: RefusedField,
  { openshiftMinor }: KubeletVersions,
): readonly KubeletFault[] {
  const value = fieldAt(given, path);
  if (openshiftMinor < since || value === undefined || value === null) return [];
  if (!isPointer && isEmpty(value)) return [];
  const message = `the machine-config operator does not allow ${path.join('.')} in a KubeletConfig, and its bootstrap ends with an error`;
  return [{ kind: 'refused', path, message, hint }];
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === '' || (isRecord(value) && Object.keys(value).length === 0);
}

/** Since 4.22 the operator's own systemCgroups is compared too. Source: its templates/master/01-master-kubelet kubelet.yaml */
function cgroupFaults(given: unknown, { openshiftMinor }: KubeletVersions): readonly KubeletFault[] {
  const reserved = textAt(given, ['systemReservedCgroup']);
  const own = textAt(given, ['systemCgroups']);
  const isCleared = own === undefined && textAt(given, ['reservedSystemCPUs']) !== undefined;
  const expected = own ?? '/system.slice';
  if (openshiftMinor < 22 || reserved === undefined || reserved === expected || isCleared) return [];
  const message = `systemReservedCgroup is ${quoted(reserved)} and systemCgroups ${quoted(expected)}: the machine-config operator expects the same value`;
  return [
    {
      kind: 'refused',
      path: ['systemReservedCgroup'],
      message,
      hint: `write ${quoted(expected)}, or remove it`,
    },
  ];
}

type Shape = 'string' | 'boolean' | 'integer' | 'number' | 'duration' | 'strings' | 'map' | 'list' | 'object';

/** Fields by type. Source: kubernetes/kubelet config/v1beta1 types.go, releases 1.27 to 1.36 */
const fieldsByShape: Readonly<Record<Shape, string>> = {
  string: `apiVersion kind address cgroupDriver cgroupRoot clusterDomain configMapAndSecretChangeDetectionStrategy containerLogMaxSize
    containerRuntimeEndpoint contentType cpuManagerPolicy hairpinMode healthzBindAddress imagePullCredentialsVerificationPolicy
    imageServiceEndpoint kubeReservedCgroup kubeletCgroups memoryManagerPolicy memoryReservationPolicy podCIDR podLogsDir providerID
    reservedSystemCPUs resolvConf showHiddenMetricsForVersion staticPodPath staticPodURL systemCgroups systemReservedCgroup
    tlsCertFile tlsMinVersion tlsPrivateKeyFile topologyManagerPolicy topologyManagerScope volumePluginDir`,
  boolean: `cgroupsPerQOS cpuCFSQuota enableContentionProfiling enableControllerAttachDetach enableDebugFlagsHandler
    enableDebuggingHandlers enableProfilingHandler enableServer enableSystemLogHandler enableSystemLogQuery failCgroupV1 failSwapOn
    kernelMemcgNotification localStorageCapacityIsolation makeIPTablesUtilChains mergeDefaultEvictionSettings protectKernelDefaults
    registerNode rotateCertificates runOnce seccompDefault serializeImagePulls serverTLSBootstrap singleProcessOOMKill`,
  integer: `containerLogMaxFiles containerLogMaxWorkers eventBurst eventRecordQPS evictionMaxPodGracePeriod healthzPort
    imageGCHighThresholdPercent imageGCLowThresholdPercent iptablesDropBit iptablesMasqueradeBit kubeAPIBurst kubeAPIQPS
    maxOpenFiles maxParallelImagePulls maxPods nodeLeaseDurationSeconds nodeStatusMaxImages oomScoreAdj podPidsLimit podsPerCore
    port readOnlyPort registryBurst registryPullQPS`,
  number: 'memoryThrottlingFactor',
  duration: `containerLogMonitorInterval cpuCFSQuotaPeriod cpuManagerReconcilePeriod evictionPressureTransitionPeriod
    fileCheckFrequency httpCheckFrequency imageMaximumGCAge imageMinimumGCAge nodeStatusReportFrequency nodeStatusUpdateFrequency
    runtimeRequestTimeout shutdownGracePeriod shutdownGracePeriodCriticalPods streamingConnectionIdleTimeout syncFrequency
    volumeStatsAggPeriod`,
  strings:
    'allowedUnsafeSysctls clusterDNS enforceNodeAllocatable preloadedImagesVerificationAllowlist tlsCipherSuites',
  map: `cpuManagerPolicyOptions evictionHard evictionMinimumReclaim evictionSoft evictionSoftGracePeriod kubeReserved qosReserved
    systemReserved topologyManagerPolicyOptions`,
  list: 'registerWithTaints reservedMemory shutdownGracePeriodByPodPriority tlsCurvePreferences',
  object:
    'authentication authorization crashLoopBackOff featureGates logging memorySwap staticPodURLHeader tracing userNamespaces',
};

const shapes: ReadonlyMap<string, Shape> = new Map(
  shapeNames().flatMap((shape) => fieldsByShape[shape].split(/\s+/).map((name) => [name, shape] as const)),
);

function shapeNames(): readonly Shape[] {
  return ['string', 'boolean', 'integer', 'number', 'duration', 'strings', 'map', 'list', 'object'];
}

/** First minor of Kubernetes with fields that came after 1.27. Same source. */
const since: Readonly<Record<string, number>> = {
  imageMaximumGCAge: 29,
  podLogsDir: 30,
  containerLogMaxWorkers: 30,
  containerLogMonitorInterval: 30,
  failCgroupV1: 31,
  singleProcessOOMKill: 32,
  crashLoopBackOff: 32,
  imagePullCredentialsVerificationPolicy: 33,
  preloadedImagesVerificationAllowlist: 33,
  mergeDefaultEvictionSettings: 33,
  userNamespaces: 33,
  tlsCurvePreferences: 36,
  memoryReservationPolicy: 36,
};

function fieldFaults(
  name: string,
  value: unknown,
  { kubernetesMinor }: KubeletVersions,
): readonly KubeletFault[] {
  // The decoder matches names in any letter case.
  const known = [...shapes.keys()].find((each) => each.toLowerCase() === name.toLowerCase());
  const shape = known === undefined ? undefined : shapes.get(known);
  if (known === undefined || shape === undefined) {
    return [
      {
        kind: 'unknown',
        path: [name],
        message: `a KubeletConfiguration has no field ${quotedName(name)}, so the machine-config operator drops it`,
        hint: suggestionOr(name, shapes.keys(), 'remove it'),
      },
    ];
  }
  const first = since[known] ?? 0;
  if (first > kubernetesMinor) {
    const message = `${known} came with Kubernetes 1.${first}, and the release has 1.${kubernetesMinor}: the machine-config operator drops it`;
    return [{ kind: 'unknown', path: [name], message, hint: 'remove it' }];
  }
  return typeFaults(value, [name], shape);
}

const expectations: Readonly<
  Record<Shape, { readonly is: (value: unknown) => boolean; readonly text: string }>
> = {
  string: { is: (value) => typeof value === 'string', text: 'a string' },
  boolean: { is: (value) => typeof value === 'boolean', text: 'true or false' },
  integer: { is: Number.isInteger, text: 'a whole number' },
  number: { is: (value) => typeof value === 'number', text: 'a number' },
  duration: {
    is: (value) => typeof value === 'string' && goDurationSeconds(value) !== undefined,
    text: 'a duration such as "10s" or "1m30s"',
  },
  strings: { is: Array.isArray, text: 'a list' },
  map: { is: isRecord, text: 'a map of strings' },
  list: { is: Array.isArray, text: 'a list' },
  object: { is: isRecord, text: 'a map' },
};

function typeFaults(value: unknown, path: FieldPath, shape: Shape): readonly KubeletFault[] {
  const { is, text } = expectations[shape];
  if (!is(value)) return [typeFault(path, text, value)];
  if (shape === 'strings')
    return listAt({ value }, ['value']).flatMap((item, index) =>
      item === null || typeof item === 'string' ? [] : [typeFault([...path, index], 'a string', item)],
    );
  if (shape !== 'map' || !isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    item === null || typeof item === 'string' ? [] : [typeFault([...path, key], 'a string', item)],
  );
}

function typeFault(path: FieldPath, expected: string, value: unknown): KubeletFault {
  const name = path.map(String).join('.');
  const isScalar = typeof value === 'number' || typeof value === 'boolean';
  const isQuotedNumber = typeof value === 'string' && expected === 'a whole number' && /^\d+$/.test(value);
  return {
    kind: 'refused',
    path,
    message: `${name} must be ${expected}: the machine-config operator cannot read the KubeletConfig, and its bootstrap ends with an error`,
    hint:
      isScalar && expected === 'a string'
        ? 'put it in quotes'
        : isQuotedNumber
          ? 'remove the quotes'
          : `write ${expected}`,
  };
}
