import { spawnSync } from 'node:child_process';

import { expect, test } from 'vitest';

import { grubEntry } from '../../../src/media/pxe-scripts.js';
import { pxeSources } from '../../../src/media/pxe-sources.js';
import { describeWith, pathOfProgram } from '../../support/programs.js';
import { expectOk } from '../../support/sound-value.js';

describeWith(['grub-script-check'], 'the entry for GRUB', () => {
  test.each([
    { rootfs: 'http://192.0.2.1/rootfs.img', words: [] },
    {
      rootfs: 'http://[2001:db8::1]:8080/a;b&c/{d}|(e)/rootfs.img',
      words: ['a=;', 'b={', 'c=$d', 'e=&', '#f', 'g=(|)'],
    },
  ])('is a script to GRUB: $rootfs', ({ rootfs, words }) => {
    const entry =
      grubEntry(expectOk(pxeSources({ rootfs }, undefined)), { added: words, hasPayload: false }) ?? '';
    const { status, stderr } = spawnSync(pathOfProgram('grub-script-check') ?? '', [], {
      input: entry,
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});
