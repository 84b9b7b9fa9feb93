import { existsSync, readFileSync, statfsSync } from 'node:fs';

/** Properties of the host that a test machine depends on. */
export interface HostFacts {
  /** The folder of the machine's root. */
  readonly folder: string;
  readonly freeDiskMiB: number;
  readonly availableMemoryMiB: number;
  /** The file systems in /proc/filesystems. */
  readonly fileSystems: readonly string[];
  /** The root is on an overlay, which cannot be the base of another overlay. */
  readonly isOnOverlay: boolean;
  /** The effective capabilities of this process, one bit each: capabilities(7). */
  readonly capabilities: bigint;
  readonly hasLoopDevices: boolean;
}

export interface HostNeeds {
  readonly diskMiB: number;
  readonly memoryMiB: number;
  readonly loopDevices: boolean;
}

/** Requirements of one machine. A live system of the lab uses 1.6 GiB (measured) besides its images. The memory is an estimate. */
const machineNeeds: HostNeeds = { diskMiB: 3072, memoryMiB: 2048, loopDevices: false };

/** Throws a one-line error that lists the unmet requirements of a machine whose root is below the folder. */
export function requireHost(folder: string, needs: HostNeeds = machineNeeds): void {
  const missing = unmetRequirements(readHost(folder), needs);
  if (missing.length > 0)
    throw new Error(`this system cannot run a machine of the tests: ${missing.join('; ')}`);
}

/** Every unmet requirement, with the actual value. Empty if a machine can run. */
export function unmetRequirements(facts: HostFacts, needs: HostNeeds = machineNeeds): readonly string[] {
  const findings: readonly (readonly [boolean, string])[] = [
    [(facts.capabilities & administration) === 0n, 'it needs CAP_SYS_ADMIN: run the tests as root'],
    [
      facts.freeDiskMiB < needs.diskMiB,
      `it needs ${needs.diskMiB} MiB free on the disk of ${facts.folder}, where ${facts.freeDiskMiB} MiB are (TMPDIR moves it)`,
    ],
    [
      facts.isOnOverlay,
      `${facts.folder} is on an overlay, on which no other can stand (TMPDIR moves it to a disk or tmpfs)`,
    ],
    [
      facts.availableMemoryMiB < needs.memoryMiB,
      `it needs ${needs.memoryMiB} MiB of memory, of which ${facts.availableMemoryMiB} MiB are available`,
    ],
    ...['cgroup2', 'overlay'].map(
      (name) => [!facts.fileSystems.includes(name), `the kernel knows no file system ${name}`] as const,
    ),
    [needs.loopDevices && !facts.hasLoopDevices, 'it needs loop devices, and there is no /dev/loop-control'],
  ];
  return findings.flatMap(([isMissing, text]) => (isMissing ? [text] : []));
}

/** Source: linux/capability.h */
const administration = 1n << 21n;

/** Source: linux/magic.h */
const overlayMagic = 0x794c7630;

function readHost(folder: string): HostFacts {
  const disk = statfsSync(folder);
  const status = readFileSync('/proc/self/status', 'utf8');
  const memory = readFileSync('/proc/meminfo', 'utf8');
  return {
    folder,
    freeDiskMiB: Math.floor((disk.bavail * disk.bsize) / 1024 / 1024),
    availableMemoryMiB: Math.floor(Number(/^MemAvailable:\s+(\d+) kB/m.exec(memory)?.[1] ?? 0) / 1024),
    fileSystems: readFileSync('/proc/filesystems', 'utf8').split(/\s+/),
    isOnOverlay: disk.type === overlayMagic,
    capabilities: BigInt(`0x${/^CapEff:\s+([0-9a-f]+)/m.exec(status)?.[1] ?? '0'}`),
    hasLoopDevices: existsSync('/dev/loop-control'),
  };
}
