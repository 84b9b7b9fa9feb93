import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { liveIso } from './media/support/live-iso.js';
import {
  expectShown,
  pageBlocks,
  pageFolder,
  startPageShell,
  type PageShell,
} from './support/page-commands.js';
import { describeWith } from './support/programs.js';
import { scratchFolder } from './support/scratch.js';

const page = 'docs/inspect.md';
const blocks = pageBlocks(readFileSync(page, 'utf8'));

test('every output of the page belongs to a command', () => {
  const shown = readFileSync(page, 'utf8').match(/^```(?:text|console)$/gm) ?? [];
  expect(shown).toEqual(blocks.map(() => '```text'));
});

describeWith(['bash'], 'docs/inspect.md', () => {
  let shell: PageShell;
  beforeAll(async () => {
    const place = pageFolder(scratchFolder());
    cpSync('fixtures/configs/static-network', join(place.folder, 'site1'), { recursive: true });
    writeFileSync(join(place.folder, 'live.iso'), liveIso({}, 'rhcos-421.96.202601011200-0'));
    shell = startPageShell(place);
    await shell.run(
      'sno-install create iso site1 --iso live.iso --out site1.iso --live-karg console=ttyS0\n',
    );
  });
  afterAll(() => {
    shell.end();
  });

  test.each(blocks)('$title', async (block) => {
    expectShown(page, block, await shell.run(block.commands));
  });
});
