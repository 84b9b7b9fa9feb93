import { mainContainerOf } from '../shared/static-pod.js';

/** Where kube-scheduler serves its health and metrics. Source: k8s.io/kubernetes pkg/scheduler/apis/config, DefaultKubeSchedulerPort */
export const port = 10259;

/** What the program's own container has in both dialects. */
export const mainContainer = mainContainerOf('kube-scheduler', {
  port,
  requests: { cpu: '15m', memory: '50Mi' },
});
