import { spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import { sno } from '../../support/command.js';
import { realCoreosInstaller } from '../../lab/coreos-installer.js';
import { makeRelease, writeStorage } from '../../payload/made-release.js';
import { payloadPlace } from '../../payload/payload-place.js';
import { minimalInstallConfig, snoConfigText } from '../../support/minimal-config.js';
import { describeWith, isRoot } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';
import { throwawayState } from '../../support/throwaway-state.js';
import { bootableIso, liveSystemFolder, liveSystemPrograms, slowArguments } from '../media/live-system.js';
import { boot, fromImage, secondDisk, type Boot } from '../media/qemu.js';

const fastKeys = 'certificates: { keyAlgorithm: ECDSA-P256 }\n';
const files = {
  'install-config.yaml': minimalInstallConfig,
  'sno-config.yaml': snoConfigText(`${fastKeys}payload: { file: x.payload, verify: Full }\n`),
};
const [, diskWwn = ''] = /wwn-(0x[0-9a-f]+)/.exec(minimalInstallConfig) ?? [];

/** The folder of all files, set by the hook. */
let site = '';

const machines = [
  { name: 'BIOS, from a CD', start: () => fromImage(join(site, 'whole.iso'), 'BIOS', 'cd'), device: 'sr0' },
  {
    name: 'BIOS, from a stick',
    start: () => fromImage(join(site, 'whole.iso'), 'BIOS', 'stick'),
    device: 'vda',
  },
  { name: 'UEFI, from a CD', start: () => fromImage(join(site, 'whole.iso'), 'UEFI', 'cd'), device: 'sr0' },
  {
    name: 'UEFI, from a stick',
    start: () => fromImage(join(site, 'whole.iso'), 'UEFI', 'stick'),
    device: 'vda',
  },
  {
    name: 'BIOS, from a CD, with the payload on a second disk',
    start: () => [
      ...fromImage(join(site, 'plain.iso'), 'BIOS', 'cd'),
      ...secondDisk(join(site, 'payload.img')),
    ],
    device: 'vda1',
  },
];

function folderOf(index: number): string {
  return join(site, `machine${index}`);
}

const needsRoot = isRoot() || process.env['CI'] !== undefined;
const title = 'a live image without a network, with a payload';
if (needsRoot) describeWith([...liveSystemPrograms, 'isoinfo'], title, suite);
else describe.skip(`${title} (needs root: run the tests with sudo)`, suite);

function suite(): void {
  const boots: Boot[] = [];
  let payloadBytes = 0;

  beforeAll(async () => {
    const parts = await liveSystemFolder();
    // The release of the live system.
    const release = await makeRelease({ version: '4.21.0', layerBytes: 1_500_000 });
    const { cwd, create } = payloadPlace(release, { version: '4.21' });
    writeStorage(join(cwd, 'mirror'), release);
    site = scratchFolder();
    const made = await create('--from', 'mirror', '--out', join(site, 'x.payload'));
    expect(made).toMatchObject({ code: 0 });
    payloadBytes = statSync(join(site, 'x.payload')).size;
    for (const [name, text] of Object.entries(files)) writeFileSync(join(site, name), text);
    writeFileSync(
      join(site, '.sno-install-state.json'),
      await throwawayState({ ...files, 'sno-config.yaml': snoConfigText(fastKeys) }),
      { mode: 0o600 },
    );
    bootableIso(parts, site);
    const run = (...args: readonly string[]): void => {
      const { code, stderr } = sno(args, { cwd: site });
      expect({ code, stderr }).toMatchObject({ code: 0 });
    };
    const arguments_ = ['--console', 'ttyS0', ...slowArguments.flatMap((each) => ['--live-karg', each])];
    const iso = ['create', 'single-node-iso', '--iso', 'live.iso', ...arguments_];
    run(...iso, '--out', 'whole.iso', '--payload', 'x.payload');
    run(...iso, '--out', 'plain.iso', '--no-payload');
    run('payload', 'write', 'x.payload', 'payload.img');
    boots.push(
      ...(await Promise.all(
        machines.map(({ start }, index) => boot({ start: start(), diskWwn, folder: folderOf(index) })),
      )),
    );
  }, 40 * 60_000);

  describe.each(machines.map((machine, index) => ({ ...machine, index })))(
    'by $name',
    ({ index, device }) => {
      test('finds the whole payload, mounts it and loads the registry image', () => {
        const { console } = boots[index] ?? { console: '' };
        const offset = device === 'vda1' ? 0 : statSync(join(site, 'whole.iso')).size - payloadBytes;
        expect(console).toContain(
          `images come from the payload x.payload on /dev/${device} at byte ${offset}\n`,
        );
        expect(console).toMatch(/podman-asked: pull --quiet dir:\S+\/images\/registry$/m);
      });
    },
  );

  test('is the ISO without the payload for other programs', () => {
    const list = (iso: string): string =>
      spawnSync('isoinfo', ['-l', '-R', '-i', iso], { cwd: site, encoding: 'utf8' }).stdout;
    expect(list('whole.iso')).toBe(list('plain.iso'));
    const report = (iso: string): string =>
      spawnSync('xorriso', ['-indev', iso, '-report_el_torito', 'plain'], { cwd: site, encoding: 'utf8' })
        .stdout;
    expect(report('whole.iso')).toContain('El Torito');
    expect(report('whole.iso')).toBe(report('plain.iso'));
  });

  const installer = realCoreosInstaller();
  test.skipIf(installer === undefined)('contains the config for coreos-installer', () => {
    const shown = spawnSync(installer ?? '', ['iso', 'ignition', 'show', 'whole.iso'], {
      cwd: site,
      encoding: 'utf8',
    });
    expect(shown.stdout).toBe(readFileSync(join(site, 'bootstrap-in-place-for-live-iso.ign'), 'utf8'));
  });
}
