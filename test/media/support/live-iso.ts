import { cpioArchive, cpioType } from '../../../src/formats/cpio.js';
import { madeIso, type IsoFiles } from './made-iso.js';

export const areaBytes = 256 * 1024;
export const argumentBytes = 1139;

/** Volume ID of the live ISO. */
const liveVolumeId = 'rhcos-9.6.20250523-0';

/** Default kernel arguments of the live ISO. */
export const defaultArguments = argumentsOf(liveVolumeId);

function argumentsOf(volumeId: string): string {
  return `coreos.liveiso=${volumeId} ignition.firstboot ignition.platform.id=metal`;
}

/** The start of an x86-64 kernel. */
const kernel = Buffer.alloc(4096);
kernel.write('HdrS', 0x202);

/** The first member of an archive with the root file system. */
const rootfs = cpioArchive([
  { path: 'root.squashfs', mode: cpioType.file | 0o644, contents: Buffer.from('hsqs, a root file system') },
]);

/** Path of the file that the firmware loads. */
const loaderFile = 'ISOLINUX/ISOLINUX.BIN';

/** The boot menus, and their text before the kernel arguments. */
const menus = {
  'EFI/REDHAT/GRUB.CFG': 'linux /images/pxeboot/vmlinuz ',
  'ISOLINUX/ISOLINUX.CFG': 'append initrd=/images/pxeboot/initrd.img ',
};

function menuFile(before: string, kernelArguments: string): Buffer {
  return Buffer.concat([
    Buffer.from(before),
    Buffer.from(`${kernelArguments}\n`.padEnd(argumentBytes, '#')),
    Buffer.from('# COREOS_KARG_EMBED_AREA\n'),
  ]);
}

/** The files of a live ISO of 2023 and later. */
export const liveFiles = liveFilesOf(defaultArguments);

/** The files of a live ISO with these default kernel arguments. */
export function liveFilesOf(kernelArguments: string): IsoFiles {
  return {
    'COREOS/IGNINFO.JSO': Buffer.from('{ "file": "images/ignition.img" }\n'),
    'COREOS/KARGS.JSO': Buffer.from(
      JSON.stringify({
        default: kernelArguments,
        files: [
          { path: 'EFI/redhat/grub.cfg', offset: menus['EFI/REDHAT/GRUB.CFG'].length, end: '\n', pad: '#' },
          { path: 'isolinux/isolinux.cfg', offset: menus['ISOLINUX/ISOLINUX.CFG'].length },
        ],
        size: argumentBytes,
      }),
    ),
    ...Object.fromEntries(
      Object.entries(menus).map(([path, before]) => [path, menuFile(before, kernelArguments)]),
    ),
    [loaderFile]: Buffer.from('isolinux'.padEnd(2048, '.')),
    'IMAGES/IGNITION.IMG': Buffer.alloc(areaBytes),
    'IMAGES/PXEBOOT/VMLINUZ': kernel,
    'IMAGES/PXEBOOT/INITRD.IMG': Buffer.from('an initramfs'),
    'IMAGES/PXEBOOT/ROOTFS.IMG': rootfs,
  };
}

/** A live ISO with some files replaced; undefined removes a file. */
export function liveIso(
  changes: Readonly<Record<string, Buffer | undefined>> = {},
  volumeId: string = liveVolumeId,
): Buffer {
  const files = Object.entries({ ...liveFilesOf(argumentsOf(volumeId)), ...changes }).filter(
    (entry): entry is [string, Buffer] => entry[1] !== undefined,
  );
  const loader = files.some(([path]) => path === loaderFile) ? loaderFile : undefined;
  return madeIso(Object.fromEntries(files), volumeId, loader);
}
