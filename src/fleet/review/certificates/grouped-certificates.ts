import { byName } from '../../../core/compare.js';
import { leftMs } from '../../../review/certificates/time-left.js';
import { namingsOf, type SiteNaming } from '../own-values.js';
import type { NamedSite } from '../shared-tree.js';
import type { SiteCertificate } from './site-certificates.js';

/** How a certificate stands to the time that is asked for. */
export type CertificateStand = 'ended' | 'not-begun' | 'ends-soon' | 'holds';

/** Certificates that end on one day in the same sites. */
export interface CertificateGroup {
  /** As `2026-12-22`, in UTC. */
  readonly day: string;
  readonly stands: CertificateStand;
  /** RFC 3339: when the first and the last of them end, in whichever site. */
  readonly first: string;
  readonly last: string;
  /** The latest beginning among them, RFC 3339. */
  readonly begins: string;
  /** By name, in the order of the table. */
  readonly sites: readonly string[];
  /** By name; values of sites stand in names as `${name}` where several have them. */
  readonly certificates: readonly Pick<SiteCertificate, 'name' | 'use'>[];
}

/** A site with the first of its certificates that ends. */
export interface SiteEnd {
  readonly name: string;
  readonly certificates: number;
  /** Absent of a site in whose outputs there is none. */
  readonly first?: SiteCertificate;
}

interface Collected extends Pick<SiteCertificate, 'name' | 'use'> {
  readonly day: string;
  readonly stands: CertificateStand;
  readonly sites: number[];
  first: string;
  last: string;
  begins: string;
}

/** Brings the certificates of sites together: those of one name that end on one day are told once for all sites that have them. */
export class GroupedCertificates {
  readonly #found = new Map<string, Collected>();
  readonly #ends: SiteEnd[] = [];
  readonly #sites: readonly NamedSite[];
  readonly #namingOf: (site: number) => SiteNaming;
  readonly #time: { readonly now: Date; readonly withinMs: number };

  /** `withinMs` is until when a certificate ends soon; less than nothing where nobody asks. */
  constructor(sites: readonly NamedSite[], time: { readonly now: Date; readonly withinMs: number }) {
    this.#sites = sites;
    this.#namingOf = namingsOf(sites.map(({ values }) => values));
    this.#time = time;
  }

  /** Takes the certificates of a site, by its place among the sites. */
  add(site: number, certificates: readonly SiteCertificate[]): void {
    const { own } = this.#namingOf(site);
    const [first] = certificates;
    const { name = '' } = this.#sites[site] ?? {};
    this.#ends.push({ name, certificates: certificates.length, ...(first && { first }) });
    for (const each of certificates) this.#take(site, { ...each, name: own.named(each.name) });
  }

  #take(site: number, { name, use, notBefore, notAfter }: SiteCertificate): void {
    const stands = standOf({ notBefore, notAfter }, this.#time);
    const day = notAfter.slice(0, 10);
    const key = [day, stands, name].join('\n');
    const found = this.#found.get(key) ?? {
      ...{ name, ...(use !== undefined && { use }), day, stands, sites: [] },
      ...{ first: notAfter, last: notAfter, begins: notBefore },
    };
    this.#found.set(key, found);
    // A site may have several of one name.
    if (found.sites.at(-1) !== site) found.sites.push(site);
    found.first = earlier(found.first, notAfter);
    found.last = later(found.last, notAfter);
    found.begins = later(found.begins, notBefore);
  }

  /** The groups, the one that ends first at the top; of one day that of most sites. */
  groups(): readonly CertificateGroup[] {
    const groups = new Map<string, { readonly one: Collected; readonly all: Collected[] }>();
    for (const each of this.#found.values()) {
      const key = [each.day, each.stands, each.sites.join()].join('\n');
      const group = groups.get(key) ?? { one: each, all: [] };
      group.all.push(each);
      groups.set(key, group);
    }
    return [...groups.values()].map(({ one, all }) => this.#group(one, all)).toSorted(byEnd);
  }

  /** The sites in the order of the table. */
  ends(): readonly SiteEnd[] {
    return this.#ends;
  }

  #group({ day, stands, sites }: Collected, found: readonly Collected[]): CertificateGroup {
    return {
      day,
      stands,
      first: found.map(({ first }) => first).reduce(earlier),
      last: found.map(({ last }) => last).reduce(later),
      begins: found.map(({ begins }) => begins).reduce(later),
      sites: sites.map((site) => this.#sites[site]?.name ?? ''),
      certificates: found
        .toSorted(byName)
        .map(({ name, use }) => ({ name: this.#shown(name, sites), ...(use !== undefined && { use }) })),
    };
  }

  /** Of one site with its values, since no other reads it. */
  #shown(name: string, [first = 0, ...others]: readonly number[]): string {
    return others.length > 0 ? name : this.#namingOf(first).own.filled(name);
  }
}

function standOf(
  facts: Pick<SiteCertificate, 'notBefore' | 'notAfter'>,
  { now, withinMs }: { readonly now: Date; readonly withinMs: number },
): CertificateStand {
  const left = leftMs({ facts }, now);
  if (left <= 0) return 'ended';
  if (left <= withinMs) return 'ends-soon';
  return Date.parse(facts.notBefore) > now.getTime() ? 'not-begun' : 'holds';
}

function earlier(left: string, right: string): string {
  return Date.parse(right) < Date.parse(left) ? right : left;
}

function later(left: string, right: string): string {
  return Date.parse(right) > Date.parse(left) ? right : left;
}

function byEnd(left: CertificateGroup, right: CertificateGroup): number {
  return (
    Date.parse(`${left.day}T00:00:00Z`) - Date.parse(`${right.day}T00:00:00Z`) ||
    right.sites.length - left.sites.length ||
    Date.parse(left.first) - Date.parse(right.first)
  );
}
