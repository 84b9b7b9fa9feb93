import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { fleetFolder, fleetText } from '../../fleet/files.js';
import { liveIso } from '../../media/support/live-iso.js';
import { ageKeys } from '../../support/age-keys.js';
import { snoInProcess } from '../../support/in-process.js';
import { scratchFolder } from '../../support/scratch.js';
import { urlsIn, serving } from '../../support/serving.js';
import { keyedSite } from '../keyed-site.js';

const config = 'bootstrap-in-place-for-live-iso.ign';
const { recipient, identity } = ageKeys.ours;
const served = `serve:\n  url: http://127.0.0.1:1\n  iso: images/live.iso\n  identity: key.txt\n`;

const made = { config: Buffer.alloc(0) };
beforeAll(async () => {
  const folder = (await keyedSite())();
  expect(await snoInProcess(['create', 'single-node-ignition-config'], { cwd: folder })).toMatchObject({
    code: 0,
  });
  made.config = readFileSync(join(folder, config));
});

/** A fleet of two sites without outputs, and the image in its folder. */
function fleet(more: string): string {
  const folder = fleetFolder({ 'fleet.yaml': fleetText(more), 'key.txt': `${identity}\n` });
  mkdirSync(join(folder, 'images'));
  writeFileSync(join(folder, 'images/live.iso'), liveIso());
  return folder;
}

/** Moves a complete site folder into place, as `fleet create` does. */
function make(folder: string, site: string): void {
  const ahead = join(scratchFolder(), site);
  mkdirSync(ahead);
  writeFileSync(join(ahead, config), made.config);
  renameSync(ahead, join(folder, 'out', site));
}

test('serves a fleet according to its fleet.yaml, and each site as soon as it is generated', async () => {
  const folder = fleet(`${served}recipients: [${recipient}]\n`);
  const args = ['--fleet', folder, '--http'];
  const { url, said, output } = await serving(folder, args);
  expect(output()).not.toContain('Outdated media are not recognized');
  expect(said()).toContain(
    `warning[media/serve-unmade]: 2 of 2 sites have no ${config} yet: north-1, north-2`,
  );
  expect(readFileSync(join(folder, '.sno-install-serve.json'), 'utf8')).toMatch(/^-----BEGIN AGE/);

  make(folder, 'north-2');
  const [site] = urlsIn(folder, url, args).sites;
  expect(site?.name).toBe('north-2');
  const status = async (): Promise<number> => (await fetch(site?.iso ?? '', { method: 'HEAD' })).status;
  await expect.poll(status).toBe(200);
  expect(statSync(join(folder, 'images/live.iso')).size).toBeGreaterThan(0);
});

test('options override fleet.yaml, and problems have a location', async () => {
  const folder = fleet(served);
  const servedWith = async (args: readonly string[], more = served) => {
    writeFileSync(join(folder, 'fleet.yaml'), fleetText(more));
    const { code, stderr } = await snoInProcess(['serve', '--fleet', folder, ...args]);
    return `${code} ${stderr}`;
  };
  // The URL uses http, which requires --http.
  expect(await servedWith(['--iso', 'x'])).toContain(
    '1 error[media/serve-address]: --url must start with https://',
  );
  expect(await servedWith(['--http', '--iso', '/nowhere/a.iso'])).toContain('/nowhere/a.iso cannot be read');
  expect(await servedWith(['--http'], 'serve: { iso: lost.iso, url: http://a }\n')).toContain(
    `${join(folder, 'lost.iso')} cannot be read`,
  );
  expect(await servedWith([], 'serve: { iso: "" }\n')).toMatch(
    /1 error\[fleet\/path\]: serve\.iso is not a file path\n {2}--> .*fleet\.yaml:4:10 \(serve\.iso\)/,
  );
  expect(await servedWith(['--http'], `target: aio-ignition\n${served}`)).toContain(
    '1 error[media/serve-sites]: the target of this fleet is aio-ignition',
  );
  expect(await servedWith(['--http'], `${served}recipients: [someone]\n`)).toContain(
    'error[state/recipient]',
  );
  expect(await servedWith(['out'])).toContain(
    '2 error[usage/conflicting-options]: --fleet and site directories',
  );
  expect(await servedWith(['--revoke', 'south-1', '--http'])).toContain('site does not exist');
});

test('with a store, the sites are those of the table and the output folder is not created', async () => {
  const folder = fleet(served);
  const args = ['serve', '--fleet', folder, '--store', 's3://sites/spring', '--http', '--print-urls'];
  const { code, stdout } = await snoInProcess([...args, '--output', 'json']);
  const { sites } = JSON.parse(stdout) as { readonly sites: readonly { readonly name: string }[] };
  expect([code, sites.map(({ name }) => name)]).toEqual([0, ['north-1', 'north-2']]);
  expect(existsSync(join(folder, 'out'))).toBe(false);
});

test('--store without a fleet is a slip of the pen', async () => {
  const { code, stderr } = await snoInProcess(['serve', '--store', 's3://sites/spring', '--print-urls']);
  expect([code, stderr.split('\n')[0]]).toEqual([
    2,
    'error[usage/unknown-argument]: --store requires --fleet',
  ]);
});

test('--refuse-outdated refuses the media of a fleet that changed', async () => {
  const folder = fleet(served);
  expect(await snoInProcess(['fleet', 'create', folder, '--only', 'north-1'])).toMatchObject({ code: 0 });
  const base = join(folder, 'base/install-config.yaml');
  writeFileSync(base, `${readFileSync(base, 'utf8')}# changed\nfips: false\n`);
  const args = ['--fleet', folder, '--http'];
  const { url, said } = await serving(folder, [...args, '--refuse-outdated']);
  const [site] = urlsIn(folder, url, args).sites;
  expect((await fetch(site?.iso ?? '', { method: 'HEAD' })).status).toBe(409);
  expect(said()).toContain('the medium of north-1 is refused: it is outdated');
});
