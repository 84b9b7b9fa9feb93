import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, describe, expect, test } from 'vitest';

import type { Machine } from '../real/control-plane/support/machine.js';
import { describeWithMachine } from '../real/control-plane/support/tools.js';
import { clusterState, type ClusterState } from './cluster-state.js';
import { realCoreosInstaller } from './coreos-installer.js';
import { applyIgnition, bootLive, createLab, type Lab } from './lab.js';
import { optionsOf } from './options.js';
import { runNode, textOf, watch, type Phase } from './phases.js';
import { userObject } from './site.js';
import { journalOf } from './timeline/journal.js';
import { killUnitsAt } from './unit-kills.js';

/** Places at each of which a unit of the payload is killed once, in the order in which they are reached. */
const killed = [
  'command 5 of find-payload',
  'command 40 of find-payload',
  'after stage start load-registry',
  'command 40 of sno-payload-registry.sh',
  'after stage start copy-payload',
  ...[5, 20, 60].map((number) => `command ${number} of copy-payload`),
  'partition created',
  'copy middle',
  'command 100 of copy-payload',
  'before stage end copy-payload',
  'coreos-installer begin',
];

/** Only the real coreos-installer keeps partitions. */
describe.skipIf(realCoreosInstaller() === undefined)('with a payload and without registries', () => {
  describeWithMachine('the boot flow', () => {
    let lab: Lab;

    afterEach(async () => {
      await lab.remove();
    });

    test('render: Release, with a medium that is removed during the bootstrap and attached again', async () => {
      lab = await createLab({ ...optionsOf(process.env), render: 'Release' }, { hasPayload: true });
      let step: 'before' | 'removed' | 'attached' = 'before';
      const live = await runLive(lab, {
        beside: (_machine, root) => {
          const done = (name: string): boolean => existsSync(join(root, 'opt/openshift', `${name}.done`));
          const notice = textOf(join(root, 'etc/issue.d/45_sno-payload.issue'));
          if (step === 'before' && done('openshift-manifests')) {
            lab.medium?.pullOut();
            step = 'removed';
          } else if (step === 'removed' && notice.includes('was removed')) {
            lab.medium?.plugIn();
            step = 'attached';
          }
          return Promise.resolve();
        },
      });
      expect(step).toBe('attached');
      const medium = lab.medium?.device ?? '';
      expect(live.console.filter((text) => !text.startsWith('The payload is being copied'))).toEqual(
        expect.arrayContaining([
          `Images come from the payload lab.payload on ${medium}.`,
          `The installation waits for its images: the medium with the payload, ${medium}, was removed or cannot be read. Attach it again.`,
          `The disk ${lab.disk.device} is being written.`,
        ]),
      );
      await expectCluster(lab);
    });

    test('render: Installer, with a kill at each step of the units of the payload', async () => {
      lab = await createLab({ ...optionsOf(process.env), render: 'Installer' }, { hasPayload: true });
      const live = await runLive(lab, {
        prepare: (root) => {
          killUnitsAt(root, killed, ['sno-payload', 'sno-payload-registry', 'install-to-disk']);
        },
      });
      expect(readdirSync(join(live.root, 'var/lib/sno-lab/die-at'))).toEqual([]);
      await expectCluster(lab);
    });
  });
});

async function runLive(
  lab: Lab,
  {
    prepare,
    beside,
  }: {
    readonly prepare?: (root: string) => void;
    readonly beside?: (machine: Machine, root: string) => Promise<void>;
  },
): Promise<Phase> {
  const root = applyIgnition(lab, 'live', lab.site.liveConfig);
  prepare?.(root);
  return watch(await bootLive(lab, root), root, {
    until: () => existsSync(join(root, 'opt/openshift/.install-to-disk.done')),
    limitMs: 15 * 60_000,
    ...(beside && { beside }),
  });
}

/** The installed node serves the payload from its own disk, and becomes the cluster. */
async function expectCluster(lab: Lab): Promise<void> {
  const kept = (await lab.disk.partitions()).filter(({ name }) => name === 'sno-payload');
  expect(kept).toHaveLength(1);
  let state: ClusterState | undefined;
  const node = await runNode(lab, await lab.disk.installedConfig(), {
    prepare: (root) => {
      // The machine-config operator writes it from the mirror sets, with the mirrors of the live system.
      const path = 'etc/containers/registries.conf';
      mkdirSync(join(root, 'etc/containers'), { recursive: true });
      writeFileSync(join(root, path), lab.site.files[`/${path}`] ?? '');
    },
    finally: async (machine) => {
      state = await clusterState(lab, machine);
    },
  });
  expect(state?.userObject?.data).toEqual({ value: userObject.value });
  expect(state?.bootstrapStatus).toBe('complete');
  const served = journalOf(node.root, ['iri-registry']).map(({ message }) => message);
  expect(served.some((line) => /GET .*\/v2\/runtime\/etcd\/manifests\/sha256:/.test(line))).toBe(true);
}
