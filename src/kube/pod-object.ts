import type { KubeObject, ObjectMeta } from './object.js';

/** The parts of a Pod that static pods use: no Secrets, ConfigMaps or service accounts, which the kubelet refuses there. */
export interface Pod extends KubeObject {
  readonly apiVersion: 'v1';
  readonly kind: 'Pod';
  readonly metadata: ObjectMeta;
  readonly spec: PodSpec;
}

/** Always on the host's network. */
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

/** Pulled once; requests are given, and no limits. */
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

/** With a value, or with a field of the pod that the kubelet fills in. */
export type EnvironmentVariable =
  | { readonly name: string; readonly value: string }
  | {
      readonly name: string;
      readonly valueFrom: { readonly fieldRef: { readonly fieldPath: FieldPath } };
    };

/** Fields of a pod that its containers are told of. */
export type FieldPath = 'metadata.name' | 'metadata.namespace' | 'status.hostIP' | 'status.podIP';

/** A port that a container serves. */
export interface ContainerPort {
  readonly name?: string;
  readonly containerPort: number;
  readonly protocol: 'TCP' | 'UDP';
}

/** A request by which the kubelet asks a container; without a host it goes to the pod's address. */
export interface HttpGet {
  readonly scheme: 'HTTP' | 'HTTPS';
  readonly host?: string;
  readonly path: string;
  readonly port: number;
}

/**
 * One of `httpGet` and `tcpSocket` is given. Times in seconds; left out means what Kubernetes documents: delay 0, period 10,
 * timeout 1, failures 3.
 */
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

/** A folder or file of the host, or an empty folder that lives as long as the pod. */
export type Volume =
  | {
      readonly name: string;
      readonly hostPath: {
        readonly path: string;
        readonly type?: 'Directory' | 'DirectoryOrCreate' | 'File' | 'FileOrCreate';
      };
    }
  | { readonly name: string; readonly emptyDir: Readonly<Record<string, never>> };

/** A volume of the pod, by its name, in a container. */
export interface VolumeMount {
  readonly name: string;
  readonly mountPath: string;
  readonly readOnly?: true;
}
