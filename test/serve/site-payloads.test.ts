import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { noAccess } from '../../src/disk/state/state-access.js';
import { openBaseIso } from '../../src/serve/media/base-iso.js';
import { payloadWarnings } from '../../src/serve/media/payload-warnings.js';
import { sitePayloads, type SitePayloads } from '../../src/serve/media/site-payloads.js';
import { folderConfigs } from '../../src/serve/site-configs.js';
import { liveConfigName, type SiteFolder } from '../../src/serve/site-folders.js';
import { liveIso } from '../media/support/live-iso.js';
import { madePayload, type MadePayload } from '../payload/made-payload.js';
import { expectOk } from '../support/sound-value.js';
import { scratchFolder } from '../support/scratch.js';

const [own, other] = [madePayload(1), madePayload(2)];

/** A site whose live config names a payload. */
function site(folder: string, name: string, payload: MadePayload | undefined): SiteFolder {
  const dir = join(folder, name);
  mkdirSync(dir, { recursive: true });
  const source = `data:;base64,${Buffer.from(payload?.settings ?? '').toString('base64')}`;
  const files = payload ? [{ path: '/opt/openshift/sno-payload.env', contents: { source } }] : [];
  const config = { ignition: { version: '3.2.0' }, storage: { files } };
  writeFileSync(join(dir, liveConfigName), JSON.stringify(config));
  return { name, dir };
}

/** The payloads of sites that a server with or without a payload serves. */
async function payloadsOf(payload: MadePayload | undefined) {
  const folder = scratchFolder();
  const paths = [join(folder, 'live.iso'), join(folder, 'x.payload')] as const;
  writeFileSync(paths[0], liveIso());
  if (payload) writeFileSync(paths[1], payload.bytes);
  const stock = expectOk(
    await openBaseIso({ path: paths[0], kernelArguments: [], ...(payload && { payload: paths[1] }) }),
  );
  onTestFinished(stock.close);
  return { folder, payloads: sitePayloads(stock, folderConfigs(noAccess)) };
}

async function warnedOf(payloads: SitePayloads, sites: readonly SiteFolder[]): Promise<readonly string[]> {
  const judged = await payloads.judge(sites);
  return payloadWarnings(judged, 'x.payload').map(({ code, message }) => `${code}: ${message}`);
}

test('the payloads of all sites are compared at the start', async () => {
  const { folder, payloads } = await payloadsOf(own);
  const sites = [site(folder, 'a', own), site(folder, 'b', other), site(folder, 'c', undefined)];
  mkdirSync(join(folder, 'd'));
  writeFileSync(join(folder, 'd', liveConfigName), 'no config');
  expect(await warnedOf(payloads, [...sites, { name: 'd', dir: join(folder, 'd') }])).toEqual([
    'payload/other: x.payload is not the payload of 1 site (b)',
    'payload/not-on-medium: the ISOs are served without x.payload to 1 site (c), whose configuration names no payload',
  ]);
  expect(sites.map(payloads.of)).toEqual([
    expect.stringMatching(/^payload 4\.22\.0 \([0-9a-f]{12}\)$/),
    expect.stringMatching(
      /^needs payload [0-9a-f]{12}, and the server has payload 4\.22\.0 \([0-9a-f]{12}\)$/,
    ),
    undefined,
  ]);
});

test('a server without a payload names the sites that need one', async () => {
  const { folder, payloads } = await payloadsOf(undefined);
  const sites = [site(folder, 'a', own), site(folder, 'b', undefined)];
  expect(await warnedOf(payloads, sites)).toEqual([
    'payload/not-on-medium: the ISOs do not contain the payload of 1 site (a)',
  ]);
  expect(sites.map(payloads.of)).toEqual([expect.stringMatching(/is not on the medium$/), undefined]);
});

test('a new config is read when its site is shown', async () => {
  const { folder, payloads } = await payloadsOf(own);
  const shown = site(folder, 'a', undefined);
  expect(await warnedOf(payloads, [shown])).toHaveLength(1);
  site(folder, 'a', own);
  await expect.poll(() => payloads.of(shown)).toMatch(/^payload 4\.22\.0/);
});
