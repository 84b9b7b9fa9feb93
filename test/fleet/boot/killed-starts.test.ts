import { expect, test } from 'vitest';

import { Redacted } from '../../../src/core/redacted.js';
import type { BootedSite } from '../../../src/fleet/boot/boot-record.js';
import type { BootRecordWriter } from '../../../src/fleet/boot/boot-record-writer.js';
import { bootSite, type SiteBootResult } from '../../../src/fleet/boot/boot-site.js';
import { account, fakeBmc, type Oddities, type FakeBmc } from '../../remote/redfish/fake-bmc.js';

/** Ends a run as a kill would: nothing that comes later has an effect. */
interface Run {
  readonly step: () => void;
  readonly signal: AbortSignal;
}

function runUntil(kill: number): Run {
  const controller = new AbortController();
  let steps = 0;
  return {
    signal: controller.signal,
    step: () => {
      steps += 1;
      if (steps === kill) controller.abort();
    },
  };
}

/** A record whose writes are steps: before and after each, the run may be killed. */
function keeperOf(record: Map<string, BootedSite>, { step, signal }: Run): BootRecordWriter {
  const change = (write: () => void): Promise<void> => {
    step();
    if (!signal.aborted) write();
    step();
    return Promise.resolve();
  };
  return {
    of: (site) => record.get(site),
    all: () => record,
    keep: (site, known) => change(() => record.set(site, known)),
    restore: (site, known) => change(() => (known ? record.set(site, known) : record.delete(site))),
  };
}

const at = { file: 'sites.csv', line: 2 };
const imageUrl = 'https://media.example.com/north-1/live.iso';

function boot(bmc: FakeBmc, record: Map<string, BootedSite>, run: Run): Promise<SiteBootResult> {
  const site = { name: 'north-1', address: { origin: bmc.origin }, trust: {}, at, trustAt: at };
  const pacing = {
    questionMs: 20_000,
    mediumMs: 20_000,
    signal: run.signal,
    present: () => new Date(0),
    lookMs: 1,
    retryMs: 1,
  };
  const user = { name: account.name, password: new Redacted(account.password), source: '' };
  return bootSite(
    { site, user, pacing },
    { imageUrl, isAgain: false, hardware: { macs: [] } },
    keeperOf(record, run),
  );
}

const restartOnly = ['On', 'ForceRestart'];
const idrac: Oddities = {
  machine: { Manufacturer: 'Dell Inc.', Links: { ManagedBy: [{ '@odata.id': '/redfish/v1/Managers/1' }] } },
  resources: {
    '/redfish/v1/Managers/1/Attributes': { Attributes: { 'ServerBoot.1.FirstBootDevice': 'Normal' } },
  },
};

/** `refused`: killed steps after which the BMC does not show whether it was restarted. */
const cases: readonly { name: string; odd: Oddities; refused?: readonly number[] }[] = [
  { name: 'that is off', odd: {} },
  { name: 'that runs', odd: { isOn: true } },
  { name: 'with a medium', odd: { isOn: true, inserted: 'http://192.0.2.1/old.iso' } },
  { name: 'with an iDRAC', odd: { ...idrac, isOn: true } },
  {
    name: 'that can only be restarted, with LastResetTime',
    odd: { isOn: true, resets: restartOnly, hasResetTime: true },
  },
  {
    name: 'that can only be restarted, with LastResetTime and an override that stays',
    odd: { isOn: true, resets: restartOnly, hasResetTime: true, keepsOverride: true },
  },
  {
    name: 'that can only be restarted, without LastResetTime',
    odd: { isOn: true, resets: restartOnly },
    refused: [4],
  },
  {
    name: 'that can only be restarted and shows nothing of it',
    odd: { isOn: true, resets: restartOnly, keepsOverride: true },
    refused: [4, 5, 6],
  },
  {
    name: 'with an iDRAC, that can only be restarted',
    odd: { ...idrac, isOn: true, resets: restartOnly, hasResetTime: true },
  },
  {
    name: 'with media that are patched, that can only be restarted',
    odd: { isOn: true, resets: restartOnly, insertsByPatch: true, hasResetTime: true },
  },
  {
    name: 'that can only be power-cycled',
    odd: { isOn: true, resets: ['On', 'PowerCycle'], hasResetTime: true },
  },
];

test.each(cases)(
  'a machine $name is started once, whichever step of the first run is killed',
  async ({ odd, refused = [] }) => {
    const failed: number[] = [];
    for (let kill = 1; ; kill += 1) {
      const first = runUntil(kill);
      const bmc = await fakeBmc({ ...odd, afterWrite: first.step });
      const record = new Map<string, BootedSite>();
      await boot(bmc, record, first);
      if (!first.signal.aborted) break;
      const killed = bmc.state.starts;
      // The commands skip a recorded boot.
      if (record.get('north-1')?.state === 'booted') {
        expect(killed).toBe(1);
        continue;
      }
      const { state, problems } = await boot(bmc, record, runUntil(0));

      // A machine that the first run has started is never started again.
      if (killed === 1) expect([kill, bmc.state.starts]).toEqual([kill, 1]);
      if (state === 'booted') expect([kill, bmc.state.starts]).toEqual([kill, 1]);
      else expect(problems[0]?.hint).toContain('fleet boot --again');
      if (state !== 'booted') failed.push(kill);
    }
    expect(failed).toEqual(refused);
  },
);

test('a restart that the BMC refused is tried again by the next run', async () => {
  const bmc = await fakeBmc({ isOn: true, resets: restartOnly, refusesRestarts: true });
  const record = new Map<string, BootedSite>();
  expect((await boot(bmc, record, runUntil(0))).state).toBe('failed');
  expect([...record]).toEqual([]);
});
