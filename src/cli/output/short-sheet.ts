import type { BootedMedium } from '../../review/sheet/boot-rows.js';
import { readSheet } from '../../review/sheet/read-sheet.js';
import { shortSheetLines } from '../../review/sheet/short-sheet.js';
import { validationTime } from '../../run/effects/clock.js';

/** The short sheet of a config that was just created, and an empty line; nothing for other bytes. */
export function shortSheetOf(config: Uint8Array | undefined, medium?: BootedMedium): readonly string[] {
  const sheet = config && readSheet(config, medium && { medium });
  const now = validationTime(process.env, new Date());
  return sheet === undefined || !now.ok ? [] : [...shortSheetLines(sheet, now.value), ''];
}
