import type { LoopInputs } from '../loops/loop-inputs.js';
import type { PluginConfigs } from './operator-config.js';

/** The configurations of OpenShift's admission plugins that follow from the cluster's facts. */
export function openShiftAdmission({ networks }: Pick<LoopInputs, 'networks'>): PluginConfigs {
  const clusterNetworks = networks.clusterNetwork.map(({ cidr }) => cidr);
  return {
    PodSecurity: openShiftPodSecurity,
    // The installer's Network forbids every external address, so there is none to allow and none to hand out.
    'network.openshift.io/ExternalIPRanger': {
      configuration: {
        allowIngressIP: false,
        apiVersion: 'network.openshift.io/v1',
        kind: 'ExternalIPRangerAdmissionConfig',
      },
    },
    'network.openshift.io/RestrictedEndpointsAdmission': {
      configuration: {
        apiVersion: 'network.openshift.io/v1',
        kind: 'RestrictedEndpointsAdmissionConfig',
        restrictedCIDRs: [...clusterNetworks, ...networks.serviceNetwork],
      },
    },
  };
}

/** Upstream's, which follow from nothing. */
export function upstreamAdmission(): PluginConfigs {
  return { PodSecurity: kubernetesPodSecurity };
}

/** `apiVersion` and `kind` of what the plugin PodSecurity reads. */
const podSecurity = {
  apiVersion: 'pod-security.admission.config.k8s.io/v1',
  kind: 'PodSecurityConfiguration',
} as const;

/**
 * As operators set it where the gate OpenShiftPodSecurityAdmission is off, which it is unless a user turns it on; pods
 * are held back by security context constraints. Source: cluster-kube-apiserver-operator configobservation/auth/podsecurityadmission.go
 */
const openShiftPodSecurity = {
  configuration: {
    ...podSecurity,
    defaults: podSecurityDefaults({ enforce: 'privileged', audit: 'restricted', warn: 'restricted' }),
    exemptions: { usernames: ['system:serviceaccount:openshift-infra:build-controller'] },
  },
};

/**
 * A pod that could take over the node is refused outside of the system's own namespace, unless its namespace asks for
 * more by its label. Of what restricted would refuse the audit log tells and nobody is warned: that is nearly every pod,
 * since nothing here fills in what that level asks for.
 */
const kubernetesPodSecurity = {
  configuration: {
    ...podSecurity,
    defaults: podSecurityDefaults({ enforce: 'baseline', audit: 'restricted', warn: 'baseline' }),
    exemptions: { namespaces: ['kube-system'] },
  },
};

type PodSecurityMode = 'enforce' | 'audit' | 'warn';
type PodSecurityLevel = 'privileged' | 'baseline' | 'restricted';

function podSecurityDefaults(
  levels: Readonly<Record<PodSecurityMode, PodSecurityLevel>>,
): Readonly<Record<string, string>> {
  return {
    ...levels,
    'enforce-version': 'latest',
    'audit-version': 'latest',
    'warn-version': 'latest',
  };
}

/**
 * Plugins beyond those that upstream turns on by itself: kubelets may change only what is theirs, and no Service may claim
 * an address of somebody else's (CVE-2020-8554).
 */
export const kubernetesPlugins = ['NodeRestriction', 'DenyServiceExternalIPs'] as const;

/**
 * Plugins of OpenShift's kube-apiserver. Two that its operator adds once authentication is known are left out: they wait
 * for RoleBindingRestriction, whose definition comes only later, and would hold every role binding until then.
 * Source: cluster-kube-apiserver-operator bindata/assets/config/defaultconfig.yaml
 */
export const openShiftPlugins = [
  'CertificateApproval',
  'CertificateSigning',
  'CertificateSubjectRestriction',
  'DefaultIngressClass',
  'DefaultStorageClass',
  'DefaultTolerationSeconds',
  'LimitRanger',
  'MutatingAdmissionWebhook',
  'NamespaceLifecycle',
  'NodeRestriction',
  'OwnerReferencesPermissionEnforcement',
  'PersistentVolumeClaimResize',
  'PodNodeSelector',
  'PodTolerationRestriction',
  'Priority',
  'ResourceQuota',
  'RuntimeClass',
  'ServiceAccount',
  'StorageObjectInUseProtection',
  'TaintNodesByCondition',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionWebhook',
  'config.openshift.io/DenyDeleteClusterConfiguration',
  'config.openshift.io/ValidateAPIServer',
  'config.openshift.io/ValidateAuthentication',
  'config.openshift.io/ValidateConsole',
  'config.openshift.io/ValidateFeatureGate',
  'config.openshift.io/ValidateImage',
  'config.openshift.io/ValidateOAuth',
  'config.openshift.io/ValidateProject',
  'config.openshift.io/ValidateScheduler',
  'image.openshift.io/ImagePolicy',
  'network.openshift.io/ExternalIPRanger',
  'network.openshift.io/RestrictedEndpointsAdmission',
  'quota.openshift.io/ClusterResourceQuota',
  'quota.openshift.io/ValidateClusterResourceQuota',
  'route.openshift.io/IngressAdmission',
  'scheduling.openshift.io/OriginPodNodeEnvironment',
  'security.openshift.io/DefaultSecurityContextConstraints',
  'security.openshift.io/SCCExecRestrictions',
  'security.openshift.io/SecurityContextConstraint',
  'security.openshift.io/ValidateSecurityContextConstraints',
  'storage.openshift.io/CSIInlineVolumeSecurity',
] as const;
