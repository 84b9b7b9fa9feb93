import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { readInitrd } from '../../src/media/initrd.js';
import type { Machine } from '../real/control-plane/support/machine.js';
import { describeWithMachine } from '../real/control-plane/support/tools.js';
import { expectOk } from '../support/sound-value.js';
import type { ProgramResult } from '../real/control-plane/support/run-program.js';
import { validateWithIgnition } from '../support/real-ignition.js';
import { canariesIn, canaryManifest, canaryValue, namesIn } from './canaries.js';
import { clusterState, type ClusterState } from './cluster-state.js';
import { createOutsideRequests, outsideRequests, type OutsideRequest } from './foreign-request.js';
import { createLab, killAt, readRoot, writeStubControl, type Lab } from './lab.js';
import { realCoreosInstaller } from './coreos-installer.js';
import { dataOnDisk, keptData, partitionOf, writeEarlierInstallation } from './kept-partition.js';
import {
  installLateCrds,
  postInstallManifests,
  postInstallStatus,
  snoNear,
  waitingLines,
} from './late-operator.js';
import { configLeftovers, listedLeftovers, readableSecrets } from './leftovers.js';
import { optionsOf } from './options.js';
import { createdByCluster } from './operators/revisions.js';
import {
  expectedNetworkState,
  keyfilePath,
  readNetworkState,
  type NetworkState,
} from './network/described-network.js';
import type { Verdict } from './operators/operators.js';
import { PhaseError, runLive, runNode, type Phase } from './phases.js';
import { nodeAddress, userObject } from './site.js';
import { journalOf } from './timeline/journal.js';
import { writeTimeline } from './timeline/write.js';

const options = optionsOf(process.env);
const failing = options.failAt === undefined ? [] : [`before marker ${options.failAt}`];
/** The stub of coreos-installer keeps no partitions. */
const keepsPartitions = realCoreosInstaller() !== undefined;
const title = `the boot flow of 4.${options.minor}, control plane by ${options.render}`;

describeWithMachine(title, () => {
  let lab: Lab;
  const phases: Record<string, Phase> = {};
  let outcome = 'ended as it should';
  let config: string;
  let state: ClusterState;
  let dataPartition: Awaited<ReturnType<typeof partitionOf>>;
  const networks: Partial<Record<'live' | 'node', NetworkState>> = {};

  beforeAll(async () => {
    lab = await createLab(options, {
      extra: { 'canary.yaml': canaryManifest },
      postInstall: postInstallManifests,
      hasNetwork: true,
      ...(keepsPartitions && { hasDiskHints: true }),
    });
    if (!keepsPartitions) return;
    await writeEarlierInstallation(lab);
    dataPartition = await partitionOf(lab, 'data1');
  });

  afterAll(async () => {
    console.log(writeTimeline(options, phases, outcome));
    console.log(`the timeline as a page: ${options.output}/timeline.html`);
    if (options.keep) console.log(`kept: ${lab.folder}`);
    await lab.remove();
  });

  test('the live system brings up a cluster, writes the disk and is about to reboot', async () => {
    const live = await keep(
      'The live system',
      runLive(
        lab,
        (root) => {
          killAt(root, failing);
          // A fault that the installation must survive without a console message.
          writeStubControl(root, 'fail/kube-system', '1');
        },
        async (machine) => {
          networks.live = await readNetworkState(machine);
        },
      ),
    );
    config = await lab.disk.installedConfig();
    expect(live.console).toEqual([`The disk ${lab.disk.device} is being written.`]);
    expect(validateWithIgnition(config)).toBe('');
  });

  test.skipIf(!keepsPartitions)(
    'the disk with the serial number is written, with the kernel arguments, and the data partition is kept',
    async () => {
      expect(dataPartition).toBeDefined();
      expect(await partitionOf(lab, 'data1')).toEqual(dataPartition);
      expect(await partitionOf(lab, 'logs')).toBeUndefined();
      expect(dataOnDisk(lab)).toBe(keptData);
      expect((await lab.disk.bootOptions()).split(' ')).toEqual([
        'ignition.platform.id=metal',
        'lab.appended=1',
      ]);
    },
  );

  // A killed service repeats the pull that it had begun.
  test.skipIf(options.failAt !== undefined)('pulls each image in the live system once', () => {
    const calls = readFileSync(join(liveRoot(), 'var/lib/sno-lab/calls'), 'utf8').trim().split('\n');
    const pulled = calls
      .map((line) => JSON.parse(line) as { program: string; args: readonly string[] })
      .flatMap(({ program, args }) => (program === 'podman' && args[0] === 'pull' ? [args.at(-1)] : []));

    expect(pulled.length).toBeGreaterThan(15);
    expect(pulled.toSorted()).toEqual([...new Set(pulled)].toSorted());
  });

  describe.skipIf(options.phase === 1)('the installed node', () => {
    let created: readonly OutsideRequest[] = [];
    let verdict: Verdict;
    const waited: string[] = [];
    let status: Readonly<Record<string, string>>;
    const reports: Record<string, ProgramResult> = {};

    beforeAll(async () => {
      const run = runNode(lab, config, {
        prepare: (root) => {
          killAt(root, failing);
        },
        beside: async (machine, root) => {
          created = await createOutsideRequests(lab, machine, root, created);
          await gatherOnce(machine, root);
          waited.push(...(await installLateCrds(lab, machine)));
        },
        finally: async (machine) => {
          networks.node = await readNetworkState(machine);
          state = await clusterState(lab, machine);
          status = await postInstallStatus(lab, machine);
          reports['wait-for'] = await snoNear(lab, machine, ['wait-for', 'post-install-complete']);
          reports['apply --diff'] = await snoNear(lab, machine, ['apply', '--diff']);
        },
      });
      ({ verdict } = await keep('The installed node', run));
    });

    test('has a complete first revision that the operators keep', () => {
      const known = options.render === 'Installer' ? createdByCluster : [];
      expect(verdict.findings).toEqual(known.map((key) => `revision 1 lacks ${key}`));
    });

    test('the node waits until each static pod is a later revision of its operator', () => {
      expect(verdict.handedOverEarly).toEqual([]);
    });

    test('NetworkManager brings the described network up in the live system, and after the reboot from the same bytes', () => {
      expect(networks).toEqual({
        live: expectedNetworkState(nodeAddress),
        node: expectedNetworkState(nodeAddress),
      });
      const files = [liveRoot(), nodeRoot()].map((root) => join(root, keyfilePath));
      expect(files.map((file) => readFileSync(file, 'utf8'))).toEqual([
        lab.site.files[keyfilePath],
        lab.site.files[keyfilePath],
      ]);
      expect(files.map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
    });

    test('the initramfs of the installed system has the same bytes', async () => {
      const archives = expectOk(await readInitrd(await lab.disk.installedInitramfs()));
      const carried = `etc/coreos-firstboot-network/${basename(keyfilePath)}`;
      expect([...archives.keys()].map((path) => path.replace(/^\.\//, ''))).toEqual([carried]);
      expect([...archives.values()].map(({ contents }) => contents.toString())).toEqual([
        lab.site.files[keyfilePath],
      ]);
    });

    test('an object of before the snapshot is there after the reboot, and the resource version does not go back', () => {
      const { revision } = snapshotOf(liveRoot());
      expect(state.userObject?.data).toEqual({ value: userObject.value });
      expect(Number(state.userObject?.metadata.resourceVersion)).toBeLessThanOrEqual(revision);
      expect(state.revision).toBeGreaterThanOrEqual(revision);
    });

    test('reports completion, releases the locks, keeps the overrides of the user and adds the node', () => {
      expect(state.bootstrapStatus).toBe('complete');
      expect(state.locks).not.toContain('version');
      expect(state.overrides ?? []).toEqual([]);
      expect(state.nodeIsReady).toBe(true);
      const signers = state.requests.filter(({ approved }) => approved).map(({ signer }) => signer);
      expect(signers).toContain('kubernetes.io/kube-apiserver-client-kubelet');
      expect(signers).toContain('kubernetes.io/kubelet-serving');
    });

    test.each(Object.entries(outsideRequests))(
      '%s: leaves requests with other keys pending, and logs the reason once',
      (name, says) => {
        expect(created).toContain(name);
        expect(state.requests.find((each) => each.name === name)).toMatchObject({ approved: false });
        const lines = journalOf(nodeRoot(), ['bootkube']).map(({ message }) => message);
        const about = lines.filter((line) => line.includes(name));
        expect(about).toHaveLength(1);
        expect(about[0]).toMatch(says);
      },
    );

    test('removes the files of the installation, and restricts the remaining secrets to root', () => {
      expect(listedLeftovers(nodeRoot())).toEqual([]);
      expect(configLeftovers(nodeRoot(), config)).toEqual([]);
      expect(readableSecrets(nodeRoot())).toEqual([]);
      expect((statSync(join(nodeRoot(), 'var/lib/etcd')).mode & 0o777).toString(8)).toBe('700');
    });

    test('applies the post-install manifests after an operator serves their kind, and removes the service', () => {
      expect(waited).toEqual(waitingLines);
      expect(status).toMatchObject({ status: 'complete', waves: '3/3', waiting: '', failed: '' });
      const lines = journalOf(nodeRoot(), ['sno-post-install']).map(({ message }) => message);
      expect(lines).toContain('applied post-install/30-lvm.yaml#1: LVMCluster openshift-storage/one');
      expect(lines.join('\n')).not.toContain(canaryValue);
    });

    test('the workstation reports the post-install manifests as complete, and finds no drift', () => {
      expect(reports['wait-for']?.code).toBe(0);
      expect(reports['wait-for']?.stdout).toMatch(/^post-install complete/);
      expect(reports['apply --diff']?.code).toBe(0);
      expect(reports['apply --diff']?.stdout).toMatch(/^No differences/);
    });

    test('has no service that systemd stopped after a timeout', () => {
      const lines = [liveRoot(), nodeRoot()].flatMap((root) =>
        journalOf(root, ['bootkube', 'install-to-disk']),
      );
      const ofSystemd = lines.filter(({ isOfSystemd }) => isOfSystemd).map(({ message }) => message);
      expect(ofSystemd.filter((line) => line.includes('timed out'))).toEqual([]);
    });

    test('copies the logs of the live system to the node, without secrets in bundles', async () => {
      const [before, after] = [join(liveRoot(), 'opt/openshift/log-bundle-bootstrap.tar.gz'), bundleOfNode()];
      expect(await namesIn(before)).toContain('bootstrap/services/bootkube.json');
      expect(await namesIn(after)).toContain('log-bundle-bootstrap/bootstrap/services/bootkube.json');
      expect(await namesIn(after)).toContain('control-plane/master/journals/kubelet.log');
      expect(await canariesIn(before, lab.site)).toEqual([]);
      expect(await canariesIn(after, lab.site)).toEqual([]);
    });
  });

  /** Records the phase for the timeline, also if it failed. */
  async function keep<P extends Phase>(title: string, run: Promise<P>): Promise<P> {
    try {
      const phase = await run;
      phases[title] = phase;
      return phase;
    } catch (error) {
      if (error instanceof PhaseError) phases[title] = error.phase;
      outcome = `failed: ${title} did not end as it should`;
      throw error;
    }
  }

  const liveRoot = () => phases['The live system']?.root ?? '';
  const nodeRoot = () => phases['The installed node']?.root ?? '';
  const bundleOfNode = () => join(nodeRoot(), 'var/lib/sno-lab/bundle.tar.gz');

  /** Gathers logs once, before the operators finish and the clean-up deletes the scripts. */
  async function gatherOnce(machine: Machine, root: string): Promise<void> {
    if (
      !existsSync(join(root, 'opt/openshift/bootstrap-complete.done')) ||
      existsSync(join(root, 'var/lib/sno-lab/gathered'))
    )
      return;
    writeStubControl(root, 'gathered', '');
    const bundle = 'TAR_FILE=/var/lib/sno-lab/bundle.tar.gz';
    await machine.exec(['env', bundle, 'installer-gather.sh', '--id', 'lab']);
  }
});

function snapshotOf(root: string): { readonly revision: number } {
  const text = readRoot(root, 'opt/openshift/etcd-snapshot/snapshot.json');
  return (JSON.parse(text) as { snapshot: { revision: number } }).snapshot;
}
