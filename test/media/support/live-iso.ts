import { madeIso, type IsoFiles } from './made-iso.js';

export const areaBytes = 256 * 1024;
export const argumentBytes = 1139;

/** Default kernel arguments of the live ISO. */
export const defaultArguments =
  'coreos.liveiso=rhcos-9.6.20250523-0 ignition.firstboot ignition.platform.id=metal';

/** The start of an x86-64 kernel. */
const kernel = Buffer.alloc(4096);
kernel.write('HdrS', 0x202);

function loader(before: string): Buffer {
  return Buffer.concat([
    Buffer.from(before),
    Buffer.from(`${defaultArguments}\n`.padEnd(argumentBytes, '#')),
    Buffer.from('# COREOS_KARG_EMBED_AREA\n'),
  ]);
}

const loaders: IsoFiles = {
  'EFI/REDHAT/GRUB.CFG': loader('linux /images/pxeboot/vmlinuz '),
  'ISOLINUX/ISOLINUX.CFG': loader('append initrd=/images/pxeboot/initrd.img '),
};

/** The files of a live ISO of 2023 and later. */
export const liveFiles: IsoFiles = {
  'COREOS/IGNINFO.JSO': Buffer.from('{ "file": "images/ignition.img" }\n'),
  'COREOS/KARGS.JSO': Buffer.from(
    JSON.stringify({
      default: defaultArguments,
      files: [
        { path: 'EFI/redhat/grub.cfg', offset: 'linux /images/pxeboot/vmlinuz '.length, end: '\n', pad: '#' },
        { path: 'isolinux/isolinux.cfg', offset: 'append initrd=/images/pxeboot/initrd.img '.length },
      ],
      size: argumentBytes,
    }),
  ),
  ...loaders,
  'IMAGES/IGNITION.IMG': Buffer.alloc(areaBytes),
  'IMAGES/PXEBOOT/VMLINUZ': kernel,
};

/** A live ISO with some files replaced; undefined removes a file. */
export function liveIso(
  changes: Readonly<Record<string, Buffer | undefined>> = {},
  volumeId?: string,
): Buffer {
  const files = Object.entries({ ...liveFiles, ...changes }).filter(
    (entry): entry is [string, Buffer] => entry[1] !== undefined,
  );
  return madeIso(Object.fromEntries(files), volumeId);
}
