import { gzipSync } from 'node:zlib';

import { problemsOf } from '../../../src/core/result.js';
import { cpioArchive, cpioType } from '../../../src/formats/cpio.js';
import { xzEncode } from '../../../src/formats/xz.js';
import { imageInMemory, patchedImage, type DiskImage } from '../../../src/formats/disk-image.js';
import { packInitrd, readInitrd } from '../../../src/media/initrd.js';
import { extractMinimalIso } from '../../../src/media/minimal-iso.js';
import { readMiniso } from '../../../src/media/miniso/miniso-data.js';
import { readMedium } from '../../../src/media/read-medium.js';
import { readIsoConfig, embedConfig, checkLiveIso } from '../../../src/media/single-node-iso.js';
import { areaBytes, liveIso } from '../../media/support/live-iso.js';
import type { Target } from '../driver/target.js';
import { keptInputs } from './fixture-texts.js';
import { shownProblems } from './shown-problems.js';

const config = Buffer.from('{"ignition":{"version":"3.2.0"}}\n');

function archive(contents: Buffer): Buffer {
  const file = cpioType.file | 0o600;
  const network = {
    path: 'etc/coreos-firstboot-network/a.nmconnection',
    mode: file,
    contents: Buffer.from('[ipv4]\n'),
  };
  return cpioArchive([{ path: 'config.ign', mode: file, contents }, network]);
}

const packed = await xzEncode(archive(config), 'best');

/** A small live ISO. Real ones are larger only because of files that are not read. */
function smallIso(area: Buffer): Buffer {
  const room = Buffer.alloc(4096);
  area.copy(room);
  return liveIso({ 'IMAGES/IGNITION.IMG': room });
}

/** The headers and files of an ISO, which come before the embed area. */
export const iso: Target = {
  name: 'iso',
  form: 'bytes',
  maxBytes: 256 * 1024,
  words: [
    'CD001',
    'IGNITION.IMG',
    'KARGS.JSO',
    'IGNINFO.JSO',
    '"offset":',
    '"size":',
    '"path":',
    '\\u0000',
    '..',
    '\0\0\0\0',
  ],
  seeds: () => [
    smallIso(Buffer.alloc(0)),
    smallIso(archive(config)),
    smallIso(packed),
    liveIso({ 'IMAGES/IGNITION.IMG': Buffer.alloc(4096), 'COREOS/KARGS.JSO': undefined }),
    liveIso({ 'IMAGES/IGNITION.IMG': Buffer.alloc(4096), 'COREOS/IGNINFO.JSO': undefined }, 'Fedora-CoreOS'),
    ...keptInputs('iso'),
  ],
  run: async (input) => {
    const image = withinBounds(input);
    const medium = await readMedium(image);
    const minimal = await extractMinimalIso(image, {
      rootfs: 'https://example.com/rootfs.img',
      architecture: 'amd64',
    });
    const opened = await checkLiveIso(image, {
      force: true,
      kernelArguments: ['quiet'],
      architecture: 'amd64',
    });
    const problems = [medium, minimal, opened].flatMap(problemsOf);
    const shown = shownProblems(problems) + JSON.stringify(medium.ok ? medium.value?.iso : undefined);
    if (!opened.ok) return { isAccepted: false, shown };
    const made = await embedConfig(opened.value, config);
    if (!made.ok) return { isAccepted: false, shown: shown + shownProblems(made.problems) };
    const isOutside = made.value.patches.some(
      ({ offset, bytes }) => offset < 0 || offset + bytes.length > input.length,
    );
    const back = await readIsoConfig(patchedImage(image, made.value.patches));
    // Overlapping areas show up when the written image is read again.
    const isBack = !back.ok || back.value === undefined || back.value.equals(config);
    const fault = isOutside
      ? 'a patch reaches beyond the image'
      : isBack
        ? undefined
        : 'another config is read back';
    return { isAccepted: true, shown, fault };
  },
};

/** A disk image that throws for offsets and lengths that no file can have. */
function withinBounds(bytes: Buffer): DiskImage {
  const image = imageInMemory(bytes);
  return {
    bytes: image.bytes,
    read: (offset, length) => {
      if (!Number.isSafeInteger(offset) || !Number.isSafeInteger(length))
        throw new Error(`read at ${offset}, ${length} bytes: no place in a file`);
      return image.read(offset, length);
    },
  };
}

/** Contents of the embed area: cpio archives, compressed or not. The config read from it must survive writing and reading again. */
export const initrd: Target = {
  name: 'initrd',
  form: 'bytes',
  maxBytes: areaBytes,
  words: [
    '070701',
    'TRAILER!!!',
    '\u001f\u008b',
    '\u00fd7zXZ\0',
    '00000000',
    'FFFFFFFF',
    'config.ign\0',
    '../',
  ],
  seeds: () => [
    archive(config),
    gzipSync(archive(config)),
    packed,
    Buffer.concat([archive(config), Buffer.alloc(64), gzipSync(archive(config)), packed]),
    Buffer.alloc(512),
    ...keptInputs('initrd'),
  ],
  run: async (input) => {
    const read = await readInitrd(input);
    const shown = shownProblems(problemsOf(read));
    if (!read.ok) return { isAccepted: false, shown };
    const again = input.length % 16 === 0 ? await readInitrd(await packInitrd(read.value)) : read;
    const isSame =
      again.ok &&
      again.value.size === read.value.size &&
      [...read.value].every(
        ([path, { contents }]) => again.value.get(path)?.contents.equals(contents) === true,
      );
    return { isAccepted: true, shown, fault: isSame ? undefined : 'what is packed again is read otherwise' };
  },
};

/** The data of a live ISO that describes its minimal ISO. */
export const miniso: Target = {
  name: 'miniso',
  form: 'bytes',
  maxBytes: 4096,
  words: ['MINISO\0\0', '\u00fb', '\u00fc', '\u00fd', '\u00fe', '\u00ff'],
  seeds: () => [
    Buffer.concat([
      Buffer.from('MINISO\0\0\u0001\u00060.27.0\u0002', 'latin1'),
      Buffer.from([20, 30, 100, 251, 0, 1, 251, 0, 2, 251, 0, 16]),
      Buffer.alloc(32, 7),
      Buffer.from([4, 1, 2, 3, 4]),
    ]),
    ...keptInputs('miniso'),
  ],
  run: (input) => {
    const read = readMiniso(input);
    const shared = 'shared' in read ? read.shared : [];
    const isSound = shared.every(({ inMinimal, inFull, length }) =>
      [inMinimal, inFull, length].every((each) => Number.isSafeInteger(each) && each >= 0),
    );
    return {
      isAccepted: shared.length > 0,
      shown: JSON.stringify(read),
      fault: isSound ? undefined : 'a stretch has no place',
    };
  },
};
