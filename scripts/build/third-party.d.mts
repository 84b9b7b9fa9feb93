import type { BundledPackage } from './bundled-packages.mjs';

export const knownLicences: ReadonlySet<string>;
export function thirdPartyNotices(packages: readonly BundledPackage[]): string;
