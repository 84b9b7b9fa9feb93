import { problem, type Problem } from '../../core/problem.js';
import type { CertificateFacts } from './certificate-facts.js';
import { placeText, type CertificateList, type ListedCertificate } from './certificate-list.js';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

interface Lasting {
  readonly facts: Pick<CertificateFacts, 'notBefore' | 'notAfter'>;
}

/** Milliseconds until expiry; negative after it. */
export function remainingMs({ facts }: Lasting, now: Date): number {
  return Date.parse(facts.notAfter) - now.getTime();
}

/** Formats the time until expiry: `12 days left`, `3 h left`, `expired 2 days ago`, or `not valid before TIME` before `notBefore`. */
export function remainingText(listed: Lasting, now: Date): string {
  if (Date.parse(listed.facts.notBefore) > now.getTime()) return `not valid before ${listed.facts.notBefore}`;
  return remainingTime(listed.facts.notAfter, now);
}

/** Formats the time from `now` until an RFC 3339 time: `29 days left` or `expired 2 days ago`. */
export function remainingTime(notAfter: string, now: Date): string {
  const left = Date.parse(notAfter) - now.getTime();
  return left > 0 ? `${roughly(left)} left` : `expired ${roughly(-left)} ago`;
}

/** Uses the largest unit of which there are at least two. */
function roughly(ms: number): string {
  if (ms >= 2 * dayMs) return `${Math.floor(ms / dayMs)} days`;
  return ms >= 2 * hourMs ? `${Math.floor(ms / hourMs)} h` : `${Math.floor(ms / minuteMs)} min`;
}

/** Reports the certificates that expire within a period, earliest first. Problems: certs/ended, certs/ends-soon. */
export function expiringCertificates(
  { certificates }: CertificateList,
  now: Date,
  withinMs: number,
): readonly Problem[] {
  return certificates
    .filter((each) => remainingMs(each, now) <= withinMs)
    .map((each) => {
      const [place = { file: '' }] = each.places;
      const verb = remainingMs(each, now) <= 0 ? 'expired' : 'expires';
      const message = `${nameOf(each)} ${verb} at ${each.facts.notAfter} (${remainingText(each, now)})`;
      const where = placeText(place);
      return problem(verb === 'expired' ? 'certs/ended' : 'certs/ends-soon', message, {
        at: { file: place.file },
        ...(where !== place.file && { hint: `the certificate is in ${where}` }),
      });
    });
}

interface Named {
  readonly facts: Pick<CertificateFacts, 'subject' | 'sha256'>;
}

/** Returns the name from the catalog, or the subject. */
export function nameOf({ facts, known }: Pick<ListedCertificate, 'known'> & Named): string {
  return known?.name ?? (facts.subject === '' ? `certificate ${facts.sha256.slice(0, 8)}` : facts.subject);
}
