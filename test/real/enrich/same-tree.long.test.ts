import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { enrich } from '../../../src/manifests/enrich/enrich.js';
import { openAssetFolder } from '../../../src/disk/asset-folder.js';
import { liveMachine } from '../../shell/disk/machine.js';
import { describeWith } from '../../support/programs.js';
import { describeWithIgnition } from '../../support/real-ignition.js';
import { expectOk } from '../../support/sound-value.js';
import { args, expectSameTree, home, shapes } from './same-tree.js';

describeWith(
  ['bash', 'jq', 'tar'],
  "the node laid from our config is the node laid from its own step's",
  () => {
    describeWithIgnition('by the real Ignition', () => {
      test.each(shapes)('$name', (shape) => {
        expectSameTree(shape, '');
      });
    });
  },
);

describeWith(['bash', 'jq', 'tar'], "the node's own check of its config", () => {
  test('differs only in the newer spec version', () => {
    const machine = liveMachine();
    expect(machine.run('bootstrap-in-place.sh', { args }).status).toBe(0);
    const input = { name: 'input', bytes: readFileSync(join(machine.root, home, 'original-master.ign')) };
    const { text } = expectOk(enrich(expectOk(openAssetFolder(machine.root)), input));
    machine.write('ours.ign', text);
    machine.write('older.ign', text.replace('"version":"3.2.0"', '"version":"3.1.0"'));
    const check = 'for file in ours older; do check_master_ignition "${SNO_ROOT}/${file}.ign" || true; done';
    expect(machine.source('sno-master-ignition.sh', check).stdout).toBe(
      "the node's Ignition config cannot be used: it is of version 3.2.0\n",
    );
  });
});
