import type { KubeObject, ObjectMeta } from './object.js';

/** The fields of a Pod that static pods use. Secrets, ConfigMaps and service accounts are missing: the kubelet rejects them in static pods. */
export interface Pod extends KubeObject {
  readonly apiVersion: 'v1';
  readonly kind: 'Pod';
  readonly metadata: ObjectMeta;
  readonly spec: PodSpec;
}

/** Always on the host network. */
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

/** Its image is pulled if not present; it has resource requests and no limits. */
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

/** A variable with a value, or with a field of the pod that the kubelet resolves. */
export type EnvironmentVariable =
  | { readonly name: string; readonly value: string }
  | {
      readonly name: string;
      readonly valueFrom: { readonly fieldRef: { readonly fieldPath: FieldPath } };
    };

/** Pod fields of the downward API. */
export type FieldPath = 'metadata.name' | 'metadata.namespace' | 'status.hostIP' | 'status.podIP';

export interface ContainerPort {
  readonly name?: string;
  readonly containerPort: number;
  readonly protocol: 'TCP' | 'UDP';
}

/** An HTTP probe; sent to the pod's address if `host` is absent. */
export interface HttpGet {
  readonly scheme: 'HTTP' | 'HTTPS';
  readonly host?: string;
  readonly path: string;
  readonly port: number;
}

/**
 * A probe with either `httpGet` or `tcpSocket`. Times in seconds; the defaults are those of Kubernetes: delay 0, period 10,
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

export type Probes = Pick<Container, 'startupProbe' | 'readinessProbe' | 'livenessProbe'>;

/** A file or folder of the host, or an empty folder with the lifetime of the pod. */
export type Volume =
  | {
      readonly name: string;
      readonly hostPath: {
        readonly path: string;
        readonly type?: 'Directory' | 'DirectoryOrCreate' | 'File' | 'FileOrCreate';
      };
    }
  | { readonly name: string; readonly emptyDir: Readonly<Record<string, never>> };

/** Mounts a volume of the pod by its name. */
export interface VolumeMount {
  readonly name: string;
  readonly mountPath: string;
  readonly readOnly?: true;
}
