import { X509Certificate } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, expect, test } from 'vitest';

import { encryptAge } from '../../../src/formats/age.js';
import { liveIso } from '../../media/support/live-iso.js';
import { fleetFiles, fleetFolder, fleetText } from '../../fleet/files.js';
import { ageKeys } from '../../support/age-keys.js';
import { browserPage, browserProgram } from '../../support/browser.js';
import { describeWith } from '../../support/programs.js';
import { serving, urlsIn } from '../../support/serving.js';
import { startedCommand } from '../../support/started-command.js';
import { madePair, startEmulator, type Ends } from './emulated-bmcs.js';
import { scaledMs } from '../../support/time-scale.js';

/** The figures in docs/testing.md are for `CHAIN_SITES=2000`. */
const count = Number(process.env['CHAIN_SITES'] ?? 24);
const perEmulator = Math.ceil(count / 8);
const timeLimit = 240_000 + count * 3_000;
const password = 'bmc-pa55word-of-all';
const { recipient, identity } = ageKeys.ours;

const ends: Ends = [];
afterAll(() => Promise.all(ends.map((end) => end())));

/** A fleet with emulated BMCs and an image. All its secrets are encrypted except the identity in `key.txt`. */
async function fleet(): Promise<string> {
  const pair = madePair();
  const emulators = await Promise.all(
    Array.from({ length: Math.ceil(count / perEmulator) }, () =>
      startEmulator(perEmulator, { pair, password, ends }),
    ),
  );
  const bmcs = emulators.flatMap(({ port, systems }) =>
    systems.map((system) => `redfish-virtualmedia://127.0.0.1:${port}${system}`),
  );
  const rows = bmcs
    .slice(0, count)
    .map(
      (bmc, index) =>
        `site-${index},10.${index >> 8}.${index & 255}.10,10.${index >> 8}.${index & 255}.0/24,${bmc}\n`,
    );
  const users = { '*': { username: 'operator', password } };
  const boot = { address: '${bmc}', certificate: pair.fingerprint, credentials: 'bmc.yaml.age' };
  const dir = fleetFolder({
    'fleet.yaml': fleetText(
      `boot: ${JSON.stringify(boot)}\nrecipients: [${recipient}]\nencryptOutputs: true\nserve: { iso: live.iso, identity: key.txt }\n`,
    ),
    'sites.csv': `name,ip,network,bmc\n${rows.join('')}`,
    'base/install-config.yaml': (fleetFiles['base/install-config.yaml'] ?? '').replace(
      /192\.168\.126\.0\/24/,
      '${network}',
    ),
    'base/sno-config.yaml': `${fleetFiles['base/sno-config.yaml'] ?? ''}certificates: { keyAlgorithm: ECDSA-P256 }\n`,
    'bmc.yaml.age': await encryptAge(JSON.stringify(users), { recipients: [recipient] }),
    'key.txt': `${identity}\n`,
  });
  writeFileSync(join(dir, 'live.iso'), liveIso());
  return dir;
}

/** Removes the progress lines of long runs. */
function withoutProgress(text: string): string {
  return text.replaceAll(/^[a-z]+ sites: .* left\n/gm, '');
}

describeWith(
  ['python3', 'openssl', 'htpasswd', browserProgram],
  `${count} sites, from a table to machines that boot`,
  () => {
    test(
      'are generated, served and booted; the page lists all of them, and no secret is in plain text',
      async () => {
        const dir = await fleet();
        const key = ['--identity', join(dir, 'key.txt')];
        const made = await startedCommand(['fleet', 'create', '--dir', dir, ...key]).exited;
        expect([made.code, withoutProgress(made.stderr)]).toEqual([0, '']);
        const server = await serving(dir, ['--fleet', dir]);
        const urls = urlsIn(dir, server.url, ['--fleet', dir]);
        expect(urls.sites).toHaveLength(count);
        writeFileSync(join(dir, 'urls.json'), JSON.stringify(urls), { mode: 0o600 });
        const page = await browserPage();
        await page.open(urls.page);
        const phase = (name: string): Promise<string> =>
          page.is(`document.querySelector('nav [data-phase=${name}] b')?.textContent ?? ''`);
        expect(await phase('created')).toBe(String(count));

        const booted = await startedCommand([
          'fleet',
          'boot',
          '--dir',
          dir,
          '--media',
          join(dir, 'urls.json'),
          ...key,
        ]).exited;
        expect([booted.code, withoutProgress(booted.stderr)]).toEqual([0, '']);
        await expect.poll(() => phase('booted'), { timeout: scaledMs(60_000) }).toBe(String(count));
        expect(page.complaints()).toEqual([]);
        expect(new X509Certificate(urls.authority?.pem ?? '').ca).toBe(true);
        expect(await server.stop()).toBe(0);

        const outputs = readdirSync(join(dir, 'out'), { recursive: true, withFileTypes: true })
          .filter((each) => each.isFile())
          .map(({ parentPath, name }) => join(parentPath, name));
        expect(outputs.filter((path) => path.endsWith('.ign.age'))).toHaveLength(2 * count);
        const secret = /PRIVATE KEY|bmc-pa55word|"ignition"|\$2[aby]\$/;
        expect(outputs.filter((path) => secret.test(readFileSync(path, 'latin1')))).toEqual([]);
      },
      timeLimit,
    );
  },
);
