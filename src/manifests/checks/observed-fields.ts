import { isDeepStrictEqual } from 'node:util';

import { isRecord } from '../../core/is-record.js';
import { fieldAt, isList, textAt } from '../../kube/fields.js';

/**
 * A field that the control plane operators observe, and its effect when sno-install renders the control plane. Fields of these kinds
 * that are not in the table are not rendered.
 */
export interface ObservedField {
  /** `<Kind>.<group>`; the object's name is cluster. */
  readonly kind: string;
  /** Includes all fields below it. */
  readonly path: readonly string[];
  /** `rendered`: the control loops read it. `others`: it does not affect the start of any control plane component. */
  readonly by: 'rendered' | 'others';
  /** Whether the control loops support a value; absent if they support all. */
  readonly knows?: (value: unknown) => boolean;
  /** The observer, below pkg/operator/configobservation of the component's operator, or another reader. */
  readonly source: string;
}

const auditProfile = oneOf('Default', 'WriteRequestBodies', 'AllRequestBodies', 'None');

/** Values that the control loops support, for fields with restrictions; by path, or by kind and path. */
const known: Readonly<Record<string, (value: unknown) => boolean>> = {
  'spec.audit.customRules': (value) =>
    isList(value) && value.every((rule) => auditProfile(textAt(rule, ['profile']))),
  'spec.audit.profile': auditProfile,
  // The other types need more than a key. Source: openshift/api config/v1 APIServerEncryption
  'spec.encryption.type': oneOf('', 'identity', 'aescbc', 'aesgcm'),
  'spec.tlsSecurityProfile': (value) =>
    oneOf('', 'Old', 'Intermediate', 'Modern')(textAt(value, ['type']) ?? '') ||
    (textAt(value, ['type']) === 'Custom' && isRecord(fieldAt(value, ['custom']))),
  'spec.type': oneOf('', 'IntegratedOAuth'),
  // The value of openshift-install: no external address is allowed.
  'spec.externalIP': (value) => isDeepStrictEqual(value, { policy: {} }),
  'spec.workerLatencyProfile': oneOf('', 'Default'),
  'spec.policy.name': oneOf(''),
  'spec.profile': oneOf('', 'LowNodeUtilization'),
  'spec.logLevel': oneOf('', 'Normal'),
  'spec.managementState': oneOf('Managed'),
  'spec.useMoreSecureServiceCA': (value) => value === true,
  // The control loops configure 8 GiB. Source: cluster-etcd-operator pkg/etcdenvvar
  'spec.backendQuotaGiB': (value) => value === 8,
  'spec.controlPlaneHardwareSpeed': oneOf('', 'Standard'),
};

function oneOf(...values: readonly string[]): (value: unknown) => boolean {
  return (value) => values.some((each) => each === value);
}

/** All fields by kind. Sources: in each row, on the branches release-4.17 to release-4.22. */
export const observedFields: readonly ObservedField[] = [
  ...fieldsOf('APIServer.config.openshift.io', 'rendered', {
    'spec.additionalCORSAllowedOrigins': 'kube-apiserver apiserver/observe_cors.go',
    'spec.encryption.type': 'library-go pkg/operator/encryption',
    'spec.audit.profile': 'library-go pkg/operator/apiserver/controller/auditpolicy',
    'spec.audit.customRules': 'library-go pkg/operator/apiserver/controller/auditpolicy',
    'spec.tlsSecurityProfile': 'library-go pkg/operator/configobserver/apiserver',
  }),
  ...fieldsOf('Authentication.config.openshift.io', 'rendered', {
    'spec.serviceAccountIssuer': 'kube-apiserver auth/auth_serviceaccountissuer.go',
    'spec.type': 'kube-apiserver auth/external_oidc.go',
  }),
  ...fieldsOf('Image.config.openshift.io', 'rendered', {
    'spec.allowedRegistriesForImport': 'kube-apiserver images/observe_images.go',
    'spec.externalRegistryHostnames': 'kube-apiserver images/observe_images.go',
  }),
  ...fieldsOf('Image.config.openshift.io', 'others', {
    'spec.additionalTrustedCA': 'image registry operator, machine config operator',
    'spec.imageStreamImportMode': 'openshift-apiserver',
    'spec.registrySources': 'machine config operator',
  }),
  ...fieldsOf('Infrastructure.config.openshift.io', 'rendered', {
    spec: 'kube-apiserver cloudprovider',
    status: 'kube-controller-manager clustername; kube-apiserver apiserver, auth',
  }),
  ...fieldsOf('FeatureGate.config.openshift.io', 'rendered', {
    spec: 'library-go configobserver/featuregates',
  }),
  ...fieldsOf('Network.config.openshift.io', 'rendered', {
    'spec.clusterNetwork': 'kube-apiserver and kube-controller-manager network',
    'spec.externalIP': 'kube-apiserver network/observe_network.go',
    'spec.serviceNetwork': 'kube-apiserver and kube-controller-manager network',
    'spec.serviceNodePortRange': 'kube-apiserver network/observe_network.go',
  }),
  ...fieldsOf('Network.config.openshift.io', 'others', {
    'spec.networkDiagnostics': 'network operator',
    'spec.networkType': 'network operator',
  }),
  ...fieldsOf('Node.config.openshift.io', 'rendered', {
    'spec.workerLatencyProfile': 'library-go configobserver/node',
  }),
  ...fieldsOf('Node.config.openshift.io', 'others', { 'spec.cgroupMode': 'machine config operator' }),
  ...fieldsOf('Proxy.config.openshift.io', 'rendered', { status: 'library-go configobserver/proxy' }),
  ...fieldsOf('Proxy.config.openshift.io', 'others', {
    spec: 'network operator, which makes the status of it',
  }),
  ...fieldsOf('Scheduler.config.openshift.io', 'rendered', {
    'spec.defaultNodeSelector': 'kube-apiserver scheduler/observe_scheduler.go',
    'spec.policy.name': 'kube-scheduler scheduler',
    'spec.profile': 'kube-scheduler scheduler',
  }),
  ...fieldsOf('Scheduler.config.openshift.io', 'others', {
    'spec.mastersSchedulable': 'machine config operator',
  }),
  ...['KubeAPIServer', 'KubeControllerManager', 'KubeScheduler', 'Etcd'].flatMap((kind) => [
    ...fieldsOf(`${kind}.operator.openshift.io`, 'rendered', {
      'spec.logLevel': 'targetconfigcontroller',
      'spec.managementState': 'library-go pkg/operator/management',
    }),
    ...fieldsOf(`${kind}.operator.openshift.io`, 'others', {
      'spec.failedRevisionLimit': 'library-go pkg/operator/staticpod/controller/prune',
      'spec.forceRedeploymentReason': 'library-go pkg/operator/staticpod/controller/revision',
      'spec.operatorLogLevel': 'the operator itself',
      'spec.succeededRevisionLimit': 'library-go pkg/operator/staticpod/controller/prune',
    }),
  ]),
  ...fieldsOf('KubeControllerManager.operator.openshift.io', 'rendered', {
    'spec.useMoreSecureServiceCA': 'kube-controller-manager targetconfigcontroller',
  }),
  ...fieldsOf('Etcd.operator.openshift.io', 'rendered', {
    'spec.backendQuotaGiB': 'etcd pkg/etcdenvvar',
    'spec.controlPlaneHardwareSpeed': 'etcd pkg/hwspeedhelpers',
  }),
];

function fieldsOf(
  kind: string,
  by: ObservedField['by'],
  sources: Readonly<Record<string, string>>,
): readonly ObservedField[] {
  return Object.entries(sources).map(([path, source]) => {
    const knows = known[`${kind}.${path}`] ?? known[path];
    return { kind, path: path.split('.'), by, source, ...(knows && { knows }) };
  });
}
