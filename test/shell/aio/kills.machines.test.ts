import { beforeAll, expect, test } from 'vitest';

import type { NodeFile } from '../../../src/ignition/types.js';
import { describeWith } from '../../support/programs.js';
import { configFiles, nodeClock, type AioNode } from './aio-node.js';
import { readyNode } from './first-boot-node.js';
import { expectFirstBootAfterKill, expectRenewedAfterKill, type Kill } from './kills.js';
import { smallNode } from './renewing-node.js';

/** Every call of these programs in an uninterrupted run of a script. */
function killsIn(node: AioNode, script: string, programs: readonly Kill['program'][]): readonly Kill[] {
  expect(node.run(script).status).toBe(0);
  return programs.flatMap((program) => {
    const made = node.calls(program).length;
    expect(made, program).toBeGreaterThan(2);
    return Array.from({ length: made }, (_, calls) => ({ program, calls }));
  });
}

describeWith(['bash', 'jq', 'openssl'], 'a kill of an all-in-one node during any call', () => {
  let files: readonly NodeFile[] = [];
  beforeAll(async () => {
    files = await configFiles('aio-minimal');
  });

  test('to the cluster at the first boot: the next start completes the boot', () => {
    const kills = killsIn(readyNode(files), 'aiokube.sh', ['kubectl']);
    for (const kill of kills) expectFirstBootAfterKill(files, kill);
  });

  test('that writes a certificate or manifest: the next start completes the renewal', () => {
    const node = smallNode(files);
    node.setClock(nodeClock + 300 * 86_400);
    for (const kill of killsIn(node, 'sno-renew.sh', ['install', 'sync']))
      expectRenewedAfterKill(files, kill);
  });
});
