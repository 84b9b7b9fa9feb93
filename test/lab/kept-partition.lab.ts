import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { outputOf } from '../real/control-plane/support/run-program.js';
import { describeWithMachine } from '../real/control-plane/support/tools.js';
import type { DiskPartition } from './disk.js';
import { realCoreosInstaller } from './coreos-installer.js';
import { createLab, readRoot, type Lab } from './lab.js';
import { optionsOf } from './options.js';
import { runLive, type Phase } from './phases.js';

const mebibyte = 1024 * 1024;
const contents = 'the data of the last installation';
/** Behind the limit of the system, in MiB. */
const start = 30_000;

const isBuilt = realCoreosInstaller() !== undefined;
/** The stub of coreos-installer keeps no partitions. */
const describeWithInstaller = isBuilt ? describeWithMachine : describe.skip;
const title = 'a disk by its serial number, and a partition that is kept';

/** A site whose disk is given by its serial number. An earlier installation left a data partition on it. */
describeWithInstaller(isBuilt ? title : `${title} (needs test/lab/build-coreos-installer)`, () => {
  let lab: Lab;
  let before: DiskPartition | undefined;
  let phase: Phase;

  beforeAll(async () => {
    lab = await createLab(optionsOf(process.env), { hasDiskHints: true });
    const file = join(lab.folder, 'disk');
    const labels = ['BIOS-BOOT', 'EFI-SYSTEM', 'boot', 'root'];
    await outputOf(
      ['sfdisk', '--quiet', file],
      [
        'label: gpt',
        ...labels.map((name, index) => `start=${1 + index}MiB, size=1MiB, name=${name}`),
        `start=${start}MiB, size=1000MiB, name=data1`,
        `start=${start + 2000}MiB, size=1000MiB, name=logs`,
        '',
      ].join('\n'),
    );
    write(file, contents);
    before = partition(await lab.disk.partitions(), 'data1');
    phase = await runLive(lab, undefined, async (machine) => {
      await machine.exec(['cp', '/run/sno-install/installation-disk.json', '/var/lib/sno-lab/']);
    });
  });

  afterAll(async () => {
    await lab.remove();
  });

  test('the disk is found, and written', async () => {
    const known = JSON.parse(readRoot(phase.root, 'var/lib/sno-lab/installation-disk.json')) as object;
    expect(known).toMatchObject({ name: lab.disk.device, serial: 'LAB-0001' });
    expect(await lab.disk.installedConfig()).toContain('"version"');
    expect(readRoot(phase.root, 'var/lib/sno-lab/coreos-installer')).toContain(
      `install --copy-network --save-partlabel=data* --append-karg=lab.appended=1 --delete-karg=lab.deleted=1 --ignition-file /opt/openshift/master.ign -- ${lab.disk.device}`,
    );
  });

  test('the partition and its data are kept, the others are not', async () => {
    const after = await lab.disk.partitions();
    expect(before).toBeDefined();
    expect(partition(after, 'data1')).toEqual(before);
    expect(partition(after, 'logs')).toBeUndefined();
    expect(after.map(({ name }) => name)).toEqual(['BIOS-BOOT', 'EFI-SYSTEM', 'boot', 'root', 'data1']);
    expect(read(join(lab.folder, 'disk'))).toBe(contents);
  });

  test('the installed system has the kernel arguments', async () => {
    expect((await lab.disk.bootOptions()).split(' ')).toEqual([
      'ignition.platform.id=metal',
      'lab.appended=1',
    ]);
  });
});

function partition(all: readonly DiskPartition[], name: string): DiskPartition | undefined {
  const found = all.find((each) => each.name === name);
  return found && { name, start: found.start, size: found.size, uuid: found.uuid ?? '', node: '' };
}

function write(file: string, text: string): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, text, start * mebibyte);
  closeSync(handle);
}

function read(file: string): string {
  const handle = openSync(file, 'r');
  const bytes = Buffer.alloc(contents.length);
  readSync(handle, bytes, 0, bytes.length, start * mebibyte);
  closeSync(handle);
  return bytes.toString();
}
