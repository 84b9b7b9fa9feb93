import { mainContainerFields } from '../shared/static-pod.js';

/** Port of health and metrics. Source: k8s.io/kubernetes cmd/kube-controller-manager, ports */
export const port = 10257;

/** Fields of the main container in both dialects. */
export const mainContainer = mainContainerFields('kube-controller-manager', {
  port,
  requests: { cpu: '60m', memory: '200Mi' },
});
