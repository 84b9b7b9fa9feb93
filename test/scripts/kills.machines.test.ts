import { spawnSync } from 'node:child_process';

import { expect, it } from 'vitest';

it('the campaign of kills kills, judges and counts', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['scripts/kills.mjs', 'serve', '--kills', '3'], {
    encoding: 'utf8',
  });

  expect(JSON.parse(stdout), stderr).toMatchObject({ ok: true, lost: 0, figures: { serve: { faults: [] } } });
  const { kills } = JSON.parse(stdout) as { readonly kills: number };
  expect(kills).toBeGreaterThanOrEqual(3);
}, 120_000);
