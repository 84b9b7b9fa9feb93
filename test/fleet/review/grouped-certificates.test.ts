import { describe, expect, test } from 'vitest';

import { GroupedCertificates } from '../../../src/fleet/certificates/grouped-certificates.js';
import {
  expiryProblems,
  fleetCertificatesText,
  type FleetCertificates,
} from '../../../src/fleet/certificates/show-certificates.js';

const now = new Date('2026-11-22T12:00:00Z');
const dayMs = 24 * 3600 * 1000;

/** Sites with a server certificate and a CA certificate each. `ends` sets the expiry of the server certificate of some sites. */
function fleetOf(
  count: number,
  {
    ends = {},
    withinMs = -Infinity,
  }: { readonly ends?: Readonly<Record<number, string>>; readonly withinMs?: number } = {},
): FleetCertificates {
  const names = Array.from({ length: count }, (_, index) => `site-${index}`);
  const sites = names.map((name) => ({ name, values: new Map([['name', name]]) }));
  const grouped = new GroupedCertificates(sites, { now, withinMs });
  const notBefore = '2026-11-01T00:00:00Z';
  names.forEach((name, index) => {
    const notAfter = ends[index] ?? '2026-12-01T10:00:00Z';
    grouped.add(index, [
      { name: 'api-server', use: 'the API', notBefore, notAfter },
      { name: `CN=${name}`, notBefore, notAfter: '2036-01-01T00:00:00Z' },
    ]);
  });
  return { groups: grouped.groups(), ends: grouped.ends(), sites: names, now };
}

describe('certificates of many sites', () => {
  test('are listed once, with placeholders for values of sites', () => {
    expect(fleetCertificatesText(fleetOf(3000))).toBe(
      `2026-12-01  8 days left  all 3000 sites
    api-server: the API

2036-01-01  3326 days left  all 3000 sites
    CN=\${name}

6000 certificates in 3000 sites; first expiry: 2026-12-01T10:00:00Z (8 days left), site site-0
`,
    );
  });

  test('lists exceptions with their values, sorted by expiry date', () => {
    const found = fleetOf(20, { ends: { 7: '2026-11-24T10:00:00Z', 9: '2026-12-01T23:59:59Z' } });
    const titles = fleetCertificatesText(found)
      .split('\n')
      .filter((line) => /^\d/.test(line));
    expect(titles).toEqual([
      '2026-11-24  46 h left  1 site: site-7',
      '2026-12-01  8 days left  19 of 20 sites, all except site-7, first at 10:00:00Z',
      '2036-01-01  3326 days left  all 20 sites',
      '40 certificates in 20 sites; first expiry: 2026-11-24T10:00:00Z (46 h left), site site-7',
    ]);
    expect(found.groups[0]?.certificates).toEqual([{ name: 'api-server', use: 'the API' }]);
    expect(fleetCertificatesText(fleetOf(1))).toContain('    CN=site-0\n');
  });

  test('reports expiring certificates for exactly the affected sites, to the second', () => {
    const ends = { 0: '2026-11-29T12:00:00Z', 1: '2026-11-29T12:00:01Z', 2: '2026-11-22T12:00:00Z' };
    const found = expiryProblems(fleetOf(4, { ends, withinMs: 7 * dayMs }));
    expect(found.map(({ problem: { code, message }, sites }) => [code, message, sites])).toEqual([
      [
        'certs/ended',
        'api-server expired on 2026-11-22, the first at 12:00:00Z (expired 0 min ago)',
        ['site-2'],
      ],
      [
        'certs/ends-soon',
        'api-server expires on 2026-11-29, the first at 12:00:00Z (7 days left)',
        ['site-0'],
      ],
    ]);
  });
});
