import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { bundleFindings } from '../../../src/fleet/rollout/bundle-findings.js';
import type { RolloutSite } from '../../../src/fleet/rollout/rollout-state.js';
import { failingRecord, madeBundle } from '../../analysis/support/made-bundle.js';
import { scratchFolder } from '../../support/scratch.js';

const startedAt = '2026-11-27T12:00:00Z';
const failed: RolloutSite = { wave: '1', state: 'failed', startedAt, attempts: 1, cause: 'no answer' };

it('the newest log bundle from after the start explains a failure', async () => {
  const outputs = scratchFolder();
  const bundle = async (site: string, time: string, stage: string): Promise<void> => {
    mkdirSync(join(outputs, site), { recursive: true });
    const record = failingRecord(stage, `${stage} is broken`);
    const made = await madeBundle({ 'log-bundle/bootstrap/services/bootkube.json': record });
    writeFileSync(join(outputs, site, `log-bundle-${time}.tar.gz`), made);
  };
  await bundle('north-1', '20261127130000', 'wait-for-etcd');
  await bundle('north-1', '20261127120000', 'etcd-bootstrap');
  await bundle('north-2', '20261127115959', 'wait-for-etcd');
  mkdirSync(join(outputs, 'north-3'));
  writeFileSync(join(outputs, 'north-3/log-bundle-20261127130000.tar.gz'), 'cut');
  const sites = new Map([
    ['north-1', failed],
    ['north-2', failed],
    ['north-3', failed],
    ['north-4', failed],
    ['north-5', { ...failed, state: 'done' as const }],
  ]);

  const causes = await bundleFindings(outputs, { sites });
  expect([...causes]).toEqual([
    ['north-1', expect.stringMatching(/^no answer; log bundle: .*wait-for-etcd/) as string],
    ['north-2', 'no answer'],
    ['north-3', 'no answer'],
    ['north-4', 'no answer'],
  ]);
});
