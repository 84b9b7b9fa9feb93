import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import { realCoreosInstaller } from '../../lab/coreos-installer.js';
import { liveFiles } from '../../media/support/live-iso.js';
import { description, packedIso } from '../../media/support/miniso.js';
import { sno } from '../../support/command.js';
import { describeWithIsos, isoFixture } from '../../support/iso-fixtures.js';
import { minimalInstallConfig } from '../../support/minimal-config.js';
import { describeWith, pathOfProgram } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';
import { seededBytes } from '../../support/seeded-keys.js';
import { throwawayState } from '../../support/throwaway-state.js';

const url = 'http://192.0.2.1/rootfs.img';
const keyfile = '[connection]\nid=eno1\ntype=ethernet\n\n[ipv4]\nmethod=auto\n';
const snoConfig =
  'apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\n' +
  'certificates: { keyAlgorithm: ECDSA-P256 }\nnetwork: { keyfiles: [eno1.nmconnection] }\n';

/** A directory with stored keys; each test copies it. */
const site = { folder: '' };
beforeAll(async () => {
  site.folder = scratchFolder();
  const files = {
    'install-config.yaml': minimalInstallConfig,
    'sno-config.yaml': snoConfig,
    'eno1.nmconnection': keyfile,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(site.folder, name), text);
  writeFileSync(join(site.folder, '.sno-install-state.json'), await throwawayState(files), { mode: 0o600 });
});

/** Runs `--minimal` for an image and returns the folder. */
function made(iso: Buffer): string {
  const folder = scratchFolder();
  cpSync(site.folder, folder, { recursive: true });
  writeFileSync(join(folder, 'live.iso'), iso);
  const args = ['--iso', 'live.iso', '--out', 'out.iso', '--minimal', '--rootfs', url, '--force'];
  const { code, stderr } = sno(['create', 'single-node-iso', ...args, '--rootfs-out', 'rootfs.img'], {
    cwd: folder,
  });
  expect({ code, stderr: stderr.replace(/^warning.*$/gm, '') }).toMatchObject({ code: 0 });
  return folder;
}

const real = realCoreosInstaller();
const title = 'as coreos-installer makes it (needs test/lab/build-coreos-installer)';

/** A suite that needs the real coreos-installer. Without it the suite is skipped; in CI another test reports that. */
function describeWithReal(tests: () => void): void {
  if (real !== undefined) describe(title, tests);
  else if (process.env['CI'] === undefined) describe.skip(title, tests);
}

function run(folder: string, ...args: readonly string[]): Buffer {
  const { status, stdout, stderr } = spawnSync(real ?? '', args, { cwd: folder, maxBuffer: 2 ** 28 });
  expect({ args, status, stderr: status === 0 ? '' : stderr.toString() }).toMatchObject({ status: 0 });
  return stdout;
}

/** Compares the minimal ISO, byte for byte, with the one that coreos-installer extracts from the same image. */
function expectTheSame(folder: string): void {
  const read = (name: string): Buffer => readFileSync(join(folder, name));
  const extract = ['iso', 'extract', 'minimal-iso', 'live.iso', 'theirs.iso', '--rootfs-url', url];
  run(folder, ...extract, '--output-rootfs', 'theirs.img');

  expect(read('rootfs.img').equals(read('theirs.img'))).toBe(true);
  expect(run(folder, 'iso', 'kargs', 'show', 'out.iso').toString()).toMatch(
    new RegExp(` coreos\\.live\\.rootfs_url=${url}\\n$`),
  );
  const config = read('bootstrap-in-place-for-live-iso.ign');
  expect(run(folder, 'iso', 'ignition', 'show', 'out.iso').equals(config)).toBe(true);
  run(folder, 'iso', 'network', 'extract', '-C', 'network', 'out.iso');
  expect(read('network/eno1.nmconnection').toString()).toBe(keyfile);
  // Without the embedded files both images are equal.
  run(folder, 'iso', 'ignition', 'remove', 'out.iso');
  run(folder, 'iso', 'network', 'remove', 'out.iso');
  expect(read('out.iso').equals(read('theirs.iso'))).toBe(true);
}

/** Extracts a file of an image with xorriso; undefined if it does not exist. */
function byXorriso(folder: string, iso: string, file: string): Buffer | undefined {
  const args = ['-osirrox', 'on', '-indev', iso, '-extract', file, 'taken'];
  const { status } = spawnSync(pathOfProgram('xorriso') ?? '', args, { cwd: folder });
  return status === 0 ? readFileSync(join(folder, 'taken')) : undefined;
}

describeWith(['xorriso', 'xz'], 'a minimal live image', () => {
  describeWithIsos('of CoreOS', (names) => {
    const packed = names.filter((name) => !/2020|s390x/.test(name));

    test('is without the root file system, as xorriso sees it', () => {
      const folder = made(isoFixture(packed.at(-1) ?? ''));
      const [rootfs, kernel] = ['/images/pxeboot/rootfs.img', '/images/pxeboot/vmlinuz'];
      expect(byXorriso(folder, 'live.iso', rootfs)).toEqual(readFileSync(join(folder, 'rootfs.img')));
      expect(byXorriso(folder, 'out.iso', rootfs)).toBeUndefined();
      expect(byXorriso(folder, 'out.iso', kernel)).toEqual(byXorriso(folder, 'live.iso', kernel));
    });

    describeWithReal(() => {
      test.each(packed)('%s', (name) => {
        expectTheSame(made(isoFixture(name)));
      });
    });
  });
});

/** A full and a minimal image of a tree, with the minimal one packed into the full one. Their common files have the same offsets. */
function packedByXorriso(folder: string, options: readonly string[]): Buffer {
  const files = {
    ...liveFiles,
    'COREOS/KARGS.JSO': description,
    'COREOS/MINISO.DAT': Buffer.alloc(16 * 1024),
    'IMAGES/EFIBOOT.IMG': seededBytes('efi', 1_474_560),
    'IMAGES/PXEBOOT/INITRD.IMG': seededBytes('initrd', 3_000_000),
    'IMAGES/PXEBOOT/ROOTFS.IMG': seededBytes('rootfs', 9_000_000),
  };
  for (const [path, bytes] of Object.entries(files)) {
    const file = join(folder, 'tree', path.toLowerCase().replace(/\.jso$/, '.json'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
  const pack = (name: string): void => {
    const volume = ['-V', 'rhcos-9.6.20250523-0', '-iso-level', '1'];
    const args = ['-as', 'mkisofs', '-quiet', ...volume, ...options, '-o', name, 'tree'];
    const { status, stderr } = spawnSync(pathOfProgram('xorriso') ?? '', args, {
      cwd: folder,
      encoding: 'utf8',
    });
    expect({ status, stderr }).toMatchObject({ status: 0 });
  };
  pack('full.iso');
  for (const name of ['images/pxeboot/rootfs.img', 'coreos/miniso.dat']) rmSync(join(folder, 'tree', name));
  pack('small.iso');
  run(folder, 'pack', 'minimal-iso', 'full.iso', 'small.iso');
  return readFileSync(join(folder, 'full.iso'));
}

describeWith(['xorriso'], 'a minimal image that coreos-installer packs', () => {
  const layouts: readonly (readonly [name: string, options: readonly string[]])[] = [
    ['plain', ['-e', 'images/efiboot.img', '-no-emul-boot']],
    [
      'hybrid, for UEFI, with Rock Ridge and Joliet',
      [
        '-R',
        '-J',
        '-eltorito-alt-boot',
        '-e',
        'images/efiboot.img',
        '-no-emul-boot',
        '-isohybrid-gpt-basdat',
      ],
    ],
  ];
  describeWithReal(() => {
    test.each(layouts)('%s', (_name, options) => {
      const tree = scratchFolder();
      const folder = made(packedByXorriso(tree, options));

      expectTheSame(folder);
      expect(statSync(join(folder, 'out.iso')).size).toBe(statSync(join(tree, 'small.iso')).size);
    });

    test('and so it is with those that other tests pack', async () => {
      expectTheSame(made((await packedIso()).full));
    });
  });
});
