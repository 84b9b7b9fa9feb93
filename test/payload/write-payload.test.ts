import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { systemView } from '../../src/disk/block-device/block-device.js';
import { findTarget } from '../../src/disk/payload/payload-target.js';
import { writePayload } from '../../src/payload/write-payload.js';
import { snoInProcess, type CommandOutput } from '../support/in-process.js';
import { describeWith } from '../support/programs.js';
import { scratchFolder } from '../support/scratch.js';
import { makeRelease, writeStorage } from './made-release.js';
import { payloadPlace } from './payload-place.js';

const mebibyte = 1024 * 1024;

describeWith(['mksquashfs', 'sfdisk', 'sgdisk'], 'payload write, to a disk image', () => {
  let payload = Buffer.alloc(0);
  beforeAll(async () => {
    const release = await makeRelease({ layerBytes: 1_500_000 });
    const { cwd, create } = payloadPlace(release);
    writeStorage(join(cwd, 'mirror'), release);
    expect((await create('--from', 'mirror', '--out', 'x.payload')).code).toBe(0);
    payload = readFileSync(join(cwd, 'x.payload'));
  });

  function place(bytes = payload): string {
    const cwd = scratchFolder();
    writeFileSync(join(cwd, 'x.payload'), bytes);
    return cwd;
  }

  function write(cwd: string, target: string, ...more: readonly string[]): Promise<CommandOutput> {
    return snoInProcess(['payload', 'write', 'x.payload', target, ...more], { cwd });
  }

  it('writes a disk whose only partition begins with the payload', async () => {
    const cwd = place();
    const { code, stdout } = await write(cwd, 'disk.img', '-o', 'json');
    const sha256 = createHash('sha256').update(payload).digest('hex');
    const partition = { start: mebibyte, bytes: Math.ceil(payload.length / mebibyte) * mebibyte };
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { ok: true, target: 'disk.img', kind: 'file', bytes: payload.length, sha256, partition },
    ]);
    const disk = readFileSync(join(cwd, 'disk.img'));
    expect(disk.length).toBe(partition.bytes + 2 * mebibyte);
    expect(disk.subarray(mebibyte, mebibyte + payload.length).equals(payload)).toBe(true);
    const table = spawnSync('sfdisk', ['--json', 'disk.img'], { cwd, encoding: 'utf8' }).stdout;
    expect(JSON.parse(table)).toMatchObject({
      partitiontable: {
        label: 'gpt',
        firstlba: 34,
        lastlba: disk.length / 512 - 34,
        partitions: [
          {
            start: 2048,
            size: partition.bytes / 512,
            type: '0FC63DAF-8483-4772-8E79-3D69D8477DE4',
            name: 'sno-payload',
          },
        ],
      },
    });
    const verify = (program: string, ...args: readonly string[]): string =>
      spawnSync(program, [...args, 'disk.img'], { cwd, encoding: 'utf8' }).stdout;
    expect(verify('sfdisk', '--verify')).toContain('\nNo errors detected.\n');
    expect(verify('sgdisk', '--verify')).toMatch(/^\n?No problems found\./m);
  });

  it('writes the same bytes again with --force only', async () => {
    const cwd = place();
    await write(cwd, 'disk.img');
    const first = readFileSync(join(cwd, 'disk.img'));
    expect(await write(cwd, 'disk.img', '--log-level', 'warn')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'error[media/output]: disk.img already exists\n   = hint: use another path, or replace the file with --force\n\n1 error; nothing was written\n',
    });
    expect((await write(cwd, 'disk.img', '--force')).code).toBe(0);
    expect(readFileSync(join(cwd, 'disk.img')).equals(first)).toBe(true);
    expect(readdirSync(cwd).toSorted()).toEqual(['disk.img', 'x.payload']);
  });

  it('prints the next step', async () => {
    const { stdout } = await write(place(), 'disk.img');
    expect(stdout).toMatch(
      /^Wrote x\.payload to disk\.img \(disk image\): OpenShift 4\.22\.0 for amd64, \d+\.\d MiB, verified by reading it back.*\.\nPartition {2}sno-payload, \d+\.\d MiB\nSHA-256 {4}[0-9a-f]{64} \(the payload\)\n\nNext: attach it to the virtual machine as a second disk, in the format raw\.\n$/,
    );
  });

  it.each([
    { target: 'x.payload', force: true, message: 'x.payload is the payload itself' },
    { target: 'link', force: true, message: 'link is the payload itself' },
    { target: 'folder', force: true, message: 'folder is a folder' },
    { target: '/dev/null', force: true, message: '/dev/null is no disk' },
    { target: '/dev/no-such-disk', force: true, message: '/dev/no-such-disk does not exist' },
    { target: '/dev/disk/by-id/usb-none', force: true, message: '/dev/disk/by-id/usb-none does not exist' },
    {
      target: 'none/disk.img',
      force: false,
      message: 'none/disk.img cannot be written: none does not exist',
    },
  ])('refuses $target', async ({ target, force, message }) => {
    const cwd = place();
    mkdirSync(join(cwd, 'folder'));
    symlinkSync('x.payload', join(cwd, 'link'));
    const { code, stderr } = await write(cwd, target, ...(force ? ['--force'] : []));
    expect([code, stderr]).toEqual([1, expect.stringContaining(`error[payload/target]: ${message}`)]);
    expect(readdirSync(cwd).toSorted()).toEqual(['folder', 'link', 'x.payload']);
    expect(readFileSync(join(cwd, 'x.payload')).equals(payload)).toBe(true);
  });

  it('writes no image of a payload with one other byte', async () => {
    const changed = Buffer.from(payload);
    changed[payload.length >> 1] = (changed[payload.length >> 1] ?? 0) ^ 1;
    const cwd = place(changed);
    const { code, stderr } = await write(cwd, 'disk.img');
    expect([code, stderr]).toEqual([1, expect.stringContaining('does not have the SHA-256 of its manifest')]);
    expect(readdirSync(cwd)).toEqual(['x.payload']);
  });

  it('reads a damaged payload completely before it writes', async () => {
    const changed = Buffer.from(payload);
    changed[payload.length >> 1] = (changed[payload.length >> 1] ?? 0) ^ 1;
    const cwd = place(changed);
    const steps = new Map<string, readonly [number, number]>();
    const written = await writePayload({
      file: join(cwd, 'x.payload'),
      target: join(cwd, 'disk.img'),
      force: false,
      stop: new AbortController().signal,
      onProgress: (step, done, total) => {
        steps.set(step, [done, total]);
      },
      platform: 'linux',
      view: systemView,
    });
    expect(written).toMatchObject({ ok: false, problems: [{ code: 'payload/damaged' }] });
    const [[step, [done, total]] = ['', [0, 1]], ...others] = steps;
    expect([step, done === total, others]).toEqual(['checking', true, []]);
  });

  it.each(['checking', 'writing', 'reading back'])(
    'leaves no image when it is interrupted while %s',
    async (step) => {
      const cwd = place();
      const stop = new AbortController();
      const written = await writePayload({
        file: join(cwd, 'x.payload'),
        target: join(cwd, 'disk.img'),
        force: false,
        stop: stop.signal,
        onProgress: (at) => {
          if (at === step) stop.abort();
        },
        platform: 'linux',
        view: systemView,
      });
      expect(written).toMatchObject({ ok: false, problems: [{ code: 'payload/not-written' }] });
      expect(readdirSync(cwd)).toEqual(['x.payload']);
    },
  );
});

describe('a disk on another system than Linux', () => {
  it('is refused with a hint', () => {
    expect(findTarget('\\\\.\\PhysicalDrive1', 'win32', systemView)).toMatchObject({
      ok: false,
      problems: [{ code: 'payload/target', message: expect.stringContaining('only Linux shows') as string }],
    });
  });
});
