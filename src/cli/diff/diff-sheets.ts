import { problemsOf, type Result } from '../../core/result.js';
import {
  changedRows,
  changedRowsLines,
  changedRowsMarkdown,
  type ChangedRow,
} from '../../review/sheet/compare-sheets.js';
import { validationTime } from '../../run/effects/clock.js';
import { count } from '../../run/problem-text.js';
import { folderAt } from '../../run/sources/review-folder.js';
import { sheetOfFolder, siteSheet, type SheetRequest, type SiteSheet } from '../../run/sources/site-sheet.js';
import type { TargetName } from '../../run/targets.js';
import type { AioOptions, DiffOptions, GlobalOptions } from '../options.js';
import { exitCodes } from '../output/exit-codes.js';
import { report } from '../output/report.js';
import { sheetRequest } from '../reading/sheet-request.js';

/** Compares the sheets of two paths, or of a folder and its version in a Git revision. The exit code is 1 if they differ. */
export async function diffSheets(
  paths: readonly [before: string, after: string],
  target: TargetName,
  options: GlobalOptions & DiffOptions & AioOptions,
): Promise<void> {
  const now = validationTime(process.env, new Date());
  const { against } = options;
  if (!now.ok) {
    report(options, { problems: now.problems });
    return;
  }
  const request = sheetRequest(options, { target, now: now.value });
  const before = await sheetAt(paths[0], against, request);
  const after = await siteSheet(paths[1], request);
  const isRead = before.ok && after.ok;
  const changed = isRead ? changedRows(before.value.sheet, after.value.sheet) : [];
  const what = against === undefined ? paths.join(' and ') : `${paths[1]} against ${against}`;
  // Warnings of the old side are left out.
  const problems = [...(before.ok ? [] : before.problems), ...problemsOf(after)];
  report({ ...options, dir: '.' }, { problems, ...(isRead && sheetReport(options, changed, what)) });
  if (isRead && changed.length > 0) process.exitCode = exitCodes.problems;
}

async function sheetAt(
  path: string,
  revision: string | undefined,
  request: SheetRequest,
): Promise<Result<SiteSheet>> {
  if (revision === undefined) return siteSheet(path, request);
  const folder = folderAt(path, revision, request.outside);
  return folder.ok ? sheetOfFolder(folder.value, request) : folder;
}

function sheetReport(
  { output }: GlobalOptions,
  changed: readonly ChangedRow[],
  what: string,
): { readonly text: string; readonly json: Readonly<Record<string, unknown>> } {
  const isEqual = changed.length === 0;
  const lines = isEqual
    ? [`No changed lines in the sheet: ${what}.`]
    : [...changedRowsLines(changed), '', `${count(changed.length, 'changed line')}: ${what}.`];
  return {
    text: output === 'markdown' ? changedRowsMarkdown(changed, what) : `${lines.join('\n')}\n`,
    json: { ok: isEqual, equal: isEqual, changedLines: changed },
  };
}
