import type { YamlNode } from '../../formats/yaml/yaml-tree.js';
import { groupOf } from '../../kube/identity.js';
import type { KubeObject } from '../../kube/object.js';
import { placesAt, placesBelow } from './field-places.js';
import { objectRuleFaults } from './object-rules.js';
import { podFaults } from './pod-rules.js';
import { formFaults, repetitions } from './rule-faults.js';
import { selectorSyntaxFaults } from './selector-syntax.js';
import * as forms from './value-forms.js';
import type { ValueForm } from './value-forms.js';
import type { FieldFault } from './visit.js';

/** Values that the API server refuses although the schema allows them. Source: kubernetes/kubernetes pkg/apis, the validation of each group */
export function valueRuleFaults(object: KubeObject, root: YamlNode): readonly FieldFault[] {
  const name = `${groupOf(object.apiVersion)}/${object.kind}`;
  return [
    ...rowsOf(rows, name).flatMap(([at, form]) =>
      placesAt(root, at).flatMap((place) => formFaults(place, form)),
    ),
    ...rowsOf(uniqueFields, name).flatMap(([list, fields]) =>
      placesAt(root, list).flatMap((place) => repetitions(placesBelow(place, '[]'), fields)),
    ),
    ...objectRuleFaults(name, root),
    ...podFaults(name, root),
    ...selectorSyntaxFaults(name, root),
  ];
}

function rowsOf<T>(table: Readonly<Record<string, readonly T[]>>, name: string): readonly T[] {
  return Object.hasOwn(table, name) ? (table[name] ?? []) : [];
}

type Row = readonly [at: string, form: ValueForm];

const notNegative = forms.between(0, Infinity);
const positive = forms.between(1, Infinity);

const replicas = (spec: string): readonly Row[] =>
  ['replicas', 'minReadySeconds', 'revisionHistoryLimit'].map((field) => [`${spec}.${field}`, notNegative]);

const job = (spec: string): readonly Row[] =>
  ['parallelism', 'completions', 'backoffLimit', 'activeDeadlineSeconds', 'ttlSecondsAfterFinished'].map(
    (field) => [`${spec}.${field}`, notNegative],
  );

const rbacGroup = forms.oneOf('rbac.authorization.k8s.io');

const binding = (...kinds: readonly string[]): readonly Row[] => [
  ['roleRef.apiGroup', rbacGroup],
  ['roleRef.kind', forms.oneOf(...kinds)],
  ['roleRef.name', forms.notEmpty],
  ['subjects[].kind', forms.oneOf('ServiceAccount', 'User', 'Group')],
  ['subjects[].name', forms.notEmpty],
];

const webhook: readonly Row[] = [
  ['webhooks[].clientConfig.url', forms.httpsUrl],
  ['webhooks[].clientConfig.service.port', forms.port],
  ['webhooks[].sideEffects', forms.oneOf('None', 'NoneOnDryRun')],
  ['webhooks[].timeoutSeconds', forms.between(1, 30)],
  ['webhooks[].failurePolicy', forms.oneOf('Fail', 'Ignore')],
  ['webhooks[].matchPolicy', forms.oneOf('Equivalent', 'Exact')],
];

const policyRule = (direction: string, peer: string): readonly Row[] => [
  [`spec.${direction}[].ports[].port`, forms.portOrName],
  [`spec.${direction}[].ports[].endPort`, forms.port],
  [`spec.${direction}[].${peer}[].ipBlock.cidr`, forms.cidr],
  [`spec.${direction}[].${peer}[].ipBlock.except[]`, forms.cidr],
];

const rollingUpdate = (strategy: string): readonly Row[] => [
  [`spec.${strategy}.rollingUpdate.maxUnavailable`, forms.unavailable],
  [`spec.${strategy}.rollingUpdate.maxSurge`, forms.countOrPercent],
];

/** By `GROUP/KIND`. */
const rows: Readonly<Record<string, readonly Row[]>> = {
  '/Service': [
    ['spec.ports[].port', forms.port],
    ['spec.ports[].targetPort', forms.targetPort],
    ['spec.ports[].nodePort', forms.between(0, 65_535)],
    ['spec.ports[].name', forms.dnsLabel],
    [
      'spec.clusterIP',
      { ...forms.address, isValid: (value) => value === 'None' || forms.address.isValid(value) },
    ],
    ['spec.externalIPs[]', forms.address],
    ['spec.loadBalancerSourceRanges[]', forms.cidr],
    ['spec.externalName', forms.subdomain],
    ['spec.selector{}', forms.labelValue],
  ],
  '/Endpoints': [
    ['subsets[].addresses[].ip', forms.address],
    ['subsets[].ports[].port', forms.port],
  ],
  '/PersistentVolume': [
    ['spec.nfs.path', forms.absolutePath],
    ['spec.hostPath.path', forms.pathWithoutParents],
    ['spec.storageClassName', forms.subdomain],
  ],
  '/PersistentVolumeClaim': [['spec.storageClassName', forms.subdomain]],
  '/ReplicationController': replicas('spec'),
  'apps/Deployment': [
    ...replicas('spec'),
    ...rollingUpdate('strategy'),
    ['spec.progressDeadlineSeconds', notNegative],
  ],
  'apps/ReplicaSet': replicas('spec'),
  'apps/StatefulSet': [...replicas('spec'), ['spec.serviceName', forms.dnsLabel]],
  'apps/DaemonSet': [...replicas('spec'), ...rollingUpdate('updateStrategy')],
  'batch/Job': job('spec'),
  'batch/CronJob': [
    ...job('spec.jobTemplate.spec'),
    ['spec.schedule', forms.schedule],
    ['spec.startingDeadlineSeconds', notNegative],
    ['spec.successfulJobsHistoryLimit', notNegative],
    ['spec.failedJobsHistoryLimit', notNegative],
  ],
  'autoscaling/HorizontalPodAutoscaler': [
    ['spec.minReplicas', positive],
    ['spec.maxReplicas', positive],
    ['spec.scaleTargetRef.apiVersion', forms.groupVersion],
    ['spec.scaleTargetRef.kind', forms.notEmpty],
    ['spec.scaleTargetRef.name', forms.notEmpty],
  ],
  'policy/PodDisruptionBudget': [
    ['spec.minAvailable', forms.unavailable],
    ['spec.maxUnavailable', forms.unavailable],
  ],
  'rbac.authorization.k8s.io/RoleBinding': binding('Role', 'ClusterRole'),
  'rbac.authorization.k8s.io/ClusterRoleBinding': binding('ClusterRole'),
  'networking.k8s.io/NetworkPolicy': [...policyRule('ingress', 'from'), ...policyRule('egress', 'to')],
  'networking.k8s.io/Ingress': [
    ['spec.rules[].host', forms.host],
    ['spec.tls[].hosts[]', forms.host],
    ['spec.rules[].http.paths[].path', forms.absolutePath],
    ['spec.rules[].http.paths[].backend.service.port.number', forms.port],
    ['spec.defaultBackend.service.port.number', forms.port],
  ],
  'route.openshift.io/Route': [
    ['spec.host', forms.subdomain],
    ['spec.path', forms.absolutePath],
    ['spec.to.kind', forms.oneOf('Service', '')],
    ['spec.to.name', forms.notEmpty],
    ['spec.to.weight', forms.between(0, 256)],
    ['spec.alternateBackends[].weight', forms.between(0, 256)],
    ['spec.port.targetPort', forms.portOrName],
    ['spec.tls.termination', forms.oneOf('edge', 'passthrough', 'reencrypt')],
    ['spec.tls.insecureEdgeTerminationPolicy', forms.oneOf('None', 'Allow', 'Redirect', '')],
    ['spec.wildcardPolicy', forms.oneOf('None', 'Subdomain', '')],
  ],
  'networking.k8s.io/IngressClass': [['spec.controller', forms.controller]],
  'storage.k8s.io/StorageClass': [['reclaimPolicy', forms.oneOf('Delete', 'Retain')]],
  'scheduling.k8s.io/PriorityClass': [
    // Source: pkg/apis/scheduling HighestUserDefinablePriority
    ['value', { ...forms.between(-Infinity, 1_000_000_000), expected: 'at most 1000000000' }],
  ],
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': webhook,
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': webhook,
};

type Unique = readonly [list: string, fields: readonly string[]];

/** Lists in which two items must not have the same values of some fields. */
const uniqueFields: Readonly<Record<string, readonly Unique[]>> = {
  '/Service': [
    ['spec.ports', ['name']],
    ['spec.ports', ['port', 'protocol']],
  ],
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': [['webhooks', ['name']]],
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': [['webhooks', ['name']]],
  'apps/StatefulSet': [['spec.volumeClaimTemplates', ['metadata.name']]],
};
