import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, expect, it } from 'vitest';

import { encryptAge } from '../../../src/formats/age.js';
import { fleetFolder, fleetText } from '../../fleet/files.js';
import { ageKeys } from '../../support/age-keys.js';
import { snoConfigText } from '../../support/minimal-config.js';
import { describeWith } from '../../support/programs.js';
import { startedCommand } from '../../support/started-command.js';
import { scaledMs } from '../../support/time-scale.js';
import { madePair, startEmulator, type Ends } from './emulated-bmcs.js';

const password = 'bmc-pa55word-of-all';
const ends: Ends = [];
afterAll(() => Promise.all(ends.map((end) => end())));

/** Storage of the first two machines. The emulator answers 500 for volumes that are not configured. */
function storageOf([first = '', second = '']: readonly string[]): string {
  const controller = (drives: readonly string[]): string =>
    JSON.stringify([{ Id: '1', Name: 'Controller', StorageControllers: [], Drives: drives }]);
  const drive = (Id: string): string =>
    JSON.stringify({ Id, Name: 'Drive', CapacityBytes: 480_000_000_000, Protocol: 'SAS' });
  return [
    `SUSHY_EMULATOR_STORAGE = {"${first}": ${controller(['a'])}, "${second}": ${controller(['a', 'b'])}}`,
    `SUSHY_EMULATOR_DRIVES = {("${first}", "1"): [${drive('a')}], ("${second}", "1"): [${drive('a')}, ${drive('b')}]}`,
    `SUSHY_EMULATOR_VOLUMES = {("${first}", "1"): []}`,
    '',
  ].join('\n');
}

describeWith(['python3', 'openssl', 'htpasswd'], 'fleet discover, by sushy-emulator', () => {
  it(
    'reads interfaces, drives and boot mode, and fills the table',
    async () => {
      const pair = madePair();
      const { port, systems } = await startEmulator(3, {
        pair,
        password,
        ends,
        macsOf: (index) => [`52:54:00:00:00:0${index}`, ...(index === 1 ? ['52:54:00:00:01:01'] : [])],
        more: storageOf,
      });
      const rows = systems.map(
        (system, index) => `site-${index},192.168.126.1${index},https://127.0.0.1:${port}${system},`,
      );
      const boot = { address: '${bmc}', certificate: pair.fingerprint, credentials: 'bmc.yaml.age' };
      const users = { '*': { username: 'operator', password } };
      const dir = fleetFolder({
        'fleet.yaml': fleetText(`boot: ${JSON.stringify(boot)}\n`),
        'sites.csv': ['name,ip,bmc,mac', ...rows, ''].join('\n'),
        'base/sno-config.yaml': snoConfigText(
          'hostname: ${name}\nnodeIP: ${ip}\nrootDeviceHints: {serialNumber: "${serial}"}\n' +
            'network:\n  interfaces:\n    - {name: eth0, identifier: mac-address, mac-address: "${mac}"}\n',
        ),
        'bmc.yaml.age': await encryptAge(JSON.stringify(users), { recipients: [ageKeys.ours.recipient] }),
      });
      writeFileSync(join(dir, 'key.txt'), ageKeys.ours.identity);

      const args = ['fleet', 'discover', dir, '--write', '--identity', join(dir, 'key.txt'), '-o', 'json'];
      const { code, stdout } = await startedCommand(args).exited;

      const { sites, problems } = JSON.parse(stdout) as {
        sites: readonly {
          machine?: { bootMode?: string; manufacturer?: string; disks: readonly { serialNumber?: string }[] };
        }[];
        problems: readonly { code: string; sites: readonly string[] }[];
      };
      expect(code).toBe(0);
      expect(
        sites.map(({ machine }) => [
          machine?.manufacturer,
          machine?.bootMode,
          machine?.disks.map((each) => each.serialNumber),
        ]),
      ).toEqual([
        ['Sushy Emulator', 'UEFI', ['1234570']],
        ['Sushy Emulator', 'UEFI', ['1234570', '1234570']],
        ['Sushy Emulator', 'UEFI', []],
      ]);
      // Machine 1 has two interfaces and two drives, machine 2 no storage: the emulator answers 500 there.
      expect(problems.map((each) => `${each.sites.join()} ${each.code}`)).toEqual([
        'site-1 discover/unread',
        'site-1 discover/undecided',
        'site-1 discover/undecided',
        'site-2 discover/unread',
        'site-2 discover/undecided',
      ]);
      expect(readFileSync(join(dir, 'sites.csv'), 'utf8').split('\n')).toEqual([
        'name,ip,bmc,mac,serial',
        `${rows[0] ?? ''}52:54:00:00:00:00,"1234570"`,
        `${rows[1] ?? ''},`,
        `${rows[2] ?? ''}52:54:00:00:00:02,`,
        '',
      ]);
    },
    scaledMs(180_000),
  );
});
