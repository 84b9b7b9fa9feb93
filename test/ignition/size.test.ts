import { describe, expect, it } from 'vitest';

import { loadXzEncoder } from '../../src/formats/xz.js';
import { checkEmbeddedSize, embedAreaBytes, embeddedSize, roomySize } from '../../src/ignition/size.js';
import { readTree } from '../support/read-tree.js';
import { seededBytes } from '../support/seeded-keys.js';

describe('roomySize', () => {
  it.each([
    { name: 'text', given: 'storage '.repeat(100_000) },
    { name: 'what cannot be packed', given: seededBytes('size', 190_000).toString('latin1') },
    { name: 'base64', given: seededBytes('size', 100_000).toString('base64') },
    { name: 'a config', given: JSON.stringify(readTree('templates/live')) },
  ])('leaves xz the room it takes: $name', async ({ given }) => {
    const roomy = roomySize(given);
    const { bytes } = await embeddedSize(given, await loadXzEncoder());

    expect(roomy === undefined || roomy.bytes <= (embedAreaBytes / 4) * 3).toBe(true);
    expect(roomy === undefined || bytes <= embedAreaBytes).toBe(true);
  });

  it('is not told where the area may be filled', () => {
    expect(roomySize(seededBytes('size', 200_000).toString('latin1'))).toBeUndefined();
  });
});

describe('checkEmbeddedSize', () => {
  it('takes what fills the embed area', () => {
    expect(checkEmbeddedSize(embedAreaBytes)).toEqual([]);
  });

  it('refuses one byte more and says what to do', () => {
    expect(checkEmbeddedSize(262_145)).toEqual([
      {
        code: 'ignition/too-large',
        severity: 'error',
        message:
          'the Ignition config takes 262145 bytes after compression, and a live ISO has room for 262144',
        hint: 'leave out extra manifests or make them smaller, set `certificates.keyAlgorithm: ECDSA-P256` in sno-config.yaml, or boot over PXE with `coreos-installer pxe ignition wrap`, which has no limit',
      },
    ]);
  });
});
