import type { ArgumentValues } from '../../config/schema/aio-model.js';
import { loopbackAddress } from '../../formats/cidr.js';
import { writeYaml } from '../../formats/yaml/write-yaml.js';
import type { NodeFile } from '../../ignition/types.js';
import type { Pod } from '../../kube/pod-object.js';
import { aioPaths } from './aio-paths.js';
import type { NodeFacts } from './node-facts.js';

export interface ProxySettings {
  readonly image: string;
  readonly kubernetesMinor: number;
  readonly featureGates: Readonly<Record<string, boolean>>;
  readonly extraArguments: ArgumentValues;
  readonly facts: NodeFacts;
}

/** The static pod and configuration of kube-proxy. Its kubeconfig is in access-files.ts. */
export function kubeProxyFiles(settings: ProxySettings): readonly NodeFile[] {
  return [
    { path: `${aioPaths.kubeProxy}/config.yaml`, mode: 0o600, contents: writeYaml(configuration(settings)) },
    { path: `${aioPaths.manifests}/kube-proxy-pod.yaml`, mode: 0o600, contents: writeYaml(pod(settings)) },
  ];
}

/** The nftables mode is enabled by default since 1.31. Source: kubernetes/enhancements KEP 3866 */
function hasNftables(kubernetesMinor: number): boolean {
  return kubernetesMinor >= 31;
}

/** Source of the fields: k8s.io/kube-proxy config/v1alpha1/types.go */
function configuration({
  kubernetesMinor,
  featureGates,
  facts,
}: ProxySettings): Readonly<Record<string, unknown>> {
  const isIPv6 = facts.networks.family === 'IPv6';
  return {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    bindAddress: isIPv6 ? '::' : '0.0.0.0',
    clientConnection: { kubeconfig: `${aioPaths.kubeProxy}/kubeconfig` },
    clusterCIDR: facts.networks.clusterNetwork.map(({ cidr }) => cidr).join(','),
    // The kernel's defaults are enough for one node, and the pod needs no permission to change them.
    conntrack: { maxPerCore: 0, min: 0, tcpCloseWaitTimeout: '0s', tcpEstablishedTimeout: '0s' },
    ...(Object.keys(featureGates).length > 0 && { featureGates }),
    // Not used from outside the node.
    healthzBindAddress: isIPv6 ? '[::1]:10256' : '127.0.0.1:10256',
    metricsBindAddress: isIPv6 ? '[::1]:10249' : '127.0.0.1:10249',
    hostnameOverride: facts.nodeName,
    mode: hasNftables(kubernetesMinor) ? 'nftables' : 'iptables',
  };
}

function pod({ image, kubernetesMinor, extraArguments, facts }: ProxySettings): Pod {
  const own = Object.entries(extraArguments).flatMap(([flag, values]) =>
    values.map((value) => `--${flag}=${value}`),
  );
  const usesLock = !hasNftables(kubernetesMinor);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'kube-proxy',
      namespace: 'kube-system',
      labels: { component: 'kube-proxy', tier: 'node' },
    },
    spec: {
      hostNetwork: true,
      // Source: kubernetes.io/docs/tasks/administer-cluster/guaranteed-scheduling-critical-addon-pods
      priority: 2_000_001_000,
      priorityClassName: 'system-node-critical',
      tolerations: [{ operator: 'Exists' }],
      containers: [
        {
          name: 'kube-proxy',
          image,
          imagePullPolicy: 'IfNotPresent',
          command: ['kube-proxy'],
          args: [`--config=${aioPaths.kubeProxy}/config.yaml`, ...own],
          resources: { requests: { cpu: '50m', memory: '64Mi' } },
          // Required for changing iptables or nftables rules.
          securityContext: { privileged: true },
          livenessProbe: {
            httpGet: {
              scheme: 'HTTP',
              host: loopbackAddress(facts.networks.family),
              // Source: k8s.io/kubernetes pkg/proxy/healthcheck; /livez exists since 1.28.
              path: kubernetesMinor >= 28 ? '/livez' : '/healthz',
              port: 10_256,
            },
            initialDelaySeconds: 30,
            periodSeconds: 20,
            timeoutSeconds: 5,
            failureThreshold: 6,
          },
          terminationMessagePolicy: 'FallbackToLogsOnError',
          volumeMounts: [
            { name: 'config', mountPath: aioPaths.kubeProxy, readOnly: true },
            { name: 'modules', mountPath: '/lib/modules', readOnly: true },
            ...(usesLock ? [{ name: 'lock', mountPath: '/run/xtables.lock' }] : []),
          ],
        },
      ],
      volumes: [
        { name: 'config', hostPath: { path: aioPaths.kubeProxy, type: 'Directory' } },
        { name: 'modules', hostPath: { path: '/lib/modules', type: 'Directory' } },
        // Shared with the CNI plugins, which write to the same tables.
        ...(usesLock
          ? [{ name: 'lock', hostPath: { path: '/run/xtables.lock', type: 'FileOrCreate' } } as const]
          : []),
      ],
    },
  };
}
