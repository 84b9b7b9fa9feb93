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
        'Volume rhcos-9.6.20250523-0, boots on amd64',
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

  test('prints a summary', async () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'live.iso'), isoWithArgument());
    const { stdout } = await inspect(folder, 'live.iso');

    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(20);
    expect(lines.slice(lines.indexOf('Certificates: 1; the first expires at 2026-01-03T00:00:00Z'))).toEqual([
      'Certificates: 1; the first expires at 2026-01-03T00:00:00Z',
      'Files: 2',
      'Network: 1 profile',
      '  eno1: ethernet, ipv4 auto',
      '',
      '`--all` lists certificates, users, units, files and network settings.',
    ]);
  });

  test('summarizes a bond, its ports and a VLAN on it', async () => {
    const folder = scratchFolder();
    cpSync('fixtures/configs/static-network', folder, { recursive: true });
    await snoInProcess(['create', 'single-node-ignition-config', '--dir', folder]);
    const { stdout } = await inspect(folder, 'bootstrap-in-place-for-live-iso.ign');

    expect(stdout.slice(stdout.indexOf('Network'), stdout.indexOf('\n\n`--all'))).toBe(
      [
        'Network: 5 profiles',
        '  bond0.126: VLAN 126 on bond0, 192.168.126.10/24',
        '  bond0: bond, lacp_rate=fast, miimon=100, mode=802.3ad',
        '  eno1: ethernet',
        '  52:54:00:12:34:01: ethernet, port of bond0',
        '  52:54:00:12:34:02: ethernet, port of bond0',
      ].join('\n'),
    );
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
