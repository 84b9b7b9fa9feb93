import { describe, expect, it } from 'vitest';

import { operatorConfigProblems } from '../../../src/manifests/checks/check-operator-configs.js';
import { releaseVersion } from '../../../src/release/release-version.js';
import { objectsOf } from '../../assets/manifests/given.js';
import { showProblem } from '../../support/show-problem.js';

function operatorObject(kind: string, spec: string): string {
  return `apiVersion: machineconfiguration.openshift.io/v1
kind: ${kind}
metadata: {name: site}
spec: ${spec}
`;
}

function kubelet(config: string, rest = ''): string {
  return operatorObject('KubeletConfig', `{kubeletConfig: ${config}${rest}}`);
}

function runtime(config: string): string {
  return operatorObject('ContainerRuntimeConfig', `{containerRuntimeConfig: ${config}}`);
}

/** Severity, code and path with the message. */
function found(text: string, minor = 21): readonly string[] {
  return operatorConfigProblems(objectsOf(text), releaseVersion(4, minor)).map((each) =>
    showProblem(each).replace(/ f\.yaml:\d+:\d+/, ''),
  );
}

const notAllowed = (field: string): string =>
  `error[manifest/operator-config] (spec.kubeletConfig.${field}): the machine-config operator does not allow ${field} in a KubeletConfig, and its bootstrap ends with an error`;

const notRead = (field: string, expected: string, path = field): string =>
  `error[manifest/operator-config] (spec.kubeletConfig.${path}): ${field} must be ${expected}: the machine-config operator cannot read the KubeletConfig, and its bootstrap ends with an error`;

const notStarted = (field: string, fault: string): string =>
  `error[manifest/operator-config] (spec.kubeletConfig.${field}): ${fault}: the kubelet does not start, and the node never joins`;

describe('values with which the kubelet does not start', () => {
  it.each([
    [
      '{evictionSoft: {memory.available: 500Mi}}',
      [
        notStarted(
          'evictionSoft["memory.available"]',
          'evictionSoftGracePeriod has no entry for "memory.available"',
        ),
      ],
    ],
    [
      '{evictionSoft: {memory.available: 500Mi, nodefs.available: 10%}, evictionSoftGracePeriod: {memory.available: 1m30s}}',
      [
        notStarted(
          'evictionSoft["nodefs.available"]',
          'evictionSoftGracePeriod has no entry for "nodefs.available"',
        ),
      ],
    ],
    ['{evictionSoft: {memory.available: 500Mi}, evictionSoftGracePeriod: {memory.available: 1m30s}}', []],
    ['{evictionHard: {memory.available: 500Mi}}', []],
    [
      '{imageGCHighThresholdPercent: 70, imageGCLowThresholdPercent: 80}',
      [
        notStarted(
          'imageGCLowThresholdPercent',
          'imageGCLowThresholdPercent 80 is not less than imageGCHighThresholdPercent 70',
        ),
      ],
    ],
    [
      '{imageGCHighThresholdPercent: 75}',
      [
        notStarted(
          'imageGCHighThresholdPercent',
          'imageGCLowThresholdPercent 80 is not less than imageGCHighThresholdPercent 75',
        ),
      ],
    ],
    [
      '{imageGCHighThresholdPercent: 101}',
      [notStarted('imageGCHighThresholdPercent', 'imageGCHighThresholdPercent is not a percentage')],
    ],
    ['{imageGCHighThresholdPercent: 90, imageGCLowThresholdPercent: 75}', []],
    ['{imageGCLowThresholdPercent: 75}', []],
    [
      '{topologyManagerPolicy: single-numa}',
      [notStarted('topologyManagerPolicy', 'topologyManagerPolicy "single-numa" is unknown')],
    ],
    ['{topologyManagerPolicy: single-numa-node, topologyManagerScope: pod}', []],
    [
      '{topologyManagerScope: Pod}',
      [notStarted('topologyManagerScope', 'topologyManagerScope "Pod" is unknown')],
    ],
    ['{cpuManagerPolicy: Static}', [notStarted('cpuManagerPolicy', 'cpuManagerPolicy "Static" is unknown')]],
    ['{cpuManagerPolicy: static, memoryManagerPolicy: None}', []],
    ['{cpuManagerPolicy: ""}', []],
    [
      '{memoryManagerPolicy: BestEffort}',
      [notStarted('memoryManagerPolicy', 'memoryManagerPolicy "BestEffort" is unknown')],
    ],
    [
      '{memoryManagerPolicy: static}',
      [notStarted('memoryManagerPolicy', 'memoryManagerPolicy "static" is unknown')],
    ],
    [
      '{shutdownGracePeriod: 30s, shutdownGracePeriodCriticalPods: 1m}',
      [
        notStarted(
          'shutdownGracePeriodCriticalPods',
          'shutdownGracePeriodCriticalPods is larger than shutdownGracePeriod',
        ),
      ],
    ],
    [
      '{shutdownGracePeriodCriticalPods: 20s}',
      [
        notStarted(
          'shutdownGracePeriodCriticalPods',
          'shutdownGracePeriodCriticalPods is set, and shutdownGracePeriod is not',
        ),
      ],
    ],
    [
      '{shutdownGracePeriod: 500ms}',
      [notStarted('shutdownGracePeriod', 'shutdownGracePeriod is shorter than a second')],
    ],
    ['{shutdownGracePeriod: 1m30s, shutdownGracePeriodCriticalPods: 90s}', []],
    ['{shutdownGracePeriod: 0s, shutdownGracePeriodCriticalPods: 0s}', []],
    [
      '{shutdownGracePeriod: 60s, shutdownGracePeriodByPodPriority: [{priority: 0, shutdownGracePeriodSeconds: 60}]}',
      [
        notStarted(
          'shutdownGracePeriodByPodPriority',
          'shutdownGracePeriodByPodPriority and shutdownGracePeriod exclude each other',
        ),
      ],
    ],
    [
      '{evictionHard: {memory.avail: 500Mi}, evictionMinimumReclaim: {nodefs.inodesfree: 5%}}',
      [
        notStarted('evictionHard["memory.avail"]', '"memory.avail" is no eviction signal'),
        notStarted(
          'evictionMinimumReclaim["nodefs.inodesfree"]',
          '"nodefs.inodesfree" is no eviction signal',
        ),
      ],
    ],
    [
      '{evictionHard: {memory.available: 500MB, nodefs.available: 110%, imagefs.available: 15 %}}',
      [
        notStarted(
          'evictionHard["memory.available"]',
          'evictionHard "500MB" is not a quantity or percentage',
        ),
        notStarted('evictionHard["nodefs.available"]', 'evictionHard "110%" is not a quantity or percentage'),
        notStarted(
          'evictionHard["imagefs.available"]',
          'evictionHard "15 %" is not a quantity or percentage',
        ),
      ],
    ],
    [
      '{evictionSoft: {pid.available: 10%}, evictionSoftGracePeriod: {pid.available: 90}}',
      [
        notRead(
          'evictionSoftGracePeriod.pid.available',
          'a string',
          'evictionSoftGracePeriod["pid.available"]',
        ),
      ],
    ],
    [
      '{evictionSoft: {pid.available: 10%}, evictionSoftGracePeriod: {pid.available: 1 minute}}',
      [
        notStarted(
          'evictionSoftGracePeriod["pid.available"]',
          'evictionSoftGracePeriod "1 minute" is not a duration',
        ),
      ],
    ],
    [
      '{evictionHard: {memory.available: 5.5%, nodefs.available: "1e9", nodefs.inodesFree: 0%, imagefs.inodesFree: "100%", containerfs.available: 1Gi}}',
      [],
    ],
    [
      '{serializeImagePulls: true, maxParallelImagePulls: 5}',
      [
        notStarted(
          'maxParallelImagePulls',
          'maxParallelImagePulls is 5 although serializeImagePulls is true',
        ),
      ],
    ],
    ['{maxParallelImagePulls: 5}', []],
    ['{serializeImagePulls: true, maxParallelImagePulls: 1}', []],
    ['{oomScoreAdj: -1001}', [notStarted('oomScoreAdj', 'oomScoreAdj -1001 is out of range')]],
    [
      '{containerLogMaxFiles: 1}',
      [notStarted('containerLogMaxFiles', 'containerLogMaxFiles 1 is out of range')],
    ],
    ['{kubeAPIQPS: -1}', [notStarted('kubeAPIQPS', 'kubeAPIQPS is negative')]],
    ['{containerLogMaxFiles: 0, readOnlyPort: 0, nodeStatusMaxImages: -1}', []],
    ['{hairpinMode: hairpin}', [notStarted('hairpinMode', 'hairpinMode "hairpin" is unknown')]],
    [
      '{cpuManagerPolicy: static, cpuManagerPolicyOptions: {full-pcpu-only: "true"}}',
      [
        notStarted(
          'cpuManagerPolicyOptions.full-pcpu-only',
          '"full-pcpu-only" is no option of cpuManagerPolicyOptions',
        ),
      ],
    ],
    [
      '{cpuManagerPolicyOptions: {full-pcpus-only: "true"}}',
      [notStarted('cpuManagerPolicyOptions', 'cpuManagerPolicyOptions needs cpuManagerPolicy static')],
    ],
    [
      '{enforceNodeAllocatable: [pods, kube-reserved, system_reserved, pods]}',
      [
        notStarted(
          'enforceNodeAllocatable[1]',
          'enforceNodeAllocatable "kube-reserved" needs kubeReservedCgroup',
        ),
        notStarted('enforceNodeAllocatable[2]', 'enforceNodeAllocatable "system_reserved" is unknown'),
        notStarted('enforceNodeAllocatable[3]', 'enforceNodeAllocatable "pods" is listed twice'),
      ],
    ],
    ['{enforceNodeAllocatable: [pods, system-reserved], systemReservedCgroup: /system.slice}', []],
    ['{maxPods: -1}', [notStarted('maxPods', 'maxPods is negative')]],
    ['{maxPods: 500, podsPerCore: 0}', []],
  ])('%s', (config, want) => {
    expect(found(kubelet(config))).toEqual(want);
  });
});

describe('fields of the kubelet that the operator sets itself', () => {
  it.each([
    ['cgroupDriver', 'systemd'],
    ['clusterDNS', '[172.30.0.10]'],
    ['clusterDomain', 'cluster.local'],
    ['featureGates', '{CPUManagerPolicyOptions: true}'],
    ['staticPodPath', '/etc/kubernetes/manifests'],
    ['failSwapOn', 'false'],
  ])('%s', (field, value) => {
    expect(found(kubelet(`{${field}: ${value}}`))).toEqual([notAllowed(field)]);
  });

  it('memorySwap.swapBehavior, and failSwapOn, only since 4.21', () => {
    const given = kubelet('{failSwapOn: false, memorySwap: {swapBehavior: LimitedSwap}}');
    expect(found(given)).toEqual([notAllowed('failSwapOn'), notAllowed('memorySwap.swapBehavior')]);
    expect(found(given, 20)).toEqual([]);
  });

  it('empty values are not set', () => {
    expect(
      found(kubelet('{clusterDNS: [], clusterDomain: "", featureGates: {}, cgroupDriver: null}')),
    ).toEqual([]);
  });

  it('systemReserved with autoSizingReserved', () => {
    expect(found(kubelet('{systemReserved: {memory: 1Gi}}', ', autoSizingReserved: true'))).toEqual([
      "error[manifest/operator-config] (spec.autoSizingReserved): autoSizingReserved and systemReserved cannot be set together, and the machine-config operator's bootstrap ends with an error",
    ]);
    expect(found(kubelet('{systemReserved: {memory: 1Gi}}', ', autoSizingReserved: false'))).toEqual([]);
  });

  it('cgroups that differ, since 4.22', () => {
    const given = kubelet('{systemReservedCgroup: /site.slice}');
    expect(found(given, 22)).toEqual([
      'error[manifest/operator-config] (spec.kubeletConfig.systemReservedCgroup): systemReservedCgroup is "/site.slice" and systemCgroups "/system.slice": the machine-config operator expects the same value',
    ]);
    expect(found(given)).toEqual([]);
    expect(found(kubelet('{systemReservedCgroup: /a, systemCgroups: /a}'), 22)).toEqual([]);
    expect(found(kubelet('{systemReservedCgroup: /a, reservedSystemCPUs: 0-1}'), 22)).toEqual([]);
  });
});

describe('types that the operator cannot decode', () => {
  it.each([
    ['{maxPods: "400"}', notRead('maxPods', 'a whole number')],
    ['{maxPods: 1.5}', notRead('maxPods', 'a whole number')],
    ['{kubeAPIQPS: many}', notRead('kubeAPIQPS', 'a whole number')],
    ['{serializeImagePulls: "false"}', notRead('serializeImagePulls', 'true or false')],
    ['{shutdownGracePeriod: 60}', notRead('shutdownGracePeriod', 'a duration such as "10s" or "1m30s"')],
    ['{imageMinimumGCAge: 1d}', notRead('imageMinimumGCAge', 'a duration such as "10s" or "1m30s"')],
    [
      '{evictionHard: {memory.available: 100}}',
      notRead('evictionHard.memory.available', 'a string', 'evictionHard["memory.available"]'),
    ],
    ['{allowedUnsafeSysctls: net.*}', notRead('allowedUnsafeSysctls', 'a list')],
    ['{systemReserved: [memory]}', notRead('systemReserved', 'a map of strings')],
    ['{reservedSystemCPUs: 0}', notRead('reservedSystemCPUs', 'a string')],
  ])('%s', (config, want) => {
    expect(found(kubelet(config))).toEqual([want]);
  });
});

describe('fields that the kubelet does not have', () => {
  it('a misspelled name', () => {
    const [problem] = operatorConfigProblems(objectsOf(kubelet('{maxPod: 400}')), releaseVersion(4, 21));
    expect(problem && showProblem(problem)).toBe(
      'warning[manifest/kubelet-field] f.yaml:4:24 (spec.kubeletConfig.maxPod): a KubeletConfiguration has no field "maxPod", so the machine-config operator drops it',
    );
    expect(problem?.hint).toBe('did you mean "maxPods"?');
  });

  it('a field of a later Kubernetes', () => {
    expect(found(kubelet('{singleProcessOOMKill: true}'), 14)).toEqual([
      'warning[manifest/kubelet-field] (spec.kubeletConfig.singleProcessOOMKill): singleProcessOOMKill came with Kubernetes 1.32, and the release has 1.27: the machine-config operator drops it',
    ]);
    expect(found(kubelet('{singleProcessOOMKill: true}'))).toEqual([]);
  });

  it('another letter case is read', () => {
    expect(found(kubelet('{maxpods: 400}'))).toEqual([]);
  });
});

it.each([
  '{maxPods: 400, podPidsLimit: 8192, kubeAPIQPS: 100, evictionHard: {memory.available: 500Mi}}',
  '{cpuManagerPolicy: static, cpuManagerReconcilePeriod: 5s, reservedSystemCPUs: "0-1", topologyManagerPolicy: best-effort}',
  '{shutdownGracePeriod: 1m30s, shutdownGracePeriodCriticalPods: 0s, allowedUnsafeSysctls: ["net.ipv4.*"]}',
  '{apiVersion: kubelet.config.k8s.io/v1beta1, kind: KubeletConfiguration, memorySwap: {}, oomScoreAdj: -999}',
  'null',
])('usual settings: %s', (config) => {
  expect(found(kubelet(config))).toEqual([]);
});

it('the log level of the kubelet', () => {
  const given = operatorObject('KubeletConfig', '{logLevel: 0}');
  expect(found(given)).toEqual([
    "error[manifest/operator-config] (spec.logLevel): logLevel is 0, expected 1 to 10, and the machine-config operator's bootstrap ends with an error",
  ]);
  expect(found(given, 22)).toEqual([]);
  expect(found(operatorObject('KubeletConfig', '{logLevel: 11}'), 22)).toHaveLength(1);
});

describe('ContainerRuntimeConfig', () => {
  it.each([
    ['{pidsLimit: 10}', 'pidsLimit is 10, expected at least 20'],
    ['{pidsLimit: -1}', 'pidsLimit is -1, expected at least 20'],
    ['{logSizeMax: 8Ki}', 'logSizeMax is "8Ki", expected more than 8192 bytes'],
    ['{logSizeMax: 4096}', 'logSizeMax is 4096, expected more than 8192 bytes'],
    ['{overlaySize: -1G}', 'overlaySize is "-1G", expected a positive quantity'],
    ['{logLevel: warning}', 'logLevel is "warning", expected error, fatal, panic, warn, info, debug, trace'],
    ['{defaultRuntime: kata}', 'defaultRuntime is "kata", expected crun or runc'],
  ])('%s', (config, message) => {
    const [field = ''] = message.split(' ');
    expect(found(runtime(config))).toEqual([
      `error[manifest/operator-config] (spec.containerRuntimeConfig.${field}): ${message}, and the machine-config operator's bootstrap ends with an error`,
    ]);
  });

  it.each([
    '{pidsLimit: 0}',
    '{pidsLimit: 4096, logSizeMax: 50Mi, overlaySize: 8G, logLevel: debug, defaultRuntime: crun}',
    '{logSizeMax: "-1"}',
  ])('%s is accepted', (config) => {
    expect(found(runtime(config))).toEqual([]);
  });

  it('paths of stores, since 4.22', () => {
    const given = runtime(
      '{additionalImageStores: [{path: var/store}, {path: /var/store}, {path: /var//x}]}',
    );
    expect(found(given, 22)).toHaveLength(2);
    expect(found(given)).toEqual([]);
  });
});

it.each([
  ['{key: a, operator: Is, values: [b]}', 'operator is "Is", expected In, NotIn, Exists, DoesNotExist'],
  ['{key: a, operator: In}', 'the operator In needs values'],
  ['{key: a, operator: Exists, values: [b]}', 'the operator Exists takes no values'],
])('a selector with %s', (expression, message) => {
  const given = operatorObject(
    'KubeletConfig',
    `{machineConfigPoolSelector: {matchExpressions: [${expression}]}}`,
  );
  expect(found(given).map((each) => each.split('): ')[1])).toEqual([
    `${message}, and the machine-config operator's bootstrap ends with an error`,
  ]);
});

describe('the annotation of a PerformanceProfile', () => {
  const profile = (snippet: string): string => `apiVersion: performance.openshift.io/v2
kind: PerformanceProfile
metadata:
  name: site
  annotations:
    kubeletconfig.experimental: '${snippet}'
`;
  const at = '(metadata.annotations["kubeletconfig.experimental"])';

  it.each([
    ['{"systemReserved": {"memory": "11Gi"}, "allowedUnsafeSysctls": ["net.ipv6.conf.all.accept_ra"]}', []],
    [
      '{"maxPods": 300,}',
      [
        `error[manifest/operator-config] ${at}: the annotation kubeletconfig.experimental is not a JSON object, and the render of the node tuning operator ends with an error`,
      ],
    ],
    [
      '{"clusterDNS": ["172.30.0.10"]}',
      [
        `error[manifest/operator-config] ${at}: annotation kubeletconfig.experimental: the machine-config operator does not allow clusterDNS in a KubeletConfig, and its bootstrap ends with an error`,
      ],
    ],
    [
      '{"maxpodz": 300}',
      [
        `warning[manifest/kubelet-field] ${at}: annotation kubeletconfig.experimental: a KubeletConfiguration has no field "maxpodz", so the machine-config operator drops it`,
      ],
    ],
  ])('%s', (snippet, want) => {
    expect(found(profile(snippet))).toEqual(want);
  });
});
