import { byName } from '../../core/compare.js';
import { remainingMs } from '../../review/certificates/remaining-time.js';
import { placeholdersBySite, type SitePlaceholders } from '../table/site-placeholders.js';
import type { NamedSite } from '../review/shared-tree.js';
import type { SiteCertificate } from './site-certificates.js';

/** Validity of a certificate relative to the requested time. */
export type CertificateStatus = 'expired' | 'not-yet-valid' | 'expiring' | 'valid';

/** Certificates that expire on the same day in the same sites. */
export interface CertificateGroup {
  /** UTC date such as `2026-12-22`. */
  readonly day: string;
  readonly status: CertificateStatus;
  /** RFC 3339: earliest and latest expiry in the group, over all sites. */
  readonly earliestNotAfter: string;
  readonly latestNotAfter: string;
  /** RFC 3339: latest notBefore in the group. */
  readonly latestNotBefore: string;
  /** Site names in the order of the table. */
  readonly sites: readonly string[];
  /** Sorted by name. If several sites share the group, their values appear in names as `${name}`. */
  readonly certificates: readonly Pick<SiteCertificate, 'name' | 'use'>[];
}

/** A site with its certificate that expires first. */
export interface SiteExpiry {
  readonly name: string;
  readonly certificates: number;
  /** Absent if the outputs contain no certificate. */
  readonly firstToExpire?: SiteCertificate;
}

interface Collected extends Pick<SiteCertificate, 'name' | 'use'> {
  readonly day: string;
  readonly status: CertificateStatus;
  readonly sites: number[];
  earliestNotAfter: string;
  latestNotAfter: string;
  latestNotBefore: string;
}

/** Groups the certificates of many sites: certificates with the same name and expiry day are listed once for all their sites. */
export class GroupedCertificates {
  readonly #found = new Map<string, Collected>();
  readonly #ends: SiteExpiry[] = [];
  readonly #sites: readonly NamedSite[];
  readonly #namingOf: (site: number) => SitePlaceholders;
  readonly #time: { readonly now: Date; readonly withinMs: number };

  /** Certificates that expire within `withinMs` are marked `expiring`; a negative value marks none. */
  constructor(sites: readonly NamedSite[], time: { readonly now: Date; readonly withinMs: number }) {
    this.#sites = sites;
    this.#namingOf = placeholdersBySite(sites.map(({ values }) => values));
    this.#time = time;
  }

  /** Adds the certificates of a site; `site` is its index. */
  add(site: number, certificates: readonly SiteCertificate[]): void {
    const { own } = this.#namingOf(site);
    const [first] = certificates;
    const { name = '' } = this.#sites[site] ?? {};
    this.#ends.push({ name, certificates: certificates.length, ...(first && { firstToExpire: first }) });
    for (const each of certificates) this.#take(site, { ...each, name: own.named(each.name) });
  }

  #take(site: number, { name, use, notBefore, notAfter }: SiteCertificate): void {
    const status = statusAt({ notBefore, notAfter }, this.#time);
    const day = notAfter.slice(0, 10);
    const key = [day, status, name].join('\n');
    const found = this.#found.get(key) ?? {
      ...{ name, ...(use !== undefined && { use }), day, status, sites: [] },
      ...{ earliestNotAfter: notAfter, latestNotAfter: notAfter, latestNotBefore: notBefore },
    };
    this.#found.set(key, found);
    // A site can have several certificates with the same name.
    if (found.sites.at(-1) !== site) found.sites.push(site);
    found.earliestNotAfter = earlier(found.earliestNotAfter, notAfter);
    found.latestNotAfter = later(found.latestNotAfter, notAfter);
    found.latestNotBefore = later(found.latestNotBefore, notBefore);
  }

  /** Groups sorted by expiry; on the same day, the group with the most sites comes first. */
  groups(): readonly CertificateGroup[] {
    const groups = new Map<string, { readonly one: Collected; readonly all: Collected[] }>();
    for (const each of this.#found.values()) {
      const key = [each.day, each.status, each.sites.join()].join('\n');
      const group = groups.get(key) ?? { one: each, all: [] };
      group.all.push(each);
      groups.set(key, group);
    }
    return [...groups.values()].map(({ one, all }) => this.#group(one, all)).toSorted(byEnd);
  }

  /** Sites in the order of the table. */
  ends(): readonly SiteExpiry[] {
    return this.#ends;
  }

  #group({ day, status, sites }: Collected, found: readonly Collected[]): CertificateGroup {
    return {
      day,
      status,
      earliestNotAfter: found.map(({ earliestNotAfter }) => earliestNotAfter).reduce(earlier),
      latestNotAfter: found.map(({ latestNotAfter }) => latestNotAfter).reduce(later),
      latestNotBefore: found.map(({ latestNotBefore }) => latestNotBefore).reduce(later),
      sites: sites.map((site) => this.#sites[site]?.name ?? ''),
      certificates: found
        .toSorted(byName)
        .map(({ name, use }) => ({ name: this.#shown(name, sites), ...(use !== undefined && { use }) })),
    };
  }

  /** A name used by a single site is shown with the site's values instead of placeholders. */
  #shown(name: string, [first = 0, ...others]: readonly number[]): string {
    return others.length > 0 ? name : this.#namingOf(first).own.filled(name);
  }
}

function statusAt(
  facts: Pick<SiteCertificate, 'notBefore' | 'notAfter'>,
  { now, withinMs }: { readonly now: Date; readonly withinMs: number },
): CertificateStatus {
  const left = remainingMs({ facts }, now);
  if (left <= 0) return 'expired';
  if (left <= withinMs) return 'expiring';
  return Date.parse(facts.notBefore) > now.getTime() ? 'not-yet-valid' : 'valid';
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
    Date.parse(left.earliestNotAfter) - Date.parse(right.earliestNotAfter)
  );
}
