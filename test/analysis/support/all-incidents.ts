import { expect } from 'vitest';

import { analyzeBundle, type Analysis } from '../../../src/analysis/analyze.js';
import { readBundle } from '../../../src/disk/bundle/bundle-files.js';
import { aioIncidents } from './aio-incidents.js';
import { diskIncidents } from './disk-incidents.js';
import { bundleOf, folderOf, type Incident } from './incident.js';
import { liveIncidents } from './live-incidents.js';
import { nodeIncidents } from './node-incidents.js';
import { payloadIncidents } from './payload-incidents.js';

/** All incidents, with the phase of their records. */
export const incidents: readonly (Incident & { readonly phase: 'live' | 'node' | 'aio' })[] = [
  ...[...liveIncidents, ...diskIncidents, ...payloadIncidents].map((incident) => ({
    phase: 'live' as const,
    ...incident,
  })),
  ...nodeIncidents.map((incident) => ({ phase: 'node' as const, ...incident })),
  ...aioIncidents.map((incident) => ({ phase: 'aio' as const, ...incident })),
];

/** Provokes an incident and compares the report of `analyze` with the expected one. */
export async function expectReported(
  { phase, ...incident }: (typeof incidents)[number],
  { isGathered }: { readonly isGathered: boolean },
): Promise<void> {
  const { verdict = 'failed', at, faults, notes = [] } = incident;
  const site = await incident.happen();
  const bundle = await readBundle(isGathered ? bundleOf(site) : folderOf(site));
  if (!bundle.ok) throw new Error(JSON.stringify(bundle.problems));
  expect(bundle.value.bundleNotes).toEqual([]);

  const analysis = analyzeBundle(bundle.value);

  expect({
    verdict: analysis.verdict,
    phase: analysis.phase,
    at: placeIn(analysis),
    faults: analysis.faults.map(({ fault }) => fault.id),
    notes: analysis.notes.map(({ fault }) => fault.id),
  }).toEqual({ verdict, phase, at, faults, notes });
}

function placeIn({ at }: Analysis): string {
  if (at === undefined) return '';
  return at.stage === undefined ? at.service : `${at.stage} of ${at.service}`;
}
