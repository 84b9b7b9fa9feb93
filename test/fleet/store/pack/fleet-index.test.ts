import { expect, test } from 'vitest';

import { problemsOf } from '../../../../src/core/result.js';
import { cachedInputs } from '../../../../src/disk/read-inputs.js';
import { openFleet } from '../../../../src/fleet/table/read-fleet.js';
import {
  duplicatesIn,
  indexedSite,
  otherIndexes,
  publishIndex,
} from '../../../../src/fleet/store/pack/fleet-index.js';
import { siteIdentities, type SiteIdentities } from '../../../../src/fleet/store/pack/site-identities.js';
import { ageKeys } from '../../../support/age-keys.js';
import { snoConfigText } from '../../../support/minimal-config.js';
import { expectOk } from '../../../support/sound-value.js';
import { fleetFolder, fleetText, problemLine } from '../../files.js';
import { memoryStore } from '../memory-store.js';

const recipients = [ageKeys.ours.recipient];
const keys = { identities: [ageKeys.ours.identity], passphrases: [] };

function sitesOf(rows: string, domain = 'example.com'): readonly SiteIdentities[] {
  const mac = 'network: { interfaces: [{ name: eno1, mac-address: "${mac}" }] }\n';
  const dir = fleetFolder({
    'fleet.yaml': fleetText('boot: { address: "${bmc}" }\n'),
    'sites.csv': `name,ip,mac,bmc\n${rows}`,
    'base/install-config.yaml': `baseDomain: ${domain}\nmetadata: { name: "\${name}" }\n`,
    'base/sno-config.yaml': snoConfigText(`nodeIP: \${ip}\n${mac}`),
  });
  return [...expectOk(siteIdentities(expectOk(openFleet(dir)), cachedInputs(dir, {})))];
}

const north = sitesOf('north-1,10.0.0.1,52:54:00:00:00:01,https://10.9.0.1/redfish/v1/Systems/1\n');

async function indexed(): Promise<ReturnType<typeof memoryStore>> {
  const store = memoryStore();
  await publishIndex(store, { fleet: 'sites/north', sites: north.map(indexedSite) }, recipients);
  return store;
}

test.each<[string, string, string, readonly string[]]>([
  ['nothing in common', 'south-1,10.0.0.2,52:54:00:00:00:02,10.9.0.2', 'example.com', []],
  [
    'another system of the BMC',
    'south-1,10.0.0.2,52:54:00:00:00:02,https://10.9.0.1/redfish/v1/Systems/2',
    'example.com',
    [],
  ],
  [
    'the name',
    'north-1,10.0.0.2,52:54:00:00:00:02,10.9.0.2',
    'example.org',
    ['sites.csv:2:1 this site name'],
  ],
  [
    'name and domain',
    'north-1,10.0.0.2,52:54:00:00:00:02,10.9.0.2',
    'example.com',
    ['sites.csv:2:1 this site name', 'sites.csv:2:1 this cluster name and domain'],
  ],
  [
    'the address',
    'south-1,10.0.0.1,52:54:00:00:00:02,10.9.0.2',
    'example.com',
    ['sites.csv:2:9 this nodeIP'],
  ],
  [
    'the MAC address',
    'south-1,10.0.0.2,52:54:00:00:00:01,10.9.0.2',
    'example.com',
    ['sites.csv:2:18 this MAC address'],
  ],
  ['the BMC', 'south-1,10.0.0.2,52:54:00:00:00:02,10.9.0.1', 'example.com', ['sites.csv:2:36 this BMC']],
])('finds %s of a site in another fleet, at its cell', async (_what, row, domain, want) => {
  const others = expectOk(await otherIndexes(await indexed(), 'sites/south', keys));
  const found = duplicatesIn(others, sitesOf(`${row}\n`, domain));
  expect(found.map(({ problem }) => problemLine(problem))).toEqual(
    want.map((each) => {
      const [place = '', ...what] = each.split(' ');
      return `${place} pack/duplicate: ${what.join(' ')} is already used by the site "north-1" of the fleet in "sites/north"`;
    }),
  );
});

test('does not compare a fleet with its own earlier index', async () => {
  expect(await otherIndexes(await indexed(), 'sites/north', keys)).toMatchObject({ ok: true, value: [] });
});

test('is encrypted, and an index that cannot be read is a problem', async () => {
  const store = await indexed();
  const all = [...store.objects].map(([name, bytes]) => name + bytes.toString('latin1')).join('\n');
  expect(all).not.toMatch(/north|10\.0\.0|52:54/);
  const without = await otherIndexes(store, 'sites/south', { identities: [], passphrases: [] });
  expect(problemsOf(without).map(({ code }) => code)).toEqual(['pack/index']);
  for (const [name, bytes] of store.objects)
    if (name.endsWith('.age')) store.objects.set(name, bytes.subarray(0, -1));
  expect(problemsOf(await otherIndexes(store, 'sites/south', keys)).map(({ code }) => code)).toEqual([
    'pack/index',
  ]);
  store.objects.set('fleets.json', Buffer.from('{}'));
  expect(problemsOf(await otherIndexes(store, 'sites/south', keys)).map(({ code }) => code)).toEqual([
    'pack/index',
  ]);
});

test('keeps all fleets that are added at the same time, and forgets a deleted one', async () => {
  const store = memoryStore();
  const fleets = ['sites/a', 'sites/b', 'sites/c'];
  await Promise.all(fleets.map((fleet) => publishIndex(store, { fleet, sites: [] }, recipients)));
  const names = async (): Promise<readonly string[]> =>
    expectOk(await otherIndexes(store, 'sites/d', keys)).map(({ fleet }) => fleet);
  expect((await names()).toSorted()).toEqual(fleets);
  const [first = ''] = [...store.objects.keys()].filter((name) => name.endsWith('.age'));
  store.objects.delete(first);
  expect(await names()).toHaveLength(2);
});
