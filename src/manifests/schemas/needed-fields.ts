import { type FieldPath, pathText, type YamlNode } from '../../formats/yaml/yaml-tree.js';
import { groupOf } from '../../kube/identity.js';
import type { KubeObject } from '../../kube/object.js';
import { child, isNull, textOf } from './field-places.js';
import type { FieldFault } from './visit.js';

/** Fields of a Pod that must be present and not empty; `[]` is each item. */
const podFields = ['containers', 'containers[].image', 'volumes[].name'];

/** The same below `spec.template` of a workload. */
const workloadFields = ['spec', 'spec.template', ...below('spec.template')];

/** By `GROUP/KIND`. Source: kubernetes/kubernetes pkg/apis, the validation of each group */
const neededFields: Readonly<Record<string, readonly string[]>> = {
  '/Pod': ['spec', ...podFields.map((field) => `spec.${field}`)],
  '/PodTemplate': ['template', ...below('template')],
  '/ReplicationController': ['spec', 'spec.template', ...below('spec.template')],
  '/Endpoints': ['subsets[]'],
  '/PersistentVolume': ['spec', 'spec.capacity', 'spec.capacity.storage', 'spec.accessModes'],
  '/PersistentVolumeClaim': [
    ...['spec', 'spec.accessModes', 'spec.resources', 'spec.resources.requests'],
    'spec.resources.requests.storage',
  ],
  'apps/Deployment': workloadFields,
  'apps/DaemonSet': workloadFields,
  'apps/StatefulSet': workloadFields,
  'apps/ReplicaSet': workloadFields,
  'apps/ControllerRevision': ['data'],
  'batch/Job': workloadFields.concat('spec.template.spec.restartPolicy'),
  'batch/CronJob': [
    ...['spec', 'spec.jobTemplate', 'spec.jobTemplate.spec', 'spec.jobTemplate.spec.template'],
    ...below('spec.jobTemplate.spec.template'),
    'spec.jobTemplate.spec.template.spec.restartPolicy',
  ],
  'autoscaling/HorizontalPodAutoscaler': ['spec', 'spec.scaleTargetRef'],
  'rbac.authorization.k8s.io/Role': ['rules[].verbs', 'rules[].apiGroups', 'rules[].resources'],
  'rbac.authorization.k8s.io/ClusterRole': ['rules[].verbs'],
  'networking.k8s.io/Ingress': [
    ...['spec', 'spec.rules[].http.paths', 'spec.defaultBackend.service.port'],
    'spec.rules[].http.paths[].backend.service.port',
  ],
  'networking.k8s.io/IngressClass': ['spec', 'spec.controller'],
  'discovery.k8s.io/EndpointSlice': ['endpoints[].addresses'],
  'apiextensions.k8s.io/CustomResourceDefinition': [
    ...['spec', 'spec.versions', 'spec.versions[].schema', 'spec.versions[].schema.openAPIV3Schema'],
  ],
  'apiregistration.k8s.io/APIService': [
    ...['spec', 'spec.group', 'spec.version', 'spec.service.name', 'spec.service.namespace'],
  ],
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': webhookFields(),
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': webhookFields(),
  'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration': ['spec'],
};

function below(template: string): readonly string[] {
  return ['spec', ...podFields.map((field) => `spec.${field}`)].map((field) => `${template}.${field}`);
}

function webhookFields(): readonly string[] {
  const rules = ['apiGroups', 'apiVersions', 'operations', 'resources'];
  return ['webhooks[].admissionReviewVersions', ...rules.map((field) => `webhooks[].rules[].${field}`)];
}

/** Missing fields that the API server requires and the schema does not. */
export function neededFieldFaults(object: KubeObject, root: YamlNode): readonly FieldFault[] {
  const name = `${groupOf(object.apiVersion)}/${object.kind}`;
  const fields = Object.hasOwn(neededFields, name) ? (neededFields[name] ?? []) : [];
  return [
    ...fields.flatMap((field) => emptyPlaces(root, field.split(/\.|(?=\[\])/), [])),
    ...subjectFaults(object, root),
    ...portFaults(name, root),
    ...selectorFaults(name, root),
  ].filter(({ path }, index, all) => !all.slice(0, index).some((earlier) => isBelow(path, earlier.path)));
}

/** A missing field below a missing one is not worth a message. */
function isBelow(path: FieldPath, above: FieldPath): boolean {
  return above.length < path.length && above.every((step, index) => path[index] === step);
}

function emptyPlaces(
  node: YamlNode | undefined,
  steps: readonly string[],
  path: FieldPath,
): readonly FieldFault[] {
  const [step, ...rest] = steps;
  if (step === undefined) return isEmpty(node) ? [missing(path, node)] : [];
  if (step === '[]')
    return node?.kind === 'list'
      ? node.items.flatMap((item, index) => emptyPlaces(item, rest, [...path, index]))
      : [];
  if (node !== undefined && node.kind !== 'map') return [];
  const value = node?.entries.find(({ key }) => key === step)?.value;
  // The parent has its own row.
  return rest.length > 0 && (value === undefined || isEmpty(value))
    ? []
    : emptyPlaces(value, rest, [...path, step]);
}

function isEmpty(node: YamlNode | undefined): boolean {
  if (node === undefined) return true;
  if (node.kind === 'scalar') return node.value === null || node.value === '';
  return (node.kind === 'list' ? node.items : node.entries).length === 0;
}

function missing(path: FieldPath, node?: YamlNode): FieldFault {
  const message = `${pathText(path)} is ${node === undefined ? 'missing' : 'empty'}`;
  return { path, target: 'value', message, kind: 'missing-field' };
}

/** A ServiceAccount has no default namespace in a ClusterRoleBinding. */
function subjectFaults({ kind }: KubeObject, root: YamlNode): readonly FieldFault[] {
  if (kind !== 'ClusterRoleBinding') return [];
  const subjects = child(root, 'subjects');
  if (subjects?.kind !== 'list') return [];
  return subjects.items.flatMap((subject, index) =>
    textOf(child(subject, 'kind')) === 'ServiceAccount' && isEmpty(child(subject, 'namespace'))
      ? [missing(['subjects', index, 'namespace'])]
      : [],
  );
}

/** A Service has ports, unless it is headless or external. */
function portFaults(name: string, root: YamlNode): readonly FieldFault[] {
  const spec = child(root, 'spec');
  if (name !== '/Service') return [];
  if (spec === undefined || isNull(spec)) return [missing(['spec'], spec)];
  const hasNoAddress =
    textOf(child(spec, 'clusterIP')) === 'None' || textOf(child(spec, 'type')) === 'ExternalName';
  return hasNoAddress || !isEmpty(child(spec, 'ports')) ? [] : [missing(['spec', 'ports'])];
}

const workloads = ['apps/Deployment', 'apps/DaemonSet', 'apps/StatefulSet', 'apps/ReplicaSet'];

/** The selector of a workload is not empty and matches the labels of its pods. */
function selectorFaults(name: string, root: YamlNode): readonly FieldFault[] {
  if (!workloads.includes(name) && name !== '/ReplicationController') return [];
  const isController = name === '/ReplicationController';
  const path = ['spec', 'selector', ...(isController ? [] : ['matchLabels'])];
  const selector = path.reduce<YamlNode | undefined>(child, root);
  const expressions = child(child(child(root, 'spec'), 'selector'), 'matchExpressions');
  if (child(child(root, 'spec'), 'selector') === undefined) return [];
  if (isEmpty(selector)) return isEmpty(expressions) && !isController ? [missing(path)] : [];
  if (selector?.kind !== 'map') return [];
  const labels = ['spec', 'template', 'metadata', 'labels'].reduce<YamlNode | undefined>(child, root);
  const wrong = selector.entries.find(({ key, value }) => textOf(child(labels, key)) !== textOf(value));
  if (wrong === undefined) return [];
  const message = `${pathText([...path, wrong.key])} does not match the labels in spec.template.metadata.labels`;
  const hint = 'write the same label into both';
  return [{ path: [...path, wrong.key], target: 'value', message, hint, kind: 'unsupported-value' }];
}
