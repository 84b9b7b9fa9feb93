import { componentNames, systemNamespace } from '../../kube/components.js';
import { configMap } from '../../kube/core-objects.js';
import type { KubeObject } from '../../kube/object.js';
import { installerAccount, monitoredNamespace, operatorNamespace } from '../loops/static-resources.js';
import { fileKubeconfig } from '../shared/file-kubeconfig.js';
import { renewablePair, revisionedConfigMap } from '../shared/mounted-paths.js';
import { denyAll, networkPolicy, ofApps } from '../shared/network-policy.js';
import { clusterRole, clusterRoleBinding, groupSubject, roleBinding, userSubject } from '../shared/rbac.js';
import { recoveryClient, syncerKubeconfig } from '../shared/recovery-client.js';

const { namespace } = componentNames['kube-apiserver'];

const serverAuthorities = revisionedConfigMap('kube-apiserver-server-ca');

/** kube-apiserver's user at kubelets: the common name of `kubelet-client`. */
const kubeletClientUser = userSubject('system:kube-apiserver');

/**
 * Binds kube-apiserver's kubelet user to a role. Logs and exec go through kube-apiserver to the kubelet as this user, and
 * Kubernetes has no default binding for it. Source: kubernetes.io/docs/reference/access-authn-authz/kubelet-authn-authz
 */
export const kubernetesObjects: readonly KubeObject[] = [
  clusterRoleBinding('kube-apiserver-kubelet-api', 'system:kubelet-api-admin', kubeletClientUser),
];

/**
 * Objects that must exist before kube-apiserver's operator, or that its first revision reads. The operator creates alerts,
 * storage migrations and the CRD of APIRequestCount: their kinds are not registered yet, and no pod reads them. The token of
 * localhost-recovery-client is omitted because only a running cluster can issue it.
 * Source: cluster-kube-apiserver-operator bindata/assets/kube-apiserver, bindata/bootkube/manifests
 */
export const openShiftObjects: readonly KubeObject[] = [
  monitoredNamespace(namespace),
  operatorNamespace(componentNames['kube-apiserver'].operatorNamespace),
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace, name: 'apiserver' },
    spec: {
      type: 'ClusterIP',
      selector: { apiserver: 'true' },
      ports: [
        { name: 'https', port: 443, targetPort: 6443, protocol: 'TCP' },
        { name: 'insecure-readyz', port: 6080, targetPort: 6080, protocol: 'TCP' },
        { name: 'check-endpoints', port: 17697, targetPort: 17697, protocol: 'TCP' },
      ],
    },
  },
  syncerKubeconfig('kube-apiserver', {
    name: 'kube-apiserver-cert-syncer-kubeconfig',
    user: 'kube-apiserver-cert-syncer',
    caFile: serverAuthorities,
  }),
  loopbackKubeconfig('check-endpoints-kubeconfig', 'check-endpoints', 'check-endpoints-client-cert-key'),
  loopbackKubeconfig(
    'control-plane-node-kubeconfig',
    'control-plane-node',
    'control-plane-node-admin-client-cert-key',
  ),
  ...recoveryClient('kube-apiserver'),
  clusterRole('kube-apiserver', [{ apiGroups: [''], resources: ['nodes/proxy'], verbs: ['get', 'create'] }]),
  clusterRoleBinding('kube-apiserver', 'kube-apiserver', kubeletClientUser),
  roleBinding(
    { namespace: systemNamespace, name: 'authentication-reader-for-authenticated-users' },
    { kind: 'Role', name: 'extension-apiserver-authentication-reader' },
    groupSubject('system:authenticated'),
  ),
  ...checkEndpointsRights(),
  ...installerAccount('kube-apiserver'),
];

/** A kubeconfig for the pod's sidecars, over loopback. */
function loopbackKubeconfig(name: string, user: string, certificate: string): KubeObject {
  const kubeconfig = fileKubeconfig({
    user,
    server: 'https://localhost:6443',
    caFile: serverAuthorities,
    ...renewablePair(certificate),
  });
  return configMap({ namespace, name }, { kubeconfig });
}

/** RBAC for the container check-endpoints, which monitors connectivity to the API. */
function checkEndpointsRights(): readonly KubeObject[] {
  const prefix = 'system:openshift:controller';
  const checker = userSubject(`system:serviceaccount:${namespace}:check-endpoints`);
  const readers = ['get', 'list', 'watch'];
  const ofServer = `${prefix}:kube-apiserver-check-endpoints`;
  return [
    clusterRole(`${prefix}:check-endpoints`, [
      {
        apiGroups: ['controlplane.operator.openshift.io'],
        resources: ['podnetworkconnectivitychecks'],
        verbs: readers,
      },
      {
        apiGroups: ['controlplane.operator.openshift.io'],
        resources: ['podnetworkconnectivitychecks/status'],
        verbs: ['get', 'list', 'patch', 'update', 'watch'],
      },
      { apiGroups: [''], resources: ['pods', 'secrets'], verbs: readers },
      { apiGroups: [''], resources: ['events'], verbs: [...readers, 'create', 'update', 'patch'] },
    ]),
    clusterRole(`${prefix}:check-endpoints-node-reader`, [
      { apiGroups: [''], resources: ['nodes'], verbs: readers },
    ]),
    clusterRole(`${prefix}:check-endpoints-crd-reader`, [
      { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: readers },
    ]),
    clusterRoleBinding(`${ofServer}-auth-delegator`, 'system:auth-delegator', checker),
    clusterRoleBinding(`${ofServer}-node-reader`, `${prefix}:check-endpoints-node-reader`, checker),
    clusterRoleBinding(`${ofServer}-crd-reader`, `${prefix}:check-endpoints-crd-reader`, checker),
    roleBinding(
      { namespace: systemNamespace, name: ofServer },
      { kind: 'Role', name: 'extension-apiserver-authentication-reader' },
      checker,
    ),
    roleBinding(
      { namespace, name: `${prefix}:check-endpoints` },
      { kind: 'ClusterRole', name: `${prefix}:check-endpoints` },
      checker,
    ),
  ];
}

/** Source: cluster-kube-apiserver-operator bindata/assets/kube-apiserver, networkpolicy-operand-*.yaml */
export const apiserverPolicies: readonly KubeObject[] = [
  networkPolicy(namespace, 'allow-all-egress', {
    podSelector: ofApps('guard', 'installer', 'pruner'),
    egress: [{}],
    policyTypes: ['Egress'],
  }),
  networkPolicy(namespace, 'default-deny', denyAll),
];
