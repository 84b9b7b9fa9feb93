import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { describeWithMachine } from '../real/control-plane/support/tools.js';
import { clusterState, type ClusterState } from './cluster-state.js';
import { createLab, type Lab } from './lab.js';
import { bootkubeStages, diskStages, nodeStages } from './names.js';
import { optionsOf } from './options.js';
import { runLive, runNode, type Phase } from './phases.js';
import { userObject } from './site.js';
import { killUnitsAt } from './unit-kills.js';

const options = { ...optionsOf(process.env), render: 'Installer' as const };

/** Places where a unit is killed once: at the start of a stage, before its marker is written, and after it. */
const boundaries = (stages: readonly string[]) =>
  stages.flatMap((stage) => [
    `after stage start ${stage}`,
    `before marker ${stage}`,
    `after marker ${stage}`,
  ]);

/** Commands in a stage's script. A wait counts one command per poll. Some stages have fewer commands than the higher numbers. */
const middles = (stages: readonly string[]) =>
  stages.flatMap((stage) => commandsOfStages.map((number) => `command ${number} of ${stage}`));
const commandsOfStages = [2, 10, 40];

/** Places inside the tools that the stages run. */
const middlesOfLive = [
  'cluster-config-api-render middle',
  'cluster-config-operator-cluster-config-operator-render begin',
  'cluster-ingress-operator-render begin',
  'machine-config-operator-bootstrap middle',
  'release-render middle',
  'cluster-bootstrap pods',
  'cluster-bootstrap api',
  'cluster-bootstrap manifests',
  'etcdctl snapshot',
  'etcdutl snapshot',
  'butane',
  'coreos-installer begin',
];
/** The clean-up script at the end, which belongs to no stage. */
const cleanUp = 'sno-node-cleanup.sh';
const middlesOfNode = ['pull etcd', 'etcdutl snapshot'];
const killedUnits = ['bootkube', 'install-to-disk', 'sno-etcd-restore'];

describeWithMachine('kill -9 of a unit, everything in it, and a start by systemd', () => {
  let lab: Lab;
  let live: Phase;
  let node: Phase;
  let state: ClusterState;

  beforeAll(async () => {
    lab = await createLab(options);
  });

  afterAll(async () => {
    await lab.remove();
  });

  test('at every boundary and in the middle of every stage of the live system: the disk is written', async () => {
    const stages = [...bootkubeStages, ...diskStages];
    live = await runLive(lab, (root) => {
      killUnitsAt(root, [...boundaries(stages), ...middles(stages), ...middlesOfLive], killedUnits);
    });
    expectAllKilled(live.root, stages);
  });

  test('takes the snapshot only once after its marker, and does not write the disk again', () => {
    const saves = callsOf(live.root).filter(({ args }) => args.includes('save'));
    const writes = linesOf(live.root, 'coreos-installer').map((line) => ({ time: timeOf(line) }));
    for (const [calls, stage] of [
      [saves, 'etcd-snapshot'],
      [writes, 'coreos-installer'],
    ] as const) {
      const marked = timeOfDeath(live.root, `after_marker_${stage}`);
      expect(calls.length).toBeGreaterThan(1);
      expect(calls.filter(({ time }) => time > marked)).toEqual([]);
    }
  });

  test('at every boundary and in the middle of every stage of the installed node: it becomes the cluster', async () => {
    const places = [...boundaries(nodeStages), ...middles([...nodeStages, cleanUp]), ...middlesOfNode].filter(
      // The clean-up follows the marker of the last stage and deletes the records.
      (place) => place !== 'after stage start cluster-complete',
    );
    node = await runNode(lab, await lab.disk.installedConfig(), {
      prepare: (root) => {
        killUnitsAt(root, places, killedUnits);
      },
      finally: async (machine) => {
        state = await clusterState(lab, machine);
      },
    });
    expectAllKilled(node.root, [...nodeStages, cleanUp]);
    expect(existsSync(join(node.root, 'opt/openshift'))).toBe(false);
  });

  test('restores all objects of the cluster', () => {
    expect(state.userObject?.data).toEqual({ value: userObject.value });
    expect(state.bootstrapStatus).toBe('complete');
  });
});

/** Every place was reached. For numbered commands, which some stages do not have, one per stage is enough. */
function expectAllKilled(root: string, stages: readonly string[]): void {
  const left = readdirSync(join(root, 'var/lib/sno-lab/die-at'));
  expect(left.filter((place) => !place.startsWith('command_'))).toEqual([]);
  const whole = stages.filter((stage) =>
    commandsOfStages.every((number) => left.includes(`command_${number}_of_${stage}`)),
  );
  expect(whole).toEqual([]);
}

interface Call {
  readonly time: number;
  readonly args: readonly string[];
}

function callsOf(root: string): readonly Call[] {
  return linesOf(root, 'calls').map((line) => JSON.parse(line) as Call);
}

function timeOfDeath(root: string, place: string): number {
  const line = linesOf(root, 'died-at').find((each) => each.endsWith(` ${place}`));
  if (line === undefined) throw new Error(`no process was killed at ${place}`);
  return timeOf(line);
}

function linesOf(root: string, name: string): readonly string[] {
  return readFileSync(join(root, 'var/lib/sno-lab', name), 'utf8')
    .trim()
    .split('\n');
}

/** Parses a line that begins with milliseconds since 1970. */
function timeOf(line: string): number {
  return Number(line.split(' ')[0]);
}
