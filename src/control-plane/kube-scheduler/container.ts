import { mainContainerFields } from '../shared/static-pod.js';

/** Port of health and metrics. Source: k8s.io/kubernetes pkg/scheduler/apis/config, DefaultKubeSchedulerPort */
export const port = 10259;

/** Fields of the main container in both dialects. */
export const mainContainer = mainContainerFields('kube-scheduler', {
  port,
  requests: { cpu: '15m', memory: '50Mi' },
});
