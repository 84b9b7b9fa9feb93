import { lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { IgnitionConfig } from '../../../src/ignition/types.js';
import { realCoreosInstaller } from '../../lab/coreos-installer.js';
import { sno } from '../../support/command.js';
import { minimalInstallConfig, snoConfigText } from '../../support/minimal-config.js';
import { describeWith, isRoot } from '../../support/programs.js';
import { differencesFromConfig } from '../../support/real-ignition.js';
import { scratchFolder } from '../../support/scratch.js';
import { throwawayState } from '../../support/throwaway-state.js';
import { bootableIso, liveSystemFolder, liveSystemPrograms, slowArguments } from './live-system.js';
import { boot, fromImage, fromNetwork, networkCard, type Boot } from './qemu.js';
import { serve, type FileServer } from './serve-folders.js';

const files = {
  'install-config.yaml': minimalInstallConfig,
  'sno-config.yaml': snoConfigText('certificates: { keyAlgorithm: ECDSA-P256 }\n'),
};
const keyfile = '[connection]\nid=eno1\ntype=ethernet\n\n[ipv4]\nmethod=auto\n';
const [, diskWwn = ''] = /wwn-(0x[0-9a-f]+)/.exec(minimalInstallConfig) ?? [];

const keyfilePath = '/etc/NetworkManager/system-connections/eno1.nmconnection';

/** Packs the minimal ISO. Without it the tests of minimal ISOs are left out. */
const packer = realCoreosInstaller();

const machines = [
  {
    name: 'BIOS, from a CD',
    start: () => fromImage(join(site, 'site.iso'), 'BIOS', 'cd'),
    more: [keyfilePath],
  },
  {
    name: 'UEFI, from a memory stick',
    start: () => fromImage(join(site, 'site.iso'), 'UEFI', 'stick'),
    more: [keyfilePath],
  },
  ...(packer === undefined
    ? []
    : [
        {
          name: 'small CD by BIOS, with its root from the network',
          start: () => [...fromImage(join(site, 'small.iso'), 'BIOS', 'cd'), ...networkCard()],
          more: [keyfilePath],
        },
      ]),
  { name: 'iPXE, from the network', start: () => fromNetwork(`${network.url}/single-node.ipxe`), more: [] },
];
/** The folder of all files, and the server; both are set by the hook. */
let site = '';
let network: FileServer;

const needsRoot = isRoot() || process.env['CI'] !== undefined;
const title = 'a live image with our config, booted in QEMU';
if (needsRoot) describeWith(liveSystemPrograms, title, suite);
else describe.skip(`${title} (needs root: run the tests with sudo)`, suite);

function suite(): void {
  const made: { config?: IgnitionConfig; boots: readonly Boot[] } = { boots: [] };

  beforeAll(async () => {
    const parts = await liveSystemFolder();
    site = scratchFolder();
    for (const [name, text] of Object.entries(files)) writeFileSync(join(site, name), text);
    writeFileSync(join(site, '.sno-install-state.json'), await throwawayState(files), { mode: 0o600 });
    const held = { 'etc/coreos-firstboot-network/eno1.nmconnection': keyfile };
    bootableIso(parts, site, { held, packer });
    const create = (what: string, ...more: readonly string[]): void => {
      const args = [...more, ...slowArguments.flatMap((argument) => ['--live-karg', argument])];
      const { code, stderr } = sno(['create', what, '--console', 'ttyS0', ...args], { cwd: site });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    };
    create('single-node-iso', '--iso', 'live.iso', '--out', 'site.iso');
    const served = join(site, 'served');
    mkdirSync(served);
    network = await serve([served, parts, join(site, 'pxe')]);
    const rootfs = ['--rootfs', `${network.url}/rootfs.img`];
    // Real CoreOS brings up the network itself when it downloads its root file system. This live system needs the arguments.
    const withNetwork = [...rootfs, '--live-karg', 'ip=dhcp', '--live-karg', 'rd.neednet=1'];
    create('single-node-pxe', ...withNetwork);
    if (packer !== undefined) {
      const minimal = ['--minimal', '--rootfs-out', join(served, 'rootfs.img')];
      create('single-node-iso', '--iso', 'live.iso', '--out', 'small.iso', ...minimal, ...withNetwork);
    }
    const text = readFileSync(join(site, 'bootstrap-in-place-for-live-iso.ign'), 'utf8');
    made.config = JSON.parse(text) as IgnitionConfig;
    made.boots = await Promise.all(
      machines.map(({ name, start }) =>
        boot({ start: start(), diskWwn, folder: join(site, name.slice(0, 4)) }),
      ),
    );
  }, 25 * 60_000);

  afterAll(() => {
    network.close();
  });

  describe.each(machines.map((machine, index) => ({ ...machine, index })))('by $name', ({ index, more }) => {
    const its = (): Boot & { readonly config: IgnitionConfig } => {
      const [booted, { config }] = [made.boots[index], made];
      if (booted === undefined || config === undefined) throw new Error('no machine was booted');
      return { ...booted, config };
    };

    test('starts the kernel with our arguments', () => {
      const [, line] = /Kernel command line: (.*)/.exec(its().console) ?? [];
      expect(line).toContain(' ignition.firstboot ignition.platform.id=metal ');
      expect(line).toContain(` ${[...slowArguments, 'console=ttyS0'].join(' ')}`);
    });

    test('has exactly the files, units and users of the config', () => {
      const { laid, config } = its();
      expect(differencesFromConfig(laid, config)).toEqual(
        more.map((path) => `${path} is in no entry of the config`),
      );
      expect(JSON.parse(readFileSync(join(laid, 'etc/.ignition-result.json'), 'utf8'))).toMatchObject({
        userConfigProvided: true,
      });
    });

    test.each(more)('contains %s from outside the config', (path) => {
      const laid = join(its().laid, path);
      expect(readFileSync(laid, 'utf8')).toBe(keyfile);
      expect(lstatSync(laid).mode & 0o777).toBe(0o600);
    });

    test('checks the machine and pulls the release image', () => {
      const { console } = its();
      const said = [...console.matchAll(/sno-preflight\.sh\[\d+\]: (.*)/g)].map(([, line]) => line);
      expect(said).toContain('this machine cannot be installed:');
      expect(said.join('\n')).toContain('no network interface has an IPv4 address in machineNetwork');
      // The checks of disk name, clock and certificates pass.
      expect(said.filter((line) => /disk|clock|certificate/.test(line ?? ''))).toEqual(['stage clock']);
      expect(console).toMatch(/^unit: sno-preflight\.service +loaded +active +exited/m);
      expect(console).toMatch(/^unit: release-image\.service +loaded +activating +start/m);
      // The login prompt may precede this text on the line.
      expect(console).toMatch(/podman-asked: image exists quay\.io\/openshift-release-dev\/ocp-release:/);
    });
  });
}
