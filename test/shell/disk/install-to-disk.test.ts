import { expect, test } from 'vitest';

import { describeWith } from '../../support/programs.js';
import { clusterUuid } from './machine-files.js';
import { liveMachine, type Machine } from './machine.js';
import { script, home, coreosInstaller, bootstrapped, showDisk } from './bootstrapped.js';

describeWith(['bash', 'jq'], 'install-to-disk.sh', () => {
  test('writes the disk, marks it as this cluster, and reboots in a minute', () => {
    const machine = bootstrapped();
    expect(machine.run(script).status).toBe(0);
    expect(machine.calls('coreos-installer')).toEqual([coreosInstaller]);
    expect(machine.calls('sgdisk')).toEqual([
      `--disk-guid=${clusterUuid} --move-second-header /dev/sda`,
      '--print /dev/sda',
    ]);
    expect(machine.calls('shutdown')).toEqual(['-r +1 the cluster continues from the disk']);
    expect(machine.has(`${home}/coreos-installer.done`)).toBe(true);
    expect(machine.has(`${home}/.install-to-disk.done`)).toBe(true);
    expect(machine.console()).toBe('');
    expect(machine.stages('install-to-disk')).toEqual([
      'wait-for-bootkube success',
      'preflight success',
      'coreos-installer success',
      'mark-disk success',
      'reboot success',
    ]);
  });

  test('waits six hours for bootkube, then reports a failure', () => {
    const waiting = liveMachine();
    expect(waiting.run(script).status).toBe(1);
    expect(waiting.console()).toBe(
      'The bootstrap is taking more than six hours: see journalctl -u bootkube.\n',
    );
    expect(waiting.stages('install-to-disk')).toEqual(['wait-for-bootkube failure']);
    expect(waiting.calls('coreos-installer')).toEqual([]);
  });

  test('retries a failed write of the disk after the checks', () => {
    const machine = bootstrapped();
    machine.fail('coreos-installer', 1);
    expect(machine.run(script).status).toBe(1);
    expect(machine.console()).toBe(
      'coreos-installer could not write /dev/sda. Retrying, see journalctl -u install-to-disk.\n',
    );
    expect(machine.calls('shutdown')).toEqual([]);
    expect(machine.run(script).status).toBe(0);
    expect(machine.calls('coreos-installer')).toEqual([coreosInstaller, coreosInstaller]);
    expect(machine.console()).toBe('');
  });

  test.each(['sgdisk', 'shutdown'])('a kill at %s: the next start does not write the disk again', (name) => {
    const machine = bootstrapped();
    machine.killAt(name);
    expect(machine.run(script).signal).toBe('SIGKILL');
    showDisk(machine, { ptuuid: clusterUuid });
    expect(machine.run(script).status).toBe(0);
    expect(machine.calls('coreos-installer')).toEqual([coreosInstaller]);
    expect(machine.calls('shutdown').length).toBeGreaterThan(0);
  });

  test.each<{ name: string; given: (machine: Machine) => void }>([
    {
      name: 'whose partition table the kernel does not read',
      given: (machine) => {
        machine.answer('lsblk-pttype', '\n');
      },
    },
    {
      name: 'that sgdisk cannot write',
      given: (machine) => {
        machine.fail('sgdisk', 'always');
      },
    },
    {
      name: 'that returns another ID',
      given: (machine) => {
        machine.answer('sgdisk', 'Disk identifier (GUID): 11111111-2222-3333-4444-555555555555\n');
      },
    },
  ])('does not reboot into a disk without a mark, and shows why: $name', ({ given }) => {
    const machine = bootstrapped();
    given(machine);
    const { status, stderr } = machine.run(script);
    expect([status, machine.calls('shutdown')]).toEqual([1, []]);
    expect(stderr).toContain(
      'timed out after 120 s waiting for the disk /dev/sda to take the id of the cluster\n',
    );
    expect(stderr).toContain('the disk /dev/sda does not store the ID of the cluster\n');
    expect(machine.console()).toContain(
      'the disk does not store the cluster ID, which prevents a second installation',
    );
    expect(machine.has(`${home}/.install-to-disk.done`)).toBe(false);
  });

  test('marks a disk that sgdisk can open only later', () => {
    const machine = bootstrapped();
    machine.fail('sgdisk', 1);
    expect(machine.run(script).status).toBe(0);
    expect(machine.calls('sgdisk')).toHaveLength(3);
    expect(machine.console()).toBe('');
  });

  test('leaves a DASD without a mark, because it has no disk ID, and logs it', () => {
    const machine = bootstrapped({ SNO_INSTALLATION_DISK: '/dev/dasda' });
    machine.write('dev/dasda', '');
    showDisk(machine, { name: '/dev/dasda' });
    const { status, stderr } = machine.run(script);
    expect(status).toBe(0);
    expect(stderr).toContain('a DASD has no disk ID: a second installation cannot be detected\n');
    expect(machine.calls('sgdisk')).toEqual([]);
  });
});
