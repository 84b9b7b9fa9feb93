import { printable } from '../../../core/printable.js';
import { problem, type Problem } from '../../../core/problem.js';
import type { FleetProblem } from '../../grouped-problems.js';
import { leftMs, leftText } from '../../../review/certificates/time-left.js';
import { count } from '../../../run/problem-text.js';
import { namedSites } from '../named-sites.js';
import type { CertificateGroup, SiteEnd } from './grouped-certificates.js';

/** The certificates of a fleet. */
export interface FleetCertificates {
  readonly groups: readonly CertificateGroup[];
  /** Those whose outputs could be read, in the order of the table. */
  readonly ends: readonly SiteEnd[];
  /** The names of all sites that were asked for, in the order of the table. */
  readonly sites: readonly string[];
  readonly now: Date;
}

/** Certificates of a fleet for people, what ends first at the top. What several groups list is named once. */
export function fleetCertificatesText(found: FleetCertificates): string {
  const listed = new Set<string>();
  const blocks = found.groups.map((group) => {
    const names = group.certificates.map(({ name }) => name).join('\n');
    const isListed = listed.has(names);
    listed.add(names);
    return `${[titleOf(group, found), ...linesOf(group, isListed)].map(printable).join('\n')}\n`;
  });
  return [...blocks, `${summaryOf(found)}\n`].join('\n');
}

function titleOf(group: CertificateGroup, { sites, now }: FleetCertificates): string {
  const { day, first } = group;
  return `${day}  ${leftOf(group, now)}  ${sitesText(group.sites, sites)}${first === group.last ? '' : `, from ${timeOf(first)} on`}`;
}

/** Of what is the same in nearly all sites the others are named. */
function sitesText(some: readonly string[], all: readonly string[]): string {
  const having = new Set(some);
  const lacking = all.filter((name) => !having.has(name));
  const isMost = lacking.length > 0 && lacking.length <= fewSites && some.length > 2 * fewSites;
  return isMost
    ? `${some.length} of ${count(all.length, 'site')}, without ${lacking.join(', ')}`
    : namedSites(some, all.length);
}

/** So many can be named instead of the others. */
const fewSites = 5;

function linesOf({ certificates }: CertificateGroup, isListed: boolean): readonly string[] {
  const [first, ...others] = certificates;
  if (isListed && first && others.length > 0)
    return [`    the ${certificates.length} certificates that are listed above: ${first.name} and so on`];
  return certificates.map(({ name, use }) => `    ${name}${use === undefined ? '' : `: ${use}`}`);
}

function leftOf({ first, begins }: CertificateGroup, now: Date): string {
  return leftText({ facts: { notAfter: first, notBefore: begins } }, now);
}

function timeOf(time: string): string {
  return time.slice(time.indexOf('T') + 1);
}

function summaryOf({ ends, now }: FleetCertificates): string {
  const all = ends.reduce((sum, { certificates }) => sum + certificates, 0);
  const told = `${count(all, 'certificate')} in ${count(ends.length, 'site')}`;
  const [first] = ends
    .flatMap(({ name, first: end }) => (end ? [{ name, end }] : []))
    .toSorted((left, right) => Date.parse(left.end.notAfter) - Date.parse(right.end.notAfter));
  if (first === undefined) return told;
  const left = leftText({ facts: first.end }, now);
  return `${told}; the first ends at ${first.end.notAfter} (${left}), of ${first.name}`;
}

/** What has ended, or ends within the time that was asked for: once for the sites that have it. Problems: certs/ended, certs/ends-soon. */
export function endingProblems({ groups, now }: FleetCertificates): readonly FleetProblem[] {
  return groups
    .filter(({ stands }) => stands === 'ended' || stands === 'ends-soon')
    .map((group) => ({ problem: endingProblem(group, now), sites: group.sites }));
}

function endingProblem(group: CertificateGroup, now: Date): Problem {
  const { certificates, stands, first } = group;
  const name = certificates[0]?.name ?? '';
  const isOne = certificates.length === 1;
  const what = isOne ? name : `${certificates.length} certificates`;
  const verb = stands === 'ended' ? 'ended' : isOne ? 'ends' : 'end';
  const message = `${what} ${verb} on ${group.day}, the first at ${timeOf(first)} (${leftOf(group, now)})`;
  const hint = `one of them is ${name}`;
  return problem(stands === 'ended' ? 'certs/ended' : 'certs/ends-soon', message, {
    ...(!isOne && { hint }),
  });
}

/** The same for programs: each group with all of its sites, and each site with the first of its certificates that ends. */
export function fleetCertificatesData({
  groups,
  ends,
  now,
}: FleetCertificates): Readonly<Record<string, unknown>> {
  return {
    groups: groups.map((group) => ({
      ...group,
      secondsLeft: Math.floor(
        leftMs({ facts: { notAfter: group.first, notBefore: group.begins } }, now) / 1000,
      ),
    })),
    sites: ends,
  };
}
