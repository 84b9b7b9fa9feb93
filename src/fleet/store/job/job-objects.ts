import { sha256 } from '../../../formats/sha256.js';
import { decodeUtf8 } from '../../../formats/utf8.js';
import type { ApiMetadata, ApiObject } from './api-object.js';
import type { FileGroup, GroupedFiles } from './grouped-files.js';

/** Options of a Job. */
export interface FleetJobOptions {
  readonly name: string;
  readonly namespace?: string;
  readonly image: string;
  readonly store: string;
  readonly shards: number;
  /** Threads per pod. */
  readonly jobs: number;
  /** Environment variables without secrets: access to the store, and inputs of the sites. */
  readonly variables: Readonly<Record<string, string>>;
  /** CA certificates of the store, PEM. */
  readonly authoritiesPem?: string;
  /** Name of a Secret whose key `identity` decrypts the states of existing sites. */
  readonly identitySecret?: string;
  readonly files: GroupedFiles;
  /** Names from `env:NAME` in configs, sorted. */
  readonly secretVariables: readonly string[];
}

type KubeObject = Readonly<Record<string, unknown>>;

/** A Secret that must exist before the Job starts, with its keys. */
export interface RequiredSecret {
  readonly name: string;
  readonly keys: readonly { readonly key: string; readonly from: string }[];
}

/** Secrets that the Job refers to. Users create them; `jobObjects` does not return them. */
export function requiredSecrets(order: FleetJobOptions): readonly RequiredSecret[] {
  const { name, files, secretVariables, identitySecret } = order;
  const ofVariables = (secret: string, variables: readonly string[]): RequiredSecret => ({
    name: secret,
    keys: variables.map((key) => ({ key, from: `env:${key}` })),
  });
  return [
    ofVariables(storeSecret(name), ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']),
    ...files.secrets.map((each) => ({
      name: each.name,
      keys: each.files.map(({ key, path }) => ({ key, from: path })),
    })),
    ...(secretVariables.length > 0 ? [ofVariables(variablesSecret(name), secretVariables)] : []),
    ...(identitySecret === undefined
      ? []
      : [{ name: identitySecret, keys: [{ key: 'identity', from: 'the --identity file' }] }]),
  ];
}

function storeSecret(name: string): string {
  return `${name}-store`;
}

function variablesSecret(name: string): string {
  return `${name}-variables`;
}

/**
 * ConfigMaps and an Indexed Job that conforms to the restricted Pod Security Standard
 * (kubernetes.io/docs/concepts/security/pod-security-standards) and has no access to the API. An index that fails because of its inputs
 * (exit codes 1 and 2) is not retried. Evictions do not count as failures.
 */
export function jobObjects(order: FleetJobOptions): readonly ApiObject[] {
  const { name, namespace, files, authoritiesPem, shards } = order;
  const labels = { 'app.kubernetes.io/name': 'sno-install', 'app.kubernetes.io/instance': name };
  const metadata = { ...(namespace !== undefined && { namespace }), labels };
  const job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, ...metadata },
    spec: {
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
  const authorities = authoritiesPem === undefined ? [] : [{ 'ca.pem': authoritiesPem }];
  return [
    ...files.maps.map((map) => configMapObject(map, metadata)),
    ...authorities.map((data) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { ...caMap(order), ...metadata },
      immutable: true,
      data,
    })),
    job,
  ];
}

const containerName = 'sno-install';

/** The name contains a hash of the contents, since the ConfigMap is immutable. */
function caMap({ name, authoritiesPem = '' }: FleetJobOptions): { readonly name: string } {
  return { name: `${name}-store-ca-${sha256(authoritiesPem).slice(0, 10)}` };
}

function podSpec(order: FleetJobOptions): KubeObject {
  const { image, identitySecret, authoritiesPem } = order;
  const readOnly = [
    { name: 'fleet', mountPath: '/fleet' },
    ...(authoritiesPem === undefined ? [] : [{ name: 'store-ca', mountPath: '/store-ca' }]),
    ...(identitySecret === undefined ? [] : [{ name: 'identity', mountPath: '/identity' }]),
  ].map((mount) => ({ ...mount, readOnly: true }));
  return {
    restartPolicy: 'Never',
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
        volumeMounts: [...readOnly, { name: 'work', mountPath: '/work' }],
      },
    ],
    volumes: [
      { name: 'fleet', projected: { defaultMode: readable, sources: sourcesOf(order) } },
      { name: 'work', emptyDir: { sizeLimit: '1Gi' } },
      ...(authoritiesPem === undefined ? [] : [{ name: 'store-ca', configMap: caMap(order) }]),
      ...(identitySecret === undefined
        ? []
        : [{ name: 'identity', secret: { secretName: identitySecret, defaultMode: readable } }]),
    ],
  };
}

/** 0444: the image or the namespace determines the user of the container, and it is the only user in it. */
const readable = 0o444;

function argumentsOf({ store, shards, jobs, identitySecret }: FleetJobOptions): readonly string[] {
  const shard = `$(JOB_COMPLETION_INDEX)/${shards}`;
  return [
    ...['fleet', 'create', '--dir', '/fleet', '--store', store, '--shard', shard, '--jobs', String(jobs)],
    ...(identitySecret === undefined ? [] : ['--identity', '/identity/identity']),
  ];
}

function environmentOf(order: FleetJobOptions): readonly KubeObject[] {
  const { name, variables, secretVariables, authoritiesPem } = order;
  const plain = {
    HOME: '/work',
    TMPDIR: '/work',
    ...variables,
    ...(authoritiesPem !== undefined && { AWS_CA_BUNDLE: '/store-ca/ca.pem' }),
  };
  const ofSecret = (key: string, secret: string, isOptional = false): KubeObject => ({
    name: key,
    valueFrom: { secretKeyRef: { name: secret, key, ...(isOptional && { optional: true }) } },
  });
  return [
    ...Object.entries(plain).map(([key, value]) => ({ name: key, value })),
    ofSecret('AWS_ACCESS_KEY_ID', storeSecret(name)),
    ofSecret('AWS_SECRET_ACCESS_KEY', storeSecret(name)),
    ofSecret('AWS_SESSION_TOKEN', storeSecret(name), true),
    ...secretVariables.map((variable) => ofSecret(variable, variablesSecret(name))),
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

function sourcesOf({ files: { maps, secrets } }: FleetJobOptions): readonly KubeObject[] {
  const source = ({ name, files }: FileGroup): KubeObject => ({
    name,
    items: files.map(({ key, path }) => ({ key, path })),
  });
  return [
    ...maps.map((map) => ({ configMap: source(map) })),
    ...secrets.map((secret) => ({ secret: source(secret) })),
  ];
}

/** Files that are not UTF-8 go into binaryData, in base64. */
function configMapObject({ name, files }: FileGroup, metadata: ApiMetadata): ApiObject {
  const texts = files.map(({ key, bytes }) => ({ key, bytes, text: decodeUtf8(bytes) }));
  const data = texts.flatMap(({ key, text }) => (text === undefined ? [] : [[key, text] as const]));
  const binary = texts.flatMap(({ key, bytes, text }) =>
    text === undefined ? [[key, Buffer.from(bytes).toString('base64')] as const] : [],
  );
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, ...metadata },
    immutable: true,
    ...(data.length > 0 && { data: Object.fromEntries(data) }),
    ...(binary.length > 0 && { binaryData: Object.fromEntries(binary) }),
  };
}
