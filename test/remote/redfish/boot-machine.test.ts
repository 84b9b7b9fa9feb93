import { createServer } from 'node:net';

import { describe, expect, it, onTestFinished, test } from 'vitest';

import { Redacted } from '../../../src/core/redacted.js';
import { openBmc, type BmcClientOptions } from '../../../src/remote/redfish/bmc-client.js';
import { BmcFault } from '../../../src/remote/redfish/bmc-fault.js';
import {
  bootMachine,
  checkReadiness,
  ejectFrom,
  type MachineOfBmc,
} from '../../../src/remote/redfish/boot-machine.js';
import { selfSigned } from '../../support/openssl.js';
import { freePort, listeningPort } from '../../support/ports.js';
import { describeWith } from '../../support/programs.js';
import { account, refusal, fakeBmc, type Json, type Oddities, type FakeBmc } from './fake-bmc.js';

const imageUrl = 'https://media.example.com/3f9c2b7e1a5d4c60/live.iso';

function visit(origin: string, changes: Partial<BmcClientOptions> = {}): BmcClientOptions {
  return {
    origin,
    user: { name: account.name, password: new Redacted(account.password) },
    trust: {},
    hidden: [imageUrl],
    pacing: {
      questionMs: 20_000,
      signal: new AbortController().signal,
      present: () => new Date(),
      mediumMs: 20_000,
      lookMs: 1,
      retryMs: 1,
    },
    ...changes,
  };
}

/** The fault of a boot; undefined for a successful one. */
async function booted(
  { origin }: FakeBmc,
  changes: Partial<BmcClientOptions> = {},
  of: MachineOfBmc = {},
): Promise<BmcFault | undefined> {
  try {
    const client = await openBmc(visit(origin, changes));
    try {
      const nothing = (): Promise<void> => Promise.resolve();
      await bootMachine(client, {
        ...of,
        imageUrl,
        onFound: () => undefined,
        beforeStart: nothing,
        onRefused: nothing,
      });
    } finally {
      await client.leave();
    }
    return undefined;
  } catch (error) {
    if (error instanceof BmcFault) return error;
    throw error;
  }
}

const slot = '/redfish/v1/Systems/1/VirtualMedia/1';
const insert = `POST ${slot}/Insert {"Image":"${imageUrl}"}`;
const override =
  'PATCH /redfish/v1/Systems/1 {"Boot":{"BootSourceOverrideEnabled":"Once","BootSourceOverrideTarget":"Cd","BootSourceOverrideMode":"UEFI"}}';
const reset = (type: string): string => `POST /redfish/v1/Systems/1/Reset {"ResetType":"${type}"}`;
const on = reset('On');

describe('a machine is booted from an image', () => {
  const transfer = `"TransferProtocolType":"HTTPS"`;
  const manager = '/redfish/v1/Managers/1/VirtualMedia/1';
  const cases: readonly { name: string; odd: Oddities; want: readonly string[] }[] = [
    { name: 'that is off', odd: {}, want: [insert, override, on] },
    { name: 'that runs', odd: { isOn: true }, want: [insert, reset('ForceOff'), override, on] },
    { name: 'whose BMC has no sessions', odd: { withoutSessions: true }, want: [insert, override, on] },
    { name: 'whose session ends in between', odd: { expiredSessions: 1 }, want: [insert, override, on] },
    { name: 'whose BMC is busy at first', odd: { busyFor: 3 }, want: [insert, override, on] },
    {
      name: 'that can only be restarted',
      odd: { isOn: true, resets: ['ForceRestart', 'On'] },
      want: [insert, override, reset('ForceRestart')],
    },
    {
      name: 'whose media are those of its manager',
      odd: { mediaBelowManager: true },
      want: [`POST ${manager}/Insert {"Image":"${imageUrl}"}`, override, on],
    },
    {
      name: 'whose media are patched',
      odd: { insertsByPatch: true },
      want: [`PATCH ${slot} {"Image":"${imageUrl}","Inserted":true,"WriteProtected":true}`, override, on],
    },
    {
      name: 'whose media are patched, with something in them',
      odd: { insertsByPatch: true, inserted: 'http://192.0.2.1/old.iso' },
      want: [
        `PATCH ${slot} {"Image":null,"Inserted":false}`,
        `PATCH ${slot} {"Image":"${imageUrl}","Inserted":true,"WriteProtected":true}`,
        override,
        on,
      ],
    },
    {
      name: 'with something in its slot',
      odd: { inserted: 'http://192.0.2.1/old.iso' },
      want: [`POST ${slot}/Eject {}`, insert, override, on],
    },
    {
      name: 'with several slots, the first empty one',
      odd: { mediaTypes: [['USBStick'], ['DVD'], ['CD']] },
      want: [insert, override, on],
    },
    {
      name: 'whose BMC wants to hear the protocol and the method',
      odd: { demands: ['TransferProtocolType', 'TransferMethod'] },
      want: [
        insert,
        `POST ${slot}/Insert {"Image":"${imageUrl}",${transfer}}`,
        `POST ${slot}/Insert {"Image":"${imageUrl}",${transfer},"TransferMethod":"Stream"}`,
        override,
        on,
      ],
    },
    {
      name: 'whose BMC describes what it wants to hear',
      odd: { actionInfo: ['Image', 'TransferProtocolType'], resets: ['ForceOff', 'ForceOn'], isOn: true },
      want: [
        `POST ${slot}/Insert {"Image":"${imageUrl}",${transfer}}`,
        reset('ForceOff'),
        override,
        reset('ForceOn'),
      ],
    },
    {
      name: 'that calls its CD one at USB',
      odd: { targets: ['Hdd', 'UsbCd'] },
      want: [insert, override.replace('"Cd"', '"UsbCd"'), on],
    },
    { name: 'whose BMC wants If-Match', odd: { etag: '"N"' }, want: [insert, override, on] },
    {
      name: 'whose BMC gives weak marks and compares strong ones',
      odd: { etag: 'W/"N"' },
      want: [insert, override, override, override, on],
    },
    { name: 'whose BMC does things later', odd: { withTasks: 'monitor' }, want: [insert, override, on] },
    {
      name: 'whose BMC fails after it has done what it was asked',
      odd: { failsAfterWrites: 1, isOn: true },
      want: [insert, reset('ForceOff'), override, on],
    },
  ];
  test.each(cases)('$name', async ({ odd, want }) => {
    const bmc = await fakeBmc(odd);
    const fault = await booted(bmc);

    expect(fault).toBeUndefined();
    expect(bmc.writes).toEqual(want);
    expect(bmc.state.power).toBe('On');
    expect(bmc.state.images).toContain(imageUrl);
    expect(bmc.state.boot).toMatchObject({
      BootSourceOverrideEnabled: 'Once',
      BootSourceOverrideMode: 'UEFI',
    });
    expect([...bmc.state.sessions]).toEqual([]);
  });

  it('and its slot is empty after the ejection', async () => {
    const bmc = await fakeBmc({ inserted: imageUrl });
    const client = await openBmc(visit(bmc.origin));
    await ejectFrom(client, slot);
    await client.leave();

    expect(bmc.state.images).toEqual([imageUrl, '']);
  });
});

describe('a missing parameter is sent', () => {
  const text = (name: string): string => `The property ${name} is a required property and must be included.`;
  const entry = (name: string, more: Json = {}): Json => ({ Message: text(name), ...more });
  const inError = (each: unknown): Json => ({
    error: { code: 'Base.1.8.GeneralError', message: 'see ExtendedInfo', '@Message.ExtendedInfo': each },
  });
  const missing = 'Base.1.8.PropertyMissing';
  const forms: readonly { form: string; complaint: (name: string) => Json }[] = [
    { form: 'MessageArgs', complaint: (name) => refusal('ActionParameterMissing', ['x', name], '') },
    {
      form: 'RelatedProperties',
      complaint: (name) => inError([{ MessageId: missing, RelatedProperties: [`#/${name}`] }]),
    },
    {
      form: 'an annotation of the property',
      complaint: (name) => ({
        [`${name}@Message.ExtendedInfo`]: [entry(name, { MessageId: missing, MessageArgs: [name] })],
      }),
    },
    {
      form: 'an annotation without MessageArgs, in an error',
      complaint: (name) => ({ error: { [`${name}@Message.ExtendedInfo`]: entry(name) } }),
    },
    {
      form: 'an annotation of the body',
      complaint: (name) => ({ '@Message.ExtendedInfo': [{ MessageId: missing, MessageArgs: [name] }] }),
    },
    {
      form: 'a text of a vendor',
      complaint: (name) => inError([{ MessageId: 'Oem.1.0.SYS402', Message: `the ${name} is missing` }]),
    },
    { form: 'the text of the error', complaint: (name) => ({ error: { code: '', message: text(name) } }) },
    {
      form: 'messages of an old service',
      complaint: (name) => ({ Messages: [{ MessageID: 'Base.0.10.PropertyMissing', MessageArgs: [name] }] }),
    },
  ];
  const values = {
    TransferProtocolType: '"HTTPS"',
    TransferMethod: '"Stream"',
    MediaType: '"CD"',
    Inserted: 'true',
    WriteProtected: 'true',
  };
  const names = Object.keys(values);
  test.each(forms)('that is named in $form', async ({ complaint }) => {
    const bmc = await fakeBmc({ demands: names, complaint });

    expect(await booted(bmc)).toBeUndefined();
    const all = Object.entries(values).map(([name, value]) => `"${name}":${value}`);
    expect(bmc.writes.filter((each) => each.includes('Insert ')).at(-1)).toBe(
      `POST ${slot}/Insert {"Image":"${imageUrl}",${all.join(',')}}`,
    );
  });

  test('with a value that the BMC allows', async () => {
    const insert = {
      'TransferMethod@Redfish.AllowableValues': ['Upload'],
      'MediaType@Redfish.AllowableValues': ['DVD', 'USBStick'],
      'TransferProtocolType@Redfish.AllowableValues': ['Https'],
    };
    const demands = ['TransferProtocolType', 'TransferMethod', 'MediaType'];
    const bmc = await fakeBmc({ insert, demands });

    expect(await booted(bmc)).toBeUndefined();
    expect(bmc.state.images).toContain(imageUrl);
    expect(bmc.writes.filter((each) => each.includes('Insert ')).at(-1)).toContain(
      '"TransferProtocolType":"Https","TransferMethod":"Upload","MediaType":"DVD"',
    );
  });

  test('in a PATCH too', async () => {
    const complaint = (name: string): Json => ({ [`${name}@Message.ExtendedInfo`]: [entry(name)] });
    const bmc = await fakeBmc({ insertsByPatch: true, demands: ['MediaType'], complaint });

    expect(await booted(bmc)).toBeUndefined();
  });

  test.each(forms)('but not a login for the image server, named in $form', async ({ complaint }) => {
    const bmc = await fakeBmc({ demands: ['UserName', 'Password'], complaint });
    const fault = await booted(bmc);

    expect([fault?.kind, fault?.message.split(';')[0]]).toEqual([
      'unsupported',
      'it requires a UserName for the image server, which has no known value',
    ]);
    expect(bmc.writes).toEqual([insert]);
  });

  test('nor one that the BMC describes as required without a known value', async () => {
    const bmc = await fakeBmc({ actionInfo: ['Image', 'Password'], resets: ['On', 'ForceOff'] });

    expect((await booted(bmc))?.message).toBe(
      'it requires a Password for the image server, which has no known value',
    );
    expect(bmc.writes).toEqual([]);
  });

  test.each([
    ['is not supported', 'ActionParameterNotSupported', 'The parameter MediaType is not supported.'],
    ['has a wrong value', 'PropertyValueNotInList', 'The value for MediaType must be one of the list.'],
  ])('but not one that %s; the message of the BMC is shown', async (_name, key, words) => {
    const bmc = await fakeBmc({ demands: ['x'], complaint: () => refusal(key, ['MediaType'], words) });

    expect((await booted(bmc))?.message).toBe(`request failed (HTTP 400, ${key}): ${words}`);
    expect(bmc.writes).toEqual([insert]);
  });
});

describe('an iDRAC', () => {
  const at = '/redfish/v1/Managers/1/Oem/Dell/DellAttributes/iDRAC.Embedded.1';
  const older = '/redfish/v1/Managers/1/Attributes';
  const managedBy = { Links: { ManagedBy: [{ '@odata.id': '/redfish/v1/Managers/1' }] } };
  const attributes: Json = {
    Attributes: { 'ServerBoot.1.BootOnce': 'Disabled', 'ServerBoot.1.FirstBootDevice': 'Normal' },
  };
  const linked = {
    Links: { Oem: { Dell: { DellAttributes: [{ '@odata.id': '/none' }, { '@odata.id': at }] } } },
  };
  const wanted = '"Attributes":{"ServerBoot.1.FirstBootDevice":"VCD-DVD","ServerBoot.1.BootOnce":"Enabled"}';
  const cases: readonly { name: string; odd: Oddities; isIdrac?: true; want: string }[] = [
    {
      name: 'linked attributes',
      odd: {
        machine: { Manufacturer: 'Dell Inc.', ...managedBy },
        manager: linked,
        resources: { [at]: attributes },
      },
      want: `PATCH ${at} {${wanted}}`,
    },
    {
      name: 'attributes of older firmware',
      odd: { machine: { Manufacturer: 'Dell Inc.', ...managedBy }, resources: { [older]: attributes } },
      want: `PATCH ${older} {${wanted}}`,
    },
    {
      name: 'an address that says so',
      odd: { machine: managedBy, resources: { [older]: attributes } },
      isIdrac: true,
      want: `PATCH ${older} {${wanted}}`,
    },
    {
      name: 'no link to its manager',
      odd: {
        machine: { Manufacturer: 'Dell Inc.' },
        resources: {
          [older]: attributes,
          '/redfish/v1/Managers': { Members: [{ '@odata.id': '/redfish/v1/Managers/1' }] },
        },
      },
      want: `PATCH ${older} {${wanted}}`,
    },
  ];
  test.each(cases)('boots once from its virtual CD: $name', async ({ odd, isIdrac, want }) => {
    const bmc = await fakeBmc({
      ...odd,
      isOn: true,
      mediaTypes: [['DVD'], ['CD']],
      inserted: 'http://192.0.2.1/x',
    });
    const fault = await booted(bmc, {}, isIdrac === true ? { isIdrac } : {});

    expect(fault).toBeUndefined();
    const first = '/redfish/v1/Systems/1/VirtualMedia/0';
    expect(bmc.writes).toEqual([
      `POST ${first}/Eject {}`,
      `POST ${first}/Insert {"Image":"${imageUrl}"}`,
      reset('ForceOff'),
      want,
      on,
    ]);
  });

  test.each([
    ['by its manufacturer', { machine: { Manufacturer: 'Dell Inc.', ...managedBy } }, {}],
    ['by its address', {}, { isIdrac: true }],
    [
      'by the path of its manager',
      { machine: { Links: { ManagedBy: [{ '@odata.id': '/redfish/v1/Managers/iDRAC.Embedded.1' }] } } },
      {},
    ],
  ])('without these attributes is refused, known %s', async (_name, odd, of) => {
    const bmc = await fakeBmc(odd);
    const fault = await booted(bmc, {}, of);

    expect([fault?.kind, fault?.message]).toEqual([
      'unsupported',
      'it is an iDRAC without the attribute ServerBoot.1.FirstBootDevice, which selects its virtual CD',
    ]);
    expect(bmc.writes).toEqual([]);
  });

  test('is not an OpenBMC in a server of Dell', async () => {
    const path = '/redfish/v1/Managers/bmc';
    const odd: Oddities = {
      machine: { Manufacturer: 'Dell Inc.', Links: { ManagedBy: [{ '@odata.id': path }] } },
      resources: { [path]: { Model: 'OpenBmc' } },
    };
    const bmc = await fakeBmc(odd);

    expect(await booted(bmc)).toBeUndefined();
    expect(bmc.writes).toEqual([insert, override, on]);
  });
});

describe('image URLs that a BMC cannot read', () => {
  const list = ['NFS', 'CIFS', 'HTTP'];
  const key = 'TransferProtocolType@Redfish.AllowableValues';
  const message = 'images over HTTPS are not supported, only NFS, CIFS, HTTP';
  const cases: readonly { name: string; odd: Oddities; want: string | undefined }[] = [
    { name: 'listed at the action', odd: { insert: { [key]: list } }, want: message },
    { name: 'listed at the slot', odd: { slot: { [key]: list } }, want: message },
    {
      name: 'listed as supported types',
      odd: { slot: { TransferProtocolTypesSupported: list } },
      want: message,
    },
    {
      name: 'listed as supported protocols',
      odd: { slot: { SupportedTransferProtocols: list } },
      want: message,
    },
    {
      name: 'listed by a vendor',
      odd: { slot: { Oem: { Vendor: { SupportedTransferProtocols: list } } } },
      want: message,
    },
    {
      name: 'none at all',
      odd: { insert: { [key]: ['NFS', '\u0007'] } },
      want: 'images over HTTPS are not supported, only NFS',
    },
    {
      name: 'without URLs',
      odd: { slot: { 'ConnectedVia@Redfish.AllowableValues': ['NotConnected', 'Applet'] } },
      want: 'images by URL are not supported',
    },
    { name: 'but HTTPS', odd: { insert: { [key]: ['HTTPS'] } }, want: undefined },
    { name: 'but no list', odd: { insert: { [key]: [] } }, want: undefined },
  ];
  test.each(cases)('$name', async ({ odd, want }) => {
    const bmc = await fakeBmc(odd);
    const fault = await booted(bmc);

    expect(fault?.message).toBe(want);
    if (want !== undefined) {
      expect(bmc.writes).toEqual([]);
      expect(fault?.hint).not.toBe('');
    }
  });
});

describe('changes no state of a machine', () => {
  const cases: readonly { name: string; odd: Oddities; want: string }[] = [
    {
      name: 'without virtual media',
      odd: { mediaTypes: [] },
      want: 'it has no virtual media; a license may be required',
    },
    {
      name: 'whose media are none for an ISO',
      odd: { mediaTypes: [['Floppy']] },
      want: 'it has no virtual CD or DVD; a license may be required',
    },
    {
      name: 'that boots from no CD',
      odd: { targets: ['Hdd', 'Pxe'] },
      want: 'booting from a CD is not supported',
    },
    {
      name: 'whose power cannot be switched',
      odd: { resets: ['On', 'Nmi'] },
      want: 'power cycling is not supported',
    },
    {
      name: 'whose BMC leads elsewhere',
      odd: { leadsTo: 'https://192.0.2.66/redfish/v1/Systems/1' },
      want: 'redirected to another server',
    },
  ];
  test.each(cases)('$name', async ({ odd, want }) => {
    const bmc = await fakeBmc(odd);

    expect((await booted(bmc))?.message).toBe(want);
    expect(bmc.writes).toEqual([]);
    expect([...bmc.state.sessions]).toEqual([]);
  });

  it('that is looked at', async () => {
    const bmc = await fakeBmc({ isOn: true, inserted: 'http://192.0.2.1/old.iso' });
    const client = await openBmc(visit(bmc.origin));

    expect(await checkReadiness(client, { system: '/redfish/v1/Systems/1' })).toEqual({
      power: 'On',
      slot,
      isSlotFull: true,
    });
    await client.leave();
    expect(bmc.writes).toEqual([]);
  });
});

describe('a BMC that does not work as expected', () => {
  it('receives a wrong password only once, so that it does not lock the account', async () => {
    const bmc = await fakeBmc();
    const user = { name: account.name, password: new Redacted('another-pa55word') };
    const fault = await booted(bmc, { user });

    expect([fault?.kind, fault?.message]).toEqual(['credentials', 'invalid user name or password']);
  });

  it('does not insert the medium in time', async () => {
    const pacing = { ...visit('').pacing, mediumMs: 1 };
    const fault = await booted(await fakeBmc({ losesMedium: true }), { pacing });

    expect([fault?.kind, fault?.message, fault?.hint]).toEqual([
      'stuck',
      'the BMC accepted the image, but did not insert it within 0 s',
      'see the log of the BMC; --media-timeout sets the limit',
    ]);
  });

  it('is reported with its reason, without the image URL and the account', async () => {
    const fault = await booted(await fakeBmc({ repeatsImage: true }));

    expect(fault?.message).toBe('request failed (HTTP 400, UnableToMount): cannot fetch … as …');
  });

  it('redirects writes, which are not sent elsewhere', async () => {
    const bmc = await fakeBmc({ redirectsWrites: true });
    const fault = await booted(bmc);

    expect([fault?.message, bmc.writes]).toEqual(['the request was redirected (HTTP 307)', [insert]]);
  });

  it('fails by its task', async () => {
    const fault = await booted(await fakeBmc({ withTasks: 'failing' }));

    expect(fault?.message).toBe('the task failed (Exception): the share cannot be mounted');
  });

  it('does not block the run', async () => {
    const pacing = { ...visit('').pacing, questionMs: 50 };
    const fault = await booted(await fakeBmc({ hangsAt: /GET \/redfish\/v1\/Systems$/ }), { pacing });

    expect([fault?.kind, fault?.message]).toEqual(['unreachable', 'timed out']);
  });

  it('is left immediately at a stop, with its session closed', async () => {
    const bmc = await fakeBmc({ hangsAt: /Insert/ });
    const controller = new AbortController();
    const pacing = { ...visit('').pacing, signal: controller.signal };
    const whole = booted(bmc, { pacing });
    await expect.poll(() => bmc.state.sessions.size).toBe(1);
    controller.abort();

    expect((await whole)?.kind).toBe('stopped');
    expect(bmc.state.sessions.size).toBe(0);
  });

  it('is left immediately at a stop during the TLS handshake', async () => {
    const silent = createServer();
    const stop = new AbortController();
    const closed = new Promise((resolve) => {
      silent.on('connection', (socket) => {
        socket.resume().on('close', resolve);
        stop.abort();
      });
    });
    const origin = `https://127.0.0.1:${await listeningPort(silent)}`;
    onTestFinished(() => {
      silent.close();
    });
    const pacing = { ...visit('').pacing, questionMs: 600_000, signal: stop.signal };

    expect((await booted({ ...(await fakeBmc()), origin }, { pacing }))?.kind).toBe('stopped');
    await closed;
  });

  it.each([
    ['leads', { redirects: 'https://fe80::1/redfish/v1/Systems' }, 'redirected to another server'],
    ['has its task', { withTasks: 'nowhere' }, 'the response has no task location'],
  ] as const)('%s to an invalid URL', async (_name, odd, want) => {
    const fault = await booted(await fakeBmc(odd));

    expect([fault?.kind, fault?.message]).toEqual(['refused', want]);
  });

  it('is not there', async () => {
    const port = await freePort();
    const fault = await booted({ ...(await fakeBmc()), origin: `https://127.0.0.1:${port}` });

    expect([fault?.kind, fault?.message]).toEqual(['unreachable', 'connection refused']);
  });

  it('accepts a connection without an answer', async () => {
    const silent = createServer();
    onTestFinished(() => {
      silent.close();
    });
    const origin = `https://127.0.0.1:${await listeningPort(silent)}`;
    silent.on('connection', (socket) => {
      onTestFinished(() => {
        socket.destroy();
      });
    });
    const pacing = { ...visit('').pacing, questionMs: 50 };
    const fault = await booted({ ...(await fakeBmc()), origin }, { pacing });

    expect(fault?.kind).toBe('unreachable');
  });
});

describeWith(['openssl'], 'a certificate', () => {
  it('trusts only its fingerprint or authority, and sends no request before that', async () => {
    const { fingerprint, ...pair } = selfSigned();
    const bmc = await fakeBmc({}, pair);

    expect(await booted(bmc, { trust: { fingerprint } })).toBeUndefined();
    bmc.state.power = 'Off';
    expect(await booted(bmc, { trust: { authoritiesPem: pair.cert } })).toBeUndefined();
    const writes = bmc.writes.length;

    const other = await booted(bmc, { trust: { fingerprint: 'ab'.repeat(32) } });
    expect([other?.kind, other?.fingerprint]).toEqual(['certificate', fingerprint]);
    const unknown = await booted(bmc);
    expect([unknown?.kind, unknown?.message, unknown?.fingerprint]).toEqual([
      'certificate',
      'certificate is self-signed',
      fingerprint,
    ]);
    expect(bmc.writes).toHaveLength(writes);
  });
});
