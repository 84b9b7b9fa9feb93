import type { OutputFile } from '../../core/output-file.js';
import type { Difference } from '../diff/difference.js';
import { changedRows } from './compare-sheets.js';
import { readSheet, type SheetAddition } from './read-sheet.js';
import type { Sheet } from './sheet.js';

/** Configs that boot a machine, in order of preference. */
export const bootConfigs = ['bootstrap-in-place-for-live-iso.ign', 'aio.ign'];

/** The sheet of outputs, by default without their certificates; undefined if no config boots a machine. */
export function sheetOfOutputs(
  files: readonly OutputFile[],
  { isRendered = true }: Pick<SheetAddition, 'isRendered'> = {},
): Sheet | undefined {
  const [config] = bootConfigs.flatMap((name) => files.filter(({ path }) => path === name));
  return config && readSheet(Buffer.from(config.contents), { isRendered });
}

/** The changed rows of the sheets of two outputs, as in `sheetDifferences`. */
export function outputSheetDifferences(
  before: readonly OutputFile[],
  after: readonly OutputFile[],
): readonly Difference[] {
  return sheetDifferences(sheetOfOutputs(before), sheetOfOutputs(after));
}

/** The changed rows of two sheets, one difference for each section. */
export function sheetDifferences(before: Sheet = [], after: Sheet = []): readonly Difference[] {
  const changed = changedRows(before, after);
  const sections = [...new Set(changed.map(({ section }) => section))];
  return sections.map((name) => ({
    in: [''],
    kind: 'sheet',
    name,
    change: 'changed',
    details: changed
      .filter(({ section }) => section === name)
      .map(({ label, before: earlier = [], after: later = [] }) => ({
        what: label,
        before: earlier.join(', '),
        after: later.join(', '),
      })),
  }));
}
