import { describe, expect, it } from 'vitest';

import { checkEmbeddedSize, embedAreaBytes } from '../../src/ignition/size.js';

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
