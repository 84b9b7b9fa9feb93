import { describe, expect, it, test } from 'vitest';

import { Redacted } from '../../../src/core/redacted.js';
import {
  changedHardware,
  readBootRecord,
  serializeBootRecord,
  type BootedSite,
  type BootRecord,
  type SiteHardware,
} from '../../../src/fleet/boot/boot-record.js';
import { bootRecordWriter } from '../../../src/fleet/boot/boot-record-writer.js';
import { bootSite, type SiteBootResult } from '../../../src/fleet/boot/boot-site.js';
import { changedHardwareProblems, otherBootProblems } from '../../../src/fleet/boot/machine-problems.js';
import { account, fakeBmc, type FakeBmc } from '../../remote/redfish/fake-bmc.js';

const at = { file: 'sites.csv', line: 2 };
const bootedAt = '2026-01-01T00:00:00Z';
const bmc = 'https://192.0.2.1';
const mac = '52:54:00:00:00:01';
const uuid = '4c4c4544-0042-3510-8052-b8c04f423732';

function recordOf(sites: Readonly<Record<string, Partial<BootedSite>>>): BootRecord {
  const full = Object.entries(sites).map(
    ([name, site]) => [name, { state: 'booted', updatedAt: bootedAt, bmc, ...site }] as const,
  );
  return new Map<string, BootedSite>(full);
}

describe('a site whose machine was booted before', () => {
  const renamed =
    'boot/other-site: new: its machine was booted as the site old at 2026-01-01T00:00:00Z, by its BMC address the same one';
  test.each<{
    name: string;
    record: Readonly<Record<string, Partial<BootedSite>>>;
    origin?: string;
    system?: string;
    want: readonly string[];
  }>([
    { name: 'none is recorded', record: {}, want: [] },
    { name: 'its own record', record: { new: {} }, want: [] },
    { name: 'another name', record: { old: {} }, want: [renamed] },
    {
      name: 'another name, and killed while it was started',
      record: { old: { state: 'starting' } },
      want: [renamed],
    },
    { name: 'another name, ejected', record: { old: { state: 'ejected' } }, want: [renamed] },
    { name: 'another machine', record: { old: { bmc: 'https://192.0.2.2' } }, want: [] },
    {
      name: 'another system of the same BMC',
      record: { old: { system: '/redfish/v1/Systems/2' } },
      system: '/redfish/v1/Systems/1',
      want: [],
    },
    {
      name: 'two sites that exchanged their BMCs',
      record: { new: { bmc: 'https://192.0.2.2' }, old: {} },
      want: [renamed],
    },
    {
      name: 'another name at a new BMC address, with its MAC address',
      record: { old: { bmc: 'https://192.0.2.2', macs: [mac] } },
      want: [renamed.replace('BMC', 'MAC')],
    },
    {
      name: 'its name at a new BMC address, with its MAC address',
      record: { new: { bmc: 'https://192.0.2.2', macs: [mac] } },
      want: [
        'boot/other-site: new: it was booted at 2026-01-01T00:00:00Z from the BMC https://192.0.2.2, by its MAC address the same machine',
      ],
    },
    {
      name: 'its name at a new BMC address, with other MAC addresses',
      record: { new: { bmc: 'https://192.0.2.2', macs: ['52:54:00:00:00:02'] } },
      want: [],
    },
  ])('$name', ({ record, system, want }) => {
    const site = {
      name: 'new',
      address: { origin: bmc, ...(system !== undefined && { system }) },
      trust: {},
      at,
      trustAt: at,
    };
    const found = otherBootProblems([site], recordOf(record), () => ({ macs: [mac] }));
    expect(found.map(({ code, message }) => `${code}: ${message}`)).toEqual(want);
  });
});

test.each<{ known: SiteHardware; now: SiteHardware; want: string | undefined }>([
  { known: { macs: [mac], disk: '/dev/a' }, now: { macs: [mac], disk: '/dev/a' }, want: undefined },
  { known: { macs: [mac] }, now: { macs: [mac, '52:54:00:00:00:02'] }, want: undefined },
  { known: { macs: [mac] }, now: { macs: ['52:54:00:00:00:02'] }, want: 'MAC addresses' },
  { known: { macs: [], disk: '/dev/a' }, now: { macs: [mac], disk: '/dev/b' }, want: 'installation disk' },
  { known: { macs: [] }, now: { macs: [mac], disk: '/dev/b' }, want: undefined },
])('hardware $known then $now', ({ known, now, want }) => {
  expect(changedHardware(known, now)).toBe(want);
  const site = { name: 'a', address: { origin: bmc }, trust: {}, at, trustAt: at };
  const problems = changedHardwareProblems([site], recordOf({ a: known }), () => now);
  expect(problems.map(({ code }) => code)).toEqual(want === undefined ? [] : ['boot/changed-hardware']);
});

test('the record keeps UUID, MAC addresses and disk', () => {
  const record = recordOf({ a: { uuid, macs: [mac], disk: '/dev/a' } });
  const read = readBootRecord(serializeBootRecord(record), 'boot.json');
  expect(read.ok && [...read.value]).toEqual([...record]);
});

describe('the UUID of a machine', () => {
  const boot = (
    machine: FakeBmc,
    record: BootRecord,
    isReinstall = false,
  ): { readonly result: Promise<SiteBootResult>; readonly recorded: () => BootRecord } => {
    const keeper = bootRecordWriter(record, () => ({ ok: true, value: undefined, warnings: [] }));
    const site = { name: 'new', address: { origin: machine.origin }, trust: {}, at, trustAt: at };
    const pacing = {
      questionMs: 20_000,
      mediumMs: 20_000,
      signal: new AbortController().signal,
      present: () => new Date(0),
      lookMs: 1,
      retryMs: 1,
    };
    const user = { name: account.name, password: new Redacted(account.password), source: '' };
    const options = {
      imageUrl: 'https://media.example.com/new/live.iso',
      isReinstall,
      hardware: { macs: [mac] },
    };
    const result = bootSite({ site, user, pacing }, { ...options, isAgain: isReinstall }, keeper);
    return { result, recorded: keeper.all };
  };
  const named = { machine: { UUID: uuid.toUpperCase() } };

  it('is recorded with the MAC addresses', async () => {
    const machine = await fakeBmc(named);
    const { result, recorded } = boot(machine, new Map());
    expect((await result).state).toBe('booted');
    expect(recorded().get('new')).toMatchObject({ uuid, macs: [mac] });
  });

  it.each(['old', 'new'])(
    'leaves a machine alone that was booted as %s from another BMC address',
    async (name) => {
      const machine = await fakeBmc({ ...named, isOn: true });
      const { result } = boot(machine, recordOf({ [name]: { uuid } }));
      expect((await result).problems.map(({ code }) => code)).toEqual(['boot/other-site']);
      expect(machine.writes).toEqual([]);
    },
  );

  it('does not matter for a reinstallation, which takes over the machine', async () => {
    const machine = await fakeBmc({ ...named, isOn: true });
    const { result, recorded } = boot(
      machine,
      recordOf({ old: { uuid }, other: { bmc: 'https://192.0.2.9' } }),
      true,
    );
    expect((await result).state).toBe('booted');
    expect([...recorded().keys()].sort()).toEqual(['new', 'other']);
  });

  it.each(['00000000-0000-0000-0000-000000000000', '03000200-0400-0500-0006-000700080009', 'not set'])(
    'is ignored if it is %s',
    async (unset) => {
      const machine = await fakeBmc({ machine: { UUID: unset } });
      const { result, recorded } = boot(machine, recordOf({ old: { uuid: unset } }));
      expect((await result).state).toBe('booted');
      expect(recorded().get('new')?.uuid).toBeUndefined();
    },
  );
});
