import { test } from 'vitest';

import { describeWith } from '../support/programs.js';
import { expectReported, incidents } from './support/all-incidents.js';

describeWith(['bash', 'jq', 'openssl', 'tar'], 'what the gather script brings of it is told just so', () => {
  test.each(incidents)('$phase: $name', (incident) => expectReported(incident, { isGathered: true }));
});
