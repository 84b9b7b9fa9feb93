import { quotedName } from '../../core/quoted.js';
import { suggestionOr } from '../../core/suggest.js';
import type { Finding } from '../../config/schema/rule.js';
import { nodeAt, type FieldPath, type YamlNode } from '../../formats/yaml/yaml-tree.js';
import type { LoadedFleet } from '../table/check-fleet.js';
import {
  isSelected,
  matchesPattern,
  selectableColumns,
  selectableSite,
  unmatchedPattern,
  unmatchedValue,
  valuesIn,
  type SelectableSite,
} from '../table/site-selection.js';

/** Whether a selector of the plan matches a site. */
export type RolloutSelector = (site: SelectableSite) => boolean;

export interface ReadSelector {
  readonly selector?: RolloutSelector;
  readonly findings: readonly Finding[];
}

/** Reads `canary` or `hold`. Problems: rollout/selection. */
export function readSelector(
  root: YamlNode,
  field: 'canary' | 'hold',
  { fleet, table }: Pick<LoadedFleet, 'fleet' | 'table'>,
): ReadSelector {
  if (nodeAt(root, [field])?.kind !== 'map') return { findings: [] };
  const only = textsOf(nodeAt(root, [field, 'only']));
  const where = nodeAt(root, [field, 'where']);
  const sites = table.rows.map((row) => selectableSite(row, fleet));
  const conditions = (where?.kind === 'map' ? where.entries : []).map(({ key, value }) => ({
    column: key,
    values: textsOf(value),
  }));
  const columns = selectableColumns(fleet, table);
  const named = unmatchedItems([field, 'only'], nodeAt(root, [field, 'only']), (text) => {
    const fault = unmatchedPattern(
      text,
      sites.map(({ name }) => name),
    );
    return fault && { message: `no site of the table ${fault.text}`, hint: fault.hint };
  });
  const compared = conditions.flatMap(({ column, values }): readonly Finding[] => {
    const path = [field, 'where', column];
    if (!columns.includes(column)) {
      const hint = suggestionOr(column, columns, 'name a column of the table or a variable of fleet.yaml');
      const message = `the table has no column ${quotedName(column)}`;
      return [{ code: 'rollout/selection', path, target: 'key', message, hint }];
    }
    if (values.length === 0)
      return [
        { code: 'rollout/selection', path, message: `${quotedName(column)} has no value to compare with` },
      ];
    return unmatchedItems(path, nodeAt(root, path), (text) => {
      const fault = unmatchedValue(text, valuesIn(sites, column));
      return (
        fault && {
          message: `no site has ${fault.text} in the column ${quotedName(column)}`,
          hint: fault.hint,
        }
      );
    });
  });
  const findings = [...named, ...compared];
  if (findings.length > 0) return { findings };
  if (only.length + conditions.length === 0) {
    const hint = `add where or only, or remove ${field}`;
    return {
      findings: [{ code: 'rollout/selection', path: [field], message: `${field} selects nothing`, hint }],
    };
  }
  const selector: RolloutSelector = ({ name, valueOf }) =>
    isSelected(name, only) &&
    conditions.every(({ column, values }) => {
      const value = valueOf(column) ?? '';
      return values.some((each) => matchesPattern(value, each));
    });
  if (sites.some(selector)) return { selector, findings: [] };
  const hint = 'correct the selection, or remove it; "*" matches any characters';
  const message = `${field} matches no site of the table`;
  return { findings: [{ code: 'rollout/selection', path: [field], target: 'key', message, hint }] };
}

/** A finding at each item of a scalar or list of scalars for which `faultOf` returns one. */
function unmatchedItems(
  path: FieldPath,
  node: YamlNode | undefined,
  faultOf: (text: string) => Pick<Finding, 'message' | 'hint'> | undefined,
): readonly Finding[] {
  const items = node?.kind === 'list' ? node.items : node === undefined ? [] : [node];
  return items.flatMap((item, index): readonly Finding[] => {
    const fault = item.kind === 'scalar' ? faultOf(item.text) : undefined;
    if (fault === undefined) return [];
    return [{ code: 'rollout/selection', path: node?.kind === 'list' ? [...path, index] : path, ...fault }];
  });
}

/** The texts of a scalar or a list of scalars, as written. */
function textsOf(node: YamlNode | undefined): readonly string[] {
  if (node === undefined) return [];
  const items = node.kind === 'list' ? node.items : [node];
  return items.flatMap((item) => (item.kind === 'scalar' ? [item.text] : []));
}
