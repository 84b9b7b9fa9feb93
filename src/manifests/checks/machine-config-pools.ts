import { isRecord } from '../../core/is-record.js';
import { groupOf } from '../../kube/identity.js';
import { fieldAt, listAt, textAt } from '../../kube/fields.js';
import { roleLabel } from '../../kube/machine-config.js';
import type { KubeObject } from '../../kube/object.js';

export type Labels = Readonly<Record<string, unknown>>;

export interface Pool {
  readonly name: string;
  readonly labels: Labels;
  readonly machineConfigSelector: unknown;
  readonly nodeSelector: unknown;
}

/** A node with the roles master and worker is in the pool master. Sources: machine-config-operator manifests; cluster-node-tuning-operator pkg/operator/mc.go */
export function poolsOf(objects: readonly { readonly object: KubeObject }[]): readonly Pool[] {
  const builtIn = (name: string, more: Labels = {}): Pool => ({
    name,
    labels: {
      'machineconfiguration.openshift.io/mco-built-in': '',
      [`pools.operator.machineconfiguration.openshift.io/${name}`]: '',
      ...more,
    },
    machineConfigSelector: { matchLabels: { [roleLabel]: name } },
    nodeSelector: { matchLabels: { [`node-role.kubernetes.io/${name}`]: '' } },
  });
  return [
    builtIn('master', { 'operator.machineconfiguration.openshift.io/required-for-upgrade': '' }),
    builtIn('worker'),
    ...objects.flatMap(({ object }) =>
      isOperatorKind(object, 'MachineConfigPool')
        ? [
            {
              name: object.metadata.name,
              labels: object.metadata.labels ?? {},
              machineConfigSelector: fieldAt(object, ['spec', 'machineConfigSelector']),
              nodeSelector: fieldAt(object, ['spec', 'nodeSelector']),
            },
          ]
        : [],
    ),
  ];
}

/** Whether an object is of a kind that the machine-config operator reads. */
export function isOperatorKind({ apiVersion, kind }: KubeObject, wanted: string): boolean {
  return kind === wanted && groupOf(apiVersion) === 'machineconfiguration.openshift.io';
}

/** Matches a Kubernetes label selector. An empty selector matches nothing, as in the operators. */
export function isSelected(selector: unknown, labels: Labels): boolean {
  const wanted = Object.entries(recordAt(selector, 'matchLabels'));
  const expressions = listAt(selector, ['matchExpressions']);
  return (
    wanted.length + expressions.length > 0 &&
    wanted.every(([key, value]) => labels[key] === value) &&
    expressions.every((expression) => isSatisfied(expression, labels))
  );
}

function isSatisfied(expression: unknown, labels: Labels): boolean {
  const value = labels[textAt(expression, ['key']) ?? ''];
  const values = listAt(expression, ['values']);
  switch (textAt(expression, ['operator']) ?? '') {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return false;
  }
}

function recordAt(value: unknown, key: string): Labels {
  const found = fieldAt(value, [key]);
  return isRecord(found) ? found : {};
}
