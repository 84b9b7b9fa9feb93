import { expect, test } from 'vitest';

import { Redacted } from '../../../src/core/redacted.js';
import { openBmc } from '../../../src/remote/redfish/bmc-client.js';
import { BmcFault } from '../../../src/remote/redfish/bmc-fault.js';
import { bootMachine } from '../../../src/remote/redfish/boot-machine.js';
import { account, refusal, fakeBmc, type Json, type Oddities, type FakeBmc } from './fake-bmc.js';

const imageUrl = 'https://media.site.example/sno1.iso';
const system = '/redfish/v1/Systems/1';
const media = `${system}/VirtualMedia`;
const ofManager = '/redfish/v1/Managers/1/VirtualMedia';

async function boot({ origin }: FakeBmc, mediumMs = 60_000): Promise<BmcFault | undefined> {
  const user = { name: account.name, password: new Redacted(account.password) };
  const { signal } = new AbortController();
  const pacing = {
    questionMs: 60_000,
    signal,
    present: () => new Date(),
    mediumMs,
    lookMs: 1,
    retryMs: 1,
  };
  try {
    const client = await openBmc({ origin, user, trust: {}, pacing, hidden: [imageUrl] });
    const beforeStart = (): Promise<void> => Promise.resolve();
    await bootMachine(client, { imageUrl, onFound: () => undefined, beforeStart, onRefused: beforeStart });
    await client.leave();
    return undefined;
  } catch (error) {
    if (error instanceof BmcFault) return error;
    throw error;
  }
}

const insert = `POST ${media}/1/Insert {"Image":"${imageUrl}"}`;
const on = `POST ${system}/Reset {"ResetType":"On"}`;
const override = (target = 'Cd', path = system, mode = ',"BootSourceOverrideMode":"UEFI"'): string =>
  `PATCH ${path} {"Boot":{"BootSourceOverrideEnabled":"Once","BootSourceOverrideTarget":"${target}"${mode}}}`;

const usbAndCd = { targets: ['None', 'Cd', 'Usb', 'UsbCd'] };
const settings = `${system}/Settings`;
const withSettings = { '@Redfish.Settings': { SettingsObject: { '@odata.id': settings } } };
const overridePart: Json = { Boot: { BootSourceOverrideTarget: 'None' } };
const readOnly = refusal('PropertyNotWritable', ['BootSourceOverrideEnabled'], 'a read only property');
const aboutMode = refusal('PropertyNotWritable', ['BootSourceOverrideMode'], 'a read only property');

/** Refuses the first write to a path. */
function once(path: string, status: number, body: Json): NonNullable<Oddities['refuses']> {
  let left = 1;
  return (write) => (write.path === path && left-- > 0 ? [status, body] : undefined);
}

const cases: readonly { name: string; odd: Oddities; want: readonly string[] }[] = [
  // openstack/sushy, system.py, set_system_boot_options
  {
    name: 'Supermicro, whose virtual CD is the one at USB',
    odd: { ...usbAndCd, machine: { Manufacturer: 'Supermicro', Model: 'SYS-110P-WTR' } },
    want: [insert, override('UsbCd'), on],
  },
  {
    name: 'the exception of Supermicro',
    odd: { ...usbAndCd, machine: { Manufacturer: 'Supermicro', Model: 'ARS-111GL-NHR' } },
    want: [insert, override(), on],
  },
  { name: 'another maker with both', odd: usbAndCd, want: [insert, override(), on] },
  { name: 'targets in other letters', odd: { targets: ['CD'] }, want: [insert, override('CD'), on] },
  // openstack/sushy, check-for-boot-attrs-in-settingsuri
  {
    name: 'an override in the settings resource',
    odd: { machine: withSettings, resources: { [settings]: overridePart } },
    want: [insert, override('Cd', settings), on],
  },
  {
    name: 'a settings resource without the override',
    odd: { machine: withSettings, resources: { [settings]: {} } },
    want: [insert, override(), on],
  },
  {
    name: 'a settings resource that refuses the override',
    odd: {
      machine: withSettings,
      resources: { [settings]: overridePart },
      refuses: ({ path }) => (path === settings ? [400, readOnly] : undefined),
    },
    want: [insert, override('Cd', settings), override(), on],
  },
  {
    name: 'a mode that cannot be written',
    odd: {
      refuses: ({ path, body }) =>
        'BootSourceOverrideMode' in Object(body['Boot']) && path === system ? [400, aboutMode] : undefined,
    },
    want: [insert, override(), override('Cd', system, ''), on],
  },
  // openstack/sushy, ignore-empty-string-etags; connector.py, _etag_handler
  {
    name: 'ETags that are never right',
    odd: {
      etag: '"N"',
      refuses: once(system, 412, {}),
    },
    want: [insert, override(), override(), on],
  },
  // openstack/sushy, retry-ilo-not-ready-error
  {
    name: 'an iLO that is not ready shortly after a power change',
    odd: {
      refuses: once(
        `${system}/Reset`,
        400,
        refusal('InvalidOperationForSystemState', [], 'not in this state'),
      ),
    },
    want: [insert, override(), on, on],
  },
  // DSP0266, "Asynchronous operations": the body of the answer is the task
  { name: 'a task without Location', odd: { withTasks: 'unnamed' }, want: [insert, override(), on] },
  // DSP2046, VirtualMedia: MediaTypes is optional
  {
    name: 'a slot without MediaTypes, by its name',
    odd: { mediaTypes: [[], []], slot: { Id: 'VirtualCD' } },
    want: [insert.replace('/1/Insert', '/0/Insert'), override(), on],
  },
  {
    name: 'the only slot, without MediaTypes',
    odd: { mediaTypes: [[]] },
    want: [insert.replace('/1/Insert', '/0/Insert'), override(), on],
  },
  {
    name: 'an empty collection of the system, and media of its manager',
    odd: {
      mediaBelowManager: true,
      machine: {
        VirtualMedia: { '@odata.id': '/empty' },
        Links: { ManagedBy: [{ '@odata.id': '/redfish/v1/Managers/1' }] },
      },
      resources: { '/empty': { Members: [] } },
    },
    want: [`POST ${ofManager}/1/Insert {"Image":"${imageUrl}"}`, override(), on],
  },
  // openstack/sushy, retry-on-missing-managedby (Huawei)
  {
    name: 'a system with another link to its manager',
    odd: {
      mediaBelowManager: true,
      machine: { Links: { Managers: [{ '@odata.id': '/redfish/v1/Managers/1' }] } },
    },
    want: [`POST ${ofManager}/1/Insert {"Image":"${imageUrl}"}`, override(), on],
  },
  {
    name: 'a system without a link to the only manager',
    odd: {
      mediaBelowManager: true,
      machine: { Links: {} },
      resources: { '/redfish/v1/Managers': { Members: [{ '@odata.id': '/redfish/v1/Managers/1' }] } },
    },
    want: [`POST ${ofManager}/1/Insert {"Image":"${imageUrl}"}`, override(), on],
  },
  {
    name: 'an action whose ActionInfo is missing',
    odd: { insert: { '@Redfish.ActionInfo': '/redfish/v1/Missing' } },
    want: [insert, override(), on],
  },
];

test.each(cases)('a machine is booted: $name', async ({ odd, want }) => {
  const bmc = await fakeBmc(odd);

  expect(await boot(bmc)).toBeUndefined();
  expect(bmc.writes).toEqual(want);
  expect(bmc.state.images).toContain(imageUrl);
});

const license = refusal('OemLicenseNotPassed', ['DCMS'], 'Not licensed to perform this request.');

const refused: readonly { name: string; odd: Oddities; want: string }[] = [
  // Supermicro: Base.1.0.0.OemLicenseNotPassed with HTTP 403
  {
    name: 'a license that is missing',
    odd: { refuses: () => [403, license] },
    want: 'unsupported: a license of the BMC is missing: Not licensed to perform this request.',
  },
  {
    name: 'media with an action of the vendor only: Huawei',
    odd: {
      insertsByPatch: true,
      slot: { Oem: { Huawei: { Actions: { '#VirtualMedia.VmmControl': { target: '/x' } } } } },
    },
    want: 'unsupported: its virtual CD has only the action VirtualMedia.VmmControl of its vendor',
  },
  {
    name: 'slots without MediaTypes and without names',
    odd: { mediaTypes: [[], []] },
    want: 'unsupported: it has no virtual CD or DVD; a license may be required',
  },
];

test.each(refused)('a machine is not booted: $name', async ({ odd, want }) => {
  const bmc = await fakeBmc(odd);
  const fault = await boot(bmc);

  expect(`${fault?.kind}: ${fault?.message}`).toBe(want);
  expect(bmc.state.starts).toBe(0);
});

test('a slot that is not connected is empty, although it says Inserted', async () => {
  const odd = {
    slot: { Inserted: true, Image: null, ConnectedVia: 'NotConnected' },
    losesMedium: true,
  } as const;
  const bmc = await fakeBmc(odd);
  const fault = await boot(bmc, 1);

  expect(bmc.writes.filter((each) => each.includes('Eject'))).toEqual([]);
  expect(fault?.kind).toBe('stuck');
});
