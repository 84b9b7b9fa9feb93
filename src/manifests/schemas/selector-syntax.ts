import type { YamlNode } from '../../formats/yaml/yaml-tree.js';
import { child, isGiven, placesBelow, textOf, type FieldPlace } from './field-places.js';
import { formFaults, missingFault, valueFault } from './rule-faults.js';
import { labelValue } from './value-forms.js';
import type { FieldFault } from './visit.js';

/** Groups whose objects contain no data of other formats. */
const groups: readonly string[] = ['', 'apps', 'batch', 'policy', 'networking.k8s.io', 'autoscaling'];

/** Faults of label selectors and node selectors at any depth. Source: k8s.io/apimachinery pkg/apis/meta/v1/validation ValidateLabelSelector */
export function selectorSyntaxFaults(name: string, root: YamlNode): readonly FieldFault[] {
  const [group = '', kind] = name.split('/');
  return groups.includes(group) && kind !== 'ControllerRevision' ? faultsBelow({ node: root, path: [] }) : [];
}

function faultsBelow(place: FieldPlace): readonly FieldFault[] {
  const { node, path } = place;
  if (node.kind === 'scalar') return [];
  const inside = placesBelow(place, node.kind === 'map' ? '{}' : '[]').flatMap(faultsBelow);
  if (path.at(-1) === 'matchLabels')
    return placesBelow(place, '{}').flatMap((each) => formFaults(each, labelValue));
  return path.at(-1) === 'matchExpressions' ? placesBelow(place, '[]').flatMap(expressionFaults) : inside;
}

function expressionFaults({ node, path }: FieldPlace): readonly FieldFault[] {
  const operator = textOf(child(node, 'operator')) ?? '';
  const at = [...path, 'values'];
  const hasValues = isGiven(child(node, 'values'));
  if (['In', 'NotIn'].includes(operator) && !hasValues)
    return [missingFault(at, `the operator ${operator} needs it`)];
  if (['Exists', 'DoesNotExist'].includes(operator) && hasValues)
    return [valueFault(at, `must not be set with the operator ${operator}`)];
  const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'];
  return operator === '' || operators.includes(operator)
    ? []
    : [valueFault([...path, 'operator'], `must be one of ${operators.join(', ')}`)];
}
