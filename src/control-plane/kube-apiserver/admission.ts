import type { LoopInputs } from '../loops/loop-inputs.js';
import type { PluginConfigs } from './operator-config.js';

/** Configurations of OpenShift's admission plugins that depend on the cluster. */
export function openShiftAdmission({ networks }: Pick<LoopInputs, 'networks'>): PluginConfigs {
  const clusterNetworks = networks.clusterNetwork.map(({ cidr }) => cidr);
  return {
    PodSecurity: openShiftPodSecurity,
    // The installer's Network object allows no external IPs, so both lists are empty.
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

/** Configurations of upstream's admission plugins; they do not depend on the cluster. */
export function upstreamAdmission(): PluginConfigs {
  return { PodSecurity: kubernetesPodSecurity };
}

/** `apiVersion` and `kind` of the configuration of PodSecurity. */
const podSecurity = {
  apiVersion: 'pod-security.admission.config.k8s.io/v1',
  kind: 'PodSecurityConfiguration',
} as const;

/**
 * The operators' setting while the feature gate OpenShiftPodSecurityAdmission is off, which is the default. Security context
 * constraints restrict pods instead. Source: cluster-kube-apiserver-operator configobservation/auth/podsecurityadmission.go
 */
const openShiftPodSecurity = {
  configuration: {
    ...podSecurity,
    defaults: podSecurityDefaults({ enforce: 'privileged', audit: 'restricted', warn: 'restricted' }),
    exemptions: { usernames: ['system:serviceaccount:openshift-infra:build-controller'] },
  },
};

/**
 * Enforces `baseline` outside kube-system, which keeps pods from taking over the node; a namespace may allow more by
 * label. Violations of `restricted` are audited without a warning to the user: nearly every pod violates it, because nothing here
 * sets the fields that it requires.
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
 * Plugins in addition to upstream's defaults. NodeRestriction limits kubelets to their own objects; DenyServiceExternalIPs
 * prevents Services from claiming foreign addresses (CVE-2020-8554).
 */
export const kubernetesPlugins = ['NodeRestriction', 'DenyServiceExternalIPs'] as const;

/**
 * Plugins of OpenShift's kube-apiserver. Two plugins that the operator adds once authentication is configured are omitted: they
 * wait for the CRD of RoleBindingRestriction, which is created later, and block every role binding until then.
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
