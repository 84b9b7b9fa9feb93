import type { YamlNode } from '../../formats/yaml/yaml-tree.js';
import {
  child,
  isGiven,
  isNull,
  numberOf,
  placesAt,
  placesBelow,
  textOf,
  type FieldPlace,
} from './field-places.js';
import { sizeOf } from './quantity-size.js';
import { formFaults, missingFault, repetitions, valueFault } from './rule-faults.js';
import * as forms from './value-forms.js';
import type { ValueForm } from './value-forms.js';
import type { FieldFault } from './visit.js';

/** Paths of pod specs and the restart policies that the kind accepts, by `GROUP/KIND`. */
const podSpecs: Readonly<Record<string, readonly [path: string, policies: readonly string[]]>> = {
  '/Pod': ['spec', ['Always', 'OnFailure', 'Never']],
  '/ReplicationController': ['spec.template.spec', ['Always']],
  'apps/Deployment': ['spec.template.spec', ['Always']],
  'apps/DaemonSet': ['spec.template.spec', ['Always']],
  'apps/StatefulSet': ['spec.template.spec', ['Always']],
  'apps/ReplicaSet': ['spec.template.spec', ['Always']],
  'batch/Job': ['spec.template.spec', ['OnFailure', 'Never']],
  'batch/CronJob': ['spec.jobTemplate.spec.template.spec', ['OnFailure', 'Never']],
};

/** Values in pods that the API server refuses. Source: kubernetes/kubernetes pkg/apis/core/validation ValidatePodSpec */
export function podFaults(name: string, root: YamlNode): readonly FieldFault[] {
  const [path, policies = []] = (Object.hasOwn(podSpecs, name) ? podSpecs[name] : undefined) ?? [];
  if (path === undefined) return [];
  const claims = placesAt(root, 'spec.volumeClaimTemplates[].metadata.name').map(
    ({ node }) => textOf(node) ?? '',
  );
  return placesAt(root, path).flatMap((pod) => {
    const containers = ['initContainers[]', 'containers[]'].flatMap((list) => placesBelow(pod, list));
    const volumes = placesBelow(pod, 'volumes[]');
    const names = volumes.map(({ node }) => textOf(child(node, 'name')) ?? '');
    return [
      ...rowFaults(pod, [...podRows, ['restartPolicy', forms.oneOf(...policies)]]),
      ...(textOf(child(pod.node, 'dnsPolicy')) === 'None' &&
      placesBelow(pod, 'dnsConfig.nameservers[]').length === 0
        ? [missingFault([...pod.path, 'dnsConfig', 'nameservers'], 'dnsPolicy None needs it')]
        : []),
      ...repetitions(containers, ['name']),
      ...repetitions(volumes, ['name']),
      ...volumes.flatMap(volumeFaults),
      ...containers.flatMap((container) => containerFaults(container, pod, [...names, ...claims])),
      ...placesBelow(pod, 'tolerations[]').flatMap(tolerationFaults),
    ];
  });
}

type Row = readonly [at: string, form: ValueForm];

const podRows: readonly Row[] = [
  ['volumes[].name', forms.dnsLabel],
  ['volumes[].hostPath.path', forms.pathWithoutParents],
  ['hostname', forms.dnsLabel],
  ['volumes[].configMap.items[].path', forms.relativePath],
  ['volumes[].secret.items[].path', forms.relativePath],
  ['volumes[].configMap.defaultMode', forms.between(0, 0o777)],
  ['volumes[].secret.defaultMode', forms.between(0, 0o777)],
  ['volumes[].persistentVolumeClaim.claimName', forms.notEmpty],
  ['activeDeadlineSeconds', forms.between(1, 2_147_483_647)],
  ['terminationGracePeriodSeconds', forms.between(0, Infinity)],
  ['hostAliases[].ip', forms.address],
  ['dnsConfig.nameservers[]', forms.address],
  ['serviceAccountName', forms.subdomain],
  ['nodeSelector{}', forms.labelValue],
  ['topologySpreadConstraints[].maxSkew', forms.between(1, Infinity)],
];

const containerRows: readonly Row[] = [
  ['name', forms.dnsLabel],
  ['ports[].containerPort', forms.port],
  ['ports[].hostPort', forms.between(0, 65_535)],
  ['ports[].name', forms.portName],
  ['image', forms.imageName],
  ['env[].name', forms.variableName],
  ['volumeMounts[].mountPath', forms.notEmpty],
  ['volumeMounts[].subPath', forms.relativePath],
  ['securityContext.runAsUser', forms.between(0, 2_147_483_647)],
  ['livenessProbe.successThreshold', forms.between(0, 1)],
  ['startupProbe.successThreshold', forms.between(0, 1)],
];

function rowFaults(place: FieldPlace, rows: readonly Row[]): readonly FieldFault[] {
  return rows.flatMap(([at, form]) => placesBelow(place, at).flatMap((each) => formFaults(each, form)));
}

/** A volume has one source. Without one, it is an emptyDir. */
function volumeFaults({ node, path }: FieldPlace): readonly FieldFault[] {
  const source = child(node, 'configMap');
  return [
    ...(source?.kind === 'map' && !isGiven(child(source, 'name'))
      ? [missingFault([...path, 'configMap', 'name'], 'the volume contains the data of this ConfigMap')]
      : []),
    ...onlyOne({ node, path }, (key) => key !== 'name'),
  ];
}

function onlyOne({ node, path }: FieldPlace, isCounted: (key: string) => boolean): readonly FieldFault[] {
  if (node.kind !== 'map') return [];
  const [first, second] = node.entries.filter(({ key, value }) => isCounted(key) && !isNull(value));
  if (first === undefined || second === undefined) return [];
  return [valueFault([...path, second.key], `contradicts ${first.key}`, 'keep one of them')];
}

function containerFaults(
  container: FieldPlace,
  pod: FieldPlace,
  volumes: readonly string[],
): readonly FieldFault[] {
  const ports = placesBelow(container, 'ports[]');
  const isOnHost = textOf(child(pod.node, 'hostNetwork')) === 'true';
  return [
    ...rowFaults(container, containerRows),
    ...repetitions(ports, ['name']),
    ...repetitions(placesBelow(container, 'volumeMounts[]'), ['mountPath']),
    ...placesBelow(container, 'volumeMounts[].name').flatMap(({ node, path }) =>
      volumes.includes(textOf(node) ?? '')
        ? []
        : [valueFault(path, 'names no volume of the pod', 'add the volume to volumes, or name one of them')],
    ),
    ...(isOnHost ? ports.flatMap(hostPortFaults) : []),
    ...placesBelow(container, 'env[]').flatMap(envFaults),
    ...['livenessProbe', 'readinessProbe', 'startupProbe'].flatMap((probe) =>
      placesBelow(container, probe).flatMap((place) => handlerFaults(place, probeHandlers)),
    ),
    ...['lifecycle.postStart', 'lifecycle.preStop'].flatMap((hook) =>
      placesBelow(container, hook).flatMap((place) => handlerFaults(place, hookHandlers)),
    ),
    ...placesBelow(container, 'resources').flatMap(resourceFaults),
    ...placesBelow(container, 'securityContext').flatMap(privilegeFaults),
  ];
}

function hostPortFaults({ node, path }: FieldPlace): readonly FieldFault[] {
  const hostPort = numberOf(child(node, 'hostPort')) ?? 0;
  if (hostPort === 0 || hostPort === numberOf(child(node, 'containerPort'))) return [];
  return [
    valueFault([...path, 'hostPort'], 'must be equal to containerPort, because the pod has hostNetwork'),
  ];
}

function envFaults({ node, path }: FieldPlace): readonly FieldFault[] {
  const source = child(node, 'valueFrom');
  if (source === undefined || isNull(source)) return [];
  const at = [...path, 'valueFrom'];
  if (isGiven(child(node, 'value'))) return [valueFault(at, 'contradicts value', 'keep one of them')];
  return onlyOne({ node: source, path: at }, () => true);
}

const probeHandlers: readonly string[] = ['exec', 'httpGet', 'tcpSocket', 'grpc'];
const hookHandlers: readonly string[] = ['exec', 'httpGet', 'tcpSocket', 'sleep'];

function handlerFaults(place: FieldPlace, handlers: readonly string[]): readonly FieldFault[] {
  const { node, path } = place;
  const isKnown = node.kind === 'map' && handlers.some((name) => !isNull(child(node, name) ?? nothing));
  if (node.kind !== 'map') return [];
  if (!isKnown)
    return [missingFault([...path, handlers[0] ?? ''], `one of ${handlers.join(', ')} is needed`)];
  return [
    ...onlyOne(place, (key) => handlers.includes(key)),
    ...['httpGet.port', 'tcpSocket.port'].flatMap((at) =>
      placesBelow(place, at).flatMap((port) => formFaults(port, forms.portOrName)),
    ),
  ];
}

const nothing: YamlNode = { kind: 'scalar', value: null, text: '', span: { line: 1, col: 1, length: 1 } };

/** Source: pkg/apis/core/helper IsStandardContainerResourceName */
const isResource = (name: string): boolean =>
  name.includes('/') || /^(cpu|memory|ephemeral-storage|hugepages-.+)$/.test(name);

function resourceFaults(place: FieldPlace): readonly FieldFault[] {
  const limits = child(place.node, 'limits');
  return [
    ...['limits', 'requests'].flatMap((field) =>
      placesBelow(place, `${field}{}`).flatMap(({ node, path }) => {
        const name = String(path.at(-1));
        if (!isResource(name)) return [unknownResource(path, name)];
        return (sizeOf(node) ?? 0) < 0 ? [valueFault(path, 'must not be negative')] : [];
      }),
    ),
    ...placesBelow(place, 'requests{}').flatMap(({ node, path }) => {
      const [request, limit] = [sizeOf(node), sizeOf(child(limits, String(path.at(-1))))];
      if (request === undefined || limit === undefined || request <= limit * (1 + 1e-9)) return [];
      return [valueFault(path, 'must be at most the limit')];
    }),
  ];
}

function unknownResource(path: FieldPlace['path'], name: string): FieldFault {
  const hint =
    name === 'mem' ? 'write memory' : 'extended resources have a domain, such as example.com/device';
  return { ...valueFault(path, 'is no resource of a container', hint), target: 'key' };
}

function privilegeFaults({ node, path }: FieldPlace): readonly FieldFault[] {
  if (textOf(child(node, 'allowPrivilegeEscalation')) !== 'false') return [];
  const added = placesAt(node, 'capabilities.add[]').map((each) => textOf(each.node));
  const isPrivileged = textOf(child(node, 'privileged')) === 'true';
  if (!isPrivileged && !added.includes('CAP_SYS_ADMIN')) return [];
  const reason = isPrivileged ? 'privileged' : 'CAP_SYS_ADMIN';
  return [valueFault([...path, 'allowPrivilegeEscalation'], `must not be false with ${reason}`)];
}

function tolerationFaults({ node, path }: FieldPlace): readonly FieldFault[] {
  const isAny = textOf(child(node, 'operator')) === 'Exists';
  const seconds = child(node, 'tolerationSeconds');
  return [
    ...(isAny && isGiven(child(node, 'value'))
      ? [valueFault([...path, 'value'], 'must not be set with the operator Exists')]
      : []),
    ...(!isAny && !isGiven(child(node, 'key'))
      ? [valueFault([...path, 'operator'], 'must be Exists if the toleration has no key')]
      : []),
    ...(isGiven(seconds) && textOf(child(node, 'effect')) !== 'NoExecute'
      ? [valueFault([...path, 'effect'], 'must be NoExecute, because tolerationSeconds is set')]
      : []),
  ];
}
