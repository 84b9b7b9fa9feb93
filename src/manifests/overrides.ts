import { isRecord } from '../core/is-record.js';
import { fieldAt, isList } from '../kube/fields.js';
import { identityOf } from '../kube/identity.js';
import type { Manifest } from '../kube/manifest.js';
import type { KubeObject } from '../kube/object.js';
import type { ComponentOverride } from '../kube/openshift-objects.js';
import { clusterVersionPath } from './cluster-version-path.js';

/**
 * The ClusterVersion for bootstrap. Its overrides mark every object of the manifests as unmanaged, followed by the user's own
 * overrides. Source: openshift/installer pkg/asset/ignition/bootstrap/cvoignore.go.
 */
export function withOverrides(clusterVersion: KubeObject, manifests: readonly Manifest[]): KubeObject {
  const own = overridesOf(clusterVersion);
  const spec = fieldAt(clusterVersion, ['spec']);
  const overrides = [...manifests.filter(isLeftAlone).map(unmanaged), ...(own ?? [])];
  return { ...clusterVersion, spec: { ...(isRecord(spec) ? spec : {}), overrides } };
}

/** The JSON merge patch (RFC 7386) that restores the user's overrides after bootstrap. */
export function overridesPatch(clusterVersion: KubeObject): string {
  return JSON.stringify({ spec: { overrides: overridesOf(clusterVersion) ?? null } });
}

function overridesOf(clusterVersion: KubeObject): readonly unknown[] | undefined {
  const given = fieldAt(clusterVersion, ['spec', 'overrides']);
  return isList(given) ? given : undefined;
}

function isLeftAlone({ path }: Manifest): boolean {
  return path !== clusterVersionPath && !machineFiles.some((pattern) => pattern.test(path));
}

/** Files with machines, which the cluster version operator does not manage. Source: openshift/installer pkg/asset/machines. */
const machineFiles: readonly RegExp[] = [
  /^openshift\/99_openshift-machineconfig_.*\.yaml$/,
  /^openshift\/99_openshift-cluster-api_(?:master|worker)-user-data-secret\.yaml$/,
  /^openshift\/99_openshift-cluster-api_master-machines-.*\.yaml$/,
  /^openshift\/99_openshift-cluster-api_worker-machineset-.*\.yaml$/,
  /^openshift\/99_openshift-cluster-api_(?:host-bmc-secrets|host-network-config-secrets|hosts)-.*\.yaml$/,
  /^openshift\/99_openshift-machine-api_master-control-plane-machine-set\.yaml$/,
  /^openshift\/99_openshift-machine-api_(?:claim|address)-.*master.*\.yaml$/,
  /^openshift\/99_openshift-etcd_fencing-credentials-secrets-.*\.yaml$/,
];

function unmanaged({ object }: Manifest): ComponentOverride {
  const { group, kind, name, namespace } = identityOf(object);
  return { group, kind, name, namespace, unmanaged: true };
}
