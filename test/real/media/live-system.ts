import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { cpioArchive, cpioType } from '../../../src/formats/cpio.js';
import type { DiskImage } from '../../../src/formats/disk-image.js';
import { embedAreaOf } from '../../../src/media/embed-area.js';
import { openVolume } from '../../../src/media/iso-volume.js';
import { areaBytes } from '../../media/support/live-iso.js';
import { builtBy } from '../../support/built-by.js';
import { pathOfProgram } from '../../support/programs.js';
import { expectOk } from '../../support/sound-value.js';

/** Programs for building and booting a live system. */
export const liveSystemPrograms = [
  'grub-mkimage',
  'mformat',
  'mksquashfs',
  'mmdebstrap',
  'qemu-system-x86_64',
  'xorriso',
];

/** The folder with the parts of a live ISO, built once per machine by `live-system/build`. */
export function liveSystemFolder(): Promise<string> {
  return builtBy(join(import.meta.dirname, 'live-system/build'), [], 'the live system');
}

const volumeId = 'rhcos-421.96.202601011200-0';
const argumentBytes = 1139;

interface Loader {
  readonly before: string;
  readonly after: string;
}

/** Boot loader entries as in CoreOS, with the embed area after the initramfs. */
const loaders: Readonly<Record<string, Loader>> = {
  'EFI/redhat/grub.cfg': {
    before: "set timeout=0\nmenuentry 'live' {\nlinux /images/pxeboot/vmlinuz ",
    after: 'initrd /images/pxeboot/initrd.img /images/ignition.img\n}\n',
  },
  'isolinux/isolinux.cfg': {
    before:
      'serial 0\ndefault live\ntimeout 1\nlabel live\nkernel /images/pxeboot/vmlinuz\nappend initrd=/images/pxeboot/initrd.img,/images/ignition.img ',
    after: '',
  },
};

/** Files in the embed area before a config is embedded. */
type AreaFiles = Readonly<Record<string, string>>;

/** Kernel arguments for a machine without acceleration. It must turn off in every case. */
export const slowArguments = [
  // A failure turns the machine off.
  'rd.emergency=poweroff',
  'panic=1',
  // On a busy core without acceleration the kernel may conclude that its timer does not work.
  'no_timer_check',
];

/** Parts of an image that tests vary. */
interface IsoParts {
  readonly held?: AreaFiles;
  /** Kernel arguments of the image, after those of CoreOS. */
  readonly more?: readonly string[];
  /** The coreos-installer that packs a minimal ISO into the image; undefined for no minimal ISO. */
  readonly packer?: string | undefined;
}

/** Files that a minimal ISO does not have. They come last, so that all other files have the same offsets in both. */
const fullOnly = ['images/pxeboot/rootfs.img', 'coreos/miniso.dat'];

/** A bootable live ISO in the layout of CoreOS: hybrid, for BIOS and UEFI, from a CD or a USB stick. Returns its path below the folder. */
export function bootableIso(
  parts: string,
  folder: string,
  { held = {}, more = [], packer }: IsoParts = {},
): string {
  const defaults = [`coreos.liveiso=${volumeId} ignition.firstboot ignition.platform.id=metal`, ...more].join(
    ' ',
  );
  const tree = join(folder, 'tree');
  const put = (path: string, bytes: string | Buffer): void => {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), bytes);
  };
  for (const [path, { before, after }] of Object.entries(loaders)) {
    const area = `${`${defaults}\n`.padEnd(argumentBytes, '#')}# COREOS_KARG_EMBED_AREA\n`;
    put(path, `${before}${area}${after}`);
  }
  const files = Object.entries(loaders).map(([path, { before }]) => ({ path, offset: before.length }));
  put('coreos/kargs.json', JSON.stringify({ default: defaults, files, size: argumentBytes }));
  put('coreos/igninfo.json', JSON.stringify({ file: 'images/ignition.img' }));
  put('images/ignition.img', Buffer.alloc(areaBytes));
  put('coreos/miniso.dat', Buffer.alloc(16 * 1024));
  for (const name of ['vmlinuz', 'initrd.img', 'rootfs.img']) {
    mkdirSync(join(tree, 'images/pxeboot'), { recursive: true });
    copyFileSync(join(parts, name), join(tree, 'images/pxeboot', name));
  }
  copyFileSync(join(parts, 'efiboot.img'), join(tree, 'images/efiboot.img'));
  for (const name of ['isolinux.bin', 'ldlinux.c32'])
    copyFileSync(join(parts, name), join(tree, 'isolinux', name));
  const iso = packed(parts, folder, 'live.iso');
  if (packer !== undefined) {
    for (const file of fullOnly) rmSync(join(tree, file));
    const args = ['pack', 'minimal-iso', '--consume', iso, packed(parts, folder, 'small.iso')];
    mustEnd(spawnSync(packer, args, { encoding: 'utf8' }), 'coreos-installer');
  }
  hold(iso, areaWith(held));
  return iso;
}

/** Writes into the empty embed area. */
function hold(iso: string, area: Buffer): void {
  const file = openSync(iso, 'r+');
  const image: DiskImage = {
    bytes: fstatSync(file).size,
    read: (offset, length) => {
      const bytes = Buffer.alloc(length);
      return readSync(file, bytes, 0, length, offset) === length ? bytes : undefined;
    },
  };
  writeSync(file, area, 0, area.length, expectOk(embedAreaOf(expectOk(openVolume(image)))).offset);
  closeSync(file);
}

function packed(parts: string, folder: string, name: string): string {
  const iso = join(folder, name);
  const bios =
    '-b isolinux/isolinux.bin -c isolinux/boot.cat -no-emul-boot -boot-load-size 4 -boot-info-table';
  const uefi = '-eltorito-alt-boot -e images/efiboot.img -no-emul-boot -isohybrid-gpt-basdat';
  const last = fullOnly.flatMap((file) => ['--sort-weight', '-1', `/${file}`]);
  const result = spawnSync(
    pathOfProgram('xorriso') ?? 'xorriso',
    [
      ...['-as', 'mkisofs', '-quiet', '-V', volumeId, '-R', '-J', ...bios.split(' '), ...uefi.split(' ')],
      ...(existsSync(join(folder, 'tree', 'coreos/miniso.dat')) ? last : []),
      ...['-isohybrid-mbr', join(parts, 'isohdpfx.bin'), '-o', iso, join(folder, 'tree')],
    ],
    { encoding: 'utf8' },
  );
  mustEnd(result, 'xorriso');
  return iso;
}

function mustEnd({ status, stderr }: Exit, program: string): void {
  if (status !== 0) throw new Error(`${program} ended with ${status ?? 'a signal'}: ${stderr}`);
}

type Exit = Pick<SpawnSyncReturns<string>, 'status' | 'stderr'>;

function areaWith(held: AreaFiles): Buffer {
  const area = Buffer.alloc(areaBytes);
  const folders = [...new Set(Object.keys(held).flatMap(foldersAbove))];
  const members = [
    ...folders.map((path) => ({ path, mode: cpioType.folder | 0o755, contents: Buffer.alloc(0) })),
    ...Object.entries(held).map(([path, text]) => ({
      path,
      mode: cpioType.file | 0o600,
      contents: Buffer.from(text),
    })),
  ];
  if (members.length > 0) cpioArchive(members).copy(area);
  return area;
}

function foldersAbove(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
}
