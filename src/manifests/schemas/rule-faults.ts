import { quoted } from '../../core/quoted.js';
import { pathText, type FieldPath, type YamlNode } from '../../formats/yaml/yaml-tree.js';
import { child, numberOf, textOf, type FieldPlace } from './field-places.js';
import { fits, type ValueForm } from './value-forms.js';
import type { FieldFault } from './visit.js';

/** A value that the API server refuses. `rest` follows the path in the message. */
export function valueFault(path: FieldPath, rest: string, hint?: string): FieldFault {
  const message = `${pathText(path)} ${rest}`;
  return { path, target: 'value', message, kind: 'unsupported-value', ...(hint !== undefined && { hint }) };
}

export function missingFault(path: FieldPath, reason: string): FieldFault {
  return { ...valueFault(path, `is missing: ${reason}`), kind: 'missing-field' };
}

export function formFaults({ node, path }: FieldPlace, form: ValueForm): readonly FieldFault[] {
  if (fits(node, form)) return [];
  const text = textOf(node) ?? '';
  const given = numberOf(node) === undefined ? quoted(text) : text;
  return [valueFault(path, text === '' ? 'is empty' : `must be ${form.expected}, not ${given}`)];
}

/** Items whose fields have the same values as those of an earlier one. Items without the first field are skipped. */
export function repetitions(items: readonly FieldPlace[], fields: readonly string[]): readonly FieldFault[] {
  const seen = new Map<string, FieldPath>();
  return items.flatMap(({ node, path }) => {
    const values = fields.map((field) => textAt(node, field) ?? (field === 'protocol' ? 'TCP' : ''));
    const key = JSON.stringify(values);
    const first = seen.get(key);
    if (values[0] === '') return [];
    if (first !== undefined) {
      const place = [...path, ...(fields[0] ?? '').split('.')];
      return [valueFault(place, `has the same ${fields.join(' and ')} as ${pathText(first)}`)];
    }
    seen.set(key, path);
    return [];
  });
}

function textAt(node: YamlNode, field: string): string | undefined {
  return textOf(field.split('.').reduce<YamlNode | undefined>(child, node));
}
