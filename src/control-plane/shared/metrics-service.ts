import { componentNames, type Component } from '../../kube/components.js';
import type { KubeObject } from '../../kube/object.js';

/** Name of the Service, which is also the pod's label, and the target port. */
interface Served {
  readonly name: string;
  readonly port: number;
}

/** The Service that monitoring scrapes; the service-ca operator issues its serving certificate. */
export function metricsService(component: Component, { name, port }: Served): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      namespace: componentNames[component].namespace,
      name,
      annotations: { 'service.beta.openshift.io/serving-cert-secret-name': 'serving-cert' },
      labels: { prometheus: component },
    },
    spec: {
      selector: { [name]: 'true' },
      ports: [{ name: 'https', port: 443, targetPort: port, protocol: 'TCP' }],
    },
  };
}
