import { lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import type { IgnitionConfig } from '../../../src/ignition/types.js';
import { sno } from '../../support/command.js';
import { minimalInstallConfig, snoConfigText } from '../../support/minimal-config.js';
import { describeWith, isRoot } from '../../support/programs.js';
import { differencesFromConfig } from '../../support/real-ignition.js';
import { scratchFolder } from '../../support/scratch.js';
import { throwawayState } from '../../support/throwaway-state.js';
import { bootableIso, liveSystemFolder, liveSystemPrograms } from './live-system.js';
import { boot, type Boot } from './qemu.js';

const files = {
  'install-config.yaml': minimalInstallConfig,
  'sno-config.yaml': snoConfigText('certificates: { keyAlgorithm: ECDSA-P256 }\n'),
};
const keyfile = '[connection]\nid=eno1\ntype=ethernet\n\n[ipv4]\nmethod=auto\n';
const [, diskWwn = ''] = /wwn-(0x[0-9a-f]+)/.exec(minimalInstallConfig) ?? [];

const liveArguments = [
  'console=ttyS0',
  // What fails turns the machine off.
  'rd.emergency=poweroff',
  'panic=1',
  // On a busy core without acceleration the kernel may find that its timer does not tick in time.
  'no_timer_check',
];

const machines = [
  { firmware: 'BIOS', medium: 'cd' },
  { firmware: 'UEFI', medium: 'stick' },
] as const;

const needsRoot = isRoot() || process.env['CI'] !== undefined;
const title = 'a live image with our config, booted in QEMU';
if (needsRoot) describeWith(liveSystemPrograms, title, suite);
else describe.skip(`${title} (needs root: run the tests with sudo)`, suite);

function suite(): void {
  const made: { config?: IgnitionConfig; boots: readonly Boot[] } = { boots: [] };

  beforeAll(async () => {
    const parts = await liveSystemFolder();
    const site = scratchFolder();
    for (const [name, text] of Object.entries(files)) writeFileSync(join(site, name), text);
    writeFileSync(join(site, '.sno-install-state.json'), await throwawayState(files), { mode: 0o600 });
    bootableIso(parts, site, { 'etc/coreos-firstboot-network/eno1.nmconnection': keyfile });
    const { code, stderr } = sno(
      [
        ...['create', 'single-node-iso', '--iso', 'live.iso', '--out', 'site.iso'],
        ...liveArguments.flatMap((argument) => ['--live-karg', argument]),
      ],
      { cwd: site },
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    made.config = JSON.parse(
      readFileSync(join(site, 'bootstrap-in-place-for-live-iso.ign'), 'utf8'),
    ) as IgnitionConfig;
    made.boots = await Promise.all(
      machines.map((machine) =>
        boot({ ...machine, iso: join(site, 'site.iso'), diskWwn, folder: join(site, machine.firmware) }),
      ),
    );
  }, 25 * 60_000);

  describe.each(machines.map((machine, index) => ({ ...machine, index })))(
    'by $firmware from a $medium',
    ({ index }) => {
      const its = (): Boot & { readonly config: IgnitionConfig } => {
        const [booted, { config }] = [made.boots[index], made];
        if (booted === undefined || config === undefined) throw new Error('no machine was booted');
        return { ...booted, config };
      };

      test('starts the kernel with our arguments', () => {
        const [, line] = /Kernel command line: (.*)/.exec(its().console) ?? [];
        expect(line?.endsWith(` ignition.platform.id=metal ${liveArguments.join(' ')}`)).toBe(true);
      });

      test('has every file, unit and user that the config says laid by Ignition, and nothing else', () => {
        const { laid, config } = its();
        expect(differencesFromConfig(laid, config)).toEqual([
          '/etc/NetworkManager/system-connections/eno1.nmconnection is in no entry of the config',
        ]);
        expect(JSON.parse(readFileSync(join(laid, 'etc/.ignition-result.json'), 'utf8'))).toMatchObject({
          userConfigProvided: true,
        });
      });

      test('has the network file that stood beside the config', () => {
        const path = join(its().laid, 'etc/NetworkManager/system-connections/eno1.nmconnection');
        expect(readFileSync(path, 'utf8')).toBe(keyfile);
        expect(lstatSync(path).mode & 0o777).toBe(0o600);
      });

      test('looks at the machine, and asks for the release image', () => {
        const { console } = its();
        const said = [...console.matchAll(/sno-preflight\.sh\[\d+\]: (.*)/g)].map(([, line]) => line);
        expect(said).toContain('this machine will not become a cluster as it is:');
        expect(said.join('\n')).toContain('no network interface has an IPv4 address in machineNetwork');
        // The disk by its name, the clock and the certificates are as they must be.
        expect(said.filter((line) => /disk|clock|certificate/.test(line ?? ''))).toEqual(['stage clock']);
        expect(console).toMatch(/^unit: sno-preflight\.service +loaded +active +exited/m);
        expect(console).toMatch(/^unit: release-image\.service +loaded +activating +start/m);
        expect(console).toMatch(/^podman-asked: image exists quay\.io\/openshift-release-dev\/ocp-release:/m);
      });
    },
  );
}
