import { describe, expect, test } from 'vitest';

import { problemsOf, type Result } from '../../src/core/result.js';
import {
  readOverlayConfig,
  checkPxe,
  pxeFiles,
  type CheckedPxe,
  type PxeOptions,
} from '../../src/media/single-node-pxe.js';
import { readInitrd } from '../../src/media/initrd.js';
import type { PxeSourceOptions } from '../../src/media/pxe-sources.js';
import { expectOk } from '../support/sound-value.js';

const at = 'http://192.0.2.1/live';

function open(rootfs: string, more: Partial<PxeOptions & PxeSourceOptions> = {}): Result<CheckedPxe> {
  return checkPxe({
    given: { ...more, rootfs },
    kernelArguments: [],
    force: false,
    hasPayload: false,
    ...more,
  });
}

function codesOf(result: Result<unknown>): readonly string[] {
  return problemsOf(result).map(({ code }) => code);
}

describe('derives the file names from that of the root file system', () => {
  test.each([
    {
      name: 'as downloaded',
      rootfs: 'rhcos-4.18.1-x86_64-live-rootfs.x86_64.img',
      want: ['rhcos-4.18.1-x86_64-live-kernel-x86_64', 'rhcos-4.18.1-x86_64-live-initramfs.x86_64.img'],
    },
    {
      name: 'by the name of its build',
      rootfs: 'rhcos-418.94.202501221327-0-live-rootfs.aarch64.img',
      want: [
        'rhcos-418.94.202501221327-0-live-kernel-aarch64',
        'rhcos-418.94.202501221327-0-live-initramfs.aarch64.img',
      ],
    },
    {
      name: 'of plain CoreOS',
      rootfs: 'rhcos-9.6.20250523-0-live-rootfs.x86_64.img',
      want: ['rhcos-9.6.20250523-0-live-kernel.x86_64', 'rhcos-9.6.20250523-0-live-initramfs.x86_64.img'],
    },
    {
      name: 'of plain CoreOS, by the release',
      rootfs: 'rhcos-4.19.0-x86_64-live-rootfs.x86_64.img',
      want: ['rhcos-4.19.0-x86_64-live-kernel.x86_64', 'rhcos-4.19.0-x86_64-live-initramfs.x86_64.img'],
    },
    {
      name: 'of CentOS Stream CoreOS',
      rootfs: 'scos-10.0.20250628-0-live-rootfs.x86_64.img',
      want: ['scos-10.0.20250628-0-live-kernel.x86_64', 'scos-10.0.20250628-0-live-initramfs.x86_64.img'],
    },
    { name: 'taken from an ISO', rootfs: 'site-rootfs.img', want: ['site-vmlinuz', 'site-initrd.img'] },
    { name: 'bare', rootfs: 'rootfs.img', want: ['vmlinuz', 'initrd.img'] },
  ])('$name', ({ rootfs, want }) => {
    const { sources } = expectOk(open(`${at}/${rootfs}`));
    expect([sources.kernel.href, sources.initrd.href]).toEqual(want.map((name) => `${at}/${name}`));
    expect(sources.overlay.href).toBe(`${at}/single-node-initrd.img`);
  });

  test.each([
    { release: '4.18', want: 'rhcos-live-kernel-x86_64' },
    { release: '4.19', want: 'rhcos-live-kernel.x86_64' },
    { release: undefined, want: 'rhcos-live-kernel.x86_64' },
  ])('and by the release, $release, where the name has none', ({ release, want }) => {
    const opened = open(`${at}/rhcos-live-rootfs.x86_64.img`, { ...(release !== undefined && { release }) });
    expect(expectOk(opened).sources.kernel.href).toBe(`${at}/${want}`);
  });

  test('unless it is given', () => {
    const given = { kernel: 'http://a/k', initrd: 'https://b/i', overlay: 'http://c/o' };
    const { sources } = expectOk(open(`${at}/anything`, given));
    expect([sources.kernel.href, sources.initrd.href, sources.overlay.href]).toEqual(Object.values(given));
  });
});

describe('before files are written', () => {
  test.each([
    { name: 'no URL', rootfs: 'rootfs.img', more: {}, codes: ['media/pxe-source'] },
    { name: 'a file', rootfs: 'file:///rootfs.img', more: {}, codes: ['media/pxe-source'] },
    { name: 'a blank', rootfs: `${at}/a rootfs.img`, more: {}, codes: ['media/pxe-source'] },
    {
      name: 'a variable of iPXE',
      rootfs: `${at}/\${net0/mac}/rootfs.img`,
      more: {},
      codes: ['media/pxe-source'],
    },
    {
      name: 'a login',
      rootfs: 'http://me:secret@192.0.2.1/rootfs.img',
      more: {},
      codes: ['media/pxe-source'],
    },
    { name: 'a query', rootfs: `${at}/rootfs.img?token=secret`, more: {}, codes: ['media/pxe-source'] },
    { name: 'a folder', rootfs: `${at}/`, more: {}, codes: ['media/pxe-source'] },
    { name: 'another name', rootfs: `${at}/root`, more: {}, codes: ['media/pxe-source', 'media/pxe-source'] },
    {
      name: 'another architecture',
      rootfs: `${at}/rhcos-live-rootfs.aarch64.img`,
      more: { architecture: 'amd64' },
      codes: ['media/architecture'],
    },
    {
      name: 'a machine without such loaders',
      rootfs: `${at}/rhcos-live-rootfs.s390x.img`,
      more: { architecture: 's390x' },
      codes: ['media/architecture'],
    },
    {
      name: 'Fedora CoreOS',
      rootfs: `${at}/fedora-coreos-42.20250609.3.0-live-rootfs.x86_64.img`,
      more: { release: '4.20' },
      codes: ['media/release'],
    },
    {
      name: 'another release',
      rootfs: `${at}/rhcos-4.18.1-x86_64-live-rootfs.x86_64.img`,
      more: { release: '4.20' },
      codes: ['media/release'],
    },
    {
      name: 'a kernel of another release',
      rootfs: `${at}/rootfs.img`,
      more: { release: '4.20', kernel: `${at}/rhcos-4.18.1-x86_64-live-kernel-x86_64`, initrd: `${at}/i` },
      codes: ['media/release'],
    },
    {
      name: 'an initramfs of another build',
      rootfs: `${at}/rhcos-9.6.20250523-0-live-rootfs.x86_64.img`,
      more: { initrd: `${at}/rhcos-9.6.20251023-0-live-initramfs.x86_64.img` },
      codes: ['media/release'],
    },
    {
      name: 'a kernel for another machine',
      rootfs: `${at}/rootfs.img`,
      more: { architecture: 'amd64', kernel: `${at}/rhcos-live-kernel.aarch64`, initrd: `${at}/i` },
      codes: ['media/architecture'],
    },
    {
      name: 'an image of OKD for another release',
      rootfs: `${at}/scos-10.0.20250628-0-live-rootfs.x86_64.img`,
      more: { isOkd: false },
      codes: ['media/release'],
    },
    {
      name: 'a quote',
      rootfs: `${at}/rootfs.img`,
      more: { kernelArguments: ['a="b"'] },
      codes: ['media/kernel-arguments'],
    },
    {
      name: 'a variable',
      rootfs: `${at}/rootfs.img`,
      more: { kernelArguments: ['a=${ip}'] },
      codes: ['media/kernel-arguments'],
    },
  ])('reports $name', ({ rootfs, more, codes }) => {
    const opened = open(rootfs, more);
    expect(codesOf(opened)).toEqual(codes);
    expect(JSON.stringify(problemsOf(opened))).not.toContain('secret');
  });
});

test('names the files of different builds, and --force accepts them', () => {
  const rootfs = `${at}/rhcos-9.6.20250523-0-live-rootfs.x86_64.img`;
  const more = { kernel: `${at}/rhcos-9.6.20251023-0-live-kernel.x86_64` };
  expect(problemsOf(open(rootfs, more)).map(({ message }) => message)).toEqual([
    'the kernel at --kernel is of "rhcos-9.6.20251023-0", but the root file system at --rootfs is of "rhcos-9.6.20250523-0"',
  ]);
  expect(codesOf(open(rootfs, { ...more, force: true, release: '4.18', isOkd: true }))).toEqual([]);
});

describe('written files', () => {
  const config = Buffer.from('{"ignition":{"version":"3.2.0"}}\n');
  const textsOf = async (opened: Result<CheckedPxe>): Promise<Readonly<Record<string, string>>> => {
    const files = await pxeFiles(expectOk(opened), config);
    return Object.fromEntries(files.map(({ path, contents }) => [path, Buffer.from(contents).toString()]));
  };

  test('include an overlay with the config', async () => {
    const [overlay] = await pxeFiles(expectOk(open(`${at}/rootfs.img`)), config);
    expect(overlay).toMatchObject({ path: 'single-node-initrd.img', mode: 0o600 });
    expect(await readOverlayConfig(Buffer.from(overlay?.contents ?? ''))).toEqual(config);
    expect(await readOverlayConfig(Buffer.from('nothing of the kind'))).toBeUndefined();
  });

  test('and the network of the config, which the live system needs before it can read that', async () => {
    const contents = { source: 'data:,%5Bipv4%5D%0Amethod=auto%0A' };
    const files = ['system-connections/eno1.nmconnection', 'conf.d/a.conf'].map((name) => ({
      path: `/etc/NetworkManager/${name}`,
      contents,
    }));
    const networked = Buffer.from(JSON.stringify({ ignition: { version: '3.2.0' }, storage: { files } }));
    const [overlay] = await pxeFiles(expectOk(open(`${at}/rootfs.img`)), networked);
    const held = expectOk(await readInitrd(Buffer.from(overlay?.contents ?? '')));

    expect([...held.keys()]).toEqual(['config.ign', 'etc/coreos-firstboot-network/eno1.nmconnection']);
    expect(held.get('etc/coreos-firstboot-network/eno1.nmconnection')).toMatchObject({
      mode: 0o100_600,
      contents: Buffer.from('[ipv4]\nmethod=auto\n'),
    });
  });

  test('a script for iPXE and an entry for GRUB', async () => {
    const texts = await textsOf(
      open('http://[2001:db8::1]:8080/live/rootfs.img', { kernelArguments: ['console=ttyS0', 'a=1,2'] }),
    );
    const words = 'ignition.firstboot ignition.platform.id=metal console=ttyS0 a=1,2';
    const base = 'http://[2001:db8::1]:8080/live';
    expect(texts['single-node.ipxe']?.split('\n').slice(2)).toEqual([
      `kernel ${base}/vmlinuz initrd=main initrd=config coreos.live.rootfs_url=${base}/rootfs.img ${words}`,
      `initrd --name main ${base}/initrd.img`,
      `initrd --name config ${base}/single-node-initrd.img`,
      'boot',
      '',
    ]);
    const quotedWords = words.split(' ').map((word) => `'${word}'`);
    expect(texts['single-node-grub.cfg']?.split('\n').slice(1)).toEqual([
      "menuentry 'Install single-node OpenShift' --id sno-install {",
      `  linux '(http,[2001:db8::1],8080)/live/vmlinuz' 'coreos.live.rootfs_url=${base}/rootfs.img' ${quotedWords.join(' ')}`,
      "  initrd '(http,[2001:db8::1],8080)/live/initrd.img' '(http,[2001:db8::1],8080)/live/single-node-initrd.img'",
      '}',
      '',
    ]);
  });

  test('a note on the console for a site with a payload', async () => {
    const texts = await textsOf(open(`${at}/rootfs.img`, { hasPayload: true }));
    const note = [
      'echo This site installs from a payload, which a network boot does not contain.',
      'echo The machine needs it on a disk or USB stick: sno-install payload write',
    ];
    expect(texts['single-node.ipxe']?.split('\n').slice(2, 4)).toEqual(note);
    expect(texts['single-node-grub.cfg']?.split('\n').slice(2, 4)).toEqual(
      note.map((line) => line.replace(/^echo (.*)$/, "  echo '$1'")),
    );
  });

  test('no entry for GRUB, which has no TLS, where it would load by https', async () => {
    expect(Object.keys(await textsOf(open('https://192.0.2.1/rootfs.img')))).toEqual([
      'single-node-initrd.img',
      'single-node.ipxe',
    ]);
    const http = { kernel: `${at}/k`, initrd: `${at}/i`, overlay: `${at}/o` };
    expect(Object.keys(await textsOf(open('https://192.0.2.1/rootfs.img', http)))).toContain(
      'single-node-grub.cfg',
    );
  });
});
