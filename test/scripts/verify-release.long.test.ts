import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { buildTimeoutMs } from '../real/control-plane/support/tools.js';
import {
  expectShown,
  pageBlocks,
  pageFolder,
  terminalOutput,
  type PageBlock,
  type PageFolder,
} from '../support/page-commands.js';
import { describeWith } from '../support/programs.js';
import { scratchFolder } from '../support/scratch.js';
import { cloneOfSources } from './support/clone-of-sources.js';

const page = 'docs/verify-release.md';
const blocks = pageBlocks(readFileSync(page, 'utf8'));
const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');

/** The build folder of `npm run test:cosign`, named after its lock files. */
function folderOfCosign(): string {
  const locks = ['go.mod', 'go.sum'].map((name) => readFileSync(join('test/real/signatures/cosign', name)));
  const sum = createHash('sha256').update(Buffer.concat(locks)).digest('hex').slice(0, 16);
  return join(cache, 'sno-install/tools', `cosign-${sum}`);
}

const isOf = (who: string) => (block: PageBlock) => block.mark.startsWith(who);
const publishing = blocks.filter(isOf('who publishes'));
const withCosign = blocks.filter(isOf('cosign'));
const verifying = blocks.filter((block) => !publishing.includes(block) && !withCosign.includes(block));

describeWith(['bash', 'git', 'jq', 'openssl', 'sha256sum'], 'docs/verify-release.md', () => {
  let place: PageFolder;
  const folderOf = ({ mark }: PageBlock): string =>
    join(place.folder, mark.includes('in the clone') ? 'clone' : 'release');
  const shows = (block: PageBlock): void => {
    const before = [
      'env',
      `XDG_CACHE_HOME=${cache}`,
      `PATH=${folderOfCosign()}:${process.env['PATH'] ?? ''}`,
    ];
    expectShown(page, block, terminalOutput(block.commands, { ...place, folder: folderOf(block) }, before));
  };

  beforeAll(() => {
    place = pageFolder(scratchFolder());
    cloneOfSources(join(place.folder, 'clone'));
    for (const block of publishing) shows(block);
  }, buildTimeoutMs);

  test('every command of it is run', () => {
    expect([publishing.length, withCosign.length, verifying.length]).toEqual([1, 3, 4]);
  });

  test.each(verifying)('$title', { timeout: buildTimeoutMs }, shows);

  // `npm run test:cosign` builds it, which takes six minutes.
  test.skipIf(!existsSync(folderOfCosign())).each(withCosign)('$title', { timeout: buildTimeoutMs }, shows);
});
