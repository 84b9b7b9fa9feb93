import { componentNames } from '../../kube/components.js';
import type { KubeObject } from '../../kube/object.js';
import type { Container } from '../../kube/pod-object.js';
import { type LoopInputs, payloadOf } from '../loops/loop-inputs.js';
import { installerAccount, monitoredNamespace, serviceAccount } from '../loops/static-resources.js';
import { flagArguments } from '../shared/flag-list.js';
import { metricsService } from '../shared/metrics-service.js';
import { denyAll, dnsEgress, networkPolicy, ofApps } from '../shared/network-policy.js';
import { revisionedConfigMap } from '../shared/mounted-paths.js';
import { leaderElectionBinding } from '../shared/rbac.js';
import { recoveryClient, syncerKubeconfig } from '../shared/recovery-client.js';
import { openShiftPod, resourceMounts } from '../shared/static-pod.js';
import type { LeaderElection, SchedulerConfig } from './config-model.js';
import { schedulerFlags } from './config.js';
import { mainContainer, port } from './container.js';
import type { SchedulerDialect } from './dialect.js';
import { schedulerRevision } from './revision-objects.js';

export const openShiftScheduler: SchedulerDialect = {
  pod: (inputs, config) =>
    openShiftPod({
      component: 'kube-scheduler',
      name: 'openshift-kube-scheduler',
      labels: { app: 'openshift-kube-scheduler', scheduler: 'true' },
      mainContainer: 'kube-scheduler',
      containers: [openShiftContainer(inputs, config)],
      volumes: ['tmp', 'var-run-kubernetes'].map((name) => ({ name, emptyDir: {} })),
    }),
  config: () => ({ leaderElection, certFolder: '/var/run/kubernetes' }),
  staticObjects: (inputs) => [
    ...schedulerStaticObjects,
    ...(payloadOf(inputs).hasNetworkPolicies ? schedulerPolicies : []),
  ],
  // The operator's list contains more objects than the pod reads.
  revision: schedulerRevision({
    configMaps: [{ name: 'kube-scheduler-cert-syncer-kubeconfig' }],
    secrets: [{ name: 'localhost-recovery-client-token', isOptional: true }],
  }),
};

/** Long enough to keep the lease while kube-apiserver restarts. Source: cluster-kube-scheduler-operator bindata/assets/config/defaultconfig.yaml */
const leaderElection: LeaderElection = {
  leaseDuration: '137s',
  renewDeadline: '107s',
  retryPeriod: '26s',
  resourceNamespace: 'openshift-kube-scheduler',
};

/** The operator intends ten seconds but misspells the key. Source: cluster-kube-scheduler-operator bindata/assets/kube-scheduler/pod.yaml */
function openShiftContainer(inputs: LoopInputs, config: SchedulerConfig): Container {
  const probe = {
    httpGet: { scheme: 'HTTPS', path: '/healthz', port },
    initialDelaySeconds: 45,
    timeoutSeconds: 10,
  } as const;
  return {
    ...mainContainer,
    image: inputs.images.hyperkube,
    command: ['hyperkube', 'kube-scheduler'],
    args: flagArguments(schedulerFlags(config)),
    securityContext: { readOnlyRootFilesystem: true },
    readinessProbe: probe,
    livenessProbe: probe,
    volumeMounts: [
      ...resourceMounts,
      { name: 'tmp', mountPath: '/tmp' },
      { name: 'var-run-kubernetes', mountPath: '/var/run/kubernetes' },
    ],
  };
}

const { namespace } = componentNames['kube-scheduler'];

/**
 * Objects that must exist before kube-scheduler's operator. The operator creates its network policies, and the RBAC for policies
 * in ConfigMaps, which no version since 1.23 reads. Source: cluster-kube-scheduler-operator bindata/assets/kube-scheduler
 */
const schedulerStaticObjects: readonly KubeObject[] = [
  monitoredNamespace(namespace),
  metricsService('kube-scheduler', { name: 'scheduler', port }),
  serviceAccount(namespace, 'openshift-kube-scheduler-sa'),
  leaderElectionBinding('kube-scheduler'),
  ...recoveryClient('kube-scheduler'),
  syncerKubeconfig('kube-scheduler', {
    name: 'kube-scheduler-cert-syncer-kubeconfig',
    user: 'kube-scheduler',
    caFile: revisionedConfigMap('serviceaccount-ca'),
  }),
  ...installerAccount('kube-scheduler'),
];

/** Source: cluster-kube-scheduler-operator bindata/assets/kube-scheduler, networkpolicy_*.yaml */
const schedulerPolicies: readonly KubeObject[] = [
  networkPolicy(namespace, 'default-deny-all', denyAll),
  networkPolicy(namespace, 'installer-pruner', {
    podSelector: ofApps('installer', 'pruner'),
    egress: [dnsEgress, {}],
    policyTypes: ['Egress'],
  }),
];
