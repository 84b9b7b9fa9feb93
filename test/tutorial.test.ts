import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

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
import { describeWith, isRoot } from './support/programs.js';
import { scratchFolder } from './support/scratch.js';
import { throwawayState } from './support/throwaway-state.js';

const page = 'docs/tutorial.md';
const blocks = pageBlocks(readFileSync(page, 'utf8'));

test('every block of the tutorial is executed or has a reason why not', () => {
  const marks = blocks.map(({ mark }) => mark.replace(/(not run): .+/, '$1')).filter((mark) => mark !== '');
  expect(marks).toEqual([
    ...['not run', 'not run', 'without a network'],
    ...['a machine: disk', 'a machine: BIOS', 'a machine: UEFI', 'not run'],
  ]);
  expect(blocks.length).toBeGreaterThan(20);
});

test('the tutorial lists the programs that its commands need', () => {
  expect(unlistedPrograms(readFileSync(page, 'utf8'), 'What you need')).toEqual([]);
});

// test/real/media/tutorial.machines.test.ts also boots the machines.
describeWith(
  ['age-keygen', 'bash', 'git', 'perl', 'ssh-keygen'],
  'the tutorial, pasted into one shell',
  () => {
    let place: PageFolder;
    let shell: PageShell;
    beforeAll(() => {
      place = pageFolder(scratchFolder());
      writeFileSync(join(place.folder, 'rhcos-live.x86_64.iso'), liveIso({}, 'rhcos-421.96.202601011200-0'));
      shell = startPageShell(place);
    });
    afterAll(() => {
      shell.end();
    });

    const image = blocks.find(({ commands }) => commands.includes('create iso'));
    const run = blocks.filter(({ mark }) => mark === '' || (mark === 'without a network' && isRoot()));
    test.each(run)('$title', async (block) => {
      if (block === image) await layKeys(place.folder);
      const alone = block.mark === '' ? [] : ['unshare', '--net'];
      expectShown(page, block, await shell.run(block.commands, alone));
    });
  },
);

/** Stored keys, which save seconds of generation. */
async function layKeys(folder: string): Promise<void> {
  const names = ['install-config.yaml', 'sno-config.yaml', 'pull-secret.json'];
  const texts = names.map((name) => [name, readFileSync(join(folder, 'site1', name), 'utf8')]);
  const state = await throwawayState(Object.fromEntries(texts) as Record<string, string>);
  writeFileSync(join(folder, 'site1/.sno-install-state.json'), state, { mode: 0o600 });
}
