import type { SnoConfig } from '../config/schema/sno-config-schema.js';
import type { Lifetime } from './installer-catalog.js';

export const daySeconds = 24 * 60 * 60;

/** Ten years without leap days. Source: openshift/installer pkg/asset/tls, ValidityTenYears */
const tenYearsSeconds = 3650 * daySeconds;
const oneYearSeconds = 365 * daySeconds;

/** Validity of a certificate issued now. */
export function validity(
  lifetime: Lifetime,
  sno: SnoConfig,
  now: Date,
): { readonly notBefore: Date; readonly notAfter: Date } {
  const { backdateSeconds, validitySeconds } = sno.certificates;
  const seconds = {
    live: validitySeconds,
    'one-year': Math.max(oneYearSeconds, validitySeconds),
    'ten-years': Math.max(tenYearsSeconds, validitySeconds),
  }[lifetime];
  return { notBefore: addSeconds(now, -backdateSeconds), notAfter: addSeconds(now, seconds) };
}

/** Adds seconds, which may be negative. */
export function addSeconds(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1000);
}
