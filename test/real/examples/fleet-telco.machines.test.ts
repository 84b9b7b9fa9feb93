import { afterAll, afterEach, expect, it, vi } from 'vitest';

import { describeWith } from '../../support/programs.js';
import { scaledMs } from '../../support/time-scale.js';
import { buildTimeoutMs } from '../control-plane/support/tools.js';
import type { Ends } from '../redfish/emulated-bmcs.js';
import { rollOutTelco } from './roll-out-telco.js';

const ends: Ends = [];
afterEach(() => {
  vi.unstubAllEnvs();
});
afterAll(() => Promise.all(ends.map((end) => end())));

describeWith(
  ['python3', 'openssl', 'htpasswd', 'go', 'kubectl', 'jq', 'curl'],
  'examples/fleet-telco',
  () => {
    it(
      'boots the canary sites of a region and applies their post-install manifests',
      async () => {
        const isWanted = ({ role, region }: Readonly<Record<string, string>>): boolean =>
          role === 'canary' && region === 'north';
        const result = await rollOutTelco(isWanted, ['--where', 'role=canary,region=north'], ends);
        expect(result).toMatch(/^canary +done +3 done$/m);
        expect(result).toMatch(/\ncomplete: 3 done\n$/);
      },
      buildTimeoutMs + scaledMs(300_000),
    );
  },
);
