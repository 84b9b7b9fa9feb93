import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { recordFile, recordName, type SiteRecord } from '../../../src/disk/site-record/site-record.js';
import { fleetOptions } from '../../../src/fleet/build/fleet-options.js';
import { openFleet } from '../../../src/fleet/table/read-fleet.js';
import { siteFiles } from '../../../src/fleet/table/site-files.js';
import { buildInStore } from '../../../src/fleet/store/build-in-store.js';
import { archiveOf } from '../../../src/fleet/store/site-archive.js';
import { siteStore } from '../../../src/fleet/store/site-store.js';
import { sha256 } from '../../../src/formats/sha256.js';
import type { ObjectStore } from '../../../src/remote/object-store/object-store.js';
import { fleetFolder } from '../files.js';
import { encryptedFile } from '../../support/age-keys.js';
import { expectOk } from '../../support/sound-value.js';

const fleetKey = '5a'.repeat(32);

/** The archive of a site that was made from other inputs, sealed as `site`. */
function archiveOfSite(site: string): Promise<Buffer> {
  const state = Buffer.from(encryptedFile);
  const record: SiteRecord = {
    program: 'p',
    questions: [],
    fingerprint: 'of other inputs',
    issued: '2026-11-02T03:04:05Z',
    warnings: [],
    state: sha256(state),
    outputs: [],
  };
  const files = [
    { path: recordName, mode: 0o600, contents: Buffer.from(recordFile(record).contents) },
    { path: '.sno-install-state.json', mode: 0o600, contents: state },
  ];
  return archiveOf({ record, files }, { fleetKey, site });
}

/** The result for north-1 when the store has this archive for it, and the files in its folder afterwards. */
async function statusWith(bytes: Buffer): Promise<readonly unknown[]> {
  const dir = fleetFolder();
  const opened = expectOk(openFleet(dir));
  const [row] = opened.rows;
  if (row === undefined) throw new Error('the fleet has sites');
  const objects: ObjectStore = {
    read: (name) => Promise.resolve(name === 'sites/north-1.tar' ? { bytes, tag: 't' } : undefined),
    write: () => Promise.reject(new Error('nothing is written')),
    close: () => undefined,
  };
  const order = {
    ...{ dir, ...fleetOptions(opened), keys: { identities: [], passphrases: [] }, variables: {} },
    ...{ command: 'c', present: new Date(), templatesFolder: 'templates', program: 'p', recordKey: fleetKey },
  };
  const pool = { run: () => Promise.reject(new Error('nothing is made')), close: () => Promise.resolve() };
  const storeRun = buildInStore({
    order,
    pool,
    store: siteStore(objects, fleetKey),
    onFault: () => undefined,
  });
  const site = siteFiles(opened.files, row);
  const known = await storeRun.knownBefore(row, site);
  const names = readdirSync(dir).includes('out') ? readdirSync(join(dir, 'out/north-1')) : [];
  return [
    known?.outcome,
    known?.problems.map(({ code, message }) => `${code}: ${message}`),
    names.toSorted(),
  ];
}

test('the archive of another site is damage, and its state is not used', async () => {
  const damaged =
    'store/damaged: the store is damaged: the archive of north-1 was changed, cut off, or belongs to another site';
  expect(await statusWith(await archiveOfSite('north-2'))).toEqual(['failed', [damaged], []]);
});

test('an outdated archive of the site is made again from its state', async () => {
  const files = ['.sno-install-site.json', '.sno-install-state.json'];
  expect(await statusWith(await archiveOfSite('north-1'))).toEqual([undefined, undefined, files]);
});
