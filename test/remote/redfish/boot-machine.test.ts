import { createServer } from 'node:net';

import { describe, expect, it, onTestFinished, test } from 'vitest';

import { Redacted } from '../../../src/core/redacted.js';
import { openBmc, type BmcClientOptions } from '../../../src/remote/redfish/bmc-client.js';
import { BmcFault } from '../../../src/remote/redfish/bmc-fault.js';
import { bootMachine, ejectFrom, checkReadiness } from '../../../src/remote/redfish/boot-machine.js';
import { selfSigned } from '../../support/openssl.js';
import { freePort, listeningPort } from '../../support/ports.js';
import { describeWith } from '../../support/programs.js';
import { account, standInBmc, type Oddities, type StandInBmc } from './stand-in-bmc.js';

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
      lookMs: 1,
      retryMs: 1,
    },
    ...changes,
  };
}

/** The fault of a boot; undefined for a successful one. */
async function booted(
  { origin }: StandInBmc,
  changes: Partial<BmcClientOptions> = {},
): Promise<BmcFault | undefined> {
  try {
    const client = await openBmc(visit(origin, changes));
    try {
      await bootMachine(client, { imageUrl, beforeStart: () => Promise.resolve() });
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
    { name: 'whose session ends in between', odd: { endedSessions: 1 }, want: [insert, override, on] },
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
    const bmc = await standInBmc(odd);
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
    const bmc = await standInBmc({ inserted: imageUrl });
    const client = await openBmc(visit(bmc.origin));
    await ejectFrom(client, slot);
    await client.leave();

    expect(bmc.state.images).toEqual([imageUrl, '']);
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
    const bmc = await standInBmc(odd);

    expect((await booted(bmc))?.message).toBe(want);
    expect(bmc.writes).toEqual([]);
    expect([...bmc.state.sessions]).toEqual([]);
  });

  it('that is looked at', async () => {
    const bmc = await standInBmc({ isOn: true, inserted: 'http://192.0.2.1/old.iso' });
    const client = await openBmc(visit(bmc.origin));

    expect(await checkReadiness(client, '/redfish/v1/Systems/1')).toEqual({
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
    const bmc = await standInBmc();
    const user = { name: account.name, password: new Redacted('another-pa55word') };
    const fault = await booted(bmc, { user });

    expect([fault?.kind, fault?.message]).toEqual(['credentials', 'invalid user name or password']);
  });

  it('is reported with its reason, without the image URL and the account', async () => {
    const fault = await booted(await standInBmc({ repeatsImage: true }));

    expect(fault?.message).toBe('request failed (HTTP 400, UnableToMount): cannot fetch … as …');
  });

  it('fails by its task', async () => {
    const fault = await booted(await standInBmc({ withTasks: 'failing' }));

    expect(fault?.message).toBe('the task failed (Exception): the share cannot be mounted');
  });

  it('does not block the run', async () => {
    const pacing = { ...visit('').pacing, questionMs: 50 };
    const fault = await booted(await standInBmc({ hangsAt: /GET \/redfish\/v1\/Systems$/ }), { pacing });

    expect([fault?.kind, fault?.message]).toEqual(['unreachable', 'timed out']);
  });

  it('is left immediately at a stop, with its session closed', async () => {
    const bmc = await standInBmc({ hangsAt: /Insert/ });
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
    const ended = new AbortController();
    const closed = new Promise((resolve) => {
      silent.on('connection', (socket) => {
        socket.resume().on('close', resolve);
        ended.abort();
      });
    });
    const origin = `https://127.0.0.1:${await listeningPort(silent)}`;
    onTestFinished(() => {
      silent.close();
    });
    const pacing = { ...visit('').pacing, questionMs: 600_000, signal: ended.signal };

    expect((await booted({ ...(await standInBmc()), origin }, { pacing }))?.kind).toBe('stopped');
    await closed;
  });

  it.each([
    ['leads', { redirects: 'https://fe80::1/redfish/v1/Systems' }, 'redirected to another server'],
    ['has its task', { withTasks: 'nowhere' }, 'the response has no task location'],
  ] as const)('%s to an invalid URL', async (_name, odd, want) => {
    const fault = await booted(await standInBmc(odd));

    expect([fault?.kind, fault?.message]).toEqual(['refused', want]);
  });

  it('is not there', async () => {
    const port = await freePort();
    const fault = await booted({ ...(await standInBmc()), origin: `https://127.0.0.1:${port}` });

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
    const fault = await booted({ ...(await standInBmc()), origin }, { pacing });

    expect(fault?.kind).toBe('unreachable');
  });
});

describeWith(['openssl'], 'a certificate', () => {
  it('trusts only its fingerprint or authority, and sends no request before that', async () => {
    const { fingerprint, ...pair } = selfSigned();
    const bmc = await standInBmc({}, pair);

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
