import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import {
  expectShown,
  pageBlocks,
  pageFolder,
  terminalOutput,
  type PageFolder,
} from './support/page-commands.js';
import { describeWith } from './support/programs.js';
import { scratchFolder } from './support/scratch.js';
import { throwawayState } from './support/throwaway-state.js';

const folder = 'docs/how-to';
const pages = readdirSync(folder).map((name) => join(folder, name));
const config = readFileSync('fixtures/configs/minimal/install-config.yaml', 'utf8');

/** Stored keys for a page, which would take minutes to generate. */
interface Drawn {
  readonly draws: Readonly<Record<string, string>>;
}

test('every page has commands that are run', () => {
  const run = pages.map((page) => pageBlocks(readFileSync(page, 'utf8')).filter(({ mark }) => mark === ''));
  expect(run.map((blocks) => blocks.filter(({ shown }) => shown !== '').length > 0)).toEqual(
    pages.map(() => true),
  );
});

describeWith(
  ['age-keygen', 'bash', 'dnsmasq', 'git', 'openssl'],
  'how-to pages, with the folder site1 that they begin with',
  () => {
    let state = '';
    beforeAll(async () => {
      const files = { 'install-config.yaml': config };
      const { draws } = JSON.parse(await throwawayState(files, {}, 'aio-ignition')) as Drawn;
      state = await throwawayState(files, draws);
    });

    describe.each(pages)('%s', (page) => {
      let place: PageFolder;
      beforeAll(() => {
        place = pageFolder(scratchFolder());
        const site = join(place.folder, 'site1');
        mkdirSync(site);
        writeFileSync(join(site, 'install-config.yaml'), config);
        writeFileSync(join(site, '.sno-install-state.json'), state, { mode: 0o600 });
      });

      const run = pageBlocks(readFileSync(page, 'utf8')).filter(({ mark }) => !mark.startsWith('not run: '));
      test.each(run)('$title', (block) => {
        expectShown(page, block, terminalOutput(block.commands, place));
      });
    });
  },
);
