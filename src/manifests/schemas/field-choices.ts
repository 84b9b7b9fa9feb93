import { type FieldPath, pathText, type YamlNode } from '../../formats/yaml/yaml-tree.js';
import { groupOf } from '../../kube/identity.js';
import type { KubeObject } from '../../kube/object.js';
import { child, isGiven, placesAt, textOf, type FieldPlace } from './field-places.js';
import { formFaults } from './rule-faults.js';
import { oneOf, type ValueForm } from './value-forms.js';
import type { FieldFault } from './visit.js';

/** Fields of which the API server requires one. `at` is a path such as `spec.rules[]`; empty for the object. */
interface Choice {
  readonly at: string;
  readonly oneOf: readonly string[];
}

/** A field that the value of another field requires. */
interface Union {
  readonly at: string;
  readonly by: string;
  /** By value. */
  readonly fields: Readonly<Record<string, string>>;
  /** Checked also in an object that is merged into one of the installation, which has no value there. */
  readonly isNew?: true;
}

const peers = ['podSelector', 'namespaceSelector', 'ipBlock'];
const backends = ['service', 'resource'];

/** Source: k8s.io/api core/v1, PersistentVolumeSource */
export const volumeSources: readonly string[] = [
  ...['awsElasticBlockStore', 'azureDisk', 'azureFile', 'cephfs', 'cinder', 'csi', 'fc', 'flexVolume'],
  ...[
    'flocker',
    'gcePersistentDisk',
    'glusterfs',
    'hostPath',
    'iscsi',
    'local',
    'nfs',
    'photonPersistentDisk',
  ],
  ...['portworxVolume', 'quobyte', 'rbd', 'scaleIO', 'storageos', 'vsphereVolume'],
];

/** By `GROUP/KIND`. Sources: kubernetes/kubernetes pkg/apis, the validation of each group; CEL rules of kubernetes-csi/external-snapshotter */
const choices: Readonly<Record<string, readonly Choice[]>> = {
  '/Endpoints': [{ at: 'subsets[]', oneOf: ['addresses', 'notReadyAddresses'] }],
  '/PersistentVolume': [{ at: 'spec', oneOf: volumeSources }],
  'rbac.authorization.k8s.io/ClusterRole': [
    { at: 'rules[]', oneOf: ['apiGroups', 'nonResourceURLs'] },
    { at: 'rules[]', oneOf: ['resources', 'nonResourceURLs'] },
  ],
  'networking.k8s.io/NetworkPolicy': [
    { at: 'spec.ingress[].from[]', oneOf: peers },
    { at: 'spec.egress[].to[]', oneOf: peers },
  ],
  'networking.k8s.io/Ingress': [
    { at: 'spec', oneOf: ['rules', 'defaultBackend'] },
    { at: 'spec.defaultBackend', oneOf: backends },
    { at: 'spec.rules[].http.paths[].backend', oneOf: backends },
  ],
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': [
    { at: 'webhooks[].clientConfig', oneOf: ['url', 'service'] },
  ],
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': [
    { at: 'webhooks[].clientConfig', oneOf: ['url', 'service'] },
  ],
  'snapshot.storage.k8s.io/VolumeSnapshot': [
    { at: 'spec.source', oneOf: ['persistentVolumeClaimName', 'volumeSnapshotContentName'] },
  ],
};

/** Source: openshift/cluster-ingress-operator pkg/operator/controller/ingress, validateTLSSecurityProfile */
const customProfile: Union = {
  at: 'spec.tlsSecurityProfile',
  by: 'type',
  fields: { Custom: 'custom' },
  isNew: true,
};

/** Source: openshift/api config/v1 IdentityProviderType; cluster-authentication-operator convert_idp.go */
const identityProviders: Readonly<Record<string, string>> = {
  ...{ BasicAuth: 'basicAuth', GitHub: 'github', GitLab: 'gitlab', Google: 'google', HTPasswd: 'htpasswd' },
  ...{ Keystone: 'keystone', LDAP: 'ldap', OpenID: 'openID', RequestHeader: 'requestHeader' },
};

/** Values that operators know, where the definition allows any text. */
const knownValues: Readonly<Record<string, readonly (readonly [at: string, form: ValueForm])[]>> = {
  'config.openshift.io/OAuth': [['spec.identityProviders[].type', oneOf(...Object.keys(identityProviders))]],
  // Source: openshift/api operator/v1 IPForwardingMode
  'operator.openshift.io/Network': [
    ['spec.defaultNetwork.ovnKubernetesConfig.gatewayConfig.ipForwarding', oneOf('Restricted', 'Global', '')],
  ],
  // Source: operator-framework/api pkg/operators/v1alpha1. OLM reads any other text as Automatic.
  'operators.coreos.com/Subscription': [['spec.installPlanApproval', oneOf('Automatic', 'Manual')]],
  'operators.coreos.com/CatalogSource': [['spec.sourceType', oneOf('grpc', 'configmap', 'internal')]],
};

/**
 * By `GROUP/KIND`. Sources: kubernetes/kubernetes pkg/apis; CEL rules in openshift/api config/v1 and operator/v1, operator-controller
 * api/v1, cluster-logging-operator api/observability/v1
 */
const unions: Readonly<Record<string, readonly Union[]>> = {
  'autoscaling/HorizontalPodAutoscaler': [
    {
      at: 'spec.metrics[]',
      by: 'type',
      fields: {
        Resource: 'resource',
        ContainerResource: 'containerResource',
        Pods: 'pods',
        Object: 'object',
        External: 'external',
      },
    },
  ],
  'networking.k8s.io/Ingress': [
    { at: 'spec.rules[].http.paths[]', by: 'pathType', fields: { Exact: 'path', Prefix: 'path' } },
  ],
  'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration': [
    { at: 'spec', by: 'type', fields: { Limited: 'limited' } },
  ],
  'config.openshift.io/APIServer': [customProfile],
  'operator.openshift.io/IngressController': [customProfile],
  'config.openshift.io/OAuth': [
    { at: 'spec.identityProviders[]', by: 'type', fields: identityProviders, isNew: true },
  ],
  'config.openshift.io/ClusterImagePolicy': [rootOfTrust()],
  'config.openshift.io/ImagePolicy': [rootOfTrust()],
  'operator.openshift.io/MachineConfiguration': [
    ...['files[].actions[]', 'units[].actions[]', 'sshkey.actions[]'].map((field) => ({
      at: `spec.nodeDisruptionPolicy.${field}`,
      by: 'type',
      fields: { Reload: 'reload', Restart: 'restart' },
    })),
    {
      at: 'spec.managedBootImages.machineManagers[].selection',
      by: 'mode',
      fields: { Partial: 'partial' },
    },
  ],
  'olm.operatorframework.io/ClusterCatalog': [{ at: 'spec.source', by: 'type', fields: { Image: 'image' } }],
  'olm.operatorframework.io/ClusterExtension': [
    { at: 'spec.source', by: 'sourceType', fields: { Catalog: 'catalog' } },
  ],
  'observability.openshift.io/ClusterLogForwarder': [
    {
      at: 'spec.outputs[]',
      by: 'type',
      fields: Object.fromEntries(
        [
          ...['azureMonitor', 'cloudwatch', 'elasticsearch', 'googleCloudLogging', 'http', 'kafka'],
          ...['loki', 'lokiStack', 'otlp', 'splunk', 'syslog'],
        ].map((type) => [type, type]),
      ),
    },
  ],
};

function rootOfTrust(): Union {
  return {
    at: 'spec.policy.rootOfTrust',
    by: 'policyType',
    fields: { PublicKey: 'publicKey', FulcioCAWithRekor: 'fulcioCAWithRekor', PKI: 'pki' },
  };
}

/** Names that CEL rules of openshift-kni/lifecycle-agent api/imagebasedupgrade and api/seedgenerator require. */
const fixedNames: Readonly<Record<string, string>> = {
  'lca.openshift.io/ImageBasedUpgrade': 'upgrade',
  'lca.openshift.io/SeedGenerator': 'seedimage',
};

/** Places where one of several fields is required and none is given, and values that operators do not know. */
export function choiceFaults(object: KubeObject, root: YamlNode, isMerged: boolean): readonly FieldFault[] {
  const name = `${groupOf(object.apiVersion)}/${object.kind}`;
  const given = rowsOf(unions, name).filter(({ isNew }) => !isMerged || isNew);
  return [
    ...(isMerged ? [] : [...noneFaults(root, name), ...nameFaults(object, name)]),
    ...given.flatMap((union) => placesAt(root, union.at).flatMap((place) => unionFaults(place, union))),
    ...rowsOf(knownValues, name).flatMap(([at, form]) =>
      placesAt(root, at).flatMap((place) => formFaults(place, form)),
    ),
  ];
}

function noneFaults(root: YamlNode, name: string): readonly FieldFault[] {
  return rowsOf(choices, name).flatMap(({ at, oneOf: fields }) =>
    placesAt(root, at)
      .filter(({ node }) => !fields.some((field) => isGiven(child(node, field))))
      .map(({ path }) => noneFault(path, fields)),
  );
}

function rowsOf<T>(table: Readonly<Record<string, readonly T[]>>, name: string): readonly T[] {
  return Object.hasOwn(table, name) ? (table[name] ?? []) : [];
}

function noneFault(path: FieldPath, oneOf: readonly string[]): FieldFault {
  const names = oneOf.length > 4 ? [...oneOf.slice(0, 4), 'others'] : oneOf;
  const hint = `set one of ${names.join(', ')}`;
  return { path, target: 'value', message: `${pathText(path)} is incomplete`, hint, kind: 'missing-field' };
}

function unionFaults({ node, path }: FieldPlace, { by, fields }: Union): readonly FieldFault[] {
  const value = textOf(child(node, by)) ?? '';
  const field = Object.hasOwn(fields, value) ? fields[value] : undefined;
  if (field === undefined || isGiven(child(node, field))) return [];
  const message = `${pathText([...path, field])} is missing, and ${by} ${value} needs it`;
  return [{ path: [...path, field], target: 'value', message, kind: 'missing-field' }];
}

function nameFaults({ metadata }: KubeObject, kind: string): readonly FieldFault[] {
  const wanted = Object.hasOwn(fixedNames, kind) ? fixedNames[kind] : undefined;
  if (wanted === undefined || metadata.name === wanted) return [];
  const path = ['metadata', 'name'];
  const message = `metadata.name must be ${wanted}`;
  return [{ path, target: 'value', message, kind: 'unsupported-value' }];
}
