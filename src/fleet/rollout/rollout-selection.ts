import { quotedName } from '../../core/quoted.js';
import { suggestionOr } from '../../core/suggest.js';
import type { Finding } from '../../config/schema/rule.js';
import { nodeAt, type YamlNode } from '../../formats/yaml/yaml-tree.js';
import type { LoadedFleet } from '../check-fleet.js';
import {
  isSelected,
  matchesPattern,
  selectableColumns,
  selectableSite,
  type SelectableSite,
} from '../site-selection.js';

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
  const conditions = (where?.kind === 'map' ? where.entries : []).map(({ key, value }) => ({
    column: key,
    values: textsOf(value),
  }));
  const columns = selectableColumns(fleet, table);
  const findings = conditions.flatMap(({ column, values }): readonly Finding[] => {
    const path = [field, 'where', column];
    if (!columns.includes(column)) {
      const hint = suggestionOr(column, columns, 'name a column of the table or a variable of fleet.yaml');
      const message = `the table has no column ${quotedName(column)}`;
      return [{ code: 'rollout/selection', path, target: 'key', message, hint }];
    }
    if (values.length > 0) return [];
    return [
      { code: 'rollout/selection', path, message: `${quotedName(column)} has no value to compare with` },
    ];
  });
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
  if (table.rows.some((row) => selector(selectableSite(row, fleet)))) return { selector, findings: [] };
  const hint = 'correct the selection, or remove it; "*" matches any characters';
  const message = `${field} matches no site of the table`;
  return { findings: [{ code: 'rollout/selection', path: [field], target: 'key', message, hint }] };
}

/** The texts of a scalar or a list of scalars, as written. */
function textsOf(node: YamlNode | undefined): readonly string[] {
  if (node === undefined) return [];
  const items = node.kind === 'list' ? node.items : [node];
  return items.flatMap((item) => (item.kind === 'scalar' ? [item.text] : []));
}
