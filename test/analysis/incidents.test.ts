import { expect, it, test } from 'vitest';

import { analyzeBundle, type Analysis } from '../../src/analysis/analyze.js';
import { faults } from '../../src/analysis/faults/all-faults.js';
import { readBundle } from '../../src/disk/bundle/bundle-files.js';
import { describeWith } from '../support/programs.js';
import { aioIncidents } from './support/aio-incidents.js';
import { diskIncidents } from './support/disk-incidents.js';
import { bundleOf, folderOf, type Incident } from './support/incident.js';
import { liveIncidents } from './support/live-incidents.js';
import { nodeIncidents } from './support/node-incidents.js';

const incidents: readonly (Incident & { readonly phase: 'live' | 'node' | 'aio' })[] = [
  ...[...liveIncidents, ...diskIncidents].map((incident) => ({ phase: 'live' as const, ...incident })),
  ...nodeIncidents.map((incident) => ({ phase: 'node' as const, ...incident })),
  ...aioIncidents.map((incident) => ({ phase: 'aio' as const, ...incident })),
];

async function analysisOf({ happen, isGathered }: Incident): Promise<Analysis> {
  const site = await happen();
  const bundle = await readBundle(isGathered ? bundleOf(site) : folderOf(site));
  if (!bundle.ok) throw new Error(JSON.stringify(bundle.problems));
  expect(bundle.value.remarks).toEqual([]);
  return analyzeBundle(bundle.value);
}

function place({ at }: Analysis): string {
  if (at === undefined) return '';
  return at.stage === undefined ? at.service : `${at.stage} of ${at.service}`;
}

describeWith(['bash', 'jq', 'openssl', 'tar'], 'what the real scripts leave behind is told', () => {
  test.each(incidents)('$phase: $name', async (incident) => {
    const { verdict = 'failed', phase, at, faults: wanted, notes = [] } = incident;

    const analysis = await analysisOf(incident);

    expect({
      verdict: analysis.verdict,
      phase: analysis.phase,
      at: place(analysis),
      faults: analysis.faults.map(({ fault }) => fault.id),
      notes: analysis.notes.map(({ fault }) => fault.id),
    }).toEqual({ verdict, phase, at, faults: wanted, notes });
  });
});

it('every fault of the table is provoked', () => {
  const provoked = incidents.flatMap((incident) => [...incident.faults, ...(incident.notes ?? [])]);
  expect(faults.map(({ id }) => id).filter((id) => !provoked.includes(id))).toEqual([]);
});
