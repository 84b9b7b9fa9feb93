import type { Container, Pod } from '../../kube/pod-object.js';
import type { ControlPlaneInputs, Versions } from '../../loops/loop-inputs.js';
import { flagArguments } from '../shared/flag-list.js';
import { resourceMounts, staticPod } from '../shared/static-pod.js';
import { schedulerFlags, type SchedulerConfig } from './config.js';

/** Where kube-scheduler serves its health and metrics. Source: k8s.io/kubernetes pkg/scheduler/apis/config, DefaultKubeSchedulerPort */
const port = 10259;

/** kube-scheduler's static pod, of one container in both profiles. */
export function schedulerPod(inputs: ControlPlaneInputs, config: SchedulerConfig): Pod {
  const isOpenShift = inputs.profile === 'OpenShift';
  const folders = isOpenShift ? ['tmp', 'var-run-kubernetes'] : [];
  return staticPod({
    component: 'kube-scheduler',
    profile: inputs.profile,
    openShift: {
      name: 'openshift-kube-scheduler',
      labels: { app: 'openshift-kube-scheduler', scheduler: 'true' },
    },
    mainContainer: 'kube-scheduler',
    containers: [isOpenShift ? openShiftContainer(inputs, config) : kubernetesContainer(inputs, config)],
    volumes: folders.map((name) => ({ name, emptyDir: {} })),
  });
}

const mainContainer = {
  name: 'kube-scheduler',
  imagePullPolicy: 'IfNotPresent',
  terminationMessagePolicy: 'FallbackToLogsOnError',
  ports: [{ containerPort: port, protocol: 'TCP' }],
  resources: { requests: { cpu: '15m', memory: '50Mi' } },
} as const;

/** Times are kubeadm's: cmd/kubeadm/app/util/staticpod/utils.go */
function kubernetesContainer(inputs: ControlPlaneInputs, config: SchedulerConfig): Container {
  const { bindAddress: host } = config;
  const at = (path: string) =>
    ({ scheme: 'HTTPS', ...(host !== undefined && { host }), path, port }) as const;
  const { live, ready } = healthPaths(inputs.versions);
  const slow = { httpGet: at(live), initialDelaySeconds: 10, periodSeconds: 10, timeoutSeconds: 15 };
  return {
    ...mainContainer,
    image: inputs.images['kube-scheduler'],
    command: ['kube-scheduler'],
    args: flagArguments(schedulerFlags(config)),
    startupProbe: { ...slow, failureThreshold: 24 },
    readinessProbe: { httpGet: at(ready), periodSeconds: 1, timeoutSeconds: 15, failureThreshold: 3 },
    livenessProbe: { ...slow, failureThreshold: 8 },
    volumeMounts: resourceMounts,
  };
}

/** Kubernetes 1.31 tells being alive from being ready. Source: k8s.io/kubernetes cmd/kube-scheduler/app/server.go of 1.30 and 1.31 */
function healthPaths({ kubernetesMinor }: Versions): { readonly live: string; readonly ready: string } {
  return kubernetesMinor >= 31
    ? { live: '/livez', ready: '/readyz' }
    : { live: '/healthz', ready: '/healthz' };
}

/** The operator means ten seconds, and misspells the key. Source: cluster-kube-scheduler-operator bindata/assets/kube-scheduler/pod.yaml */
function openShiftContainer(inputs: ControlPlaneInputs, config: SchedulerConfig): Container {
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
