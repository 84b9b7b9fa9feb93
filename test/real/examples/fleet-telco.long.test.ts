import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, afterEach, expect, it, vi } from 'vitest';

import { describeWith } from '../../support/programs.js';
import { readTree } from '../../support/read-tree.js';
import { scratchFolder } from '../../support/scratch.js';
import { startedCommand } from '../../support/started-command.js';
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
  'the 300 sites of examples/fleet-telco',
  () => {
    it(
      'have a bounded golden tree, in which a change of one class is one difference',
      async () => {
        const folder = scratchFolder();
        const [dir, out] = [join(folder, 'fleet'), join(folder, 'golden')];
        cpSync('examples/fleet-telco', dir, { recursive: true });
        const golden = ['fleet', 'golden', dir, '--out', out];
        expect(await startedCommand(golden).exited).toMatchObject({ code: 0, stderr: '' });
        const own = Object.keys(readTree(out)).filter((path) => !/^(?:all|templates)\//.test(path));
        expect(own.length).toBeLessThan(30);
        expect(await startedCommand([...golden, '--check']).exited).toMatchObject({ code: 0 });

        const variables = join(dir, 'classes/large/variables.yaml');
        writeFileSync(variables, readFileSync(variables, 'utf8').replace('hugepages: 32', 'hugepages: 40'));
        const { code, stdout } = await startedCommand([...golden, '--check']).exited;
        expect(code).toBe(1);
        expect(stdout).toMatch(/^1 difference in 30 of 300 sites: /m);
      },
      scaledMs(15 * 60_000),
    );

    it(
      'are created, booted in waves, and have their post-install manifests',
      async () => {
        const result = await rollOutTelco(() => true, [], ends);
        expect(result).toMatch(/^canary +done +6 done$/m);
        expect(result).toMatch(/\ncomplete: 300 done\n$/);
      },
      buildTimeoutMs + scaledMs(30 * 60_000),
    );
  },
);
