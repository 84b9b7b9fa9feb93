/** Where kube-scheduler serves its health and metrics. Source: k8s.io/kubernetes pkg/scheduler/apis/config, DefaultKubeSchedulerPort */
export const port = 10259;

/** What the one container has in both dialects. */
export const mainContainer = {
  name: 'kube-scheduler',
  imagePullPolicy: 'IfNotPresent',
  terminationMessagePolicy: 'FallbackToLogsOnError',
  ports: [{ containerPort: port, protocol: 'TCP' }],
  resources: { requests: { cpu: '15m', memory: '50Mi' } },
} as const;
