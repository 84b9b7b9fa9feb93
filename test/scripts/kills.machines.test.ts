import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { scratchFolder } from '../support/scratch.js';

it('the campaign of kills kills, judges and counts', () => {
  const report = join(scratchFolder(), 'report.json');
  const command = ['scripts/kills.mjs', 'serve', '--kills', '3', '--report', report];
  const { stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });

  expect(JSON.parse(stdout), stderr).toMatchObject({ ok: true, lost: 0, figures: { serve: { faults: [] } } });
  const { kills } = JSON.parse(stdout) as { readonly kills: number };
  expect(kills).toBeGreaterThanOrEqual(3);
  expect(readFileSync(report, 'utf8')).toBe(stdout);
});
