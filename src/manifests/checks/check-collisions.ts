import { type Problem, problem } from '../../core/problem.js';
import { describeIdentity, identityKey, identityOf } from '../../kube/identity.js';
import { manifestFieldPlace } from '../../kube/manifest-place.js';
import type { Manifest } from '../../kube/manifest.js';
import { servedAt } from '../../release/served-at.js';
import { baseNameOf } from '../edits/paths.js';

/**
 * Reports manifests that collide on the node, where both folders are merged: equal file names or equal objects.
 * Problems: manifest/name-collision, manifest/duplicate, manifest/reserved-name.
 */
export function collisionProblems(manifests: readonly Manifest[]): readonly Problem[] {
  return [
    ...pairs(manifests, fileName).map(nameCollision),
    ...pairs(manifests, identity).map(duplicate),
    ...manifests.filter(isAddedInVain).map(reserved),
  ];
}

function fileName({ path }: Manifest): string {
  return baseNameOf(path);
}

function identity({ object }: Manifest): string {
  const found = identityOf(object);
  const isOfCluster = clusterKinds.has(`${found.group}/${found.kind}`);
  return identityKey(isOfCluster ? { ...found, namespace: '' } : found);
}

/** The API server ignores the namespace of their objects. The generated ClusterVersion has one, as that of openshift-install. */
const clusterKinds: ReadonlySet<string> = new Set(
  servedAt(undefined)
    .filter(({ scope }) => scope === 'cluster')
    .map(({ group, kind }) => `${group}/${kind}`),
);

function isAddedInVain({ path, origin }: Manifest): boolean {
  return origin === 'added' && isWrittenOnNode(baseNameOf(path));
}

interface Pair {
  readonly earlier: Manifest;
  readonly later: Manifest;
}

/** Pairs of manifests with equal keys, the earlier one first. Generated manifests count as earlier. */
function pairs(manifests: readonly Manifest[], keyOf: (manifest: Manifest) => string): readonly Pair[] {
  const seen = new Map<string, Manifest>();
  const pairs: Pair[] = [];
  for (const later of [...manifests.filter(isGenerated), ...manifests.filter(isOfUser)]) {
    const key = keyOf(later);
    const earlier = seen.get(key);
    if (earlier === undefined) seen.set(key, later);
    else pairs.push({ earlier, later });
  }
  return pairs;
}

function isGenerated({ source }: Manifest): boolean {
  return source === undefined;
}

function isOfUser({ source }: Manifest): boolean {
  return source !== undefined;
}

function nameCollision({ earlier, later }: Pair): Problem {
  const name = baseNameOf(later.path);
  const message = `${fileOf(later)} and ${fileOf(earlier)} both become ${name} on the node, where one would replace the other`;
  return problem('manifest/name-collision', message, {
    at: { file: fileOf(later) },
    hint: 'rename one of the two',
  });
}

function duplicate({ earlier, later }: Pair): Problem {
  const what = describeIdentity(identityOf(later.object));
  const message = `${what} is in ${fileOf(later)} and in ${fileOf(earlier)}`;
  const at = later.source ? manifestFieldPlace(later.source, ['metadata', 'name']) : { file: later.path };
  const hint = earlier.source
    ? 'remove one of the two'
    : `to change the generated file, run \`sno-install create manifests\` and edit ${earlier.path}`;
  return problem('manifest/duplicate', message, { at, hint });
}

function reserved(manifest: Manifest): Problem {
  const name = baseNameOf(manifest.path);
  const message = `${fileOf(manifest)} would be lost: the node itself writes a manifest called ${name}`;
  return problem('manifest/reserved-name', message, {
    at: { file: fileOf(manifest) },
    hint: 'rename the file',
  });
}

function fileOf({ source, path }: Manifest): string {
  return source?.file ?? path;
}

/**
 * Whether a render command on the node writes a manifest of this name and overwrites an existing one.
 * Sources: bindata/bootkube/manifests of openshift/cluster-{etcd,kube-apiserver,kube-controller-manager,
 * kube-scheduler}-operator; manifests of openshift/cluster-ingress-operator and openshift/machine-config-operator.
 */
function isWrittenOnNode(baseName: string): boolean {
  return prefixes.some((prefix) => baseName.startsWith(prefix)) || names.has(baseName);
}

/** `0000_` is the prefix of the release payload, `cluster-ingress-0…` of the ingress operator's render command. */
const prefixes: readonly string[] = ['0000_', 'cluster-ingress-00-', 'cluster-ingress-01-'];

const names: ReadonlySet<string> = new Set([
  // cluster-etcd-operator
  '00_etcd-endpoints-cm.yaml',
  '00_etcd-host-service-endpoints.yaml',
  '00_etcd-host-service.yaml',
  '00_openshift-etcd-ns.yaml',
  '01_etcd-host-service-endpoints.yaml',
  'etcd-ca-bundle-configmap.yaml',
  'etcd-client-secret.yaml',
  'etcd-metric-client-secret.yaml',
  'etcd-metric-serving-ca-configmap.yaml',
  'etcd-metric-signer-secret.yaml',
  'etcd-serving-ca-configmap.yaml',
  'etcd-signer-secret.yaml',
  // cluster-kube-apiserver-operator
  '00_openshift-config-managed-ns.yaml',
  '00_openshift-config-ns.yaml',
  '00_openshift-kube-apiserver-ns.yaml',
  '00_openshift-kube-apiserver-operator-ns.yaml',
  'cluster-role-binding-kube-apiserver.yaml',
  'config.apiserver.yaml',
  'configmap-admin-kubeconfig-client-ca.yaml',
  'configmap-csr-controller-ca.yaml',
  'configmap-kubelet-bootstrap-kubeconfig-ca.yaml',
  'configmap-sa-token-signing-certs.yaml',
  'configmap-unsupported-cert-rotation.yaml',
  'secret-aggregator-client-signer.yaml',
  'secret-bound-sa-token-signing-key.yaml',
  'secret-control-plane-client-signer.yaml',
  'secret-kube-apiserver-to-kubelet-signer.yaml',
  'secret-loadbalancer-serving-signer.yaml',
  'secret-localhost-serving-signer.yaml',
  'secret-service-network-serving-signer.yaml',
  // cluster-kube-controller-manager-operator
  '00_openshift-kube-controller-manager-ns.yaml',
  '00_openshift-kube-controller-manager-operator-ns.yaml',
  'secret-csr-signer-signer.yaml',
  'secret-initial-kube-controller-manager-service-account-private-key.yaml',
  // machine-config-operator
  'arbiter.machineconfigpool.yaml',
  'machineconfigcontroller_controllerconfig.yaml',
  'master.machineconfigpool.yaml',
  'worker.machineconfigpool.yaml',
]);
