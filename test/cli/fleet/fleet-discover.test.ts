import { chmodSync, readFileSync, statSync, symlinkSync, writeFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';

import { fleetFiles, fleetFolder, fleetText } from '../../fleet/files.js';
import { dell, hpe, servedMockup, supermicro } from '../../remote/redfish/inventory/mockups.js';
import { ageKeys } from '../../support/age-keys.js';
import { bmcLogins } from '../../support/bmc-logins.js';
import { snoInProcess, type CommandOutput } from '../../support/in-process.js';
import { snoConfigText } from '../../support/minimal-config.js';
import { scratchFolder } from '../../support/scratch.js';

let identity = '';
let credentials = '';
beforeAll(async () => {
  identity = join(scratchFolder(), 'key.txt');
  writeFileSync(identity, ageKeys.ours.identity);
  credentials = await bmcLogins();
});

const base = {
  'base/install-config.yaml': (fleetFiles['base/install-config.yaml'] ?? '').replace(
    /installationDisk: \S+/,
    'installationDisk: ${disk}',
  ),
  'base/sno-config.yaml': snoConfigText(
    'hostname: ${name}\nnodeIP: ${ip}\nnetwork:\n  interfaces:\n    - name: eth0\n      type: ethernet\n' +
      '      identifier: mac-address\n      mac-address: ${mac}\n',
  ),
};

function folder(table: string, more: Readonly<Record<string, string>> = {}): string {
  return fleetFolder({
    ...base,
    'fleet.yaml': fleetText('boot:\n  address: ${bmc}\n  credentials: bmc.yaml.age\n  plainHttp: true\n'),
    'sites.csv': table,
    'bmc.yaml.age': credentials,
    ...more,
  });
}

function discover(dir: string, ...args: readonly string[]): Promise<CommandOutput> {
  return snoInProcess(['fleet', 'discover', dir, '--identity', identity, ...args]);
}

const volume = '/dev/disk/by-id/wwn-0x600508b1001c5e6fabcdef0123456789';

describe('fleet discover', () => {
  it('prints machines, interfaces and disks, and missing values of the table; writes nothing', async () => {
    const [first, second, third] = await Promise.all([dell, hpe, supermicro].map(servedMockup));
    const table = `name,ip,bmc,mac\nsite-1,192.168.126.10,${first},\nsite-2,192.168.126.11,${second},\nsite-3,192.168.126.12,${third},\n`;
    const dir = folder(table);

    const { code, stdout, stderr } = await discover(dir);

    const hosts = [first, second, third].map((origin = '') => new URL(origin).host);
    const shown = hosts.reduce(
      (text, host, index) => text.replaceAll(host, `bmc-${index + 1}`.padEnd(host.length)),
      stdout,
    );
    expect(shown.replaceAll(/ +/g, ' ')).toBe(
      [
        'SITE BMC STATE MACHINE SERIAL BIOS FIRMWARE BOOT',
        'site-1 bmc-1 read Dell Inc. PowerEdge XR11 CNXXX0000000AB 1.14.1 6.10.30.20 UEFI',
        'site-2 bmc-2 read HPE ProLiant DL110 Gen10 Plus CZ00000001 U56 v1.80 (01/01/2024) iLO 5 v2.99 legacy',
        'site-3 bmc-3 read Supermicro - - 01.01.10 UEFI',
        '',
        'SITE INTERFACE MAC LINK',
        'site-1 NIC.Embedded.1-1-1 52:54:00:aa:bb:00 up',
        'site-1 NIC.Embedded.2-1-1 52:54:00:aa:bb:02 unknown',
        'site-2 1 52:54:00:cc:dd:01 up',
        'site-3 1 52:54:00:ee:ff:01 down',
        '',
        'SITE DISK SIZE MEDIA MODEL SERIAL DEVICE',
        `site-1 Disk.Virtual.0 480 GB volume - - ${volume}`,
        'site-1 Disk.Direct.0-0 480 GB SSD SSDSCKKB480G8R PHYH000000 (part of a volume)',
        'site-1 Disk.Direct.1-1 480 GB SSD SSDSCKKB480G8R PHYH000001 (part of a volume)',
        'site-2 0 960 GB SSD KCM6XRUL960G 1280A0ABCDEF /dev/disk/by-id/nvme-eui.8ce38ee22153cf01',
        'site-2 1 1200 GB HDD EG001200JWJNK 9170A0QXFF4F /dev/disk/by-id/wwn-0x5000039b28119bf1',
        'site-3 SATA Bay 1 480 GB - 3000GT8 - -',
        '',
        'SITE EMPTY COLUMN VALUE',
        `site-1 disk ${volume}`,
        'site-1 mac 52:54:00:aa:bb:00',
        'site-2 mac 52:54:00:cc:dd:01',
        'site-3 mac 52:54:00:ee:ff:01',
        '',
        '3 sites: 3 read',
        '--write fills 4 cells of sites.csv',
        '',
      ].join('\n'),
    );
    expect(code).toBe(0);
    expect(stderr.match(/^warning\[.*$/gm)).toEqual([
      'warning[discover/undecided]: no value for the column "disk" of site-2: 2 disks match',
      'warning[discover/undecided]: no value for the column "disk" of site-3: the BMC reports no World Wide Name or EUI of "SATA Bay 1"',
    ]);
    expect(readFileSync(join(dir, 'sites.csv'), 'utf8')).toBe(table);
  });

  it('fills empty cells and missing columns with --write, and nothing else; a second run changes nothing', async () => {
    const [first, second] = await Promise.all([dell, hpe].map(servedMockup));
    const dir = folder(
      `name,ip,bmc,mac\r\nsite-1,192.168.126.10,"${first}",\r\nsite-2,192.168.126.11,${second},52-54-00-CC-DD-01\r\n`,
    );
    chmodSync(join(dir, 'sites.csv'), 0o640);

    const written = await discover(dir, '--write', '-o', 'json');

    expect(JSON.parse(written.stdout)).toMatchObject({ ok: true, filled: 2 });
    const want = `name,ip,bmc,mac,disk\r\nsite-1,192.168.126.10,"${first}",52:54:00:aa:bb:00,${volume}\r\nsite-2,192.168.126.11,${second},52-54-00-CC-DD-01,\r\n`;
    expect(readFileSync(join(dir, 'sites.csv'), 'utf8')).toBe(want);
    expect(statSync(join(dir, 'sites.csv')).mode & 0o777).toBe(0o640);
    const again = await discover(dir, '--write');
    expect(again.stdout).toMatch(/\nfilled 0 cells of sites\.csv\n$/);
    expect(readFileSync(join(dir, 'sites.csv'), 'utf8')).toBe(want);
  });

  it('reports a machine that differs from the table at the cell, and writes nothing for it', async () => {
    const [first, second] = await Promise.all([dell, hpe].map(servedMockup));
    const table = `name,ip,bmc,mac\nsite-1,192.168.126.10,${first},52:54:00:00:00:99\nsite-2,192.168.126.11,${second},\n`;
    const dir = folder(table);

    const { code, stdout } = await discover(dir, '--write', '-o', 'json');

    const { problems, sites } = JSON.parse(stdout) as {
      problems: readonly { code: string; message: string; at: { line: number; path?: string } }[];
      sites: readonly { state: string; proposals: readonly unknown[] }[];
    };
    expect(code).toBe(1);
    expect(problems[0]).toMatchObject({
      code: 'discover/different',
      message:
        'the MAC address "52:54:00:00:00:99" is not on the machine, which has "52:54:00:aa:bb:00", "52:54:00:aa:bb:02"',
      at: { line: 2, path: 'mac' },
      sites: ['site-1'],
    });
    expect(sites.map(({ state, proposals }) => [state, proposals.length])).toEqual([
      ['different', 0],
      ['read', 1],
    ]);
    expect(readFileSync(join(dir, 'sites.csv'), 'utf8')).toBe(table.replace(/,\n$/, ',52:54:00:cc:dd:01\n'));
  });

  it('reads the others if one BMC fails, and tells what a user may not read', async () => {
    const system = '/redfish/v1/Systems/System.Embedded.1';
    const several = {
      ...hpe,
      '/redfish/v1/Systems': { Members: [{ '@odata.id': 'a' }, { '@odata.id': 'b' }] },
    };
    const [first, second] = await Promise.all(
      [{ ...dell, [`${system}/Storage`]: 403 }, several].map(servedMockup),
    );
    const dir = folder(`name,ip,bmc\nsite-1,192.168.126.10,${first}\nsite-2,192.168.126.11,${second}\n`);

    const { code, stdout, stderr } = await discover(dir, '-o', 'csv');

    expect(code).toBe(1);
    expect(stdout.split('\n')).toEqual([
      'name,bmc,state,manufacturer,model,serialNumber,sku,biosVersion,bmcModel,bmcVersion,bootMode,power,networkInterfaces,disks',
      `site-1,${new URL(first ?? '').host},read,Dell Inc.,PowerEdge XR11,CNXXX0000000AB,ABC1234,1.14.1,15G Monolithic,6.10.30.20,UEFI,Off,NIC.Embedded.1-1-1 52:54:00:aa:bb:00 up | NIC.Embedded.2-1-1 52:54:00:aa:bb:02 unknown,`,
      `site-2,${new URL(second ?? '').host},failed,,,,,,,,,,,`,
      '',
    ]);
    expect(stderr).toContain(
      'warning[discover/unread]: the BMC of site-1 did not return all of its disks: permission denied',
    );
    expect(stderr).toContain(
      'error[boot/unsupported]: the BMC of site-2: it has 2 systems (a, b); add the path of one',
    );
  });

  it('selects sites, and refuses a table that is not CSV before it contacts a BMC', async () => {
    const origin = await servedMockup(dell);
    const dir = folder(`name,ip,bmc\nsite-1,192.168.126.10,${origin}\nsite-2,192.168.126.11,192.0.2.1\n`);
    const { stdout } = await discover(dir, '--where', 'name=*-1', '-o', 'json');
    expect(
      (JSON.parse(stdout) as { sites: readonly { name: string }[] }).sites.map(({ name }) => name),
    ).toEqual(['site-1']);

    const yaml = folder('', {
      'fleet.yaml': fleetText('boot:\n  address: ${bmc}\n  credentials: bmc.yaml.age\n').replace(
        'sites.csv',
        'sites.yaml',
      ),
      'sites.yaml': '- {name: site-1, ip: 192.168.126.10, bmc: 192.0.2.1}\n',
    });
    const refused = await discover(yaml, '--write');
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining('error[usage/unknown-argument]: --write needs a table in CSV'),
    ]);
  });

  it('keeps a cell that is filled while the BMCs are read', async () => {
    let edit = (): void => undefined;
    const origin = await servedMockup({
      ...dell,
      get '/redfish/v1/Systems'() {
        edit();
        return dell['/redfish/v1/Systems'] ?? 404;
      },
    });
    const head = `name,note,ip,bmc,mac\n`;
    const dir = folder(`${head}site-1,,192.168.126.10,${origin},\n`);
    edit = () => {
      writeFileSync(
        join(dir, 'sites.csv'),
        `${head}site-1,mine,192.168.126.10,${origin},52:54:00:00:00:07\n`,
      );
    };
    const { stdout } = await discover(dir, '--write');
    expect(stdout).toContain('\nfilled 1 cell of sites.csv\n');
    expect(readFileSync(join(dir, 'sites.csv'), 'utf8')).toBe(
      `name,note,ip,bmc,mac,disk\nsite-1,mine,192.168.126.10,${origin},52:54:00:00:00:07,${volume}\n`,
    );
  });

  it('knows the columns of classes, and the hints that narrow the choice of the disk', async () => {
    const origin = await servedMockup(hpe);
    const dir = folder(`name,ip,bmc,mac,hardware\nsite-1,192.168.126.10,${origin},,dl110\n`, {
      'fleet.yaml': fleetText(
        'classes: ["${hardware}"]\nboot:\n  address: ${bmc}\n  credentials: bmc.yaml.age\n  plainHttp: true\n',
      ),
      'base/install-config.yaml':
        fleetFiles['base/install-config.yaml']?.replace(/bootstrapInPlace:\n.*\n/, '') ?? '',
      'classes/dl110/sno-config.yaml':
        'rootDeviceHints: {serialNumber: "${diskSerial}", rotational: false}\n',
    });
    const { stdout } = await discover(dir, '-o', 'json');
    const { sites } = JSON.parse(stdout) as { sites: readonly { proposals: readonly unknown[] }[] };
    expect(sites[0]?.proposals).toEqual([
      { column: 'mac', value: '52:54:00:cc:dd:01' },
      { column: 'diskSerial', value: '1280A0ABCDEF' },
    ]);
  });

  it('prints the first problems of a kind, and how many there are', async () => {
    const origins = await Promise.all(Array.from({ length: 7 }, () => servedMockup(supermicro)));
    const rows = origins.map(
      (origin, index) => `site-${index},192.168.126.1${index},${origin},52:54:00:ee:ff:01\n`,
    );
    const { stderr } = await discover(folder(`name,ip,bmc,mac\n${rows.join('')}`));
    expect(stderr.match(/^warning\[discover\/undecided\]/gm)).toHaveLength(5);
    expect(stderr).toMatch(/\n2 more problems of the same kinds; --output json lists all\n$/);
  });

  it('prints what docs/fleet-boot.md shows', async () => {
    const page = readFileSync('docs/fleet-boot.md', 'utf8');
    const [, shown = ''] =
      /^\$ sno-install fleet discover fleet --identity key.txt\n(.*?)^```$/ms.exec(page) ?? [];
    const origin = await servedMockup(dell);
    const { stdout } = await discover(folder(`name,ip,bmc\nnorth-1,192.168.126.10,${origin}\n`));
    const tidy = (text: string): string => text.replaceAll(/ +/g, ' ');
    expect(tidy(stdout.replace(new URL(origin).host, '192.0.2.11'))).toBe(tidy(shown));
  });

  it('prints an object of the schema', async () => {
    const schema = JSON.parse(readFileSync('docs/output.schema.json', 'utf8')) as object;
    const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(schema, 'output');
    const isValid = ajv.getSchema('output#/$defs/discover');
    const origins = await Promise.all(
      [dell, hpe, { ...supermicro, '/redfish/v1/Systems/1/SimpleStorage': 403 }, {}].map(servedMockup),
    );
    const rows = origins.map((origin, index) => `site-${index},192.168.126.1${index},${origin}\n`);
    const { stdout } = await discover(folder(`name,ip,bmc\n${rows.join('')}`), '--write', '-o', 'json');
    expect(isValid?.(JSON.parse(stdout)), JSON.stringify(isValid?.errors)).toBe(true);
  });

  it('does not write through a link that leads out of the directory', async () => {
    const origin = await servedMockup(dell);
    const table = `name,ip,bmc,mac\nsite-1,192.168.126.10,${origin},\n`;
    const dir = folder(table);
    const outside = join(scratchFolder(), 'sites.csv');
    renameSync(join(dir, 'sites.csv'), outside);
    symlinkSync(outside, join(dir, 'sites.csv'));
    const { code } = await discover(dir, '--write');
    expect(code).not.toBe(0);
    expect(readFileSync(outside, 'utf8')).toBe(table);
  });
});
