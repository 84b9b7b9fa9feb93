import { printable } from '../../core/printable.js';
import { renderText } from '../render-text.js';
import type { SheetRow } from './sheet.js';

/** One row, or none without values. Masks secrets and makes texts of foreign configs safe to print. */
export function row(
  name: string,
  label: string,
  values: readonly (string | undefined)[],
): readonly SheetRow[] {
  const shown = values.flatMap((value) => (value === undefined || value === '' ? [] : [safe(value)]));
  return shown.length === 0 ? [] : [{ name, label: safe(label), values: shown }];
}

function safe(text: string): string {
  return printable(renderText(text));
}

/** The texts and numbers of a list. */
export function strings(values: readonly unknown[]): readonly string[] {
  return values.flatMap((value) =>
    typeof value === 'string' ? [value] : typeof value === 'number' ? [String(value)] : [],
  );
}
