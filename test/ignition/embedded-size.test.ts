import { describe, expect, it } from 'vitest';

import { cpioArchive, cpioType } from '../../src/formats/cpio.js';
import { xzEncode, type XzEncoder } from '../../src/formats/xz.js';
import { checkEmbeddedSize, embedAreaBytes, embeddedSize } from '../../src/ignition/embedded-size.js';
import { readTree } from '../support/read-tree.js';
import { seededBytes } from '../support/seeded-keys.js';

describe('embeddedSize', () => {
  it.each([
    { name: 'text', given: 'storage '.repeat(100_000) },
    { name: 'next to nothing', given: '{}' },
    { name: 'what cannot be packed', given: seededBytes('size', 90_000).toString('latin1') },
    { name: 'base64', given: seededBytes('size', 100_000).toString('base64') },
    { name: 'a config', given: JSON.stringify(readTree('templates/live')) },
  ])('bounds what xz makes of it where there is room: $name', async ({ given }) => {
    const { bytes, isExact } = await embeddedSize(given, xzEncode);
    const archive = cpioArchive([
      { path: 'config.ign', mode: cpioType.file | 0o600, contents: Buffer.from(given) },
    ]);
    const packed = await xzEncode(archive, 'best');

    expect(isExact).toBe(false);
    // coreos-installer adds a block.
    expect(bytes).toBeGreaterThanOrEqual(packed.length + 56);
    expect(bytes).toBeLessThanOrEqual((embedAreaBytes / 4) * 3);
  });

  it('uses the fast compression if there is enough space', async () => {
    const refuse: XzEncoder = () => Promise.reject(new Error('internal error: asked'));
    expect((await embeddedSize('{}', refuse)).isExact).toBe(false);
  });

  it('is the size itself where the area may be filled', async () => {
    const { isExact } = await embeddedSize(seededBytes('size', 200_000).toString('latin1'), xzEncode);
    expect(isExact).toBe(true);
  });
});

describe('checkEmbeddedSize', () => {
  it('accepts a config that fills the embed area', () => {
    expect(checkEmbeddedSize(embedAreaBytes)).toEqual([]);
  });

  it('rejects one byte more, with a hint', () => {
    expect(checkEmbeddedSize(262_145)).toEqual([
      {
        code: 'ignition/too-large',
        severity: 'error',
        message:
          'the Ignition config takes 262145 bytes after compression, but a live ISO has room for 262144',
        hint: 'leave out extra manifests or make them smaller, set `certificates.keyAlgorithm: ECDSA-P256` in sno-config.yaml, or boot over PXE with `coreos-installer pxe ignition wrap`, which has no limit',
      },
    ]);
  });
});
