import { imageName } from './images.js';

/** What a static pod has beside what all of them have. */
export interface PodBody {
  readonly initContainers?: readonly object[];
  readonly containers: readonly object[];
  /** Folders of the machine, by the names that container() mounts them under. */
  readonly volumes: readonly string[];
}

/** The text of a static pod on the host's network. */
export function podText(name: string, namespace: string, { volumes, ...body }: PodBody): string {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels: { 'k8s-app': namespace.replace('openshift-', '') } },
    spec: {
      hostNetwork: true,
      priority: 2_000_001_000,
      priorityClassName: 'system-node-critical',
      tolerations: [{ operator: 'Exists' }],
      terminationGracePeriodSeconds: 15,
      ...body,
      volumes: volumes.map((path) => ({ name: volumeName(path), hostPath: { path } })),
    },
  };
  return `${JSON.stringify(pod, null, 2)}\n`;
}

/** A container that mounts folders of the machine under their own names, and some elsewhere. */
export function container(
  name: string,
  image: string,
  command: readonly string[],
  folders: readonly string[],
  elsewhere: Readonly<Record<string, string>> = {},
): object {
  const mounts = [...folders.map((path) => [path, path] as const), ...Object.entries(elsewhere)];
  return {
    name,
    image: imageName(image),
    imagePullPolicy: 'IfNotPresent',
    command,
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: mounts.map(([path, mountPath]) => ({ name: volumeName(path), mountPath })),
  };
}

function volumeName(path: string): string {
  return path.slice(1).replaceAll('/', '-');
}

/** The text of a Namespace. */
export function namespaceText(name: string): string {
  return `${JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })}\n`;
}
