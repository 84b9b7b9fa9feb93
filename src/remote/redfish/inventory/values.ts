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

/** Smaller values are counts of a larger unit. No server has a disk of less than a megabyte. */
const leastBytes = 1e6;

/**
 * Capacity of a drive, volume or device in bytes. Some services write it as text, or only in other units. Source: DSP2046, Drive and Volume,
 * CapacityBytes; Volume, Capacity.Data; HpeSmartStorageDiskDrive, CapacityLogicalBlocks, BlockSizeBytes, CapacityMiB and CapacityGB
 */
export function capacityOf(data: JsonObject): number | undefined {
  const bytes = quantityAt(data, 'CapacityBytes') ?? quantityAt(data, 'Capacity', 'Data', 'AllocatedBytes');
  if (bytes !== undefined && bytes >= leastBytes) return bytes;
  const [blocks, blockBytes] = [
    quantityAt(data, 'CapacityLogicalBlocks'),
    quantityAt(data, 'BlockSizeBytes'),
  ];
  if (blocks !== undefined && blockBytes !== undefined) return blocks * blockBytes;
  const [mebibytes, gigabytes] = [quantityAt(data, 'CapacityMiB'), quantityAt(data, 'CapacityGB')];
  if (mebibytes !== undefined) return mebibytes * 2 ** 20;
  return gigabytes === undefined ? undefined : gigabytes * 1e9;
}

/** A positive number, also as text of digits. */
function quantityAt(data: JsonObject, ...names: readonly string[]): number | undefined {
  const text = textAt(data, ...names)?.trim() ?? '';
  const written = /^\d{1,18}$/.test(text) ? Number(text) : 0;
  return numberAt(data, ...names) ?? (written > 0 ? written : undefined);
}
