import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';

import { problemsOf, type Result } from '../../src/core/result.js';
import { cpioArchive, cpioType } from '../../src/formats/cpio.js';
import { xzEncode } from '../../src/formats/xz.js';
import {
  concatImages,
  imageRange,
  patchedImage,
  piecesOf,
  type DiskImage,
} from '../../src/formats/disk-image.js';
import { openVolume } from '../../src/media/iso-volume.js';
import { extractMinimalIso, type MinimalIso } from '../../src/media/minimal-iso.js';
import { isMinisoFault, readMiniso } from '../../src/media/miniso/miniso-data.js';
import { configOf, readMedium, type Medium } from '../../src/media/read-medium.js';
import { embedConfig, endsWithArguments, checkLiveIso } from '../../src/media/single-node-iso.js';
import { expectOk } from '../support/sound-value.js';
import { argumentBytes, defaultArguments, liveFiles, liveIso } from './support/live-iso.js';
import { inMemory } from './support/made-iso.js';
import {
  dataPlace,
  description,
  integer,
  minisoBytes,
  packedIso,
  rootfs,
  type Change,
} from './support/miniso.js';

const url = 'http://192.0.2.1/rootfs.img';
const words = 'ignition.firstboot ignition.platform.id=metal';
const argument = `coreos.live.rootfs_url=${url}`;
const oneLine = liveFiles['COREOS/KARGS.JSO'] ?? Buffer.alloc(0);
const keyfile = Buffer.from('[connection]\nid=eno1\n');
const profile = {
  path: '/etc/NetworkManager/system-connections/eno1.nmconnection',
  contents: { source: 'data:,%5Bconnection%5D%0Aid=eno1%0A' },
};
const config = Buffer.from(JSON.stringify({ ignition: { version: '3.2.0' }, storage: { files: [profile] } }));

function open(full: Buffer | DiskImage, given = url): Promise<Result<MinimalIso>> {
  return extractMinimalIso(Buffer.isBuffer(full) ? inMemory(full) : full, { rootfs: given });
}

interface Description {
  readonly files: readonly Readonly<Record<'path' | 'offset' | 'pad' | 'end', unknown>>[];
  readonly size: number;
}

function codesOf(result: Result<unknown>): readonly string[] {
  return problemsOf(result).map(({ code }) => code);
}

function bytesOf(image: DiskImage): Buffer {
  return Buffer.concat([...piecesOf(image)]);
}

/** The minimal ISO of a full ISO, with the config embedded. */
async function made(full: Buffer): Promise<DiskImage> {
  const { image, argument: its } = expectOk(await open(full));
  const order = { force: false, kernelArguments: [its, 'a=b'], fetchesRoot: true };
  const embedded = await embedConfig(expectOk(await checkLiveIso(image, order)), config);
  return inMemory(bytesOf(patchedImage(image, expectOk(embedded).patches)));
}

async function mediumIn(image: DiskImage): Promise<Medium> {
  const medium = expectOk(await readMedium(image));
  if (medium === undefined) throw new Error('the image is no medium');
  return medium;
}

describe('a minimal image', () => {
  it.each([
    { name: 'as CoreOS writes it', kargs: description, indent: 2 },
    { name: 'on one line', kargs: oneLine, indent: 0 },
  ])('equals the packed one except for the URL of its root: described $name', async ({ kargs, indent }) => {
    const { full, minimal } = await packedIso((data) => data, kargs);
    const opened = expectOk(await open(full));
    const minimalImage = bytesOf(opened.image);

    // Padding fills the kernel argument areas; nothing else moves. Fields have the order of coreos-installer.
    const { files, size } = JSON.parse(kargs.toString()) as Description;
    const ordered = files.map(({ path, offset, pad, end }) => ({ path, offset, pad, end }));
    const changed = JSON.stringify({ default: words, files: ordered, size }, null, indent);
    const room = (text: string): string => `${text}\n`.padEnd(argumentBytes, '#');
    const want = minimal
      .toString('latin1')
      .replaceAll(room(defaultArguments), room(words))
      .replace(kargs.toString(), changed.padEnd(kargs.length));
    expect(minimalImage.equals(Buffer.from(want, 'latin1'))).toBe(true);
    expect(minimalImage.includes('coreos.liveiso')).toBe(false);
    expect(bytesOf(opened.rootfs).equals(rootfs)).toBe(true);
  });

  it('accepts config and network, and passes the URL of the root to its kernel', async () => {
    const { full } = await packedIso();
    const image = await made(full);
    const medium = await mediumIn(image);

    expect(configOf(medium)).toEqual(config);
    expect(medium.files.get('etc/coreos-firstboot-network/eno1.nmconnection')?.contents).toEqual(keyfile);
    expect(medium.iso).toMatchObject({
      rootfs: { url },
      kernelArguments: { text: `${words} ${argument} a=b`, original: words },
    });
    expect(endsWithArguments(image, [argument, 'a=b'])).toBe(true);
    expect(endsWithArguments(image, [argument])).toBe(false);
  });

  it('is rejected as a live ISO without the URL of its root, and gets the network with one', async () => {
    const { full } = await packedIso();
    const { image } = expectOk(await open(full));
    const order = { force: false, kernelArguments: [] };
    expect(codesOf(await checkLiveIso(image, order))).toEqual(['media/no-rootfs']);
    const given = expectOk(await checkLiveIso(image, { ...order, kernelArguments: [argument] }));
    expect(given.fetchesRoot).toBe(true);
    expect(expectOk(await checkLiveIso(inMemory(full), order)).fetchesRoot).toBe(false);
  });

  it('keeps the config and kernel arguments of the full image', async () => {
    const { full } = await packedIso();
    const at = expectOk(openVolume(inMemory(full))).find('images/ignition.img')?.offset;
    const path = 'etc/coreos-firstboot-network/eth1.nmconnection';
    cpioArchive([{ path, mode: cpioType.file | 0o600, contents: keyfile }]).copy(full, at);
    const changed = Buffer.from(
      full.toString('latin1').replaceAll(`${defaultArguments}\n####`, `${defaultArguments} c=d\n`),
      'latin1',
    );
    const medium = await mediumIn(await made(changed));

    expect([...medium.files.keys()].toSorted()).toEqual([
      'config.ign',
      'etc/coreos-firstboot-network/eno1.nmconnection',
      path,
    ]);
    expect(medium.iso?.kernelArguments?.text).toBe(`${words} c=d ${argument} a=b`);
  });

  it('of an image with a config is refused as the full one is', async () => {
    const { full } = await packedIso();
    const patches = expectOk(
      await embedConfig(
        expectOk(await checkLiveIso(inMemory(full), { force: false, kernelArguments: [] })),
        config,
      ),
    );
    const { image, argument } = expectOk(await open(patchedImage(inMemory(full), patches.patches)));
    const order = { kernelArguments: [argument], fetchesRoot: true };
    expect(codesOf(await checkLiveIso(image, { ...order, force: false }))).toEqual(['media/config-present']);
    expect((await checkLiveIso(image, { ...order, force: true })).ok).toBe(true);
  });
});

describe('rejects other sources of a minimal image by name', () => {
  const cases: readonly {
    readonly name: string;
    readonly change: Change;
    readonly code: string;
    readonly message: RegExp;
  }[] = [
    {
      name: 'data of another version',
      change: (data) => ({ ...data, version: 2 }),
      code: 'media/no-minimal',
      message: /version 2/,
    },
    {
      name: 'no files',
      change: (data) => ({ ...data, entries: [] }),
      code: 'media/damaged',
      message: /names 0 files/,
    },
    {
      name: 'a file beyond the full image',
      change: ({ entries: [, ...rest], ...data }) => ({ ...data, entries: [[0, 1e6, 10], ...rest] }),
      code: 'media/damaged',
      message: /is beyond its end/,
    },
    {
      name: 'a file beyond any image',
      change: ({ entries, ...data }) => ({ ...data, entries: [...entries, [2 ** 32, 0, 1]] }),
      code: 'media/damaged',
      message: /is beyond the end of the image/,
    },
    {
      name: 'files over each other',
      change: ({ entries, ...data }) => ({ ...data, entries: [...entries, ...entries] }),
      code: 'media/damaged',
      message: /overlap/,
    },
    {
      name: 'a file far behind the others',
      change: ({ entries, ...data }) => ({ ...data, entries: [...entries, [2 ** 31, 0, 1]] }),
      code: 'media/damaged',
      message: /the checksum/,
    },
    {
      name: 'files that are more than the full image',
      change: (data) => ({
        ...data,
        entries: Array.from({ length: 40 }, (_, index) => [index * 200, 0, 400_000] as const),
      }),
      code: 'media/damaged',
      message: /is beyond its end/,
    },
    {
      name: 'another checksum',
      change: (data) => ({ ...data, digest: Buffer.alloc(32) }),
      code: 'media/damaged',
      message: /the checksum/,
    },
    {
      name: 'packed bytes that are none',
      change: (data) => ({ ...data, packed: Buffer.from('nothing of the kind') }),
      code: 'media/damaged',
      message: /is damaged/,
    },
    {
      name: 'packed bytes that end early',
      change: (data) => ({ ...data, packed: data.packed.subarray(0, -8) }),
      code: 'media/damaged',
      message: /is damaged/,
    },
  ];
  it.each(cases)('$name', async ({ change, code, message }) => {
    const { full } = await packedIso(change);
    expect(problemsOf(await open(full))).toMatchObject([
      { code, message: expect.stringMatching(message) as string },
    ]);
  });

  it('packed bytes that unpack to more than any image', async () => {
    const packed = await xzEncode(Buffer.alloc(2 * 1024 * 1024), 'fast');
    const { full } = await packedIso((data) => ({ ...data, packed }));
    expect(codesOf(await open(full))).toEqual(['media/damaged']);
  });

  it('an image without data, with other faults', async () => {
    const [withoutKargs, older] = [liveIso(), liveIso({ 'COREOS/KARGS.JSO': undefined })];
    for (const iso of [withoutKargs, older]) expect(codesOf(await open(iso))).toEqual(['media/no-minimal']);
    const empty = liveIso({ 'COREOS/MINISO.DAT': Buffer.alloc(16 * 1024) });
    expect(codesOf(await open(empty))).toEqual(['media/damaged']);
    const large = liveIso({ 'COREOS/MINISO.DAT': Buffer.alloc(1024 * 1024 + 1) });
    expect(codesOf(await open(large))).toEqual(['media/damaged']);
    expect(codesOf(await open(Buffer.from('nothing')))).toEqual(['media/not-an-iso']);
  });

  it('an image that is a minimal one already', async () => {
    const { full } = await packedIso();
    expect(codesOf(await open(await made(full)))).toEqual(['media/no-minimal']);
  });

  test.each([
    'rootfs.img',
    'ftp://192.0.2.1/rootfs.img',
    'http://me:secret@192.0.2.1/rootfs.img',
    'http://192.0.2.1/rootfs.img?token=secret',
    'http://192.0.2.1/',
    'http://192.0.2.1/rootfs.img;secret',
    'http://192.0.2.1/a rootfs.img',
  ])('a root file system at %s', async (given) => {
    const { full } = await packedIso();
    const refused = await open(full, given);
    expect(codesOf(refused)).toEqual(['media/pxe-source']);
    expect(JSON.stringify(problemsOf(refused))).not.toContain('secret');
  });

  it('a root file system for other machines, and of another release', async () => {
    const { full } = await packedIso();
    const given = { rootfs: `${url.slice(0, -10)}rhcos-4.18.1-aarch64-live-rootfs.aarch64.img` };
    const opened = await extractMinimalIso(inMemory(full), {
      ...given,
      architecture: 'amd64',
      release: '4.20',
    });
    expect(problemsOf(opened).map(({ message }) => message)).toEqual([
      'the root file system at --rootfs boots on arm64, but install-config.yaml is for amd64',
      'the root file system at --rootfs is for OpenShift 4.18, but the config installs 4.20',
    ]);
  });

  it('the root file system of another build', async () => {
    const { full } = await packedIso();
    const of = async (name: string): Promise<readonly string[]> => {
      const opened = await extractMinimalIso(inMemory(full), { rootfs: `http://192.0.2.1/${name}` });
      return problemsOf(opened).map(({ message }) => message);
    };
    expect(await of('rhcos-9.6.20250523-0-live-rootfs.x86_64.img')).toEqual([]);
    expect(await of('rhcos-4.20.0-x86_64-live-rootfs.x86_64.img')).toEqual([]);
    expect(await of('rhcos-9.6.20251023-0-live-rootfs.x86_64.img')).toEqual([
      'the root file system at --rootfs is of "rhcos-9.6.20251023-0", but the image is "rhcos-9.6.20250523-0"',
    ]);
  });
});

it('returns the same image or a problem for any changed byte of its data', async () => {
  const { full } = await packedIso();
  const [at, whole] = [dataPlace(full), bytesOf(expectOk(await open(full)).image)];
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 1200 }), fc.integer({ min: 1, max: 255 }), async (place, change) => {
      const broken = Buffer.from(full);
      broken[at + place] = (broken[at + place] ?? 0) ^ change;
      const opened = await open(broken);
      if (opened.ok) expect(bytesOf(opened.value.image).equals(whole)).toBe(true);
      else expect(codesOf(opened).every((code) => /^media\/(?:damaged|no-minimal)$/.test(code))).toBe(true);
    }),
    { numRuns: 100 },
  );
});

describe('the data of a minimal image', () => {
  const sector = fc.nat({ max: 0xffff_ffff });
  const data = fc.record({
    version: fc.constant(1),
    entries: fc
      .array(fc.tuple(fc.nat({ max: 5000 }), sector, fc.nat({ max: 2 ** 20 })), {
        minLength: 1,
        maxLength: 20,
      })
      .map((entries) => {
        // Each entry begins after the previous one.
        let end = 0;
        return entries.map(([gap, inFull, length]) => {
          const from = end + gap;
          end = from + Math.ceil(length / 2048);
          return [from, inFull, length] as const;
        });
      }),
    digest: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes)),
    packed: fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
  });

  test('is read completely, with any trailing bytes', () => {
    fc.assert(
      fc.property(data, fc.nat(), fc.nat({ max: 100 }), (written, cut, behind) => {
        const bytes = minisoBytes(written);
        expect(readMiniso(Buffer.concat([bytes, Buffer.alloc(behind)]))).toEqual({
          shared: written.entries.map(([from, inFull, length]) => ({
            inMinimal: from * 2048,
            inFull: inFull * 2048,
            length,
          })),
          sha256: written.digest.toString('hex'),
          packed: written.packed,
        });
        expect(isMinisoFault(readMiniso(bytes.subarray(0, cut % bytes.length)))).toBe(true);
      }),
    );
  });

  test('is a fault or data, whatever the bytes are', () => {
    const starts = fc
      .uint8Array({ maxLength: 300 })
      .map((bytes) => Buffer.concat([Buffer.from('MINISO\0\0\u0001\0', 'latin1'), bytes]));
    fc.assert(
      fc.property(starts, (bytes) => {
        const read = readMiniso(bytes);
        if (!isMinisoFault(read)) expect(read.packed.length).toBeLessThan(bytes.length);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    { name: 'one byte', written: integer(1) },
    { name: 'three bytes', written: integer(1, 2) },
    { name: 'five bytes', written: integer(1, 4) },
    { name: 'nine bytes', written: integer(1, 8) },
  ])('may have its integers in $name', ({ written }) => {
    const bytes = minisoBytes({
      version: 1,
      entries: [[0, 0, 0]],
      digest: Buffer.alloc(32),
      packed: Buffer.alloc(0),
    });
    const magic = bytes.subarray(0, 8);
    expect(isMinisoFault(readMiniso(Buffer.concat([magic, written, bytes.subarray(9)])))).toBe(false);
  });

  test.each([
    { name: 'of sixteen bytes', written: Buffer.concat([Buffer.from([254]), Buffer.alloc(16)]) },
    { name: 'of no known width', written: Buffer.from([255]) },
    { name: 'larger than any number', written: Buffer.alloc(9, 253) },
  ])('has no integer $name', ({ written }) => {
    const magic = Buffer.from('MINISO\0\0', 'latin1');
    expect(readMiniso(Buffer.concat([magic, written, Buffer.alloc(64)]))).toMatchObject({ kind: 'damaged' });
  });
});

test('images one behind the other are read as one', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 6 }),
      fc.nat({ max: 60 }),
      fc.nat({ max: 60 }),
      (parts, offset, length) => {
        const whole = Buffer.concat(parts);
        const image = concatImages(parts.map((part) => inMemory(Buffer.from(part))));
        const want = offset + length > whole.length ? undefined : whole.subarray(offset, offset + length);
        expect(image.read(offset, length)).toEqual(want);
        expect(imageRange(inMemory(whole), { offset, length }).read(0, length)).toEqual(want);
      },
    ),
  );
});
