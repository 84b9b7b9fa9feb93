import { printable } from '../../core/printable.js';
import { problem, type Problem } from '../../core/problem.js';
import type { FleetProblem } from '../problems/grouped-problems.js';
import { remainingMs, remainingText } from '../../review/certificates/remaining-time.js';
import { count } from '../../run/problem-text.js';
import { namedSites } from '../problems/named-sites.js';
import type { CertificateGroup, SiteExpiry } from './grouped-certificates.js';

export interface FleetCertificates {
  readonly groups: readonly CertificateGroup[];
  /** Sites whose outputs could be read, in the order of the table. */
  readonly ends: readonly SiteExpiry[];
  /** Names of all selected sites, in the order of the table. */
  readonly sites: readonly string[];
  readonly now: Date;
}

/** Text report, sorted by expiry. Certificates that several groups contain are listed in full only once. */
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
  const { day, earliestNotAfter } = group;
  return `${day}  ${leftOf(group, now)}  ${sitesText(group.sites, sites)}${earliestNotAfter === group.latestNotAfter ? '' : `, first at ${timeOf(earliestNotAfter)}`}`;
}

/** If nearly all sites have the group, lists the sites that do not. */
function sitesText(some: readonly string[], all: readonly string[]): string {
  const having = new Set(some);
  const others = all.filter((name) => !having.has(name));
  const isMost = others.length > 0 && others.length <= fewSites && some.length > 2 * fewSites;
  return isMost
    ? `${some.length} of ${count(all.length, 'site')}, all except ${others.join(', ')}`
    : namedSites(some, all.length);
}

/** Largest number of excluded sites that is listed. */
const fewSites = 5;

function linesOf({ certificates }: CertificateGroup, isListed: boolean): readonly string[] {
  const [first, ...others] = certificates;
  if (isListed && first && others.length > 0)
    return [`    ${certificates.length} certificates, listed above: ${first.name} and others`];
  return certificates.map(({ name, use }) => `    ${name}${use === undefined ? '' : `: ${use}`}`);
}

function leftOf({ earliestNotAfter, latestNotBefore }: CertificateGroup, now: Date): string {
  return remainingText({ facts: { notAfter: earliestNotAfter, notBefore: latestNotBefore } }, now);
}

function timeOf(time: string): string {
  return time.slice(time.indexOf('T') + 1);
}

function summaryOf({ ends, now }: FleetCertificates): string {
  const all = ends.reduce((sum, { certificates }) => sum + certificates, 0);
  const total = `${count(all, 'certificate')} in ${count(ends.length, 'site')}`;
  const [first] = ends
    .flatMap(({ name, firstToExpire: end }) => (end ? [{ name, end }] : []))
    .toSorted((left, right) => Date.parse(left.end.notAfter) - Date.parse(right.end.notAfter));
  if (first === undefined) return total;
  const left = remainingText({ facts: first.end }, now);
  return `${total}; first expiry: ${first.end.notAfter} (${left}), site ${first.name}`;
}

/** Reports groups that have expired or expire within the requested time. Problems: certs/ended, certs/ends-soon. */
export function expiryProblems({ groups, now }: FleetCertificates): readonly FleetProblem[] {
  return groups
    .filter(({ status }) => status === 'expired' || status === 'expiring')
    .map((group) => ({ problem: expiryProblem(group, now), sites: group.sites }));
}

function expiryProblem(group: CertificateGroup, now: Date): Problem {
  const { certificates, status, earliestNotAfter } = group;
  const name = certificates[0]?.name ?? '';
  const isOne = certificates.length === 1;
  const what = isOne ? name : `${certificates.length} certificates`;
  const verb = status === 'expired' ? 'expired' : isOne ? 'expires' : 'expire';
  const message = `${what} ${verb} on ${group.day}, the first at ${timeOf(earliestNotAfter)} (${leftOf(group, now)})`;
  const hint = `for example ${name}; list all with \`sno-install fleet certs\``;
  return problem(status === 'expired' ? 'certs/ended' : 'certs/ends-soon', message, {
    ...(!isOne && { hint }),
  });
}

/** JSON report: each group with all its sites, and each site with its certificate that expires first. */
export function fleetCertificatesData({
  groups,
  ends,
  now,
}: FleetCertificates): Readonly<Record<string, unknown>> {
  return {
    groups: groups.map((group) => ({
      ...group,
      secondsLeft: Math.floor(
        remainingMs({ facts: { notAfter: group.earliestNotAfter, notBefore: group.latestNotBefore } }, now) /
          1000,
      ),
    })),
    sites: ends,
  };
}
