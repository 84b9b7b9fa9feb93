import { sha256 } from '../../formats/sha256.js';

/** Options of a Job. */
export interface FleetJobOptions {
  readonly name: string;
  readonly namespace?: string;
  readonly image: string;
  readonly store: string;
  readonly shards: number;
  /** The pods accept only packs of this fleet. */
  readonly fleetId: string;
  /** Threads per pod. */
  readonly jobs: number;
  readonly only: readonly string[];
  readonly where: readonly string[];
  /** Environment variables without secrets. */
  readonly variables: Readonly<Record<string, string>>;
  /** CA certificates of the store, PEM. */
  readonly authoritiesPem?: string;
  /** LocalQueue of Kueue, which starts the suspended Job. */
  readonly queue?: string;
  /** Gets temporary credentials of the store for its token; replaces the Secret with credentials. */
  readonly serviceAccount?: string;
}

/** A Kubernetes object in the form of the API. */
interface ApiObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ApiMetadata & { readonly name: string };
  readonly [field: string]: unknown;
}

/** Namespace and labels of all objects of a Job. */
interface ApiMetadata {
  readonly namespace?: string;
  readonly labels: Readonly<Record<string, string>>;
}

type KubeObject = Readonly<Record<string, unknown>>;

/** A Secret that must exist before the Job starts, with its keys. */
export interface RequiredSecret {
  readonly name: string;
  readonly keys: readonly { readonly key: string; readonly from: string }[];
}

/** Secrets that the Job refers to. Users create them; `jobObjects` does not return them. */
export function requiredSecrets({ name, serviceAccount }: FleetJobOptions): readonly RequiredSecret[] {
  const keys = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'].map((key) => ({ key, from: `env:${key}` }));
  return [
    ...(serviceAccount === undefined ? [{ name: storeSecret(name), keys }] : []),
    { name: identitySecret(name), keys: [{ key: 'identity', from: 'identity that decrypts the packs' }] },
  ];
}

function storeSecret(name: string): string {
  return `${name}-store`;
}

function identitySecret(name: string): string {
  return `${name}-identity`;
}

/**
 * An Indexed Job, and a ConfigMap with the CA certificates of the store, if any. The pods conform to the restricted Pod Security Standard
 * (kubernetes.io/docs/concepts/security/pod-security-standards), have no access to the API, and write only to memory. An index that fails
 * because of its inputs (exit codes 1 and 2) is not retried. Evictions do not count as failures.
 */
export function jobObjects(order: FleetJobOptions): readonly ApiObject[] {
  const { name, namespace, authoritiesPem, shards, queue } = order;
  const labels = { 'app.kubernetes.io/name': 'sno-install', 'app.kubernetes.io/instance': name };
  const metadata = { ...(namespace !== undefined && { namespace }), labels };
  // Source: kueue.sigs.k8s.io/docs/tasks/run/jobs
  const queued = { ...labels, ...(queue !== undefined && { 'kueue.x-k8s.io/queue-name': queue }) };
  const job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, ...metadata, labels: queued },
    spec: {
      ...(queue !== undefined && { suspend: true }),
      completionMode: 'Indexed',
      completions: shards,
      parallelism: shards,
      backoffLimitPerIndex: 6,
      podFailurePolicy: {
        rules: [
          { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
          { action: 'FailIndex', onExitCodes: { containerName, operator: 'In', values: [1, 2] } },
        ],
      },
      template: { metadata: { labels }, spec: podSpec(order) },
    },
  };
  const data = { 'ca.pem': authoritiesPem };
  const authorities = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { ...caMap(order), ...metadata },
    immutable: true,
    data,
  };
  return [...(authoritiesPem === undefined ? [] : [authorities]), job];
}

const containerName = 'sno-install';

/** The name contains a hash of the contents, since the ConfigMap is immutable. */
function caMap({ name, authoritiesPem = '' }: FleetJobOptions): { readonly name: string } {
  return { name: `${name}-store-ca-${sha256(authoritiesPem).slice(0, 10)}` };
}

/** Decrypted data is never on a disk of the node. */
const memory = { medium: 'Memory', sizeLimit: '256Mi' };

function podSpec(order: FleetJobOptions): KubeObject {
  const { image, serviceAccount } = order;
  const volumes = readOnlyVolumes(order);
  const mounts = volumes.map(({ name }) => ({ name, mountPath: `/${name}`, readOnly: true }));
  return {
    restartPolicy: 'Never',
    ...(serviceAccount !== undefined && { serviceAccountName: serviceAccount }),
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    // Sites in progress are finished; requests to a store that does not answer take at most 15 seconds.
    terminationGracePeriodSeconds: 45,
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        name: containerName,
        image,
        args: argumentsOf(order),
        env: environmentOf(order),
        resources: resourcesOf(order),
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        volumeMounts: [...mounts, { name: 'work', mountPath: '/work' }],
      },
    ],
    volumes: [...volumes, { name: 'work', emptyDir: memory }],
  };
}

/** 0444: the image or the namespace determines the user of the container, and it is the only user in it. */
const defaultMode = 0o444;

/** Audience of tokens for AssumeRoleWithWebIdentity. Source: aws/amazon-eks-pod-identity-webhook, README.md */
const audience = 'sts.amazonaws.com';

/** Each is mounted below its name. */
function readOnlyVolumes(order: FleetJobOptions): readonly ({ readonly name: string } & KubeObject)[] {
  const { name, authoritiesPem, serviceAccount } = order;
  const token = { serviceAccountToken: { audience, expirationSeconds: 3600, path: 'token' } };
  return [
    { name: 'identity', secret: { secretName: identitySecret(name), defaultMode } },
    ...(authoritiesPem === undefined ? [] : [{ name: 'store-ca', configMap: caMap(order) }]),
    ...(serviceAccount === undefined
      ? []
      : [{ name: 'store-token', projected: { defaultMode, sources: [token] } }]),
  ];
}

function argumentsOf(order: FleetJobOptions): readonly string[] {
  const { store, shards, fleetId, jobs, only, where } = order;
  const shard = `$(JOB_COMPLETION_INDEX)/${shards}`;
  return [
    ...['fleet', 'create', '--store', store, '--packed', '--shard', shard, '--fleet-id', fleetId],
    ...['--identity', '/identity/identity', '--jobs', String(jobs)],
    ...only.flatMap((each) => ['--only', each]),
    ...(where.length > 0 ? ['--where', where.join(',')] : []),
  ];
}

function environmentOf(order: FleetJobOptions): readonly KubeObject[] {
  const { name, variables, authoritiesPem, serviceAccount } = order;
  const plain = {
    HOME: '/work',
    TMPDIR: '/work',
    ...variables,
    ...(authoritiesPem !== undefined && { AWS_CA_BUNDLE: '/store-ca/ca.pem' }),
    ...(serviceAccount !== undefined && { AWS_WEB_IDENTITY_TOKEN_FILE: '/store-token/token' }),
  };
  const ofSecret = (key: string, isOptional = false): KubeObject => ({
    name: key,
    valueFrom: { secretKeyRef: { name: storeSecret(name), key, ...(isOptional && { optional: true }) } },
  });
  return [
    ...Object.entries(plain).map(([key, value]) => ({ name: key, value })),
    ...(serviceAccount === undefined
      ? [
          ofSecret('AWS_ACCESS_KEY_ID'),
          ofSecret('AWS_SECRET_ACCESS_KEY'),
          ofSecret('AWS_SESSION_TOKEN', true),
        ]
      : []),
  ];
}

/** One core per thread. The request is lower, so that a pod fits on a node with two cores. Memory: bench/README.md, plus a reserve. */
function resourcesOf({ jobs }: FleetJobOptions): KubeObject {
  const mebibytes = 256 + 160 * jobs;
  return {
    requests: { cpu: `${750 * jobs}m`, memory: `${mebibytes}Mi` },
    limits: { cpu: String(jobs), memory: `${2 * mebibytes}Mi` },
  };
}
