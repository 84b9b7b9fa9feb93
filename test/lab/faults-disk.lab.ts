import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Machine } from '../real/control-plane/support/machine.js';
import { outputOf } from '../real/control-plane/support/run-program.js';
import { describeWithMachine } from '../real/control-plane/support/tools.js';
import { waitUntil } from '../real/control-plane/support/wait-until.js';
import { createDisk, type Disk } from './disk.js';
import { bootLive, createLab, type Lab } from './lab.js';
import { optionsOf } from './options.js';
import { runLive, watch } from './phases.js';
import { shortenWaits, waitForUnitFailure, activeStateOf } from './units.js';

interface Fault {
  readonly name: string;
  /** Shell lines that cause the fault and that undo it. */
  readonly make: string;
  readonly undo: string;
  readonly says: string | RegExp;
}

const link = '/dev/disk/by-id/lab-disk';
const swapLink = (to: string) => `ln --symbolic --force --no-dereference ${to} ${link}`;
const relink = swapLink('../../disk0');
/** As after a boot: no disk has passed the checks. */
const forget = 'rm --force /run/sno-install/installation-disk.json';

/** Faults that would break the installed node. Each must be reported before the disk is written. */
const faults: readonly Fault[] = [
  {
    name: 'the disk is missing',
    make: `rm ${link}`,
    undo: relink,
    says: /^the installation disk \/dev\/disk\/by-id\/lab-disk does not exist; this machine has: .+/,
  },
  {
    name: 'the link leads to another disk than at the first check',
    make: swapLink('../../busy0'),
    undo: relink,
    says: /^the installation disk is now \/dev\/disk\/by-id\/lab-disk \(\/dev\/loop\d+, .+\), but was another one earlier in this boot \(\/dev\/loop\d+, .+ serial number LAB-0001\): if it is the right one, run 'sudo rm \/run\/sno-install\/installation-disk\.json'$/,
  },
  {
    name: 'the disk is too small',
    make: `${forget}; ${swapLink('../../small0')}`,
    undo: relink,
    says: /has 1 GB; the cluster needs 100 GB$/,
  },
  {
    name: 'the disk is busy',
    make: `${forget}; mkdir --parents /run/busy && mount -o ro /dev/busy0 /run/busy && ${swapLink('../../busy0')}`,
    undo: `umount /run/busy; ${relink}`,
    says: /is in use: \/dev\/\S+ is mounted at \/run\/busy$/,
  },
  {
    name: 'the disk is the medium that the system booted from',
    make: `${forget}; mkdir --parents /run/media/iso && mount -o ro /dev/busy0 /run/media/iso && ${swapLink('../../busy0')}`,
    undo: `umount /run/media/iso; ${relink}`,
    says: /is the medium that this system was booted from$/,
  },
  {
    name: 'the clock is before the certificates',
    make: 'echo -8640000 > /var/lib/sno-lab/clock-offset',
    undo: 'rm /var/lib/sno-lab/clock-offset',
    says: /^the clock is at .+, but the certificates are not valid before .+$/,
  },
  {
    name: 'the clock is after the certificates',
    make: 'echo 8640000 > /var/lib/sno-lab/clock-offset',
    undo: 'rm /var/lib/sno-lab/clock-offset',
    says: /^the clock is at .+, but the certificates expired at .+: create a new Ignition config$/,
  },
  {
    name: 'the host name is localhost',
    make: 'hostname localhost',
    undo: 'hostname node1',
    says: /^the host name is 'localhost': set one with hostname in sno-config.yaml/,
  },
  {
    name: 'the host name is another than that of the snapshot',
    make: 'hostname node2',
    undo: 'hostname node1',
    says: /^the host name and address are 'node2 192\.168\.126\.10', but were 'node1 192\.168\.126\.10'/,
  },
  {
    name: 'the address is outside machineNetwork',
    make: 'ip address flush dev eth0 && ip address add 10.9.9.9/24 dev eth0',
    undo: 'ip address flush dev eth0 && ip address add 192.168.126.10/24 dev eth0',
    says: 'no network interface has an IPv4 address in machineNetwork (192.168.126.0/24)',
  },
  {
    name: 'the name api-int is missing from DNS',
    make: "sed --in-place=.kept 's/api-int\\S*//' /etc/hosts",
    undo: 'mv /etc/hosts.kept /etc/hosts',
    says: 'the name api-int.site1.example.com does not resolve',
  },
  {
    name: 'the name api-int is another machine',
    make: "cp /etc/hosts /etc/hosts.kept && sed --in-place 's/api-int\\S*//; $a 10.1.1.1 api-int.site1.example.com' /etc/hosts",
    undo: 'mv /etc/hosts.kept /etc/hosts',
    says: "the name api-int.site1.example.com resolves to 10.1.1.1, which is not this machine's address 192.168.126.10; behind a load balancer or NAT, set dns.apiCheck",
  },
  {
    name: "the node's config is not the one that was built",
    make: 'cp /opt/openshift/master.ign /run/master.ign && truncate --size=-100 /opt/openshift/master.ign',
    undo: 'cp /run/master.ign /opt/openshift/master.ign',
    says: "the node's Ignition config cannot be used: it is not JSON",
  },
];

describeWithMachine('before the disk is written', () => {
  let lab: Lab;
  let root: string;
  let machine: Machine;
  const others: Disk[] = [];
  let untouched: string;

  beforeAll(async () => {
    const first = await createLab(optionsOf(process.env));
    ({ root } = await runLive(first));
    // The same live system with a new disk: every stage but the installation is done.
    await first.disk.detach();
    rmSync(join(first.folder, 'disk'));
    const disk = await createDisk(join(first.folder, 'disk'));
    lab = { ...first, disk };
    for (const marker of ['coreos-installer.done', 'mark-disk.done', '.install-to-disk.done'])
      rmSync(join(root, 'opt/openshift', marker));
    others.push(
      await createDisk(join(first.folder, 'small'), 1),
      await createDisk(join(first.folder, 'busy')),
    );
    const [small, busy] = others;
    if (small === undefined || busy === undefined) throw new Error('no disks');
    await outputOf(['mke2fs', '-q', '-F', '-t', 'ext4', busy.device, '64M']);
    untouched = await disk.hash();
    machine = await bootLive(lab, root);
    // The check also reads disk, names and addresses, and must finish before the faults are applied.
    await waitUntil(
      'sno-preflight.service',
      async () => ((await activeStateOf(machine, 'sno-preflight.service')) === 'active' ? true : undefined),
      { tries: 400 },
    );
    const nodes = { disk0: disk, small0: small, busy0: busy };
    for (const [name, { device }] of Object.entries(nodes)) await makeNode(name, device);
    await machine.exec(['sh', '-c', relink]);
  });

  afterAll(async () => {
    await machine.stop();
    for (const each of [lab.disk, ...others]) await each.detach();
    await lab.remove();
  });

  /** lsblk finds a device by its kernel name, so the node needs that name too. */
  async function makeNode(name: string, device: string): Promise<void> {
    const number = (await outputOf(['stat', '--format=0x%t 0x%T', device])).trim();
    const own = device.slice('/dev/'.length);
    await machine.exec([
      'sh',
      '-c',
      `[ -e /dev/${own} ] || mknod /dev/${own} b ${number}; ln -sf ${own} /dev/${name}`,
    ]);
  }

  test.each(faults)(
    'reports in one line and leaves the disk untouched: $name',
    async ({ make, undo, says }) => {
      await machine.exec(['sh', '-c', make]);
      try {
        const {
          console: shown,
          journal,
          seconds,
        } = await waitForUnitFailure(machine, root, 'install-to-disk.service');
        expect(shown[0]).toBe('The installation stopped before it touched the disk:');
        expect(shown.filter((line) => matches(line, says))).toHaveLength(1);
        expect(journal.filter((line) => matches(line, says))).toHaveLength(1);
        expect(seconds).toBeLessThan(60);
      } finally {
        await machine.exec(['sh', '-c', undo]);
      }
      expect(await lab.disk.hash()).toBe(untouched);
    },
  );

  test('a clock that is wrong at boot is waited for and shown, for at most ten minutes', async () => {
    await machine.exec(['sh', '-c', 'echo 8640000 > /var/lib/sno-lab/clock-offset']);
    await shortenWaits(machine, 100);
    const { console: shown, seconds } = await waitForUnitFailure(machine, root, 'sno-preflight.service');
    expect(
      shown.filter((line) => /^the clock is at .+, but the certificates expired/.test(line)),
    ).toHaveLength(1);
    expect(seconds).toBeGreaterThanOrEqual(600);
    expect(seconds).toBeLessThan(900);
    expect(await lab.disk.hash()).toBe(untouched);
    await machine.exec(['rm', '/var/lib/sno-lab/clock-offset']);
    await shortenWaits(machine, 1);
  });

  test('continues the installation when all faults are fixed', async () => {
    await machine.exec(['systemctl', 'start', '--no-block', 'install-to-disk.service']);
    await watch(machine, root, {
      until: async () => (await lab.disk.hash()) !== untouched,
      limitMs: 120_000,
    });
  });
});

function matches(line: string, pattern: string | RegExp): boolean {
  return typeof pattern === 'string' ? line === pattern : pattern.test(line);
}
