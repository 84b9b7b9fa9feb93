import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { folderConfigs } from '../../../src/serve/site-configs.js';
import { noAccess } from '../../../src/disk/state/state-access.js';
import { siteWatch } from '../../../src/serve/page/site-watch.js';
import { liveConfigName } from '../../../src/serve/site-folders.js';
import type { ServedSite } from '../../../src/serve/site-catalogue.js';
import { downloadTracker } from '../../../src/serve/download-tracker.js';
import { scratchFolder } from '../../support/scratch.js';

test('shows a site before it has a folder, and a change immediately', async () => {
  const folder = scratchFolder();
  const site = (name: string): ServedSite => ({ name, dir: join(folder, name), generation: 0 });
  let [time, there] = [0, [site('north-1')]];
  const [touched, refuse] = [new Set<string>(), (): never => expect.unreachable()];
  const seen = downloadTracker((name) => touched.add(name));
  const watch = siteWatch({
    sites: {
      all: () => there,
      refresh: () => Promise.resolve(),
      find: refuse,
      state: refuse,
      end: refuse,
      isUsed: refuse,
    },
    visits: seen,
    touched,
    fleetName: 'edge',
    configs: folderConfigs(noAccess),
    findings: () => new Map(),
    awaited: [site('north-1'), site('north-2'), site('north-3')],
    now: () => new Date(time),
  });
  const rows = () => watch.board.rows().map(({ name, phase }) => [name, phase]);
  mkdirSync(join(folder, 'north-1'));
  writeFileSync(join(folder, 'north-1', liveConfigName), '{}');
  // A link to itself cannot be read, like a folder without permission.
  symlinkSync('north-3', join(folder, 'north-3'));
  await watch.lookAtAll();
  expect(rows()).toEqual([
    ['north-1', 'created'],
    ['north-2', 'no-outputs'],
    ['north-3', 'no-outputs'],
  ]);

  seen.onPiece('north-1', { offset: 0, length: 1 }, { bytes: 2, etag: '' });
  there = [...there, site('north-0')];
  await watch.look();
  expect(rows()).toEqual([
    ['north-1', 'reading'],
    ['north-2', 'no-outputs'],
    ['north-3', 'no-outputs'],
  ]);
  [time, there] = [5000, [site('north-0')]];
  await watch.look();
  expect(rows()).toEqual([
    ['north-0', 'no-outputs'],
    ['north-1', 'reading'],
    ['north-2', 'no-outputs'],
    ['north-3', 'no-outputs'],
  ]);
});
