import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { readReports } from '../../../src/serve/reports/site-reports.js';
import { scratchFolder } from '../../support/scratch.js';

it('reads the reports that 0.1.0 wrote', () => {
  const path = join(scratchFolder(), 'tokens.json.reports');
  const at = '2026-01-02T03:04:05Z';
  const stage = { service: 'bootkube', stage: 'mco-bootstrap', at };
  const report = { system: 'live', isComplete: false };
  const stages = [
    { ...stage, came: 'ended' },
    { ...stage, came: 'failed' },
  ];
  writeFileSync(path, JSON.stringify({ 'north-1': { ...report, stages, heardAt: at } }));

  const current = [
    { ...stage, event: 'finished' },
    { ...stage, event: 'failed' },
  ];
  expect([...readReports(path)]).toEqual([['north-1', { ...report, stages: current, receivedAt: at }]]);
});
