import { expect, it, test } from 'vitest';

import { faults } from '../../src/analysis/faults/all-faults.js';
import { describeWith } from '../support/programs.js';
import { expectReported, incidents } from './support/all-incidents.js';
import { hardwareLines } from './support/hardware-lines.js';

describeWith(['bash', 'jq', 'openssl', 'tar'], 'what the real scripts leave behind is told', () => {
  // Every sixtieth incident and those that gather; incidents.machines.test.ts runs all of them and gathers after each.
  const some = incidents.filter(({ isGathered }, index) => index % 60 === 0 || isGathered === true);
  test.each(some)('$phase: $name', (incident) =>
    expectReported(incident, { isGathered: incident.isGathered === true }),
  );
});

it('every fault of the table is provoked', () => {
  const provoked = [
    ...incidents.flatMap((incident) => [...incident.faults, ...(incident.notes ?? [])]),
    ...hardwareLines.map(({ fault }) => fault),
  ];
  expect(faults.map(({ id }) => id).filter((id) => !provoked.includes(id))).toEqual([]);
});

it('a bundle is gathered in every phase', () => {
  const gathered = incidents.filter(({ isGathered }) => isGathered).map(({ phase }) => phase);
  expect([...new Set(gathered)]).toEqual(['live', 'node', 'aio']);
});
