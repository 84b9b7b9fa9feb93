import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { liveIso } from './media/support/live-iso.js';
import {
  expectShown,
  pageBlocks,
  pageFolder,
  startPageShell,
  unlistedPrograms,
  type PageFolder,
  type PageShell,
} from './support/page-commands.js';
import { describeWith } from './support/programs.js';
import { scratchFolder } from './support/scratch.js';
import { throwawayCaPem } from './support/throwaway-certificates.js';
import { throwawayState } from './support/throwaway-state.js';

const folder = 'docs/how-to';
const pages = readdirSync(folder).map((name) => join(folder, name));
const textOf = (page: string): string => readFileSync(page, 'utf8');
const config = textOf('fixtures/configs/minimal/install-config.yaml');

const configWithMirrorCredentials = config.replace(
  '"auths":{',
  '$&"registry.example.com":{"auth":"dGhyb3dhd2F5OnRocm93YXdheQ=="},',
);

/** Stored keys for a page, which would take minutes to generate. */
interface Drawn {
  readonly generatedValues: Readonly<Record<string, string>>;
}

test('every page has commands that are run', () => {
  const run = pages.map((page) => pageBlocks(textOf(page)).filter(({ mark }) => mark === ''));
  expect(run.map((blocks) => blocks.filter(({ shown }) => shown !== '').length > 0)).toEqual(
    pages.map(() => true),
  );
});

test.each(pages)('%s lists the programs that its commands need', (page) => {
  expect(unlistedPrograms(textOf(page), 'Before you start')).toEqual([]);
});

/** Files that a page may require. A how-to page starts with those that it lists, and no others. */
const requiredFiles = {
  'site1/install-config.yaml': () => config,
  'pull-secret.json': () =>
    '{"auths":{"registry.example.com:5000":{"auth":"dGhyb3dhd2F5OnRocm93YXdheQ=="}}}\n',
  'registry-ca.crt': () => throwawayCaPem,
  'rhcos-live.x86_64.iso': () => liveIso({}, 'rhcos-421.96.202601011200-0'),
  '~/.ssh/id_ed25519.pub': () => `${/^sshKey: (.*)$/m.exec(config)?.[1] ?? ''}\n`,
} as const;

describeWith(
  ['age-keygen', 'bash', 'dnsmasq', 'git', 'openssl'],
  'how-to pages, pasted into one shell',
  () => {
    let state = '';
    beforeAll(async () => {
      const files = { 'install-config.yaml': config };
      const { generatedValues } = JSON.parse(await throwawayState(files, {}, 'aio-ignition')) as Drawn;
      state = await throwawayState(files, generatedValues);
    });

    describe.each([...pages, 'docs/media.md', 'docs/receipts.md'])('%s', (page) => {
      let place: PageFolder;
      let shell: PageShell;
      beforeAll(() => {
        place = pageFolder(scratchFolder());
        for (const path of ['site1', '../home/.ssh']) mkdirSync(join(place.folder, path));
        const needs = /^## Before you start\n([^]*?)^## /m.exec(textOf(page))?.[1];
        for (const [path, content] of Object.entries(requiredFiles)) {
          if (needs?.includes(path) ?? true)
            writeFileSync(join(place.folder, path.replace(/^~/, '../home')), content());
        }
        if (needs?.includes('credentials of the registry in `pullSecret`') ?? false)
          writeFileSync(join(place.folder, 'site1/install-config.yaml'), configWithMirrorCredentials);
        for (const name of ['fleet-telco', 'log-bundle'])
          if (needs?.includes(`${name}/`) ?? false)
            cpSync(join('examples', name), join(place.folder, name), { recursive: true });
        writeFileSync(join(place.folder, 'site1/.sno-install-state.json'), state, { mode: 0o600 });
        shell = startPageShell(place);
      });
      afterAll(() => {
        shell.end();
      });

      const run = pageBlocks(textOf(page)).filter(({ mark }) => !mark.startsWith('not run: '));
      test.each(run)('$title', async (block) => {
        expectShown(page, block, await shell.run(block.commands));
      });
    });
  },
);
