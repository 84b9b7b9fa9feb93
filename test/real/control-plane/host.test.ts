import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { unmetRequirements, requireHost, type HostFacts } from './support/host.js';

const able: HostFacts = {
  folder: '/tmp/root',
  freeDiskMiB: 9000,
  availableMemoryMiB: 9000,
  fileSystems: ['nodev', 'cgroup2', 'nodev', 'overlay', 'ext4'],
  isOnOverlay: false,
  capabilities: 0x1ffffffffffn,
  hasLoopDevices: true,
};
const needs = { diskMiB: 4096, memoryMiB: 2048, loopDevices: true };

const refuses = (want: string, given: Partial<HostFacts>) => ({ name: want, given, want: [want] });

const cases: readonly {
  readonly name: string;
  readonly given: Partial<HostFacts>;
  readonly want: readonly string[];
}[] = [
  { name: 'nothing, where everything is there', given: {}, want: [] },
  refuses('it needs CAP_SYS_ADMIN: run the tests as root', { capabilities: 0x1ffffdfffffn }),
  refuses('it needs 4096 MiB free on the disk of /tmp/root, where 4095 MiB are (TMPDIR moves it)', {
    freeDiskMiB: 4095,
  }),
  refuses('/tmp/root is on an overlay, on which no other can stand (TMPDIR moves it to a disk or tmpfs)', {
    isOnOverlay: true,
  }),
  refuses('it needs 2048 MiB of memory, of which 700 MiB are available', { availableMemoryMiB: 700 }),
  refuses('the kernel knows no file system cgroup2', { fileSystems: ['cgroup', 'overlay'] }),
  refuses('it needs loop devices, and there is no /dev/loop-control', { hasLoopDevices: false }),
];

describe('requirements of a test machine', () => {
  test.each(cases)('$name', ({ given, want }) => {
    expect(unmetRequirements({ ...able, ...given }, needs)).toEqual(want);
  });

  test('needs loop devices only for some tests', () => {
    expect(unmetRequirements({ ...able, hasLoopDevices: false }, { ...needs, loopDevices: false })).toEqual(
      [],
    );
  });

  test('lists missing requirements in one line', () => {
    const much = { diskMiB: 1e12, memoryMiB: 1e12, loopDevices: false };
    expect(() => {
      requireHost('/proc', much);
    }).toThrow(
      /^this system cannot run a machine of the tests: (?:[^\n]*; )?it needs 1000000000000 MiB free on the disk of \/proc, where 0 MiB are \(TMPDIR moves it\); it needs 1000000000000 MiB of memory, of which [1-9]\d* MiB are available[^\n]*$/,
    );
  });

  test('uses own limits for the kubelet of a machine, not shares of the disk of the host', () => {
    const script = readFileSync('test/real/control-plane/support/machine/kubelet-on-this-system', 'utf8');
    const limits = /^free='(.*)'$/m.exec(script)?.[1]?.split(',') ?? [];
    expect(limits.filter((limit) => /<[1-9]\d*%$/.test(limit))).toEqual([]);
    expect(limits.map((limit) => limit.split('<')[0]).sort()).toEqual([
      'imagefs.available',
      'imagefs.inodesFree',
      'memory.available',
      'nodefs.available',
      'nodefs.inodesFree',
    ]);
  });
});
