import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { parse } from 'yaml';

/** The static pods, by manifest name. */
export const components = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'etcd'] as const;
export type Component = (typeof components)[number];

const resources = '/etc/kubernetes/static-pod-resources';

/**
 * Writes the next revision of a static pod, as the operator's installer pod does: the resource folder first, then the manifest
 * with the label `revision`. A bootstrap pod is converted to the layout of the operator.
 */
export function rollOut(root: string, component: Component): void {
  const manifest = join(root, 'etc/kubernetes/manifests', `${component}-pod.yaml`);
  const folder = folderOf(root, component);
  const next = `${resources}/${component}-pod-2`;
  cpSync(join(root, folder), join(root, next), { recursive: true });
  if (component === 'kube-apiserver') writeNodeKubeconfig(root);
  if (component === 'kube-apiserver') observeSingleNode(join(root, next, 'configmaps/config/config.yaml'));
  const text = readFileSync(manifest, 'utf8')
    .replaceAll(new RegExp(`${folder}(?=["'/\\s])`, 'g'), next)
    .replaceAll('"bootstrap-kube-', '"kube-');
  // Written under a name that the kubelet ignores, then renamed: the kubelet never reads a partial manifest.
  const draft = manifest.replace(/([^/]+)$/, '.$1');
  writeFileSync(draft, JSON.stringify(revised(parse(text) as Pod, component)), { mode: 0o600 });
  renameSync(draft, manifest);
}

/** The kubeconfig of the API server on this node. Source: cluster-kube-apiserver-operator, NodeKubeconfigController */
function writeNodeKubeconfig(root: string): void {
  const path = join(root, resources, 'kube-apiserver-certs/secrets/node-kubeconfigs/localhost.kubeconfig');
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  cpSync(join(root, 'etc/kubernetes/bootstrap-secrets/kubeconfig'), path);
}

/** The folder that the current pod mounts: a revision of the operator or the bootstrap's folder. */
function folderOf(root: string, component: Component): string {
  const first = `${resources}/${component}-pod-1`;
  if (existsSync(join(root, first))) return first;
  return component === 'etcd' ? `${resources}/etcd-member` : '/etc/kubernetes/bootstrap-secrets';
}

interface Pod {
  readonly metadata: Metadata;
  readonly spec: { readonly containers: readonly Container[] };
}

interface Metadata {
  readonly name: string;
  readonly namespace: string;
  readonly labels?: Readonly<Record<string, string>>;
}

interface Container {
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
}

function revised(pod: Pod, component: Component): Pod {
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      name: component === 'kube-scheduler' ? 'openshift-kube-scheduler' : component,
      namespace: `openshift-${component}`,
      labels: { ...pod.metadata.labels, revision: '2' },
    },
    spec: {
      ...pod.spec,
      containers: pod.spec.containers.map((container) => ({
        ...container,
        ...(container.env && {
          env: container.env.map((each) =>
            each.name === 'STATIC_POD_VERSION' ? { ...each, value: '2' } : each,
          ),
        }),
      })),
    },
  };
}

/** On a single node the operator's config observer adds this once the cluster exists. Source: cluster-kube-apiserver-operator pkg/operator/configobservation/apiserver */
function observeSingleNode(path: string): void {
  if (!existsSync(path)) return;
  const config = parse(readFileSync(path, 'utf8')) as { apiServerArguments: object };
  const added = { 'send-retry-after-while-not-ready-once': ['true'] };
  writeFileSync(
    path,
    JSON.stringify({ ...config, apiServerArguments: { ...config.apiServerArguments, ...added } }),
  );
}
