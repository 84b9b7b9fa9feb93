import { componentNames, type Component } from '../../kube/components.js';
import type { KubeObject } from '../../kube/object.js';

/** A Service's name, which the pod's label repeats, and the port of the pod behind it. */
interface Served {
  readonly name: string;
  readonly port: number;
}

/** The Service by which monitoring reads a component, with a serving certificate of the service-ca operator. */
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
