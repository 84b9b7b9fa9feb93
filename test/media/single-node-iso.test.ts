import { gzipSync } from 'node:zlib';

import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';

import { problemsOf, type Result } from '../../src/core/result.js';
import { cpioArchive, cpioType } from '../../src/formats/cpio.js';
import { xzEncode } from '../../src/formats/xz.js';
import { patchedImage } from '../../src/formats/disk-image.js';
import { readInitrd } from '../../src/media/initrd.js';
import { openVolume } from '../../src/media/iso-volume.js';
import { kernelArgumentsOf } from '../../src/media/kernel-arguments.js';
import { readMedium } from '../../src/media/read-medium.js';
import {
  readIsoConfig,
  embedConfig,
  checkLiveIso,
  type IsoOptions,
} from '../../src/media/single-node-iso.js';
import { seededBytes } from '../support/seeded-keys.js';
import { areaBytes, defaultArguments, liveFiles, liveFilesOf, liveIso } from './support/live-iso.js';
import { inMemory } from './support/made-iso.js';

const config = Buffer.from('{"ignition":{"version":"3.2.0"}}\n');
const plain: IsoOptions = { force: false, kernelArguments: [] };

function archive(files: Readonly<Record<string, Buffer>>): Buffer {
  return cpioArchive(
    Object.entries(files).map(([path, contents]) => ({ path, mode: cpioType.file | 0o600, contents })),
  );
}

/** A live ISO whose embed area begins with these bytes. */
function holding(...bytes: readonly Buffer[]): Buffer {
  const area = Buffer.alloc(areaBytes);
  Buffer.concat(bytes).copy(area);
  return liveIso({ 'IMAGES/IGNITION.IMG': area });
}

function codesOf(result: Result<unknown>): readonly string[] {
  return problemsOf(result).map(({ code }) => code);
}

/** Offset of the embed area: zeros from a sector boundary on. `indexOf` with as many zeros takes 17 s. */
function roomIn(iso: Buffer): number {
  const zeros = Buffer.alloc(areaBytes);
  const sectors = Array.from({ length: iso.length / 2048 }, (_, sector) => sector * 2048);
  const found = sectors.find((at) => iso.subarray(at, at + areaBytes).equals(zeros));
  if (found === undefined) throw new Error('the image has no room');
  return found;
}

async function embedded(iso: Buffer, order: IsoOptions = plain, text = config): Promise<Buffer> {
  const opened = await checkLiveIso(inMemory(iso), order);
  if (!opened.ok) throw new Error(codesOf(opened).join());
  const made = await embedConfig(opened.value, text);
  if (!made.ok) throw new Error(codesOf(made).join());
  return patchedImage(inMemory(iso), made.value.patches).read(0, iso.length) ?? Buffer.alloc(0);
}

describe('a config in a live image', () => {
  it('is read back as it was, and only its room has changed', async () => {
    const before = liveIso();
    const after = await embedded(before);

    expect(await readIsoConfig(inMemory(after))).toMatchObject({ ok: true, value: config });
    const room = roomIn(before);
    const isSame = (from: number, to: number): boolean =>
      before.subarray(from, to).equals(after.subarray(from, to));
    expect([isSame(0, room), isSame(room, room + areaBytes), isSame(room + areaBytes, Infinity)]).toEqual([
      true,
      false,
      true,
    ]);
    expect(after.length).toBe(before.length);
  });

  it('of images without IGNINFO goes where older ones keep it', async () => {
    const after = await embedded(liveIso({ 'COREOS/IGNINFO.JSO': undefined }));

    expect(await readIsoConfig(inMemory(after))).toMatchObject({ ok: true, value: config });
  });

  it('of s390x goes into a part of a file', async () => {
    const info = JSON.stringify({ file: 'images/cdboot.img', offset: 132_096, length: areaBytes });
    const boot = Buffer.concat([seededBytes('boot', 132_096), Buffer.alloc(areaBytes)]);
    const iso = liveIso({
      'COREOS/IGNINFO.JSO': Buffer.from(info),
      'IMAGES/CDBOOT.IMG': boot,
      'IMAGES/IGNITION.IMG': undefined,
    });

    expect(await readIsoConfig(inMemory(await embedded(iso)))).toMatchObject({ ok: true, value: config });
    expect(codesOf(await checkLiveIso(inMemory(iso), { ...plain, architecture: 'amd64' }))).toEqual([
      'media/architecture',
    ]);
  });

  it('keeps existing files of any origin', async () => {
    const network = { 'etc/coreos-firstboot-network/eth0.nmconnection': Buffer.from('[connection]\n') };
    const encode = xzEncode;
    const packings = [archive(network), gzipSync(archive(network)), await encode(archive(network), 'best')];
    for (const packing of packings) {
      const after = await embedded(holding(packing));
      const area = after.subarray(after.length - areaBytes - 2 * 2048);
      expect(await readIsoConfig(inMemory(after))).toMatchObject({ ok: true, value: config });
      expect(area.length).toBeGreaterThan(areaBytes);
      const opened = await checkLiveIso(inMemory(after), { ...plain, force: true });
      expect(opened).toMatchObject({ ok: true });
      expect(opened.ok && [...opened.value.others.keys()]).toEqual(Object.keys(network));
    }
  });

  it('is not overwritten without --force', async () => {
    const first = await embedded(liveIso());
    const other = Buffer.from('{"ignition":{"version":"3.3.0"}}');

    expect(codesOf(await checkLiveIso(inMemory(first), plain))).toEqual(['media/config-present']);
    const again = await embedded(first, { ...plain, force: true }, other);
    expect(await readIsoConfig(inMemory(again))).toMatchObject({ value: other });
  });

  it('reports both sizes if it is too large', async () => {
    const opened = await checkLiveIso(inMemory(liveIso()), plain);
    if (!opened.ok) throw new Error('the image is refused');
    const made = await embedConfig(opened.value, seededBytes('large', areaBytes));

    expect(problemsOf(made)).toMatchObject([
      {
        code: 'media/too-large',
        message: expect.stringMatching(/has 26\d{4} bytes.* space for 262144/) as string,
      },
    ]);
  });
});

describe('kernel arguments', () => {
  test('are appended in every boot loader', async () => {
    const after = await embedded(liveIso(), { ...plain, kernelArguments: ['console=ttyS0', 'a=b'] });
    const volume = openVolume(inMemory(after));
    if (!volume.ok) throw new Error('the image is damaged');

    expect(kernelArgumentsOf(volume.value)).toMatchObject({
      ok: true,
      value: { text: `${defaultArguments} console=ttyS0 a=b` },
    });
    expect(
      after.toString('latin1').match(/ignition\.platform\.id=metal console=ttyS0 a=b\n#+# COREOS/g),
    ).toHaveLength(2);
  });

  test.each([
    { name: 'two words', given: ['a b'], code: 'media/kernel-arguments' },
    { name: 'nothing', given: [''], code: 'media/kernel-arguments' },
    { name: 'a line', given: ['a\nb'], code: 'media/kernel-arguments' },
    { name: 'too much', given: ['a'.repeat(1100)], code: 'media/kernel-arguments' },
  ])('that are $name are refused', async ({ given, code }) => {
    const order = { ...plain, kernelArguments: given };
    expect(codesOf(await checkLiveIso(inMemory(liveIso()), order))).toEqual([code]);
  });

  test.each([
    { name: 'no description', change: { 'COREOS/KARGS.JSO': undefined }, code: 'media/no-kernel-arguments' },
    {
      name: 'a broken description',
      change: { 'COREOS/KARGS.JSO': Buffer.from('{}') },
      code: 'media/damaged',
    },
    {
      name: 'a boot loader less',
      change: { 'ISOLINUX/ISOLINUX.CFG': undefined },
      code: 'media/damaged',
    },
    {
      name: 'boot loaders that differ',
      change: {
        'ISOLINUX/ISOLINUX.CFG': Buffer.from(
          (liveFiles['ISOLINUX/ISOLINUX.CFG'] ?? Buffer.alloc(0)).toString().replace('metal', 'other'),
        ),
      },
      code: 'media/damaged',
    },
  ])('need an image without $name', async ({ change, code }) => {
    const order = { ...plain, kernelArguments: ['a'] };
    expect(codesOf(await checkLiveIso(inMemory(liveIso(change)), order))).toEqual([code]);
    const isOld = code === 'media/no-kernel-arguments';
    expect(codesOf(await checkLiveIso(inMemory(liveIso(change)), plain))).toEqual(isOld ? [] : [code]);
  });
});

const arm = Buffer.alloc(4096);
arm.write('ARM\u0064', 0x38, 'latin1');
const portable = Buffer.alloc(4096);
portable.write('MZ', 0);
portable.writeUInt32LE(64, 0x3c);
portable.write('PE\0\0', 64, 'latin1');
portable.writeUInt16LE(0xaa64, 68);
const power = Buffer.alloc(4096);
power.write('\u007fELF', 0, 'latin1');
power.writeUInt16LE(21, 0x12);

describe('an image for other machines', () => {
  it.each([
    { name: 'arm64', kernel: arm, want: 'arm64' },
    { name: 'arm64 as a program of UEFI', kernel: portable, want: 'arm64' },
    { name: 'ppc64le', kernel: power, want: 'ppc64le' },
  ])('is reported: $name', async ({ kernel, want }) => {
    const iso = inMemory(liveIso({ 'IMAGES/PXEBOOT/VMLINUZ': kernel }));

    expect(problemsOf(await checkLiveIso(iso, { ...plain, architecture: 'amd64' }))).toMatchObject([
      { code: 'media/architecture', message: expect.stringContaining(want) as string },
    ]);
    expect(codesOf(await checkLiveIso(iso, { ...plain, architecture: want }))).toEqual([]);
  });

  it('is not reported for an unknown kernel', async () => {
    const iso = inMemory(liveIso({ 'IMAGES/PXEBOOT/VMLINUZ': Buffer.from('kernel') }));
    expect(codesOf(await checkLiveIso(iso, { ...plain, architecture: 'amd64' }))).toEqual([]);
  });

  it('of another release is a problem', async () => {
    const of = async (release: string, volumeId?: string): Promise<readonly string[]> =>
      codesOf(await checkLiveIso(inMemory(liveIso({}, volumeId)), { ...plain, release }));

    expect(await of('4.18', 'rhcos-418.94.202501221327-0')).toEqual([]);
    expect(await of('4.20', 'rhcos-418.94.202501221327-0')).toEqual(['media/release']);
    expect(await of('4.20', 'rhcos-9.6.20250523-0')).toEqual([]);
    expect(await of('4.20', 'scos-10.0.20250628-0')).toEqual([]);
    expect(await of('4.20', 'fedora-coreos-42.20250609.3.0')).toEqual(['media/release']);
    expect(await of('4.20', 'Ubuntu-Server-24.04-LTS')).toEqual(['media/release']);
    expect(await of('4.20', 'scos-418.9.202412101015-0')).toEqual(['media/release']);
    expect(await of('4.18', 'rhcos-9.6.20250523-0')).toEqual(['media/release']);
    expect(await of('5.0', 'rhcos-10.2.20260428-0')).toEqual([]);
  });

  it.each([
    { isOkd: false, volumeId: 'rhcos-9.6.20250523-0', want: [] },
    { isOkd: true, volumeId: 'scos-10.0.20250628-0', want: [] },
    {
      isOkd: true,
      volumeId: 'rhcos-9.6.20250523-0',
      want: [
        'the image is "rhcos-9.6.20250523-0", RHEL CoreOS, but the release is a build of OKD, which installs CentOS Stream CoreOS (scos)',
      ],
    },
    {
      isOkd: false,
      volumeId: 'scos-10.0.20250628-0',
      want: [
        'the image is "scos-10.0.20250628-0", CentOS Stream CoreOS of OKD, but the release is not a build of OKD: it installs RHEL CoreOS (rhcos)',
      ],
    },
    {
      isOkd: false,
      volumeId: 'fedora-coreos-42.20250609.3.0',
      want: [
        'the image is "fedora-coreos-42.20250609.3.0", neither RHEL CoreOS (rhcos) nor CentOS Stream CoreOS (scos)',
      ],
    },
  ])('of another system is a problem, also without a release: $volumeId, OKD $isOkd', async (each) => {
    const checked = await checkLiveIso(inMemory(liveIso({}, each.volumeId)), { ...plain, isOkd: each.isOkd });
    expect(problemsOf(checked).map(({ message }) => message)).toEqual(each.want);
  });
});

/** A live ISO after a change of its bytes. */
function changed(iso: Buffer, change: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.from(iso);
  change(bytes);
  return bytes;
}

/** A live ISO whose menus contain other kernel arguments. */
function bootedWith(
  kernelArguments: string,
  changes: Readonly<Record<string, Buffer | undefined>> = {},
): Buffer {
  return liveIso({ ...liveFilesOf(kernelArguments), ...changes });
}

const [catalogAt, sectorsAt] = [19 * 2048, 16 * 2048 + 80];
const rootfsPath = 'IMAGES/PXEBOOT/ROOTFS.IMG';

describe('rejects an image that does not boot', () => {
  const damaged = (fault: string): readonly string[] => [`media/damaged: the image is damaged: ${fault}`];
  const noRootfs = (fault: string): readonly string[] => [`media/no-rootfs: ${fault}`];
  const rootfs = liveFiles[rootfsPath] ?? Buffer.alloc(0);
  const ofPower = { 'ISOLINUX/ISOLINUX.BIN': undefined, 'IMAGES/PXEBOOT/VMLINUZ': power };
  const bytes = liveIso().length;
  it.each<{ readonly name: string; readonly iso: Buffer; readonly want: readonly string[] }>([
    {
      name: 'without its last sector',
      iso: liveIso().subarray(0, -2048),
      want: damaged(`the file has ${bytes - 2048} bytes, but the image has ${bytes}`),
    },
    {
      name: 'without its last byte',
      iso: liveIso().subarray(0, -1),
      want: damaged(`the file has ${bytes - 1} bytes, but the image has ${bytes}`),
    },
    {
      name: 'without its end, but with a smaller size',
      iso: changed(liveIso(), (iso) => iso.writeUInt32LE(20, sectorsAt)).subarray(0, -2048),
      want: damaged(
        `the file has ${bytes - 2048} bytes, but images/pxeboot/rootfs.img ends at byte ${bytes - 2048 + rootfs.length}`,
      ),
    },
    {
      name: 'without kernel',
      iso: liveIso({ 'IMAGES/PXEBOOT/VMLINUZ': undefined }),
      want: damaged('it has no images/pxeboot/vmlinuz'),
    },
    {
      name: 'with an empty kernel',
      iso: liveIso({ 'IMAGES/PXEBOOT/VMLINUZ': Buffer.alloc(0) }),
      want: damaged('it has no images/pxeboot/vmlinuz'),
    },
    {
      name: 'with a kernel of zeros',
      iso: liveIso({ 'IMAGES/PXEBOOT/VMLINUZ': Buffer.alloc(8192) }),
      want: damaged('images/pxeboot/vmlinuz consists of zeros'),
    },
    {
      name: 'without initramfs',
      iso: liveIso({ 'IMAGES/PXEBOOT/INITRD.IMG': undefined }),
      want: damaged('it has no images/pxeboot/initrd.img'),
    },
    {
      name: 'without root file system',
      iso: liveIso({ [rootfsPath]: undefined }),
      want: damaged('it has no images/pxeboot/rootfs.img'),
    },
    {
      name: 'without root file system and space for kernel arguments',
      iso: liveIso({ [rootfsPath]: undefined, 'COREOS/KARGS.JSO': undefined }),
      want: damaged('it has no images/pxeboot/rootfs.img'),
    },
    {
      name: 'with a part of its root file system',
      iso: liveIso({ [rootfsPath]: Buffer.concat([rootfs.subarray(0, 120), Buffer.alloc(4096)]) }),
      want: damaged('images/pxeboot/rootfs.img is cut off'),
    },
    {
      name: 'that is minimal and has no URL',
      iso: bootedWith('ignition.firstboot', { [rootfsPath]: undefined }),
      want: noRootfs('the image is minimal and names no URL of its root file system'),
    },
    {
      name: 'that is minimal and has an empty URL',
      iso: bootedWith('coreos.live.rootfs_url= ignition.firstboot', { [rootfsPath]: undefined }),
      want: noRootfs('the image is minimal and names no URL of its root file system'),
    },
    {
      name: 'that does not look for its root file system',
      iso: bootedWith('ignition.firstboot'),
      want: noRootfs(
        'the image has no kernel argument coreos.liveiso and names no URL of its root file system',
      ),
    },
    {
      name: 'that looks for its root file system on another volume',
      iso: bootedWith('coreos.liveiso=rhcos-9.4.1-0'),
      want: noRootfs(
        'the live system searches its root file system on a volume "rhcos-9.4.1-0", but the image is "rhcos-9.6.20250523-0"',
      ),
    },
    {
      name: 'without boot record',
      iso: liveIso({ 'ISOLINUX/ISOLINUX.BIN': undefined }),
      want: damaged('it has no boot loader: the El Torito boot record is missing'),
    },
    {
      name: 'of POWER without GRUB',
      iso: liveIso(ofPower),
      want: damaged('it has no boot loader: boot/grub/grub.cfg is missing'),
    },
    {
      name: 'with a boot catalog beyond its end',
      iso: changed(liveIso(), (iso) => iso.writeUInt32LE(1e6, 17 * 2048 + 71)),
      want: damaged('its El Torito boot catalog is beyond its end'),
    },
    {
      name: 'with a boot catalog of zeros',
      iso: changed(liveIso(), (iso) => iso.fill(0, catalogAt, catalogAt + 2048)),
      want: damaged('its El Torito boot catalog is not valid'),
    },
    {
      name: 'with a wrong checksum of the boot catalog',
      iso: changed(liveIso(), (iso) => iso.fill(1, catalogAt + 4, catalogAt + 5)),
      want: damaged('its El Torito boot catalog is not valid'),
    },
    {
      name: 'without bootable entry',
      iso: changed(liveIso(), (iso) => iso.fill(0, catalogAt + 32, catalogAt + 64)),
      want: damaged('its El Torito boot catalog has no bootable entry'),
    },
    {
      name: 'with a boot loader beyond its end',
      iso: changed(liveIso(), (iso) => iso.writeUInt32LE(bytes / 2048, catalogAt + 40)),
      want: damaged('its boot loader is beyond its end'),
    },
    {
      name: 'with a second boot loader beyond its end',
      iso: changed(liveIso(), (iso) => {
        iso.copy(iso, catalogAt + 96, catalogAt + 32, catalogAt + 64);
        iso.writeUInt16LE(0xffff, catalogAt + 102);
      }),
      want: damaged('its boot loader is beyond its end'),
    },
    {
      name: 'with a boot loader of zeros',
      iso: liveIso({ 'ISOLINUX/ISOLINUX.BIN': Buffer.alloc(2048) }),
      want: damaged('its boot loader consists of zeros'),
    },
  ])('$name', async ({ iso, want }) => {
    const shown = (result: Result<unknown>): readonly string[] =>
      problemsOf(result).map(({ code, message }) => `${code}: ${message}`);
    expect(shown(await checkLiveIso(inMemory(iso), plain))).toEqual(want);
    // A minimal image without URL can be inspected before it gets one.
    const isUnfinished = want.join().includes('is minimal');
    expect(shown(await readMedium(inMemory(iso)))).toEqual(isUnfinished ? [] : want);
  });

  it.each([
    {
      name: 'minimal with a URL',
      iso: bootedWith('coreos.live.rootfs_url=http://192.0.2.1/r', { [rootfsPath]: undefined }),
    },
    { name: 'of POWER', iso: liveIso({ ...ofPower, 'BOOT/GRUB/GRUB.CFG': Buffer.from('menuentry') }) },
    { name: 'with bytes after its end', iso: Buffer.concat([liveIso(), Buffer.alloc(4096)]) },
    {
      name: 'with a root file system that is no archive',
      iso: liveIso({ [rootfsPath]: Buffer.from('hsqs') }),
    },
    {
      name: 'with a boot loader of unknown length',
      iso: changed(liveIso(), (iso) => iso.writeUInt16LE(0, catalogAt + 38)),
    },
  ])('but not one $name', async ({ iso }) => {
    expect(codesOf(await checkLiveIso(inMemory(iso), plain))).toEqual([]);
    expect(codesOf(await readMedium(inMemory(iso)))).toEqual([]);
  });

  it('cut off at any place', async () => {
    const iso = liveIso();
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: iso.length - 1 }), async (end) => {
        const wanted = end < 17 * 2048 ? 'media/not-an-iso' : 'media/damaged';
        expect(codesOf(await checkLiveIso(inMemory(iso.subarray(0, end)), plain))).toEqual([wanted]);
      }),
    );
  });

  it('names the file', async () => {
    const image = { ...inMemory(Buffer.from('<html>')), path: '/media/live.iso' };
    expect(problemsOf(await checkLiveIso(image, plain))).toMatchObject([{ at: { file: '/media/live.iso' } }]);
    expect(
      problemsOf(await readMedium({ ...inMemory(liveIso().subarray(0, -1)), path: '/media/live.iso' })),
    ).toMatchObject([{ at: { file: '/media/live.iso' } }]);
  });
});

describe('rejects other files by name', () => {
  const cases: readonly { readonly name: string; readonly iso: Buffer; readonly code: string }[] = [
    { name: 'an empty file', iso: Buffer.alloc(0), code: 'media/not-an-iso' },
    { name: 'zeros', iso: Buffer.alloc(1024 * 1024), code: 'media/not-an-iso' },
    { name: 'the beginning of an image', iso: liveIso().subarray(0, 40_000), code: 'media/damaged' },
    { name: 'an image without its end', iso: liveIso().subarray(0, -areaBytes), code: 'media/damaged' },
    {
      name: 'an image of another system',
      iso: liveIso({ 'IMAGES/IGNITION.IMG': undefined, 'COREOS/IGNINFO.JSO': undefined }),
      code: 'media/no-embed-area',
    },
    {
      name: 'an area that is described as text',
      iso: liveIso({ 'COREOS/IGNINFO.JSO': Buffer.from('images') }),
      code: 'media/damaged',
    },
    {
      name: 'an area beyond its file',
      iso: liveIso({ 'COREOS/IGNINFO.JSO': Buffer.from('{"file":"images/ignition.img","length":262145}') }),
      code: 'media/damaged',
    },
    {
      name: 'an area before its file',
      iso: liveIso({ 'COREOS/IGNINFO.JSO': Buffer.from('{"file":"images/ignition.img","offset":-1}') }),
      code: 'media/damaged',
    },
    {
      name: 'an area with one byte at its very end',
      iso: holding(Buffer.alloc(areaBytes - 1), Buffer.from('a')),
      code: 'media/unknown-packing',
    },
    { name: 'an area with other bytes', iso: holding(Buffer.from('hello')), code: 'media/unknown-packing' },
    {
      name: 'an area packed by zstd',
      iso: holding(Buffer.from('28b52ffd', 'hex')),
      code: 'media/unknown-packing',
    },
    {
      name: 'an area with half an archive',
      iso: holding(archive({ a: config }).subarray(0, 120)),
      code: 'media/damaged',
    },
    {
      name: 'an area with half of gzip',
      iso: holding(gzipSync(archive({ a: config })).subarray(0, 30)),
      code: 'media/damaged',
    },
    {
      name: 'bytes behind the archive in one stream',
      iso: holding(gzipSync(Buffer.concat([archive({ a: config }), Buffer.from('rest')]))),
      code: 'media/damaged',
    },
  ];
  it.each(cases)('$name', async ({ iso, code }) => {
    expect(codesOf(await checkLiveIso(inMemory(iso), plain))).toEqual([code]);
  });

  it('a packed area that unpacks to more than any image needs', async () => {
    const bomb = gzipSync(Buffer.alloc(80 * 1024 * 1024));
    expect(codesOf(await checkLiveIso(inMemory(holding(bomb)), plain))).toEqual(['media/damaged']);
  });

  it('and so is any image with a byte changed, where it matters', async () => {
    const iso = await embedded(liveIso());
    // Descriptors and folders, the JSON descriptions, and the start of the embed area.
    const places = fc.oneof(
      fc.integer({ min: 16 * 2048, max: 26 * 2048 }),
      fc.integer({ min: iso.indexOf('{ "file"'), max: iso.indexOf('{ "file"') + 60 }),
      fc.integer({ min: 0, max: 400 }).map((at) => iso.indexOf(Buffer.from('fd377a585a', 'hex')) + at),
    );
    await fc.assert(
      fc.asyncProperty(places, fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const broken = Buffer.from(iso);
        broken[at] = (broken[at] ?? 0) ^ change;
        const found = await readIsoConfig(inMemory(broken));
        if (found.ok) {
          // A config that is read is complete, since cpio and xz have checksums.
          expect([undefined, config.toString()]).toContain(found.value?.toString());
          return;
        }
        expect(codesOf(found).every((code) => code.startsWith('media/'))).toBe(true);
      }),
      { numRuns: 400 },
    );
  });
});

it('files in an area come from every archive, and the later wins', async () => {
  const area = Buffer.concat([
    archive({ a: Buffer.from('1'), b: Buffer.from('2') }),
    Buffer.alloc(512),
    gzipSync(archive({ b: Buffer.from('3') })),
    Buffer.alloc(8),
    await xzEncode(archive({ '/c': Buffer.from('4') }), 'fast'),
    Buffer.alloc(2048),
  ]);
  const read = await readInitrd(area);

  expect(read.ok && [...read.value].map(([path, { contents }]) => `${path}=${contents.toString()}`)).toEqual([
    'a=1',
    'b=3',
    'c=4',
  ]);
  expect(await readInitrd(Buffer.alloc(1024))).toMatchObject({ ok: true, value: new Map() });
});
