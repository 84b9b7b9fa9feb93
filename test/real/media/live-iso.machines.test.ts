import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { beforeAll, describe, expect, it, test } from 'vitest';

import { realCoreosInstaller } from '../../lab/coreos-installer.js';
import { sno } from '../../support/command.js';
import { describeWithIsos, isoFixture } from '../../support/iso-fixtures.js';
import { minimalInstallConfig, snoConfigText } from '../../support/minimal-config.js';
import { describeWith, pathOfProgram } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';
import { seededBytes } from '../../support/seeded-keys.js';
import { throwawayState } from '../../support/throwaway-state.js';
import { areaBytes, liveFiles } from '../../media/support/live-iso.js';

/** A directory with stored keys; each test copies it. */
const site = { folder: '' };
beforeAll(async () => {
  site.folder = scratchFolder();
  const files = {
    'install-config.yaml': minimalInstallConfig,
    'sno-config.yaml': snoConfigText('certificates: { keyAlgorithm: ECDSA-P256 }\n'),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(site.folder, name), text);
  writeFileSync(join(site.folder, '.sno-install-state.json'), await throwawayState(files), { mode: 0o600 });
});

/** Runs `create single-node-iso` for an image in a new folder. Returns the folder and the embedded config. */
function made(iso: Buffer, ...more: readonly string[]): { readonly folder: string; readonly config: Buffer } {
  const folder = scratchFolder();
  cpSync(site.folder, folder, { recursive: true });
  writeFileSync(join(folder, 'live.iso'), iso);
  const { code, stderr } = sno(
    ['create', 'single-node-iso', '--iso', 'live.iso', '--out', 'out.iso', '--force', ...more],
    {
      cwd: folder,
    },
  );
  expect({ code, stderr: stderr.replace(/^warning.*$/gm, '') }).toMatchObject({ code: 0 });
  return { folder, config: readFileSync(join(folder, 'bootstrap-in-place-for-live-iso.ign')) };
}

/** Extracts the embedded archive with xz and GNU cpio. */
function byGnu(folder: string): Buffer {
  const image = readFileSync(join(folder, 'out.iso'));
  const at = image.indexOf(Buffer.from('fd377a585a000001', 'hex'));
  const unpacked = spawnSync(pathOfProgram('xz') ?? '', ['-dc', '--single-stream'], {
    input: image.subarray(at),
    maxBuffer: 64 * 1024 * 1024,
  }).stdout;
  return spawnSync(pathOfProgram('cpio') ?? '', ['-i', '--to-stdout', '--quiet', 'config.ign'], {
    input: unpacked,
    maxBuffer: 64 * 1024 * 1024,
  }).stdout;
}

describeWith(['xz', 'cpio'], 'a live image', () => {
  describeWithIsos('of CoreOS', (names) => {
    test.each(names.filter((name) => !name.includes('s390x')))(
      '%s gives GNU cpio the config back',
      (name) => {
        const { folder, config } = made(isoFixture(name));
        expect(byGnu(folder).equals(config)).toBe(true);
      },
    );

    const real = realCoreosInstaller();
    const suite = real === undefined && process.env['CI'] === undefined ? describe.skip : describe;
    if (real !== undefined || process.env['CI'] === undefined) {
      suite('as coreos-installer sees it (needs test/lab/build-coreos-installer)', () => {
        const run = (folder: string, ...args: readonly string[]): Buffer =>
          spawnSync(real ?? '', ['iso', ...args], { cwd: folder, maxBuffer: 64 * 1024 * 1024 }).stdout;

        test.each(names.filter((name) => !name.includes('s390x')))('%s', (name) => {
          const hasArguments = !/2020/.test(name);
          const { folder, config } = made(
            isoFixture(name),
            ...(hasArguments ? ['--live-karg', 'a.b=c', '--console', 'ttyS0', '--dest-karg', 'd'] : []),
          );
          const kargs = (file: string): string => run(folder, 'kargs', 'show', file).toString().trim();

          expect(run(folder, 'ignition', 'show', 'out.iso').equals(config)).toBe(true);
          if (hasArguments) expect(kargs('out.iso')).toBe(`${kargs('live.iso')} a.b=c console=ttyS0`);
          // Removing the embedded files restores the original image.
          run(folder, 'ignition', 'remove', 'out.iso');
          if (hasArguments) run(folder, 'kargs', 'reset', 'out.iso');
          expect(readFileSync(join(folder, 'out.iso')).equals(readFileSync(join(folder, 'live.iso')))).toBe(
            true,
          );
        });

        it('wraps the same archive for the network', () => {
          const folder = scratchFolder();
          cpSync(site.folder, folder, { recursive: true });
          const rootfs = ['--rootfs', 'http://192.0.2.1/rootfs.img'];
          expect(sno(['create', 'single-node-pxe', ...rootfs], { cwd: folder }).code).toBe(0);
          const config = 'bootstrap-in-place-for-live-iso.ign';
          const pxe = (...args: readonly string[]): Buffer =>
            spawnSync(real ?? '', ['pxe', 'ignition', ...args], { cwd: folder, maxBuffer: 2 ** 26 }).stdout;
          pxe('wrap', '-i', config, '-o', 'theirs.img');
          const unpacked = (file: string): string =>
            spawnSync(pathOfProgram('xz') ?? '', ['-dc', file], {
              cwd: folder,
              maxBuffer: 2 ** 26,
            }).stdout.toString();

          expect(unpacked('pxe/single-node-initrd.img')).toContain('config.ign');
          expect(unpacked('pxe/single-node-initrd.img')).toBe(unpacked('theirs.img'));
          expect(pxe('unwrap', 'pxe/single-node-initrd.img').equals(readFileSync(join(folder, config)))).toBe(
            true,
          );
        });

        it('embeds the same archive into the same place', () => {
          const [name = ''] = names.filter((each) => each.includes('2023-07'));
          const { folder } = made(isoFixture(name));
          copyFileSync(join(folder, 'live.iso'), join(folder, 'theirs.iso'));
          run(folder, 'ignition', 'embed', '-i', 'bootstrap-in-place-for-live-iso.ign', 'theirs.iso');
          const unpacked = (file: string): Buffer => {
            const image = readFileSync(join(folder, file));
            const input = image.subarray(image.indexOf(Buffer.from('fd377a585a000001', 'hex')));
            return spawnSync(pathOfProgram('xz') ?? '', ['-dc', '--single-stream'], {
              input,
              maxBuffer: 2 ** 26,
            }).stdout;
          };
          expect(unpacked('out.iso').equals(unpacked('theirs.iso'))).toBe(true);
        });
      });
    }
  });
});

describeWith(['xorriso', 'xz', 'cpio'], 'an image that xorriso makes', () => {
  const layouts: readonly (readonly [name: string, options: readonly string[]])[] = [
    ['plain', ['-e', 'images/efiboot.img', '-no-emul-boot']],
    ['with Rock Ridge and Joliet', ['-R', '-J', '-e', 'images/efiboot.img', '-no-emul-boot']],
    [
      'hybrid, for UEFI',
      ['-R', '-eltorito-alt-boot', '-e', 'images/efiboot.img', '-no-emul-boot', '-isohybrid-gpt-basdat'],
    ],
  ];
  test.each(layouts)('%s: stores a config and returns it', (_name, options) => {
    const tree = scratchFolder();
    const files = {
      ...liveFiles,
      'IMAGES/EFIBOOT.IMG': seededBytes('efi', 1_474_560),
      'IMAGES/IGNITION.IMG': Buffer.alloc(areaBytes),
    };
    for (const [path, bytes] of Object.entries(files)) {
      // File names as in the sources of such an image.
      const file = join(tree, 'tree', path.toLowerCase().replace(/\.jso$/, '.json'));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes);
    }
    const volume = ['-V', 'rhcos-9.6.20250523-0', '-iso-level', '1'];
    const { status, stderr } = spawnSync(
      pathOfProgram('xorriso') ?? '',
      ['-as', 'mkisofs', '-quiet', ...volume, ...options, '-o', 'live.iso', 'tree'],
      { cwd: tree, encoding: 'utf8' },
    );
    expect({ status, stderr }).toMatchObject({ status: 0 });

    const { folder, config } = made(readFileSync(join(tree, 'live.iso')), '--live-karg', 'a.b=c');

    expect(byGnu(folder).equals(config)).toBe(true);
    expect(readFileSync(join(folder, 'out.iso'), 'latin1').match(/metal a\.b=c\n#/g)).toHaveLength(2);
  });
});
