import { problem, type Problem } from '../../core/problem.js';
import { describeIdentity, groupOf, identityOf } from '../../kube/identity.js';
import type { Manifest } from '../../kube/manifest.js';
import { manifestFieldPlace } from '../../kube/manifest-place.js';
import type { KubeObject } from '../../kube/object.js';

/** The manifests of the installation that `apply` sends to a running cluster. */
export interface AppliedManifests {
  /** Sorted for applying: definitions, namespaces, others, and last the objects that reboot the node. */
  readonly applied: readonly Manifest[];
  /** Problems: apply/left-out. */
  readonly problems: readonly Problem[];
}

/**
 * Selects the manifests of a running cluster. Generated ones that only the installation needs are omitted; an edited or added one of
 * these causes a warning.
 */
export function appliedManifests(
  all: readonly Manifest[],
  isRebooting: (object: KubeObject) => boolean,
): AppliedManifests {
  const rank = ({ object }: Manifest): number => (isRebooting(object) ? 3 : (early[object.kind] ?? 2));
  const reasonOf = ({ object }: Manifest): string | undefined =>
    Object.hasOwn(installationOnly, keyOf(object)) ? installationOnly[keyOf(object)] : undefined;
  return {
    applied: all
      .filter((each) => reasonOf(each) === undefined)
      .toSorted((left, right) => rank(left) - rank(right)),
    problems: all.flatMap((each) => {
      const reason = reasonOf(each);
      return reason === undefined || each.origin === 'generated' ? [] : [leftOut(each, reason)];
    }),
  };
}

const early: Readonly<Record<string, number>> = { CustomResourceDefinition: 0, Namespace: 1 };

function leftOut({ object, path, source }: Manifest, reason: string): Problem {
  const at = source ? manifestFieldPlace(source, ['kind']) : { file: path };
  const message = `${describeIdentity(identityOf(object))} is not applied to a running cluster: ${reason}`;
  return problem('apply/left-out', message, { at, hint: 'change it in the cluster, or reinstall the site' });
}

/** `Kind.group NAMESPACE/NAME`, without the group of core kinds and the namespace of cluster-scoped objects. */
export function keyOf({ apiVersion, kind, metadata: { namespace = '', name } }: KubeObject): string {
  const group = groupOf(apiVersion);
  return `${kind}${group === '' ? '' : `.${group}`} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}

const upgraded = 'the version operator and upgrades change it';
const renewed = 'the machine config operator renews it';
const payload = 'it belongs to the payload on the installation medium';
const registry = 'openshift-machine-config-operator/internal-release-image';

/** Reasons by `keyOf`. Names: docs/manifests.md. */
const installationOnly: Readonly<Record<string, string>> = {
  // It is cluster-scoped, but the installer writes a namespace.
  'ClusterVersion.config.openshift.io openshift-cluster-version/version': upgraded,
  'ClusterVersion.config.openshift.io version': upgraded,
  'ConfigMap kube-system/cluster-config-v1': 'it records the installation',
  'ConfigMap kube-system/root-ca': 'operators renew it',
  'ConfigMap openshift-config/openshift-install-manifests': 'it records the installation',
  'ConfigMap openshift-machine-config-operator/machine-config-server-ca': renewed,
  'ImageDigestMirrorSet.config.openshift.io sno-payload': payload,
  'ImageTagMirrorSet.config.openshift.io sno-payload': payload,
  'InternalReleaseImage.machineconfiguration.openshift.io cluster': payload,
  'MachineConfig.machineconfiguration.openshift.io 02-master-internalreleaseimage': payload,
  'MachineConfig.machineconfiguration.openshift.io 99-master-sno-payload': payload,
  'Secret kube-system/kube-cloud-cfg': 'only the installation reads it',
  // Administrators delete it after the installation, and it must not come back.
  'Secret kube-system/kubeadmin': 'it is the password of the installation',
  'Secret openshift-machine-api/master-user-data': renewed,
  'Secret openshift-machine-api/worker-user-data': renewed,
  'Secret openshift-machine-config-operator/machine-config-server-ca': renewed,
  'Secret openshift-machine-config-operator/machine-config-server-tls': renewed,
  [`Secret ${registry}-registry-auth`]: payload,
  [`Secret ${registry}-tls`]: payload,
};
