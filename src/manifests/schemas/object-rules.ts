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
import { volumeSources } from './field-choices.js';
import { sizeOf } from './quantity-size.js';
import { missingFault, valueFault } from './rule-faults.js';
import type { FieldFault } from './visit.js';

type ObjectRule = (root: YamlNode) => readonly FieldFault[];

/** Rules between fields, by `GROUP/KIND`. Source: kubernetes/kubernetes pkg/apis, the validation of each group */
const rules: Readonly<Record<string, ObjectRule>> = {
  '/Service': serviceFaults,
  '/PersistentVolume': volumeFaults,
  '/PersistentVolumeClaim': (root) => [
    ...accessModeFaults(root),
    ...storageFaults(root, 'spec.resources.requests.storage'),
  ],
  '/ResourceQuota': quotaFaults,
  '/LimitRange': limitFaults,
  'apps/Deployment': (root) => [...strategyFaults(root, 'strategy'), ...deadlineFaults(root)],
  'apps/DaemonSet': (root) => strategyFaults(root, 'updateStrategy'),
  'autoscaling/HorizontalPodAutoscaler': replicaFaults,
  'policy/PodDisruptionBudget': (root) => bothFaults(root, 'spec', ['minAvailable', 'maxUnavailable']),
  'rbac.authorization.k8s.io/Role': (root) =>
    placesAt(root, 'rules[].nonResourceURLs').map(({ path }) =>
      valueFault(path, 'must not be set in a Role'),
    ),
  'rbac.authorization.k8s.io/ClusterRole': (root) =>
    bothFaults(root, 'rules[]', ['resources', 'nonResourceURLs']),
  'rbac.authorization.k8s.io/RoleBinding': subjectFaults,
  'rbac.authorization.k8s.io/ClusterRoleBinding': subjectFaults,
  'networking.k8s.io/NetworkPolicy': peerFaults,
  'networking.k8s.io/Ingress': (root) =>
    ['spec.rules[].http.paths[].backend.service.port', 'spec.defaultBackend.service.port'].flatMap((at) =>
      bothFaults(root, at, ['name', 'number']),
    ),
  'route.openshift.io/Route': routeFaults,
  'scheduling.k8s.io/PriorityClass': priorityFaults,
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': webhookFaults,
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': webhookFaults,
};

export function objectRuleFaults(name: string, root: YamlNode): readonly FieldFault[] {
  return Object.hasOwn(rules, name) ? (rules[name]?.(root) ?? []) : [];
}

/** Two fields of which only one may be set. */
function bothFaults(
  root: YamlNode,
  at: string,
  [first, second]: readonly [string, string],
): readonly FieldFault[] {
  return placesAt(root, at).flatMap(({ node, path }) =>
    isGiven(child(node, first)) && isGiven(child(node, second))
      ? [valueFault([...path, second], `contradicts ${first}`, 'keep one of them')]
      : [],
  );
}

function serviceFaults(root: YamlNode): readonly FieldFault[] {
  const type = textOf(placesAt(root, 'spec.type')[0]?.node) ?? 'ClusterIP';
  const ports = placesAt(root, 'spec.ports[]');
  const isHeadless = placesAt(root, 'spec.clusterIP').some(({ node }) => textOf(node) === 'None');
  const unnamed = ports.filter(({ node }) => !isGiven(child(node, 'name')));
  return [
    ...(ports.length > 1
      ? unnamed.map(({ path }) =>
          missingFault([...path, 'name'], 'a Service with several ports names each of them'),
        )
      : []),
    ...(type === 'ClusterIP'
      ? placesAt(root, 'spec.ports[].nodePort')
          .filter(({ node }) => numberOf(node) !== 0)
          .map(({ path }) =>
            valueFault(path, 'must not be set with the type ClusterIP', 'set "type: NodePort"'),
          )
      : []),
    ...(type === 'ExternalName' && placesAt(root, 'spec.externalName').every(({ node }) => !isGiven(node))
      ? [missingFault(['spec', 'externalName'], 'the type ExternalName needs it')]
      : []),
    ...(isHeadless && (type === 'NodePort' || type === 'LoadBalancer')
      ? [valueFault(['spec', 'clusterIP'], `must not be None with the type ${type}`)]
      : []),
  ];
}

function volumeFaults(root: YamlNode): readonly FieldFault[] {
  const spec = child(root, 'spec');
  const [first, second] = volumeSources.filter((name) => isGiven(child(spec, name)));
  const isLocal = isGiven(child(spec, 'local'));
  return [
    ...accessModeFaults(root),
    ...storageFaults(root, 'spec.capacity.storage'),
    ...(first === undefined || second === undefined
      ? []
      : [valueFault(['spec', second], `contradicts ${first}`, 'keep one of them')]),
    ...(isLocal && !isGiven(child(spec, 'nodeAffinity'))
      ? [missingFault(['spec', 'nodeAffinity'], 'a local volume needs it')]
      : []),
  ];
}

function accessModeFaults(root: YamlNode): readonly FieldFault[] {
  const modes = placesAt(root, 'spec.accessModes[]').map(({ node }) => textOf(node));
  return modes.length > 1 && modes.includes('ReadWriteOncePod')
    ? [valueFault(['spec', 'accessModes'], 'must not have other modes next to ReadWriteOncePod')]
    : [];
}

function storageFaults(root: YamlNode, at: string): readonly FieldFault[] {
  return placesAt(root, at)
    .filter(({ node }) => (sizeOf(node) ?? 1) <= 0)
    .map(({ path }) => valueFault(path, 'must be greater than 0'));
}

/** Source: pkg/apis/core/helper IsStandardQuotaResourceName */
const quotaNames: readonly string[] = [
  ...['cpu', 'memory', 'ephemeral-storage', 'pods', 'services', 'replicationcontrollers', 'secrets'],
  ...[
    'configmaps',
    'persistentvolumeclaims',
    'resourcequotas',
    'services.nodeports',
    'services.loadbalancers',
  ],
  ...['requests.cpu', 'requests.memory', 'requests.storage', 'requests.ephemeral-storage'],
  ...['limits.cpu', 'limits.memory', 'limits.ephemeral-storage'],
];

function quotaFaults(root: YamlNode): readonly FieldFault[] {
  return placesAt(root, 'spec.hard{}').flatMap(({ node, path }) => {
    const name = String(path.at(-1));
    const isKnown = name.includes('/') || quotaNames.includes(name) || /^(requests\.)?hugepages-/.test(name);
    if (!isKnown)
      return [
        {
          ...valueFault(
            path,
            'is no resource that a quota limits',
            'limit other kinds as "count/RESOURCE.GROUP"',
          ),
          target: 'key' as const,
        },
      ];
    return (sizeOf(node) ?? 0) < 0 ? [valueFault(path, 'must not be negative')] : [];
  });
}

/** In a LimitRange, the first of two fields must be at most the second one. */
const limitOrder: readonly (readonly [string, string])[] = [
  ...['max', 'default', 'defaultRequest'].map((field) => ['min', field] as const),
  ...['default', 'defaultRequest'].map((field) => [field, 'max'] as const),
  ['defaultRequest', 'default'],
];

function limitFaults(root: YamlNode): readonly FieldFault[] {
  return placesAt(root, 'spec.limits[]').flatMap((limit) =>
    limitOrder.flatMap(([low, high]) =>
      placesBelow(limit, `${low}{}`).flatMap(({ node, path }) => {
        const [least, most] = [sizeOf(node), sizeOf(child(child(limit.node, high), String(path.at(-1))))];
        return least !== undefined && most !== undefined && least > most * (1 + 1e-9)
          ? [valueFault(path, `must be at most the value in ${high}`)]
          : [];
      }),
    ),
  );
}

function strategyFaults(root: YamlNode, field: string): readonly FieldFault[] {
  return placesAt(root, `spec.${field}`).flatMap(({ node, path }) => {
    const type = textOf(child(node, 'type')) ?? 'RollingUpdate';
    const update = child(node, 'rollingUpdate');
    if (update === undefined || isNull(update)) return [];
    if (type === 'Recreate')
      return [valueFault([...path, 'rollingUpdate'], `must not be set with the type ${type}`)];
    const isZero = (name: string, unset: boolean): boolean => {
      const text = textOf(child(update, name));
      return text === undefined ? unset : /^0%?$/.test(text);
    };
    // A DaemonSet has the default 0 for maxSurge, a Deployment 25 % for both.
    return isZero('maxUnavailable', false) && isZero('maxSurge', field === 'updateStrategy')
      ? [valueFault([...path, 'rollingUpdate', 'maxUnavailable'], 'must not be 0 if maxSurge is 0')]
      : [];
  });
}

function deadlineFaults(root: YamlNode): readonly FieldFault[] {
  const spec = child(root, 'spec');
  const [deadline, ready] = [
    numberOf(child(spec, 'progressDeadlineSeconds')),
    numberOf(child(spec, 'minReadySeconds')),
  ];
  // Source: k8s.io/kubernetes pkg/apis/apps/v1 SetDefaults_Deployment
  return (deadline ?? 600) <= (ready ?? 0)
    ? [
        valueFault(
          ['spec', deadline === undefined ? 'minReadySeconds' : 'progressDeadlineSeconds'],
          deadline === undefined
            ? 'must be less than the 600 s of progressDeadlineSeconds'
            : 'must be greater than minReadySeconds',
        ),
      ]
    : [];
}

function replicaFaults(root: YamlNode): readonly FieldFault[] {
  const spec = child(root, 'spec');
  const [least, most] = [numberOf(child(spec, 'minReplicas')), numberOf(child(spec, 'maxReplicas'))];
  return least !== undefined && most !== undefined && most < least
    ? [valueFault(['spec', 'maxReplicas'], `must be at least minReplicas ${least}`)]
    : [];
}

const subjectGroups: Readonly<Record<string, string>> = {
  ServiceAccount: '',
  User: 'rbac.authorization.k8s.io',
  Group: 'rbac.authorization.k8s.io',
};

function subjectFaults(root: YamlNode): readonly FieldFault[] {
  return placesAt(root, 'subjects[]').flatMap(({ node, path }) => {
    const kind = textOf(child(node, 'kind')) ?? '';
    const group = child(node, 'apiGroup');
    const wanted = Object.hasOwn(subjectGroups, kind) ? subjectGroups[kind] : undefined;
    if (wanted === undefined || !isGiven(group) || textOf(group) === wanted) return [];
    const rest = wanted === '' ? 'must be empty for a ServiceAccount' : `must be ${wanted}`;
    return [valueFault([...path, 'apiGroup'], rest)];
  });
}

function peerFaults(root: YamlNode): readonly FieldFault[] {
  const peers: readonly FieldPlace[] = ['spec.ingress[].from[]', 'spec.egress[].to[]'].flatMap((at) =>
    placesAt(root, at),
  );
  return [
    ...peers
      .filter(({ node }) => isGiven(child(node, 'ipBlock')))
      .filter(({ node }) => ['podSelector', 'namespaceSelector'].some((name) => isGiven(child(node, name))))
      .map(({ path }) =>
        valueFault([...path, 'ipBlock'], 'must not be combined with a selector', 'write two items'),
      ),
    ...['spec.ingress[].ports[]', 'spec.egress[].ports[]'].flatMap((at) =>
      placesAt(root, at).flatMap(endPortFaults),
    ),
  ];
}

function endPortFaults({ node, path }: FieldPlace): readonly FieldFault[] {
  const [end, start] = [numberOf(child(node, 'endPort')), numberOf(child(node, 'port'))];
  if (end === undefined || (start !== undefined && end >= start)) return [];
  return [valueFault([...path, 'endPort'], 'must be at least port, which must be a number')];
}

function priorityFaults(root: YamlNode): readonly FieldFault[] {
  const name = textOf(placesAt(root, 'metadata.name')[0]?.node) ?? '';
  const isOfSystem = ['system-node-critical', 'system-cluster-critical'].includes(name);
  return name.startsWith('system-') && !isOfSystem
    ? [valueFault(['metadata', 'name'], 'must not start with "system-"')]
    : [];
}

function webhookFaults(root: YamlNode): readonly FieldFault[] {
  return placesAt(root, 'webhooks[]').flatMap(({ node, path }) => {
    const parts = (textOf(child(node, 'name')) ?? '').split('.');
    const client = child(node, 'clientConfig');
    return [
      ...(parts[0] !== '' && parts.length < 3
        ? [valueFault([...path, 'name'], 'must be a domain of at least three parts')]
        : []),
      ...(isGiven(child(client, 'url')) && isGiven(child(client, 'service'))
        ? [valueFault([...path, 'clientConfig', 'service'], 'contradicts url', 'keep one of them')]
        : []),
    ];
  });
}

/** Source: openshift/library-go pkg/route/validation */
function routeFaults(root: YamlNode): readonly FieldFault[] {
  const tls = child(child(root, 'spec'), 'tls');
  if (tls === undefined || isNull(tls)) return [];
  const termination = textOf(child(tls, 'termination')) ?? '';
  const given = (names: readonly string[]): readonly string[] =>
    names.filter((name) => isGiven(child(tls, name)));
  const forbidden =
    termination === 'passthrough'
      ? given(['certificate', 'key', 'caCertificate', 'destinationCACertificate'])
      : termination === 'edge'
        ? given(['destinationCACertificate'])
        : [];
  const insecure = textOf(child(tls, 'insecureEdgeTerminationPolicy'));
  return [
    ...forbidden.map((name) =>
      valueFault(['spec', 'tls', name], `must not be set with the termination ${termination}`),
    ),
    ...(termination === 'passthrough' && isGiven(child(child(root, 'spec'), 'path'))
      ? [valueFault(['spec', 'path'], 'must not be set with the termination passthrough')]
      : []),
    ...(termination === 'passthrough' && insecure === 'Allow'
      ? [
          valueFault(
            ['spec', 'tls', 'insecureEdgeTerminationPolicy'],
            'must be None or Redirect with the termination passthrough',
          ),
        ]
      : []),
  ];
}
