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

/** What tells one component's static pod from another's. */
interface StaticPodParts {
  readonly component: Component;
  readonly containers: readonly Container[];
  readonly volumes: readonly Volume[];
}

/** What OpenShift's operators know their pod by, besides. */
interface OpenShiftPodParts extends StaticPodParts {
  /** The pod's name, which the component's operator looks for. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The container that is meant where a command names none. */
  readonly mainContainer: string;
}

/** Mounts of the revisioned objects and of the certificates, which every container that reads files has. */
export const resourceMounts = [
  { name: 'resource-dir', mountPath: resourceFolder },
  { name: 'cert-dir', mountPath: certsMountPath },
] as const;

/** What a program's own container has in both dialects: the port that it serves, and what it asks for at least. */
export function mainContainerOf(name: Component, { port, requests }: MainContainerParts) {
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

/** A static pod of OpenShift's: its operator knows it by name, and the revision that runs by the label. */
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

/** One of upstream's, with labels as kubeadm sets them, by which dashboards and support tools find the control plane. */
export function upstreamPod(parts: StaticPodParts): Pod {
  const { component } = parts;
  const labels = { component, tier: 'control-plane' };
  const { spec, ...pod } = podOf(parts, { name: component, namespace: systemNamespace, labels });
  // As kubeadm does: cmd/kubeadm/app/util/staticpod/utils.go. OpenShift's pods are privileged.
  return { ...pod, spec: { ...spec, securityContext: unprivileged } };
}

/** Never preempted or evicted by taints, on the host's network. */
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
 * Not privileged, and yet let through by SELinux to the folders of the host that it mounts, whose labels are the host's.
 * Source: container-selinux(8), spc_t
 */
const unprivileged = {
  seccompProfile: { type: 'RuntimeDefault' },
  seLinuxOptions: { type: 'spc_t' },
} as const;

/** The ConfigMap `<base>-pod` from which the installer step takes a static pod. */
export function podConfigMap(component: Component, pod: Pod): ConfigMap {
  const { base, namespace } = componentNames[component];
  return configMap(
    { namespace, name: `${base}-pod` },
    { forceRedeploymentReason: '', 'pod.yaml': withQuotedWords(writeYaml(pod)), version: '' },
  );
}

/** A value that is nothing but a word of the installer step may become a number, which Kubernetes refuses for a text. */
function withQuotedWords(yaml: string): string {
  return yaml.replace(/: (REVISION|NODE_NAME)$/gm, ': "$1"');
}

/** Folders of the revisioned objects and of the certificates, which the installer step lays. */
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
