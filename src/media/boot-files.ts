import { problem, type Problem } from '../core/problem.js';
import { quoted } from '../core/quoted.js';
import { problemsOf, success, type Result } from '../core/result.js';
import { hasWholeCpio } from '../formats/cpio.js';
import { imageRange, isBlankStart, type ByteRange } from '../formats/disk-image.js';
import { bootLoaderFault } from './boot-catalog.js';
import { damagedImage, damageProblem, type IsoVolume } from './iso-volume.js';
import { liveVolumeIn, rootfsFile, rootfsUrlIn } from './root-arguments.js';

/** The second name is that of s390x. Source: coreos-assembler, cmd-buildextend-live */
const kernelFiles = ['images/pxeboot/vmlinuz', 'images/pxeboot/kernel.img'] as const;
const initramfsFile = 'images/pxeboot/initrd.img';

/** The faults because of which a machine does not start the kernel of a live image. Problems: media/damaged. */
export function bootProblems(volume: IsoVolume): readonly Problem[] {
  const [kernel = kernelFiles[0]] = kernelFiles.filter((path) => volume.find(path) !== undefined);
  return [bootLoaderFault(volume), fileFault(volume, kernel), fileFault(volume, initramfsFile)].flatMap(
    (fault) => (fault === undefined ? [] : [damageProblem(fault)]),
  );
}

/** The fault of a file that every live image has. */
function fileFault(volume: IsoVolume, path: string): string | undefined {
  const place = volume.find(path);
  if (place === undefined || place.length === 0) return `it has no ${path}`;
  return isBlankStart(volume.image, place) ? `${path} consists of zeros` : undefined;
}

/** The root file system of a full live image. Problems: media/damaged. */
export function rootfsOf(volume: IsoVolume): Result<ByteRange> {
  const fault = fileFault(volume, rootfsFile);
  const place = volume.find(rootfsFile);
  if (fault !== undefined || place === undefined) return damagedImage(fault ?? `it has no ${rootfsFile}`);
  return hasWholeCpio(imageRange(volume.image, place))
    ? success(place)
    : damagedImage(`${rootfsFile} is cut off`);
}

/**
 * The problems because of which a live system with these kernel arguments has no root file system. Undefined kernel arguments are unknown.
 * Source: fedora-coreos-config, 35coreos-live/live-generator. Problems: media/no-rootfs, media/damaged.
 */
export function rootfsProblems(volume: IsoVolume, kernelArguments: string | undefined): readonly Problem[] {
  const label = liveVolumeIn(kernelArguments ?? '');
  if (label === undefined && kernelArguments !== undefined)
    return rootfsUrlIn(kernelArguments) === undefined ? [noRootfs(volume)] : [];
  return label === undefined || label === volume.id
    ? problemsOf(rootfsOf(volume))
    : [otherVolume(label, volume.id)];
}

function otherVolume(label: string, id: string): Problem {
  const message = `the live system searches its root file system on a volume ${quoted(label)}, but the image is ${quoted(id)}`;
  const hint =
    'use the live ISO as downloaded: its volume ID is the value of its kernel argument coreos.liveiso';
  return problem('media/no-rootfs', message, { hint });
}

function noRootfs(volume: IsoVolume): Problem {
  const which =
    volume.find(rootfsFile) === undefined ? 'is minimal and' : 'has no kernel argument coreos.liveiso and';
  const hint = 'use the live ISO as downloaded, or add --live-karg coreos.live.rootfs_url=URL';
  return problem('media/no-rootfs', `the image ${which} names no URL of its root file system`, { hint });
}
