import {
  inline,
  groupedDifferencesMarkdown,
  type TitledDifferences,
} from '../../../review/diff/show-markdown.js';
import { differenceData } from '../../../review/diff/difference.js';
import { differencesText } from '../../../review/diff/show-text.js';
import { shortSheetLines } from '../../../review/sheet/short-sheet.js';
import { count } from '../../../run/problem-text.js';
import type { FleetDifferences } from '../../../fleet/review/index.js';
import { namedSites } from '../../../fleet/problems/index.js';

/** Whether no difference was found. Sites that cannot be read do not count. */
export function areEqual({ added, removed, constants, groups }: FleetDifferences): boolean {
  return added.length + removed.length + constants.length + groups.length === 0;
}

/** Whether all sites were compared and are equal. */
export function areKnownEqual(found: FleetDifferences): boolean {
  return areEqual(found) && found.notCompared.length === 0;
}

/** Text report; `what` names both sides. */
export function fleetText(found: FleetDifferences, what: string): string {
  if (areEqual(found)) return [...unread(found), `${summary(found)}: ${what}.`, ''].join('\n');
  const groups = titled(found).map(
    ({ title, differences }) => `${title === '' ? '' : `${title}\n`}${differencesText(differences)}\n`,
  );
  const sites = [...comings(found), ...sheetLines(found), ...unread(found)].map((line) => `${line}\n`);
  return `${groups.join('')}${sites.join('')}${sites.length > 0 ? '\n' : ''}${summary(found)}: ${what}.\n`;
}

/** Markdown for a comment on a pull request. */
export function fleetMarkdown(found: FleetDifferences, what: string): string {
  if (areEqual(found))
    return [...unread(found).map(inline), `${summary(found)}: ${inline(what)}.`, ''].join('\n');
  const lines = [
    `**${summary(found)}**: ${inline(what)}`,
    ...unread(found).map((line) => `- ${inline(line)}`),
    ...comings(found).map((line) => `- ${inline(line)}`),
    ...sheetLines(found).map((line) => `  - ${inline(line.trim())}`),
  ];
  return groupedDifferencesMarkdown(titled(found), `${lines.join('\n\n')}\n`);
}

/** JSON report with all site names. */
export function fleetData(found: FleetDifferences): Readonly<Record<string, unknown>> {
  const { compared, notCompared, added, addedSheets, removed } = found;
  const groups = found.groups.map(({ sites, differences }) => ({
    sites,
    differences: differences.map(differenceData),
  }));
  const constants = found.constants.map(differenceData);
  return {
    equal: areKnownEqual(found),
    compared,
    notCompared,
    added,
    addedSheets,
    removed,
    constants,
    groups,
  };
}

function titled({ constants, groups, compared }: FleetDifferences): readonly TitledDifferences[] {
  return [
    ...(constants.length === 0 ? [] : [{ title: '', differences: constants }]),
    ...groups.map(({ sites, differences }) => ({ title: namedSites(sites, compared), differences })),
  ];
}

function comings({ added, removed }: FleetDifferences): readonly string[] {
  return [
    ...(added.length === 0 ? [] : [`added: ${namedSites(added, Infinity)}`]),
    ...(removed.length === 0 ? [] : [`removed: ${namedSites(removed, Infinity)}`]),
  ];
}

/** Number of added sites whose sheets are shown as text. */
const shownSheets = 5;

/** The short sheets of the first added sites. Rendered sheets have no times. */
function sheetLines({ added, addedSheets }: FleetDifferences): readonly string[] {
  const shown = addedSheets.slice(0, shownSheets);
  const left = added.length - shown.length;
  return [
    ...shown.flatMap(({ site, sheet }) => [`${site}:`, ...shortSheetLines(sheet, new Date(0))]),
    ...(shown.length === 0 || left === 0
      ? []
      : [`${count(left, 'more added site')}: \`sno-install fleet render sheet\` writes all sheets`]),
  ];
}

function unread({ notCompared }: FleetDifferences): readonly string[] {
  return notCompared.map(({ sites, reason }) => `not compared (${namedSites(sites, Infinity)}): ${reason}`);
}

function summary({ constants, groups, compared, notCompared, added, removed }: FleetDifferences): string {
  const differences = groups.reduce((sum, group) => sum + group.differences.length, constants.length);
  const touched = new Set(groups.flatMap(({ sites }) => sites)).size;
  const skipped = notCompared.reduce((sum, { sites }) => sum + sites.length, 0);
  const isEqual = differences + added.length + removed.length === 0;
  const parts = [
    ...(isEqual && (compared > 0 || skipped === 0) ? [`No differences in ${count(compared, 'site')}`] : []),
    ...(differences === 0
      ? []
      : [`${count(differences, 'difference')} in ${touched} of ${count(compared, 'site')}`]),
    ...(added.length === 0 ? [] : [`${count(added.length, 'site')} added`]),
    ...(removed.length === 0 ? [] : [`${count(removed.length, 'site')} removed`]),
    ...(skipped === 0 ? [] : [`${count(skipped, 'site')} not compared`]),
  ];
  return parts.join(', ');
}
