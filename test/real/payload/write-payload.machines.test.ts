import { spawnSync } from 'node:child_process';
import {
  constants,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeAll, describe, expect, it } from 'vitest';

import { writePayload } from '../../../src/payload/write-payload.js';
import { deviceTree } from '../../payload/device-tree.js';
import { makeRelease, writeStorage } from '../../payload/made-release.js';
import { payloadPlace } from '../../payload/payload-place.js';
import { snoInProcess, type CommandOutput } from '../../support/in-process.js';
import { describeWith, isRoot } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';

const mebibyte = 1024 * 1024;

const title = 'payload write, to a disk of the kernel';
const programs = ['losetup', 'mke2fs', 'mksquashfs', 'partx', 'sfdisk', 'sgdisk'];
const needsRoot = isRoot() || process.env['CI'] !== undefined;
if (needsRoot) describeWith(programs, title, suite);
else describe.skip(`${title} (needs root: run the tests with sudo)`, suite);

/** Runs a program and returns its output. */
function run(program: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0)
    throw new Error(`${program} ${args.join(' ')} ended with ${status ?? 'a signal'}: ${stderr}`);
  return stdout.trim();
}

function suite(): void {
  let folder = '';
  let payload = Buffer.alloc(0);
  const undo: (() => void)[] = [];

  beforeAll(async () => {
    const release = await makeRelease({ layerBytes: 1_500_000 });
    const { cwd, create } = payloadPlace(release);
    writeStorage(join(cwd, 'mirror'), release);
    expect((await create('--from', 'mirror', '--out', 'x.payload')).code).toBe(0);
    folder = cwd;
    payload = readFileSync(join(cwd, 'x.payload'));
  });

  afterEach(() => {
    for (const each of undo.toReversed()) each();
    undo.length = 0;
  });

  /** A disk of this size: a sparse file behind a loop device, which is no removable disk. */
  function disk({ mebibytes = 64, at = scratchFolder(), more = [] as readonly string[] } = {}): string {
    const file = join(at, `disk${readdirSync(at).length}`);
    run('truncate', `--size=${mebibytes}M`, file);
    const device = run('losetup', '--find', '--show', '--partscan', ...more, file);
    undo.push(() => {
      // Partitions that the kernel knows keep the device busy.
      spawnSync('partx', ['--delete', device]);
      run('losetup', '--detach', device);
    });
    return device;
  }

  /** Makes the kernel know the partitions, even one that cannot read partition tables. */
  function scan(device: string): void {
    run('partx', '--update', device);
  }

  function mount(device: string, ...more: readonly string[]): string {
    const at = scratchFolder();
    run('mount', ...more, device, at);
    undo.push(() => {
      spawnSync('umount', [at]);
    });
    return at;
  }

  function write(target: string, ...more: readonly string[]): Promise<CommandOutput> {
    return snoInProcess(['payload', 'write', 'x.payload', target, '--log-level', 'warn', ...more], {
      cwd: folder,
    });
  }

  /** The first line of the refusal of a disk, with and without --force. */
  async function refusals(target: string): Promise<readonly string[]> {
    const outputs = [await write(target), await write(target, '--force')];
    return outputs.map(({ code, stderr }) => `${code} ${stderr.split('\n')[0] ?? ''}`);
  }

  it.each([512, 4096])('writes a disk with sectors of %i bytes', async (sectorBytes) => {
    const device = disk({ more: ['--sector-size', String(sectorBytes)] });
    const refused = await write(device);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining(`error[payload/not-removable]: ${device} is no removable disk`),
    ]);
    const { code, stdout } = await write(device, '--force', '-o', 'json');
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      {
        target: device,
        kind: 'disk',
        bytes: payload.length,
        partition: { start: mebibyte, bytes: 62 * mebibyte },
        isReadFromDisk: true,
      },
    ]);
    expect(run('sgdisk', '--verify', device)).toContain('No problems found.');
    expect(run('sfdisk', '--verify', device)).toContain('No errors detected.');
    scan(device);
    expect(run('partx', '--show', '--noheadings', '--output', 'NAME', device)).toBe('sno-payload');
    const at = mount(`${device}p1`, '--types', 'squashfs', '--options', 'ro');
    expect(readdirSync(at).toSorted()).toEqual(['docker', 'images', 'payload.json']);
  });

  it('keeps the payload of a disk if the other one is damaged', async () => {
    const device = disk();
    expect((await write(device, '--force')).code).toBe(0);
    const before = readFileSync(device);
    const changed = Buffer.from(payload);
    changed[payload.length >> 1] = (changed[payload.length >> 1] ?? 0) ^ 1;
    writeFileSync(join(folder, 'bad.payload'), changed);
    const words = ['payload', 'write', 'bad.payload', device, '--force', '--log-level', 'warn'];
    expect(await snoInProcess(words, { cwd: folder })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^error\[payload\/damaged\][^]*1 error; nothing was written\n$/,
      ) as string,
    });
    expect(readFileSync(device).equals(before)).toBe(true);
  });

  it('writes into a partition with the name, and into no other one', async () => {
    const device = disk();
    run('sgdisk', '--new=1:2048:+10M', '--change-name=1:data', '--new=2:0:+20M', device);
    scan(device);
    const name = device.slice('/dev/'.length);
    const part = (index: string, label: string): Record<string, string> => {
      const at = `/sys/class/block/${name}p${index}`;
      const [dev, size] = ['dev', 'size'].map((each) => readFileSync(join(at, each), 'utf8').trim());
      return { dev: dev ?? '', size: size ?? '', partition: index, uevent: `PARTNAME=${label}` };
    };
    // As a kernel shows them that reads partition tables.
    const view = deviceTree({
      [`virtual/block/${name}`]: { dev: readFileSync(`/sys/class/block/${name}/dev`, 'utf8').trim() },
      [`virtual/block/${name}/${name}p1`]: part('1', 'data'),
      [`virtual/block/${name}/${name}p2`]: part('2', 'sno-payload'),
    });
    const task = {
      file: join(folder, 'x.payload'),
      force: true,
      stop: new AbortController().signal,
      onProgress: () => undefined,
      platform: process.platform,
      view,
    };
    expect(await writePayload({ ...task, target: `${device}p1` })).toMatchObject({
      problems: [
        {
          code: 'payload/target',
          message: `${device}p1 is a partition that is named data, not sno-payload`,
          hint: `name the whole disk, ${device}, whose contents are then erased; or give the partition the name: \`sgdisk --change-name=1:sno-payload ${device}\``,
        },
      ],
    });
    expect(await writePayload({ ...task, target: `${device}p2` })).toMatchObject({
      ok: true,
      value: {
        target: { kind: 'partition' },
        partition: { offset: 0, length: 20 * mebibyte },
        isReadFromDisk: true,
      },
    });
    expect(readFileSync(`${device}p2`).subarray(0, payload.length).equals(payload)).toBe(true);
    expect(run('sgdisk', '--info=1', device)).toContain("Partition name: 'data'");
  });

  it('unmounts file systems with --force only, and not those in use', async () => {
    const device = disk();
    run('mke2fs', '-q', device);
    const at = mount(device);
    const held = openSync(join(at, 'file'), 'w');
    const [plain, forced] = await refusals(device);
    expect([plain, forced]).toEqual([
      `1 error[payload/in-use]: ${device} is in use: ${device} is mounted at ${at}`,
      `1 error[payload/in-use]: ${device} is in use: ${device} is mounted at ${at}, and umount ended with 32: umount: ${at}: target is busy.`,
    ]);
    closeSync(held);
    expect((await write(device, '--force')).code).toBe(0);
    expect(readFileSync('/proc/self/mountinfo', 'utf8')).not.toContain(at);
    expect(run('sgdisk', '--verify', device)).toContain('No problems found.');
  });

  it('refuses swap space, disks of other devices, and disks that another program holds', async () => {
    const swap = disk();
    run('mkswap', swap);
    run('swapon', swap);
    undo.push(() => {
      run('swapoff', swap);
    });
    const swapped = `1 error[payload/in-use]: ${swap} is in use by this machine: ${swap} is swap space`;
    expect(await refusals(swap)).toEqual([swapped, swapped]);

    const lower = disk();
    const upper = run('losetup', '--find', '--show', lower);
    undo.push(() => {
      run('losetup', '--detach', upper);
    });
    const held = `1 error[payload/in-use]: ${lower} is in use: ${upper} is on top of ${lower}`;
    expect(await refusals(lower)).toEqual([held, held]);

    const claimed = disk();
    const file = openSync(claimed, constants.O_RDWR | constants.O_EXCL);
    undo.push(() => {
      closeSync(file);
    });
    expect((await refusals(claimed))[1]).toBe(
      `1 error[payload/in-use]: ${claimed} is in use by another program`,
    );
  });

  it('refuses disks that are too small or read-only', async () => {
    const small = disk({ mebibytes: 2 });
    expect((await refusals(small))[1]).toMatch(
      new RegExp(`^1 error\\[payload/target\\]: ${small} has space for 0 MiB, but the payload has \\d+ MiB$`),
    );
    const readOnly = disk({ more: ['--read-only'] });
    expect((await refusals(readOnly))[1]).toBe(`1 error[payload/target]: ${readOnly} is read-only`);
  });

  it('reports a disk that returns errors, and leaves no payload on it', async () => {
    const at = scratchFolder();
    const folderOfDisk = mountMemory(at, 4);
    const device = disk({ at: folderOfDisk });
    expect((await refusals(device))[1]).toBe(
      `3 error[payload/not-written]: cannot write ${device}: input/output error`,
    );
    expect(readFileSync(device).includes('EFI PART')).toBe(false);
  });

  it('reports a file system without space before it writes', async () => {
    const at = mountMemory(scratchFolder(), 1);
    const { code, stderr } = await write(join(at, 'disk.img'));
    expect([code, stderr]).toEqual([3, expect.stringContaining('error[dir/not-writable]')]);
    expect(readdirSync(at)).toEqual([]);
  });

  function mountMemory(parent: string, mebibytes: number): string {
    const at = join(parent, 'memory');
    mkdirSync(at);
    run('mount', '--types', 'tmpfs', '--options', `size=${mebibytes}m`, 'tmpfs', at);
    undo.push(() => {
      run('umount', at);
      rmdirSync(at);
    });
    return at;
  }
}
