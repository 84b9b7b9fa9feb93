import type { KubeObject } from '../../kube/object.js';

export interface CoreDnsSettings {
  readonly coreDnsImage: string;
  /** Service addresses of cluster DNS, one per IP family. */
  readonly dnsAddresses: readonly string[];
}

/**
 * Cluster DNS. Uses the names that Kubernetes tools expect (Service kube-dns, ConfigMap coredns).
 * Source: coredns.io/plugins, and kubernetes/kubernetes cmd/kubeadm/app/phases/addons/dns for the usual settings
 */
export function coreDnsObjects(settings: CoreDnsSettings): readonly KubeObject[] {
  return [
    serviceAccount,
    clusterRole,
    clusterRoleBinding,
    configMap,
    deployment(settings),
    service(settings),
  ];
}

const namespace = 'kube-system';
const labels = { 'k8s-app': 'kube-dns' };

const serviceAccount: KubeObject = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name: 'coredns', namespace },
};

const clusterRole: KubeObject = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'system:coredns' },
  rules: [
    { apiGroups: [''], resources: ['services', 'pods', 'namespaces'], verbs: ['list', 'watch'] },
    { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list', 'watch'] },
  ],
};

const clusterRoleBinding: KubeObject = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: 'system:coredns' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:coredns' },
  subjects: [{ kind: 'ServiceAccount', name: 'coredns', namespace }],
};

/**
 * Other names are forwarded to the node's name servers, which the kubelet writes into the pod (dnsPolicy Default). On a node without
 * name servers, aiokube removes the `forward` lines, because CoreDNS does not start with an empty list.
 */
const corefile = `.:53 {
    errors
    health {
        lameduck 5s
    }
    ready
    kubernetes cluster.local in-addr.arpa ip6.arpa {
        fallthrough in-addr.arpa ip6.arpa
        ttl 30
    }
    prometheus :9153
    forward . /etc/resolv.conf {
        max_concurrent 1000
    }
    cache 30
    loop
    reload
    loadbalance
}
`;

const configMap: KubeObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'coredns', namespace },
  data: { Corefile: corefile },
};

function service({ dnsAddresses }: CoreDnsSettings): KubeObject {
  const port = (
    name: string,
    protocol: 'TCP' | 'UDP',
    number: number,
  ): Readonly<Record<string, unknown>> => ({
    name,
    protocol,
    port: number,
    targetPort: number,
  });
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: 'kube-dns',
      namespace,
      labels: { ...labels, 'kubernetes.io/cluster-service': 'true', 'kubernetes.io/name': 'CoreDNS' },
    },
    spec: {
      clusterIP: dnsAddresses[0],
      clusterIPs: dnsAddresses,
      ipFamilyPolicy: dnsAddresses.length > 1 ? 'RequireDualStack' : 'SingleStack',
      ports: [port('dns', 'UDP', 53), port('dns-tcp', 'TCP', 53), port('metrics', 'TCP', 9153)],
      selector: labels,
    },
  };
}

function deployment({ coreDnsImage }: CoreDnsSettings): KubeObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'coredns', namespace, labels },
    spec: {
      // One node, one pod. maxUnavailable is 0, so the Deployment is Available only while the pod is ready.
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          priorityClassName: 'system-cluster-critical',
          serviceAccountName: 'coredns',
          nodeSelector: { 'kubernetes.io/os': 'linux' },
          tolerations: [{ key: 'CriticalAddonsOnly', operator: 'Exists' }],
          dnsPolicy: 'Default',
          containers: [container(coreDnsImage)],
          volumes: [
            {
              name: 'config',
              configMap: { name: 'coredns', items: [{ key: 'Corefile', path: 'Corefile' }] },
            },
          ],
        },
      },
    },
  };
}

function container(image: string): Readonly<Record<string, unknown>> {
  const probe = (path: string, port: number): Readonly<Record<string, unknown>> => ({
    httpGet: { path, port, scheme: 'HTTP' },
    timeoutSeconds: 5,
  });
  return {
    name: 'coredns',
    image,
    imagePullPolicy: 'IfNotPresent',
    args: ['-conf', '/etc/coredns/Corefile'],
    ports: [
      { containerPort: 53, name: 'dns', protocol: 'UDP' },
      { containerPort: 53, name: 'dns-tcp', protocol: 'TCP' },
      { containerPort: 9153, name: 'metrics', protocol: 'TCP' },
    ],
    // Ports of the plugins health and ready.
    livenessProbe: { ...probe('/health', 8080), initialDelaySeconds: 60, failureThreshold: 5 },
    readinessProbe: probe('/ready', 8181),
    resources: { limits: { memory: '170Mi' }, requests: { cpu: '100m', memory: '70Mi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { add: ['NET_BIND_SERVICE'], drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    },
    volumeMounts: [{ name: 'config', mountPath: '/etc/coredns', readOnly: true }],
  };
}
