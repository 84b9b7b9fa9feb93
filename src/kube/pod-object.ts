import type { KubeObject, ObjectMeta } from './object.js';

/** The parts of a Pod that static pods use: no Secrets, ConfigMaps or service accounts, which the kubelet refuses there. */
export interface Pod extends KubeObject {
  readonly apiVersion: 'v1';
  readonly kind: 'Pod';
  readonly metadata: ObjectMeta;
  readonly spec: PodSpec;
}

export interface PodSpec {
  readonly hostNetwork: true;
  readonly priority?: number;
  readonly priorityClassName?: 'system-node-critical' | 'system-cluster-critical';
  readonly terminationGracePeriodSeconds?: number;
  readonly tolerations?: readonly { readonly operator: 'Exists' }[];
  readonly securityContext?: {
    readonly seccompProfile: { readonly type: 'RuntimeDefault' };
    readonly seLinuxOptions?: { readonly type: 'spc_t' };
  };
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
  readonly volumes: readonly Volume[];
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly imagePullPolicy: 'IfNotPresent';
  readonly command: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly EnvironmentVariable[];
  readonly ports?: readonly ContainerPort[];
  readonly resources: { readonly requests: { readonly cpu: string; readonly memory: string } };
  readonly securityContext?: { readonly privileged?: boolean; readonly readOnlyRootFilesystem?: boolean };
  readonly startupProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly terminationMessagePolicy: 'FallbackToLogsOnError';
  readonly volumeMounts: readonly VolumeMount[];
}

export type EnvironmentVariable =
  | { readonly name: string; readonly value: string }
  | {
      readonly name: string;
      readonly valueFrom: { readonly fieldRef: { readonly fieldPath: FieldPath } };
    };

export type FieldPath = 'metadata.name' | 'metadata.namespace' | 'status.hostIP' | 'status.podIP';

export interface ContainerPort {
  readonly name?: string;
  readonly containerPort: number;
  readonly hostPort?: number;
  readonly protocol: 'TCP' | 'UDP';
}

/** Times in seconds. Left out means what Kubernetes documents: delay 0, period 10, timeout 1, failures 3. */
export interface HttpGet {
  readonly scheme: 'HTTP' | 'HTTPS';
  readonly host?: string;
  readonly path: string;
  readonly port: number;
}

/** One of `httpGet` and `tcpSocket` is given. */
export interface Probe {
  readonly httpGet?: HttpGet;
  readonly tcpSocket?: { readonly host: string; readonly port: number };
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly timeoutSeconds?: number;
  readonly failureThreshold?: number;
}

/** What the kubelet asks a container: whether it has started, may be sent requests, is still alive. */
export type Probes = Pick<Container, 'startupProbe' | 'readinessProbe' | 'livenessProbe'>;

export type Volume =
  | {
      readonly name: string;
      readonly hostPath: {
        readonly path: string;
        readonly type?: 'Directory' | 'DirectoryOrCreate' | 'File' | 'FileOrCreate';
      };
    }
  | { readonly name: string; readonly emptyDir: Readonly<Record<string, never>> };

export interface VolumeMount {
  readonly name: string;
  readonly mountPath: string;
  readonly readOnly?: true;
}
