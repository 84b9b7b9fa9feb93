import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { dataUrl } from '../../../src/formats/data-url.js';
import { fleetFolder, fleetText } from '../../fleet/files.js';
import { ageKeys } from '../../support/age-keys.js';
import { snoInProcess } from '../../support/in-process.js';
import { throwawayCaPem, throwawayLeafPem } from '../../support/throwaway-certificates.js';
import { encryptAge } from '../../../src/formats/age.js';

/** Expired on 2026-01-03. */
const expired = readFileSync('test/review/sample-certificate.pem', 'utf8');

function config(...pems: readonly string[]): string {
  const files = pems.map((pem, index) => ({ path: `/etc/${index}.crt`, contents: { source: dataUrl(pem) } }));
  return JSON.stringify({ ignition: { version: '3.2.0' }, storage: { files } });
}

interface CertsResult {
  readonly ok: boolean;
  readonly problems: readonly {
    readonly code: string;
    readonly sites: readonly string[];
    readonly message: string;
  }[];
  readonly groups: readonly {
    readonly day: string;
    readonly sites: readonly string[];
    readonly certificates: readonly { readonly name: string }[];
  }[];
  readonly sites: readonly { readonly name: string; readonly firstToExpire: { readonly notAfter: string } }[];
}

/** The JSON output of `fleet certs`. */
async function certs(
  dir: string,
  ...more: readonly string[]
): Promise<{ readonly code: number; readonly result: CertsResult }> {
  const { code, stdout } = await snoInProcess(['fleet', 'certs', '--dir', dir, '--output', 'json', ...more]);
  return { code, result: JSON.parse(stdout) as CertsResult };
}

const rows = ['a', 'b', 'c', 'd', 'e'].map((name, index) => `${name},192.168.126.${10 + index}`);
const fiveSites = { 'sites.csv': `name,ip\n${rows.join('\n')}\n` };

describe('fleet certs', () => {
  test('lists readable certificates, and reports unreadable sites', async () => {
    const dir = fleetFolder({
      ...fiveSites,
      'out/a/node.ign': config(throwawayCaPem, throwawayCaPem, throwawayLeafPem),
      'out/b/node.ign': config(throwawayCaPem, expired),
      'out/c/node.ign': config(throwawayCaPem).slice(0, -10),
      'out/d/node.ign': config('nothing'),
    });
    const { code, result } = await certs(dir);

    expect(code).toBe(1);
    expect(result.problems.map(({ code, sites }) => [code, sites])).toEqual([
      ['fleet/output-unreadable', ['c']],
      ['certs/none', ['d']],
      ['fleet/not-made', ['e']],
    ]);
    expect(result.groups.map(({ day, sites, certificates }) => [day, sites, certificates])).toEqual([
      ['2026-01-03', ['b'], [{ name: 'O=system:masters, CN=system:admin' }]],
      ['2126-10-28', ['a', 'b'], [{ name: 'CN=throwaway-ca' }]],
      ['2126-10-28', ['a'], [{ name: 'CN=throwaway-leaf' }]],
    ]);
    expect(result.sites.map(({ name, firstToExpire }) => [name, firstToExpire.notAfter])).toEqual([
      ['a', '2126-10-28T10:10:40Z'],
      ['b', '2026-01-03T00:00:00Z'],
    ]);
  });

  test('reports expiring certificates by its exit code, also for selected sites', async () => {
    const dir = fleetFolder({
      ...fiveSites,
      ...Object.fromEntries(rows.map((row) => [`out/${row.slice(0, 1)}/node.ign`, config(throwawayCaPem)])),
      'out/e/node.ign': config(expired, throwawayCaPem),
    });
    expect((await certs(dir)).code).toBe(0);
    expect((await certs(dir, '--only', 'a', '--only', 'b', '--warn-before', '9d')).code).toBe(0);
    const due = await certs(dir, '--warn-before', '0s');
    expect([due.code, due.result.ok, due.result.problems.map(({ code, sites }) => [code, sites])]).toEqual([
      1,
      false,
      [['certs/ended', ['e']]],
    ]);
    const text = await snoInProcess(['fleet', 'certs', '--dir', dir, '--warn-before', '90000d']);
    expect(text.stderr).toMatch(
      /^error\[certs\/ends-soon\]: CN=throwaway-ca expires on .* \(all 5 sites\)$/m,
    );
    expect((await snoInProcess(['fleet', 'certs', '--dir', dir, '--warn-before', 'soon'])).code).toBe(2);
    expect((await certs(dir, '--only', 'nobody')).result.problems.map(({ code }) => code)).toEqual([
      'fleet/no-site',
    ]);
  });

  test('decrypts outputs, and reports missing identities once for many sites', async () => {
    const { recipient, identity } = ageKeys.ours;
    const sealed = await encryptAge(Buffer.from(config(throwawayCaPem)), { recipients: [recipient] });
    const dir = fleetFolder({
      'fleet.yaml': fleetText(`recipients: [${recipient}]\n`),
      'out/north-1/node.ign.age': sealed,
      'out/north-2/node.ign.age': sealed,
      identity: `${identity}\n`,
      other: `${ageKeys.others.identity}\n`,
    });
    const opened = await certs(dir, '--identity', join(dir, 'identity'));
    expect([opened.code, opened.result.groups.map(({ sites }) => sites)]).toEqual([
      0,
      [['north-1', 'north-2']],
    ]);
    for (const [args, want] of [
      [[], 'state/no-identity'],
      [['--identity', join(dir, 'other')], 'state/wrong-identity'],
    ] as const) {
      const { code, result } = await certs(dir, ...args);
      const found = result.problems.map(({ code, sites }) => [code, sites]);
      expect([code, found]).toEqual([1, [[want, ['north-1', 'north-2']]]]);
    }
  });
});
