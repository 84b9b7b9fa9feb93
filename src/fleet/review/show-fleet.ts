import {
  inline,
  groupedDifferencesMarkdown,
  type TitledDifferences,
} from '../../review/diff/show-markdown.js';
import { differencesText } from '../../review/diff/show-text.js';
import { count } from '../../run/problem-text.js';
import type { FleetDifferences } from './grouped-differences.js';
import { namedSites } from './named-sites.js';

export function areEqual({ added, removed, constants, groups }: FleetDifferences): boolean {
  return added.length + removed.length + constants.length + groups.length === 0;
}

/** Text report; `what` names both sides. */
export function fleetText(found: FleetDifferences, what: string): string {
  if (areEqual(found)) return `No differences in ${count(found.compared, 'site')}: ${what}.\n`;
  const groups = titled(found).map(
    ({ title, differences }) => `${title === '' ? '' : `${title}\n`}${differencesText(differences)}\n`,
  );
  const sites = comings(found).map((line) => `${line}\n`);
  return `${groups.join('')}${sites.join('')}${sites.length > 0 ? '\n' : ''}${summary(found)}: ${what}.\n`;
}

/** Markdown for a comment on a pull request. */
export function fleetMarkdown(found: FleetDifferences, what: string): string {
  if (areEqual(found)) return `No differences in ${count(found.compared, 'site')}: ${inline(what)}.\n`;
  const lines = [
    `**${summary(found)}**: ${inline(what)}`,
    ...comings(found).map((line) => `- ${inline(line)}`),
  ];
  return groupedDifferencesMarkdown(titled(found), `${lines.join('\n\n')}\n`);
}

/** JSON report with all site names. */
export function fleetData(found: FleetDifferences): Readonly<Record<string, unknown>> {
  const { compared, added, removed, constants, groups } = found;
  return { equal: areEqual(found), compared, added, removed, constants, groups };
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

function summary({ constants, groups, compared, added, removed }: FleetDifferences): string {
  const differences = groups.reduce((sum, group) => sum + group.differences.length, constants.length);
  const touched = new Set(groups.flatMap(({ sites }) => sites)).size;
  const parts = [
    ...(differences === 0
      ? []
      : [`${count(differences, 'difference')} in ${touched} of ${count(compared, 'site')}`]),
    ...(added.length === 0 ? [] : [`${count(added.length, 'site')} added`]),
    ...(removed.length === 0 ? [] : [`${count(removed.length, 'site')} removed`]),
  ];
  return parts.join(', ');
}
