import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { describeWithMachine } from '../real/control-plane/support/tools.js';
import { createLab, type Lab } from './lab.js';
import { optionsOf } from './options.js';
import { runLive, runNode, type Phase } from './phases.js';

const options = optionsOf(process.env);

describeWithMachine(`the boot flow of 4.${options.minor}, control plane by ${options.render}`, () => {
  let lab: Lab;
  let live: Phase;
  let node: Phase;

  beforeAll(async () => {
    lab = await createLab(options);
  });

  afterAll(async () => {
    await lab.remove();
  });

  test('the live system brings up a cluster, writes the disk and is about to reboot', async () => {
    live = await runLive(lab);
    expect(live.console).toEqual([]);
  });

  test('the installed node restores etcd, becomes the cluster and forgets the installation', async () => {
    node = await runNode(lab, await lab.disk.installedConfig());
    expect(existsSync(join(node.root, 'var/lib/etcd/member'))).toBe(true);
  });
});
