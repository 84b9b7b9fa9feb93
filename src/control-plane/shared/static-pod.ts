import { writeYaml } from '../../formats/yaml/write-yaml.js';
import {
  certsMountPath,
  componentNames,
  resourceFolder,
  systemNamespace,
  type Component,
} from '../../kube/components.js';
import { configMap, type ConfigMap } from '../../kube/core-objects.js';
import type { Container, Pod, Volume } from '../../kube/pod-object.js';

interface StaticPodParts {
  readonly component: Component;
  readonly containers: readonly Container[];
  readonly volumes: readonly Volume[];
}

/** Additional fields by which OpenShift's operators find their pod. */
interface OpenShiftPodParts extends StaticPodParts {
  /** Pod name that the component's operator expects. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Default container of `oc logs` and `oc exec`. */
  readonly mainContainer: string;
}

/** Mounts of the revisioned objects and of the certs folder, for every container that reads files. */
export const resourceMounts = [
  { name: 'resource-dir', mountPath: resourceFolder },
  { name: 'cert-dir', mountPath: certsMountPath },
] as const;

/** Fields of a main container in both dialects: name, port, resource requests. */
export function mainContainerFields(name: Component, { port, requests }: MainContainerParts) {
  return {
    name,
    imagePullPolicy: 'IfNotPresent',
    terminationMessagePolicy: 'FallbackToLogsOnError',
    ports: [{ containerPort: port, protocol: 'TCP' }],
    resources: { requests },
  } as const satisfies Partial<Container>;
}

interface MainContainerParts {
  readonly port: number;
  readonly requests: Container['resources']['requests'];
}

/** A static pod of OpenShift. Its operator finds it by name and reads the running revision from the label. */
export function openShiftPod({ name, labels, mainContainer, ...parts }: OpenShiftPodParts): Pod {
  return podOf(parts, {
    name,
    namespace: componentNames[parts.component].namespace,
    labels: { ...labels, revision: 'REVISION' },
    annotations: {
      'kubectl.kubernetes.io/default-container': mainContainer,
      'target.workload.openshift.io/management': '{"effect": "PreferredDuringScheduling"}',
    },
  });
}

/** An upstream static pod, with kubeadm's labels, which dashboards and support tools use to find the control plane. */
export function upstreamPod(parts: StaticPodParts): Pod {
  const { component } = parts;
  const labels = { component, tier: 'control-plane' };
  const { spec, ...pod } = podOf(parts, { name: component, namespace: systemNamespace, labels });
  // Source: kubeadm, cmd/kubeadm/app/util/staticpod/utils.go. OpenShift's pods are privileged.
  return { ...pod, spec: { ...spec, securityContext: unprivileged } };
}

/** On the host network; never preempted or evicted by taints. */
function podOf({ component, containers, volumes }: StaticPodParts, metadata: Pod['metadata']): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata,
    spec: {
      hostNetwork: true,
      // Source: kubernetes.io/docs/tasks/administer-cluster/guaranteed-scheduling-critical-addon-pods
      priority: 2_000_001_000,
      priorityClassName: 'system-node-critical',
      tolerations: [{ operator: 'Exists' }],
      containers,
      volumes: [...resourceVolumes(component), ...volumes],
    },
  };
}

/**
 * Not privileged, but with an SELinux type that may access the mounted host folders, which keep the labels of the host.
 * Source: container-selinux(8), spc_t
 */
const unprivileged = {
  seccompProfile: { type: 'RuntimeDefault' },
  seLinuxOptions: { type: 'spc_t' },
} as const;

/** The ConfigMap `<base>-pod`, the installer step's source of the static pod. */
export function podConfigMap(component: Component, pod: Pod): ConfigMap {
  const { base, namespace } = componentNames[component];
  return configMap(
    { namespace, name: `${base}-pod` },
    { forceRedeploymentReason: '', 'pod.yaml': withQuotedVariables(writeYaml(pod)), version: '' },
  );
}

/** Quotes values that consist of a single variable of the installer step: the replacement may be a number, which Kubernetes rejects for a string. */
function withQuotedVariables(yaml: string): string {
  return yaml.replace(/: (REVISION|NODE_NAME)$/gm, ': "$1"');
}

/** hostPath volumes of the folders written by the installer step: revisioned objects and certs. */
function resourceVolumes(component: Component): readonly Volume[] {
  const { base, certsFolder } = componentNames[component];
  return [
    {
      name: 'resource-dir',
      hostPath: { path: `${resourceFolder}/${base}-pod-REVISION`, type: 'Directory' },
    },
    { name: 'cert-dir', hostPath: { path: `${resourceFolder}/${certsFolder}`, type: 'Directory' } },
  ];
}
