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
import type { ControlPlaneInputs } from '../../loops/loop-inputs.js';

/** What tells one component's static pod from another's. */
export interface StaticPodParts {
  readonly component: Component;
  readonly profile: ControlPlaneInputs['profile'];
  readonly openShift: {
    /** The pod's name, which the component's operator looks for. */
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
  };
  /** The container that is meant where a command names none. */
  readonly mainContainer: string;
  readonly containers: readonly Container[];
  readonly volumes: readonly Volume[];
}

/** Mounts of the revisioned objects and of the certificates, which every container that reads files has. */
export const resourceMounts = [
  { name: 'resource-dir', mountPath: resourceFolder },
  { name: 'cert-dir', mountPath: certsMountPath },
] as const;

/** A static pod of the control plane: never preempted or evicted by taints, on the host's network. */
export function staticPod(parts: StaticPodParts): Pod {
  const isOpenShift = parts.profile === 'OpenShift';
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: isOpenShift ? openShiftMetadata(parts) : kubernetesMetadata(parts),
    spec: {
      hostNetwork: true,
      // Source: kubernetes.io/docs/tasks/administer-cluster/guaranteed-scheduling-critical-addon-pods
      priority: 2_000_001_000,
      priorityClassName: 'system-node-critical',
      tolerations: [{ operator: 'Exists' }],
      // As kubeadm does: cmd/kubeadm/app/util/staticpod/utils.go. OpenShift's pods are privileged.
      ...(!isOpenShift && { securityContext: unprivileged }),
      containers: parts.containers,
      volumes: [...resourceVolumes(parts.component), ...parts.volumes],
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

/** Operators know their pods by name, and the revision that runs by the label. */
function openShiftMetadata({ component, openShift, mainContainer }: StaticPodParts): Pod['metadata'] {
  return {
    name: openShift.name,
    namespace: componentNames[component].namespace,
    labels: { ...openShift.labels, revision: 'REVISION' },
    annotations: {
      'kubectl.kubernetes.io/default-container': mainContainer,
      'target.workload.openshift.io/management': '{"effect": "PreferredDuringScheduling"}',
    },
  };
}

/** Labels as kubeadm sets them, by which dashboards and support tools find the control plane. */
function kubernetesMetadata({ component }: StaticPodParts): Pod['metadata'] {
  return { name: component, namespace: systemNamespace, labels: { component, tier: 'control-plane' } };
}
