import { imageName } from './images.js';

/** Manifests of the stub release's operators: APIs without schemas, namespaces, and one operator that runs. */
export const operatorManifests = {
  configApis: manifests([
    ...[
      ['ClusterVersion', 'clusterversions', 'status'],
      ['ClusterOperator', 'clusteroperators', 'status'],
      ['DNS', 'dnses'],
      ['FeatureGate', 'featuregates'],
      ['ImageDigestMirrorSet', 'imagedigestmirrorsets'],
      ['ImageTagMirrorSet', 'imagetagmirrorsets'],
      ['Infrastructure', 'infrastructures'],
      ['Ingress', 'ingresses'],
      ['Network', 'networks'],
      ['Proxy', 'proxies'],
      ['Scheduler', 'schedulers'],
      ['Authentication', 'authentications'],
    ].map(([kind = '', plural = '', status]) =>
      api('config.openshift.io/v1', { kind, plural }, { hasStatus: status !== undefined }),
    ),
    api('security.openshift.io/v1', {
      kind: 'SecurityContextConstraints',
      plural: 'securitycontextconstraints',
    }),
    api(
      'apiserver.openshift.io/v1',
      { kind: 'APIRequestCount', plural: 'apirequestcounts' },
      { hasStatus: true },
    ),
  ]),
  /** Since 4.19 a separate tool renders these. */
  authenticationApis: manifests([bindingRestrictions()]),
  versionOperator: manifests([
    ...[
      'openshift-cluster-version',
      'openshift-config',
      'openshift-config-managed',
      'openshift-etcd-operator',
      'openshift-infra',
      'openshift-kube-scheduler-operator',
      'openshift-machine-api',
    ].map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
    // The leases that the bootstrap's operators still hold when they exit.
    lease('openshift-cluster-version', 'version'),
    lease('kube-system', 'cluster-policy-controller-lock'),
    kubeApiserverOperator(),
  ]),
  ingress: manifests([
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'openshift-ingress-operator' } },
  ]),
  kernelArguments: manifests([
    {
      apiVersion: 'machineconfiguration.openshift.io/v1',
      kind: 'MachineConfig',
      metadata: {
        name: '50-nto-master',
        labels: { 'machineconfiguration.openshift.io/role': 'master' },
      },
      spec: { kernelArguments: ['systemd.cpu_affinity=0'] },
    },
  ]),
  machineConfig: manifests([
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'openshift-machine-config-operator' } },
    api('machineconfiguration.openshift.io/v1', { kind: 'MachineConfig', plural: 'machineconfigs' }),
    api(
      'machineconfiguration.openshift.io/v1',
      { kind: 'MachineConfigPool', plural: 'machineconfigpools' },
      { hasStatus: true },
    ),
    // Clients that may request a kubelet's first certificate. Source: machine-config-operator, manifests of the server
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'system-bootstrap-node-bootstrapper' },
      roleRef: {
        apiGroup: 'rbac.authorization.k8s.io',
        kind: 'ClusterRole',
        name: 'system:node-bootstrapper',
      },
      subjects: [
        { kind: 'ServiceAccount', name: 'node-bootstrapper', namespace: 'openshift-machine-config-operator' },
      ],
    },
  ]),
  cloudCredential: manifests([
    api(
      'cloudcredential.openshift.io/v1',
      { kind: 'CredentialsRequest', plural: 'credentialsrequests' },
      { hasStatus: true, isNamespaced: true },
    ),
  ]),
  securityContextConstraints: Object.fromEntries(
    Object.entries(
      manifests([
        {
          apiVersion: 'security.openshift.io/v1',
          kind: 'SecurityContextConstraints',
          metadata: { name: 'privileged' },
        },
      ]),
    ).map(([path, text]) => [path.replace('00-', '0000_20_kube-apiserver-operator_00_scc-'), text]),
  ),
};

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly [field: string]: unknown };
  readonly [field: string]: unknown;
}

/** One file per manifest. The names define the order, as in a payload. */
function manifests(list: readonly Manifest[]): Readonly<Record<string, string>> {
  const entries = list.map((manifest, index) => {
    const number = String(index).padStart(2, '0');
    const name = `${number}-${manifest.kind}-${manifest.metadata.name}`.toLowerCase();
    return [`${name}.yaml`, `${JSON.stringify(manifest, null, 2)}\n`];
  });
  return Object.fromEntries(entries) as Readonly<Record<string, string>>;
}

function api(
  apiVersion: string,
  { kind, plural }: { readonly kind: string; readonly plural: string },
  { hasStatus = false, isNamespaced = false } = {},
): Manifest {
  const [group = '', version = ''] = apiVersion.split('/');
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: isNamespaced ? 'Namespaced' : 'Cluster',
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema,
          ...(hasStatus && { subresources: { status: {} } }),
        },
      ],
    },
  };
}

function bindingRestrictions(): Manifest {
  return api(
    'authorization.openshift.io/v1',
    { kind: 'RoleBindingRestriction', plural: 'rolebindingrestrictions' },
    { isNamespaced: true },
  );
}

function lease(namespace: string, name: string): Manifest {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name, namespace },
    spec: { holderIdentity: 'the-bootstrap', leaseDurationSeconds: 270 },
  };
}

/** The operator that must be Ready before the node continues: a web server, scheduled like any pod. */
function kubeApiserverOperator(): Manifest {
  const labels = { app: 'kube-apiserver-operator' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'kube-apiserver-operator', namespace: 'openshift-kube-apiserver-operator' },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          hostNetwork: true,
          tolerations: [{ operator: 'Exists' }],
          containers: [
            {
              name: 'operator',
              image: imageName('web'),
              imagePullPolicy: 'IfNotPresent',
              args: ['serve', '127.0.0.1:8443'],
              readinessProbe: { httpGet: { host: '127.0.0.1', port: 8443, path: '/' }, periodSeconds: 2 },
            },
          ],
        },
      },
    },
  };
}
