import { expect, it } from 'vitest';

import { schemaProblems } from '../../../src/manifests/schemas/check-schemas.js';
import { objectsOf } from '../../assets/manifests/given.js';

const cluster = {
  version: { major: 4, minor: 21, text: '4.21' },
  isOkd: false,
  featureSet: '',
  isMerged: false,
};

function found(apiVersion: string, kind: string, rest: string): readonly string[] {
  const text = `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a, namespace: b}\n${rest}\n`;
  return schemaProblems(objectsOf(text), cluster).map(({ message }) => message);
}

const ingress = (path: string) => `spec: {rules: [{http: {paths: [${path}]}}]}`;

it.each<[apiVersion: string, kind: string, rest: string, messages: readonly string[]]>([
  [
    'v1',
    'PersistentVolume',
    'spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce]}',
    ['spec is incomplete'],
  ],
  ['v1', 'Endpoints', 'subsets: [{ports: [{port: 80}]}]', ['subsets[0] is incomplete']],
  ['rbac.authorization.k8s.io/v1', 'ClusterRole', 'rules: [{verbs: [get], nonResourceURLs: [/healthz]}]', []],
  [
    'rbac.authorization.k8s.io/v1',
    'ClusterRole',
    'rules: [{verbs: [get], resources: [pods]}]',
    ['rules[0] is incomplete'],
  ],
  [
    'networking.k8s.io/v1',
    'NetworkPolicy',
    'spec: {podSelector: {}, ingress: [{from: [{podSelector: {}}, {}]}]}',
    ['spec.ingress[0].from[1] is incomplete'],
  ],
  [
    'networking.k8s.io/v1',
    'Ingress',
    ingress('{pathType: Prefix, backend: {service: {name: a}}}'),
    [
      'spec.rules[0].http.paths[0].backend.service.port is missing',
      'spec.rules[0].http.paths[0].path is missing, and pathType Prefix needs it',
    ],
  ],
  [
    'networking.k8s.io/v1',
    'Ingress',
    ingress('{pathType: ImplementationSpecific, backend: {service: {name: a, port: {number: 80}}}}'),
    [],
  ],
  ['networking.k8s.io/v1', 'Ingress', 'spec: {ingressClassName: a}', ['spec is incomplete']],
  [
    'discovery.k8s.io/v1',
    'EndpointSlice',
    'addressType: IPv4\nendpoints: [{addresses: []}]',
    ['endpoints[0].addresses is empty'],
  ],
  [
    'admissionregistration.k8s.io/v1',
    'ValidatingWebhookConfiguration',
    'webhooks: [{name: a.b.c, clientConfig: {}, sideEffects: None, admissionReviewVersions: [v1]}]',
    ['webhooks[0].clientConfig is incomplete'],
  ],
  ['snapshot.storage.k8s.io/v1', 'VolumeSnapshot', 'spec: {source: {}}', ['spec.source is incomplete']],
  [
    'olm.operatorframework.io/v1',
    'ClusterCatalog',
    'spec: {source: {type: Image}}',
    ['spec.source.image is missing, and type Image needs it'],
  ],
  [
    'observability.openshift.io/v1',
    'ClusterLogForwarder',
    'spec: {serviceAccount: {name: collector}, outputs: [{name: kafka, type: kafka}], pipelines: [{name: all, inputRefs: [audit], outputRefs: [kafka]}]}',
    ['spec.outputs[0].kafka is missing, and type kafka needs it'],
  ],
  [
    'operator.openshift.io/v1',
    'MachineConfiguration',
    'spec: {nodeDisruptionPolicy: {units: [{name: a.service, actions: [{type: Restart}]}]}}',
    ['spec.nodeDisruptionPolicy.units[0].actions[0].restart is missing, and type Restart needs it'],
  ],
  [
    'lca.openshift.io/v1',
    'SeedGenerator',
    'spec: {seedImage: registry.example.com/a:1}',
    ['metadata.name must be seedimage'],
  ],
  [
    'metal3.io/v1alpha1',
    'BareMetalHost',
    'spec: {online: yes please, bootMACAddress: a}',
    [
      'spec.online must be true or false, not a string',
      'spec.bootMACAddress does not match the pattern that the API has for it',
    ],
  ],
  ['velero.io/v1', 'Backup', 'spec: {includeNamespaces: [a]}', ['unknown field "includeNamespaces" in spec']],
  [
    'gateway.networking.k8s.io/v1',
    'Gateway',
    'spec: {gatewayClassName: a, listeners: []}',
    ['spec.listeners has 0 items, expected at least 1'],
  ],
  [
    'config.openshift.io/v1',
    'APIServer',
    'spec: {tlsSecurityProfile: {type: Custom}}',
    ['spec.tlsSecurityProfile.custom is missing, and type Custom needs it'],
  ],
  ['config.openshift.io/v1', 'APIServer', 'spec: {tlsSecurityProfile: {type: Intermediate}}', []],
  [
    'config.openshift.io/v1',
    'OAuth',
    'spec: {identityProviders: [{name: a, mappingMethod: claim, type: HTPasswd}, {name: b, mappingMethod: claim, type: ldap}]}',
    [
      'spec.identityProviders[0].htpasswd is missing, and type HTPasswd needs it',
      'spec.identityProviders[1].type must be BasicAuth, GitHub, GitLab, Google, HTPasswd, Keystone, LDAP, OpenID or RequestHeader, not "ldap"',
    ],
  ],
  [
    'operators.coreos.com/v1alpha1',
    'Subscription',
    'spec: {channel: stable, name: a, source: b, sourceNamespace: c, installPlanApproval: manual}',
    ['spec.installPlanApproval must be Automatic or Manual, not "manual"'],
  ],
  [
    'operators.coreos.com/v1alpha1',
    'CatalogSource',
    'spec: {sourceType: GRPC, image: registry.example.com/a:1}',
    ['spec.sourceType must be grpc, configmap or internal, not "GRPC"'],
  ],
])('%s %s: %s', (apiVersion, kind, rest, messages) => {
  expect(found(apiVersion, kind, rest)).toEqual(messages);
});

it('checks the choice of a type in an object that is merged into one of the installation', () => {
  const text =
    'apiVersion: config.openshift.io/v1\nkind: APIServer\nmetadata: {name: cluster}\nspec: {tlsSecurityProfile: {type: Custom}}\n';
  expect(
    schemaProblems(objectsOf(text), { ...cluster, isMerged: true }).map(({ message }) => message),
  ).toEqual(['spec.tlsSecurityProfile.custom is missing, and type Custom needs it']);
});
