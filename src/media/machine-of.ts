import type { IsoVolume } from './iso-volume.js';

/** An architecture by its Kubernetes name. */
export type MachineName = 'amd64' | 'arm64' | 'ppc64le' | 's390x';

const kernelFile = 'images/pxeboot/vmlinuz';

/**
 * The architecture in the header of an image's kernel; undefined if unknown. Source: Linux Documentation/arch, x86/boot.rst
 * and arm64/booting.rst; PE and ELF headers
 */
export function machineOf(volume: IsoVolume): MachineName | undefined {
  if (volume.find('images/cdboot.img') !== undefined) return 's390x';
  const kernel = volume.find(kernelFile);
  const head = kernel && volume.image.read(kernel.offset, Math.min(kernel.length, 4096));
  if (head === undefined || head.length < 0x208) return undefined;
  if (head.toString('latin1', 0x202, 0x206) === 'HdrS') return 'amd64';
  if (head.toString('latin1', 0x38, 0x3c) === 'ARM\u0064') return 'arm64';
  if (head.toString('latin1', 0, 4) === '\u007fELF') return elfMachines[head.readUInt16LE(0x12)];
  return portableExecutable(head);
}

/** Source: elf.h, EM_PPC64 and EM_S390 */
const elfMachines: Readonly<Record<number, MachineName>> = { 21: 'ppc64le', 22: 's390x' };

/** Source: Microsoft PE format, machine types */
const peMachines: Readonly<Record<number, MachineName>> = { 0x8664: 'amd64', 0xaa64: 'arm64' };

function portableExecutable(head: Buffer): MachineName | undefined {
  if (head.toString('latin1', 0, 2) !== 'MZ') return undefined;
  const at = head.readUInt32LE(0x3c);
  const isThere = at + 6 <= head.length && head.toString('latin1', at, at + 4) === 'PE\0\0';
  return isThere ? peMachines[head.readUInt16LE(at + 4)] : undefined;
}

/** The release of a live image for summaries. Volume IDs of 4.19 and later do not show it. */
export function releaseText(release: string | undefined): string {
  return release === undefined ? 'release not shown' : `OpenShift ${release}`;
}

/** The OpenShift release in a volume ID, such as `4.18` in `rhcos-418.94.202501221327-0`. Later IDs contain only the RHEL version. */
export function releaseOf(volumeId: string): string | undefined {
  const [, major, minor] = /^(?:rhcos|scos)-(4)(\d{1,2})\.\d/.exec(volumeId) ?? [];
  return major === undefined || minor === undefined ? undefined : `${major}.${minor}`;
}
