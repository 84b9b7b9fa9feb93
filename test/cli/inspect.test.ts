import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { cpioArchive, cpioType } from '../../src/formats/cpio.js';
import { dataUrl } from '../../src/formats/data-url.js';
import { areaBytes, defaultArguments, liveFiles, liveIso } from '../media/support/live-iso.js';
import { snoInProcess, type CommandOutput } from '../support/in-process.js';
import { scratchFolder } from '../support/scratch.js';

const sample = readFileSync('test/review/sample-certificate.pem', 'utf8');
const environment =
  "SNO_CLUSTER_NAME='site1'\nSNO_CLUSTER_DOMAIN='site1.example.com'\nSNO_EXPECTED_ARCH='arm64'\n";
const config = JSON.stringify({
  ignition: { version: '3.2.0' },
  storage: {
    files: [
      { path: '/opt/openshift/sno-install.env', mode: 0o600, contents: { source: dataUrl(environment) } },
      { path: '/etc/a.crt', mode: 0o600, contents: { source: dataUrl(sample) } },
    ],
  },
});
const keyfile =
  '[connection]\ntype=ethernet\ninterface-name=eno1\n[ipv4]\nmethod=auto\n[802-1x]\npassword=canary\n';

/** A cpio archive for the initramfs, with a config and a network file. */
function archive(): Buffer {
  const member = (path: string, contents: string) => ({
    path,
    mode: cpioType.file | 0o600,
    contents: Buffer.from(contents),
  });
  return cpioArchive([
    member('config.ign', config),
    member('etc/coreos-firstboot-network/eno1.nmconnection', keyfile),
  ]);
}

/** A live ISO with that archive and an added kernel argument. */
function isoWithArgument(): Buffer {
  const area = Buffer.alloc(areaBytes);
  archive().copy(area);
  const loaders = Object.fromEntries(
    Object.entries(liveFiles)
      .filter(([name]) => name.endsWith('.CFG'))
      .map(([name, bytes]) => {
        const text = bytes
          .toString('latin1')
          .replace(`${defaultArguments}\n${'#'.repeat(14)}`, `${defaultArguments} console=ttyS0\n`);
        return [name, Buffer.from(text, 'latin1')];
      }),
  );
  return liveIso({ ...loaders, 'IMAGES/IGNITION.IMG': area });
}

async function inspect(folder: string, ...args: readonly string[]): Promise<CommandOutput> {
  const variables = { SOURCE_DATE_EPOCH: String(Date.parse('2026-01-02T20:00:00Z') / 1000) };
  return await snoInProcess(['inspect', ...args], { cwd: folder, variables });
}

interface Section {
  readonly name: string;
  readonly rows: readonly { readonly name: string; readonly values: readonly string[] }[];
}

/** Leaves out the facts that only a medium has. */
function withoutBoot(sheet: readonly Section[]): readonly Section[] {
  return sheet.filter(({ name }) => name !== 'boot');
}

describe('inspect', () => {
  test('shows the content and faults of a live ISO', async () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'live.iso'), isoWithArgument());
    const { code, stdout, stderr } = await inspect(folder, 'live.iso', '--all');

    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        'live.iso: a live ISO',
        '',
        'Cluster',
        '  Name          site1.example.com',
        '  API           api.site1.example.com',
        '  Host name     from DHCP or DNS',
        '  Architecture  arm64',
        'Network',
        '  eno1          ethernet, IPv4 by DHCP',
        'Boot',
        '  Live kernel   console=ttyS0',
        '  Live system   rhcos-9.6.20250523-0, release not shown, amd64',
        '  First expiry  2026-01-03T00:00:00Z (4 h left)',
        '  Config size   1.5 kB of 262.1 kB in the ISO',
        '',
        'Volume rhcos-9.6.20250523-0, boots on amd64, release not shown',
        'Embed area: 1.5 kB of 262.1 kB used',
        `Kernel arguments: ${defaultArguments} console=ttyS0`,
        '  appended: console=ttyS0',
        'Files for the initramfs: 2',
        `  0600 ${config.length} /config.ign`,
        `  0600 ${keyfile.length} /etc/coreos-firstboot-network/eno1.nmconnection`,
        '',
        `Config: Ignition spec 3.2.0, ${(config.length / 1000).toFixed(1)} kB; in a live ISO at most 986 B of 262.1 kB`,
        'Cluster: site1, base domain example.com, api.site1.example.com',
        'Release: for arm64',
        '',
        'Certificates: 1; the first expires at 2026-01-03T00:00:00Z',
        '  2026-01-03T00:00:00Z  4 h left  O=system:masters, CN=system:admin',
        '',
        'Files: 2',
        `  0600 root ${environment.length} /opt/openshift/sno-install.env (once)`,
        `  0600 root ${sample.length} /etc/a.crt (once)`,
        '',
        'Network: 1',
        '  /etc/coreos-firstboot-network/eno1.nmconnection: ethernet eno1',
        '    ipv4.method=auto',
        '',
      ].join('\n'),
    );
    expect(stderr).toContain('warning[inspect/certificate-ends]');
    expect(stderr).toContain(
      'warning[inspect/other-machine]: the image is for amd64, but the config is for arm64',
    );
  });

  test('prints the sheet and numbers of the contents', async () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'live.iso'), isoWithArgument());
    const { stdout } = await inspect(folder, 'live.iso');

    expect(stdout).toBe(
      [
        'live.iso: a live ISO',
        '',
        'Cluster',
        '  Name          site1.example.com',
        '  API           api.site1.example.com',
        '  Host name     from DHCP or DNS',
        '  Architecture  arm64',
        'Network',
        '  eno1          ethernet, IPv4 by DHCP',
        'Boot',
        '  Live kernel   console=ttyS0',
        '  Live system   rhcos-9.6.20250523-0, release not shown, amd64',
        '  First expiry  2026-01-03T00:00:00Z (4 h left)',
        '  Config size   1.5 kB of 262.1 kB in the ISO',
        '',
        `Config: Ignition spec 3.2.0, ${(config.length / 1000).toFixed(1)} kB; in a live ISO at most 986 B of 262.1 kB`,
        'Contains: 1 certificate, 2 files, 1 network profile',
        '',
        '`--all` lists certificates, users, units, files and network settings.',
        '',
      ].join('\n'),
    );
  });

  test('prints the same sheet for a configuration and for its media', async () => {
    const folder = scratchFolder();
    cpSync('fixtures/configs/static-network', folder, { recursive: true });
    const sno = readFileSync(join(folder, 'sno-config.yaml'), 'utf8');
    writeFileSync(
      join(folder, 'sno-config.yaml'),
      `${sno}ntpSources: [192.168.126.1]\nkernelArguments: [intel_iommu=on]\ncertificates: { keyAlgorithm: ECDSA-P256 }\n`,
    );
    writeFileSync(join(folder, 'live.iso'), liveIso());
    const sheetOf = async (path: string): Promise<readonly Section[]> =>
      (JSON.parse((await inspect(folder, path, '--output', 'json')).stdout) as { sheet: readonly Section[] })
        .sheet;
    const before = await sheetOf('.');
    const iso = ['create', 'iso', '.', '--iso', 'live.iso', '--live-karg', 'console=ttyS0'];
    const pxe = [
      'create',
      'pxe',
      '.',
      '--rootfs',
      'http://192.0.2.1/rhcos-9.6.20250523-0-live-rootfs.x86_64.img',
    ];
    const variables = { SOURCE_DATE_EPOCH: String(Date.parse('2026-01-02T20:00:00Z') / 1000) };
    const short = await snoInProcess(iso, { cwd: folder, variables });
    const files = await snoInProcess(pxe, { cwd: folder, variables });

    expect([short.code, files.code]).toEqual([0, 0]);
    for (const path of ['single-node.iso', 'pxe', 'bootstrap-in-place-for-live-iso.ign', '.'])
      expect(withoutBoot(await sheetOf(path))).toEqual(withoutBoot(before));
    const boot = (await sheetOf('single-node.iso')).find(({ name }) => name === 'boot');
    expect(boot?.rows.map(({ name, values }) => [name, values[0]])).toEqual([
      ['live-kernel-arguments', 'console=ttyS0'],
      ['installed-kernel-arguments', 'intel_iommu=on'],
      ['live-system', 'rhcos-9.6.20250523-0, release not shown, amd64'],
      ['boot-before', '2026-02-01T20:00:00Z'],
      ['first-expiry', '2026-02-01T20:00:00Z'],
      ['payload', expect.stringMatching(/ kB of 262.1 kB in the ISO$/)],
    ]);
    expect(short.stdout).toMatch(
      /\n {2}Machine {7}site1\.example\.com, host name node-1, amd64\n {2}Erases {8}\/dev\/disk\/by-id\/wwn-0x5000c500a1b2c3d4\n/,
    );
    expect(files.stdout).toContain('Boot before   2026-02-01T20:00:00Z (30 days left)');
  });

  test('warns if the outputs do not match the configuration', async () => {
    const folder = scratchFolder();
    cpSync('fixtures/configs/static-network', folder, { recursive: true });
    await snoInProcess(['create', 'single-node-ignition-config', '--dir', folder]);
    const file = join(folder, 'install-config.yaml');
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace('wwn-0x5000c500a1b2c3d4', 'wwn-0x5000c500a1b2c3d5'),
    );
    const { code, stdout, stderr } = await inspect(folder, '.', '--output', 'markdown');

    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(
        'warning[inspect/outdated-outputs]: the Ignition configs in . do not match the configuration: Erases\n',
      ),
    ]);
    expect(stdout).toContain('| Erases | <code>/dev/disk/by-id/wwn-0x5000c500a1b2c3d5</code> |\n');
    expect(stdout).not.toContain('First expiry');
  });

  test('recognizes an overlay and an image without a config, and rejects other files', async () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'overlay.img'), archive());
    writeFileSync(join(folder, 'empty.iso'), liveIso());
    writeFileSync(join(folder, 'notes.txt'), 'nothing');
    const overlay = await inspect(folder, 'overlay.img', '--output', 'json');

    expect(JSON.parse(overlay.stdout)).toMatchObject({
      ok: true,
      kind: 'overlay',
      cluster: { name: 'site1' },
      certificates: [{ secondsLeft: 4 * 3600 }],
      network: [{ device: 'eno1' }],
    });
    expect(overlay.stdout).not.toContain('canary');
    expect(await inspect(folder, 'empty.iso')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('warning[inspect/no-config]') as string,
      stdout: expect.stringContaining(`Kernel arguments: ${defaultArguments}\n`) as string,
    });
    const notes = await inspect(folder, 'notes.txt');
    expect([notes.code, notes.stdout]).toEqual([1, '']);
    expect(notes.stderr).toContain('error[inspect/not-a-config]');
    expect(notes.stderr).toMatch(/\n1 error\n$/);
  });
});
