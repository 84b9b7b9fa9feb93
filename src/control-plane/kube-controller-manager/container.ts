import { mainContainerOf } from '../shared/static-pod.js';

/** Where kube-controller-manager serves its health and metrics. Source: k8s.io/kubernetes cmd/kube-controller-manager, ports */
export const port = 10257;

/** What the program's own container has in both dialects. */
export const mainContainer = mainContainerOf('kube-controller-manager', {
  port,
  requests: { cpu: '60m', memory: '200Mi' },
});
