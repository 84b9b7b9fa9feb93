import { printable } from '../../../core/printable.js';
import { memberAt, textAt, type JsonObject } from '../resource.js';

const maxLength = 120;

/** A text of the BMC on one line; undefined if it is empty. BMCs pad texts with blanks. */
export function lineAt(data: JsonObject, ...names: readonly string[]): string | undefined {
  const text = printable(textAt(data, ...names) ?? '').trim();
  return text === '' ? undefined : text.slice(0, maxLength);
}

/** A positive number; BMCs write null or 0 for an unknown one. */
export function numberAt(data: JsonObject, ...names: readonly string[]): number | undefined {
  const value = memberAt(data, ...names);
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined;
}

/** Whether a slot is empty. Source: DSP0268, Status, State */
export function isAbsent(data: JsonObject): boolean {
  return textAt(data, 'Status', 'State') === 'Absent';
}
