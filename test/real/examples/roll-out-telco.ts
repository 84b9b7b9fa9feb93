import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, vi } from 'vitest';

import { readRolloutState } from '../../../src/fleet/rollout/rollout-state.js';
import { serving, urlsIn, type PrintedUrls } from '../../support/serving.js';
import { startedCommand } from '../../support/started-command.js';
import { scaledMs } from '../../support/time-scale.js';
import type { LiveApi } from '../cluster/live-api.js';
import { machineNode } from '../post-install/running-script.js';
import type { Ends } from '../redfish/emulated-bmcs.js';
import { filesOnIso, layPostInstallFiles } from './booted-node.js';
import { apisOf, hardware, serveOperators, telcoFleet, type Site, type TelcoFleet } from './telco-fleet.js';

const virtualFunctions = { small: 4, medium: 8, large: 16 } as const;
const limitMs = scaledMs(20 * 60_000);

/**
 * Creates the wanted sites, boots them by `fleet rollout`, and runs the node service of the first site of each kind of hardware out of the ISO
 * that its BMC got. Returns the output of the rollout.
 */
export async function rollOutTelco(
  isWanted: (site: Site) => boolean,
  where: readonly string[],
  ends: Ends,
): Promise<string> {
  const fleet = await telcoFleet(isWanted, ends);
  const { dir, sites, programs } = fleet;
  vi.stubEnv('PATH', `${programs}:${process.env['PATH'] ?? ''}`);
  const identity = ['--identity', join(dir, 'identity.txt')];
  const made = await startedCommand(['fleet', 'create', dir, ...where]).exited;
  expect([made.code, made.stdout], made.stderr).toEqual([
    0,
    expect.stringContaining(`${sites.length}  created`),
  ]);
  const apis = await apisOf(fleet, ends);
  const server = await serving(dir, ['--fleet', dir]);
  const urls = urlsIn(dir, server.url, ['--fleet', dir]);
  writeFileSync(join(dir, 'urls.json'), JSON.stringify(urls), { mode: 0o600 });

  const media = ['--media', join(dir, 'urls.json'), '--plan', join(dir, 'now.yaml')];
  const rollout = startedCommand(['fleet', 'rollout', dir, ...media, ...identity, ...where]);
  for (const kind of hardware) {
    const [site, api] = [sites.find((each) => each['hardware'] === kind), apis.get(kind)];
    if (site === undefined || api === undefined) throw new Error(`no site with the hardware ${kind}`);
    await expect
      .poll(() => stateOf(fleet, site['name'] ?? ''), { timeout: limitMs, interval: 500 })
      .toBe('waiting');
    await configure(site, api, isoOf(dir, urls, site['name'] ?? ''));
    await expectConfigured(site, api, virtualFunctions[kind]);
  }
  const { code, stdout, stderr } = await rollout.exited;
  expect(code, `${stdout}${stderr}`).toBe(0);
  return stdout;
}

function stateOf({ dir }: TelcoFleet, name: string): string {
  const path = join(dir, 'out/rollout.json');
  const read = existsSync(path) ? readRolloutState(readFileSync(path, 'utf8'), path) : undefined;
  return read?.ok === true ? (read.value.sites.get(name)?.state ?? '') : '';
}

/** Downloads the ISO of a site as its BMC does. */
function isoOf(dir: string, { sites }: PrintedUrls, name: string): Buffer {
  const url = sites.find((site) => site.name === name)?.iso ?? '';
  const { stdout } = spawnSync('curl', ['--silent', '--fail', '--cacert', join(dir, 'ca.pem'), url], {
    maxBuffer: 2 ** 30,
  });
  return stdout;
}

/** Runs the node service until it has applied all objects; the operators serve their kinds after it has started. */
async function configure(site: Site, api: LiveApi, iso: Buffer): Promise<void> {
  const files = await filesOnIso(iso);
  expect(files.get('/etc/hostname')?.toString()).toBe(`${site['name'] ?? ''}\n`);
  const node = machineNode(api, { wave: 600, refusal: 600 }, (machine) => {
    layPostInstallFiles(machine, files);
  });
  const running = node.start();
  await running.says('kind PtpConfig of ptp.openshift.io/v1 is not served');
  await serveOperators(api);
  expect(await running.exited, running.log()).toBe(0);
}

async function expectConfigured(site: Site, api: LiveApi, numVfs: number): Promise<void> {
  const specOf = async (resource: string, name: string, namespace: string): Promise<unknown> =>
    (
      JSON.parse(await api.kubectl(['get', resource, name, `--namespace=${namespace}`, '--output=json'])) as {
        readonly spec: unknown;
      }
    ).spec;
  const sriov = 'openshift-sriov-network-operator';
  expect(await specOf('ptpconfigs', 'slave', 'openshift-ptp')).toMatchObject({
    profile: [{ interface: 'ens2f0' }],
  });
  expect(await specOf('sriovnetworknodepolicies', 'fronthaul', sriov)).toMatchObject({ numVfs });
  expect(await specOf('sriovnetworks', 'fronthaul', sriov)).toMatchObject({ vlan: Number(site['vlan']) });
}
