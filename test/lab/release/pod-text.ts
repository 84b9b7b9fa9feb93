import { imageName } from './images.js';

/** The fields that differ between static pods. */
export interface PodBody {
  readonly initContainers?: readonly object[];
  readonly containers: readonly object[];
  /** Host folders, by the names under which container() mounts them. */
  readonly volumes: readonly string[];
}

/** The manifest of a static pod on the host network. */
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

/** A container that mounts host folders at the same paths, and some at other paths. */
export function container(
  {
    name,
    image,
    command,
  }: { readonly name: string; readonly image: string; readonly command: readonly string[] },
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

export function namespaceText(name: string): string {
  return `${JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })}\n`;
}
