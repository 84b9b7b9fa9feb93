import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';
import { z } from 'zod';

/** A static pod manifest of the folder. */
export interface Manifest {
  readonly file: string;
  /** Derived from the text, so that a changed text is another pod. */
  readonly uid: string;
  readonly pod: Pod;
}

/** Every complete pod manifest of a folder, by file name. Like the kubelet it skips hidden and unreadable files. */
export function readManifests(folder: string): readonly Manifest[] {
  const files = readdirSync(folder).filter((name) => !name.startsWith('.'));
  return files.toSorted().flatMap((file) => readManifest(folder, file));
}

function readManifest(folder: string, file: string): readonly Manifest[] {
  const text = readFileSync(join(folder, file), 'utf8');
  if (text.trim() === '') return [];
  const read = podSchema.safeParse(parse(text));
  if (!read.success)
    throw new Error(`${file} asks for more than the pod runner knows: ${z.prettifyError(read.error)}`);
  return [{ file, uid: createHash('sha256').update(text).digest('hex').slice(0, 32), pod: read.data }];
}

const names = z.record(z.string(), z.string());

const fieldPath = z
  .string()
  .regex(
    /^(?:metadata\.(?:name|namespace|uid|(?:labels|annotations)\['[^']+'\])|spec\.nodeName|status\.(?:hostIP|hostIPs|podIP|podIPs))$/,
  );

const variable = z.union([
  z.strictObject({ name: z.string(), value: z.string().default('') }),
  z.strictObject({
    name: z.string(),
    valueFrom: z.strictObject({
      fieldRef: z.strictObject({ fieldPath, apiVersion: z.literal('v1').optional() }),
    }),
  }),
]);

/** Defaults: kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes */
const probe = z.strictObject({
  httpGet: z
    .strictObject({
      host: z.string().optional(),
      path: z.string().default('/'),
      port: z.union([z.number(), z.string()]),
      scheme: z.enum(['HTTP', 'HTTPS']).default('HTTP'),
      httpHeaders: z.array(z.strictObject({ name: z.string(), value: z.string() })).default([]),
    })
    .optional(),
  exec: z.strictObject({ command: z.array(z.string()) }).optional(),
  tcpSocket: z
    .strictObject({ host: z.string().optional(), port: z.union([z.number(), z.string()]) })
    .optional(),
  initialDelaySeconds: z.number().default(0),
  periodSeconds: z.number().default(10),
  timeoutSeconds: z.number().default(1),
  successThreshold: z.number().default(1),
  failureThreshold: z.number().default(3),
});

const container = z.strictObject({
  name: z.string(),
  image: z.string(),
  imagePullPolicy: z.enum(['IfNotPresent', 'Never']).optional(),
  command: z.array(z.string()).optional(),
  args: z.array(z.string()).default([]),
  workingDir: z.string().default('/'),
  env: z.array(variable).default([]),
  ports: z.array(z.looseObject({ name: z.string().optional(), containerPort: z.number() })).default([]),
  volumeMounts: z
    .array(
      z.strictObject({
        name: z.string(),
        mountPath: z.string(),
        subPath: z.string().optional(),
        readOnly: z.boolean().default(false),
      }),
    )
    .default([]),
  startupProbe: probe.optional(),
  livenessProbe: probe.optional(),
  readinessProbe: probe.optional(),
  // The runner does not enforce security contexts; containers may do more than they declare.
  securityContext: z.looseObject({ runAsUser: z.literal(0).optional() }).optional(),
  resources: z.unknown().optional(),
  terminationMessagePolicy: z.string().optional(),
  terminationMessagePath: z.string().optional(),
});

const volume = z.union([
  z.strictObject({
    name: z.string(),
    hostPath: z.strictObject({
      path: z.string(),
      type: z.enum(['', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate']).default(''),
    }),
  }),
  z.strictObject({ name: z.string(), emptyDir: z.looseObject({}) }),
]);

const podSchema = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('Pod'),
  metadata: z.strictObject({
    name: z.string(),
    namespace: z.string().default('default'),
    labels: names.default({}),
    annotations: names.default({}),
  }),
  spec: z.strictObject({
    // A pod with its own network needs a real kubelet.
    hostNetwork: z.literal(true),
    hostPID: z.literal(true).optional(),
    initContainers: z.array(container).default([]),
    containers: z.array(container),
    volumes: z.array(volume).default([]),
    restartPolicy: z.enum(['Always', 'OnFailure', 'Never']).default('Always'),
    terminationGracePeriodSeconds: z.number().default(30),
    // These fields affect the scheduler, the API server or limits, none of which exist here.
    priority: z.number().optional(),
    priorityClassName: z.string().optional(),
    tolerations: z.unknown().optional(),
    securityContext: z.looseObject({ runAsUser: z.literal(0).optional() }).optional(),
    dnsPolicy: z.string().optional(),
    enableServiceLinks: z.boolean().optional(),
  }),
});

export type Pod = z.infer<typeof podSchema>;
export type Container = z.infer<typeof container>;
export type Probe = z.infer<typeof probe>;
export type Volume = z.infer<typeof volume>;
