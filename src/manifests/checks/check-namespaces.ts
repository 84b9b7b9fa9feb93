import { maskedWord } from '../../core/quoted.js';
import { problem, type Problem } from '../../core/problem.js';
import { describeIdentity, identityOf } from '../../kube/identity.js';
import { manifestFieldPlace } from '../../kube/manifest-place.js';
import type { SourcedObject } from '../../kube/manifest.js';
import type { KubeObject } from '../../kube/object.js';
import { type ClusterFacts, isCapabilityEnabled } from './check-kinds.js';

/**
 * Reports objects in namespaces that do not exist during bootstrap.
 * Problems: manifest/namespace-missing; manifest/namespace-unlisted for names that the release may create.
 */
export function namespaceProblems(
  objects: readonly SourcedObject[],
  cluster?: ClusterFacts,
): readonly Problem[] {
  const known = namespacesAfter(objects, cluster);
  return objects.flatMap((sourced) => {
    const { namespace } = sourced.object.metadata;
    return namespace === undefined || known.has(namespace) ? [] : [unknown(sourced, namespace)];
  });
}

/** The namespaces that exist when the objects and those of the release are created. */
export function namespacesAfter(
  objects: readonly SourcedObject[],
  cluster?: ClusterFacts,
): ReadonlySet<string> {
  const added = objects.flatMap(({ object }) => createdNamespaces(object));
  const ofPayload = payloadNamespaces.filter((name) => !isLeftOut(name, cluster));
  return new Set([...kubernetesNamespaces, ...ofPayload, ...added]);
}

/** A namespace of a capability that install-config.yaml leaves out. */
function isLeftOut(namespace: string, cluster: ClusterFacts | undefined): boolean {
  if (namespace !== marketplace || cluster === undefined) return false;
  return !isCapabilityEnabled('marketplace', cluster.install.capabilities, cluster.version);
}

/** Source: operator-framework/operator-marketplace manifests, 01_namespace.yaml (capability.openshift.io/name) */
const marketplace = 'openshift-marketplace';

/** The name of a Namespace; empty for another object. */
export function createdNamespaces({ apiVersion, kind, metadata }: KubeObject): readonly string[] {
  return kind === 'Namespace' && apiVersion === 'v1' ? [metadata.name] : [];
}

function unknown({ object, source }: SourcedObject, namespace: string): Problem {
  const at = manifestFieldPlace(source, ['metadata', 'namespace']);
  const what = describeIdentity(identityOf(object));
  if (namespace === marketplace) {
    const message = `${what} cannot be created: install-config.yaml leaves out the capability marketplace, which brings the namespace ${marketplace}`;
    const hint =
      'add marketplace to capabilities.additionalEnabledCapabilities, or the Namespace as a manifest';
    return problem('manifest/namespace-missing', message, { at, hint });
  }
  if (/^(?:openshift|kube)-/.test(namespace)) {
    const message = `${what} can be created only if the release itself brings the namespace ${maskedWord(namespace)}`;
    return problem('manifest/namespace-unlisted', message, {
      at,
      hint: 'to be safe, add the Namespace as a manifest too',
    });
  }
  const message = `${what} cannot be created: no manifest creates the namespace ${maskedWord(namespace)}`;
  return problem('manifest/namespace-missing', message, { at, hint: 'add the Namespace as a manifest too' });
}

/** Source: kubernetes.io/docs/concepts/overview/working-with-objects/namespaces, "Initial namespaces". */
const kubernetesNamespaces: readonly string[] = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/**
 * Namespaces in the manifests of a release, without those that operators create when they run.
 * Source: the Namespace manifests of the 4.14 to 4.21 payloads and of the operators' bootstrap renders.
 */
const payloadNamespaces: readonly string[] = [
  'openshift-apiserver-operator',
  'openshift-authentication-operator',
  'openshift-cloud-controller-manager',
  'openshift-cloud-controller-manager-operator',
  'openshift-cloud-credential-operator',
  'openshift-cloud-platform-infra',
  'openshift-cluster-csi-drivers',
  'openshift-cluster-machine-approver',
  'openshift-cluster-node-tuning-operator',
  'openshift-cluster-samples-operator',
  'openshift-cluster-storage-operator',
  'openshift-cluster-version',
  'openshift-config',
  'openshift-config-managed',
  'openshift-config-operator',
  'openshift-console',
  'openshift-console-operator',
  'openshift-console-user-settings',
  'openshift-controller-manager-operator',
  'openshift-dns-operator',
  'openshift-etcd',
  'openshift-etcd-operator',
  'openshift-image-registry',
  'openshift-infra',
  'openshift-ingress-operator',
  'openshift-insights',
  'openshift-kni-infra',
  'openshift-kube-apiserver',
  'openshift-kube-apiserver-operator',
  'openshift-kube-controller-manager',
  'openshift-kube-controller-manager-operator',
  'openshift-kube-scheduler-operator',
  'openshift-kube-storage-version-migrator-operator',
  'openshift-machine-api',
  'openshift-machine-config-operator',
  'openshift-marketplace',
  'openshift-monitoring',
  'openshift-network-operator',
  'openshift-node',
  'openshift-openstack-infra',
  'openshift-operator-lifecycle-manager',
  'openshift-operators',
  'openshift-ovirt-infra',
  'openshift-service-ca-operator',
  'openshift-user-workload-monitoring',
  'openshift-vsphere-infra',
];
