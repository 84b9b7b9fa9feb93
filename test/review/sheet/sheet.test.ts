import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { targetAssets } from '../../../src/run/target-assets.js';
import { isGeneratedManifest } from '../../../src/review/sheet/generated-manifests.js';
import { changedRows, changedRowsLines } from '../../../src/review/sheet/compare-sheets.js';
import { readSheet } from '../../../src/review/sheet/read-sheet.js';
import { shortSheetLines } from '../../../src/review/sheet/short-sheet.js';
import { sheetLines, sheetMarkdown } from '../../../src/review/sheet/show-sheet.js';
import type { Sheet } from '../../../src/review/sheet/sheet.js';
import { mediumOfScript } from '../../../src/review/sheet/booted-medium.js';
import { dataUrl } from '../../../src/formats/data-url.js';
import { fixtureFiles, resolveAssets } from '../../support/made-from.js';

const now = new Date('2026-01-02T03:04:05Z');
const target = 'single-node-ignition-config';
const trustBundle = readFileSync('fixtures/configs/disconnected/install-config.yaml', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('  ') && /^ {2}[A-Za-z0-9+/=-]/.test(line) && !line.includes(':'))
  .join('\n');

/** The live config of fixtures/configs, with other files on top. */
async function liveConfig(fixture: string, files: Readonly<Record<string, string>> = {}): Promise<Buffer> {
  const { files: outputs } = await resolveAssets(targetAssets[target].roots, {
    files: { ...fixtureFiles(fixture), ...files },
  });
  const config = outputs.find(({ path }) => path === 'bootstrap-in-place-for-live-iso.ign');
  return Buffer.from(config?.contents ?? '');
}

async function sheetOfFixture(fixture: string, files: Readonly<Record<string, string>> = {}): Promise<Sheet> {
  return readSheet(await liveConfig(fixture, files), { isRendered: true }) ?? [];
}

/** A site with everything that a sheet shows. */
const full = {
  'install-config.yaml': readFileSync('fixtures/configs/static-network/install-config.yaml', 'utf8')
    .replace(/bootstrapInPlace:\n.*\n/, '')
    .concat(
      'cpuPartitioningMode: AllNodes\n',
      'proxy:\n  httpProxy: http://canary:canary@proxy.example.com:3128\n  noProxy: .example.com,10.0.0.0/8\n',
      'imageDigestSources:\n  - source: quay.io/a\n    mirrors: [registry.example.com/a, registry.example.com/b]\n',
      `additionalTrustBundle: |\n${trustBundle}\n`,
    ),
  'sno-config.yaml': readFileSync('fixtures/configs/static-network/sno-config.yaml', 'utf8').concat(
    'rootDeviceHints: { model: PERC H755, minSizeGigabytes: 480 }\n',
    'coreosInstaller: { savePartitionLabels: ["data*"], appendKernelArguments: [console=ttyS0], deleteKernelArguments: [quiet] }\n',
    'kernelArguments: [intel_iommu=on]\nntpSources: [192.168.126.1]\nreinstall: SameCluster\n',
  ),
  'manifests/profile.yaml': readFileSync(
    'examples/fleet-telco/base/manifests/performance-profile.yaml',
    'utf8',
  )
    .replace('${reservedCpus}', '0-3,32-35')
    .replace('${isolatedCpus}', '4-31,36-63')
    .replace('${hugepages}', '32')
    .replace('        count: 32\n', '$&      - { size: 2M, count: 16, node: 1 }\n')
    .concat('  additionalKernelArgs: [nohz_full=4-31, hugepagesz=2M]\n'),
  'post-install/10-ptp.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: late, namespace: default }\n',
};

describe('the sheet of a config', () => {
  it('has the payload', async () => {
    const rows = (name: string): Promise<readonly string[]> =>
      sheetOfFixture(name).then((sheet) =>
        sheetLines(sheet, now).filter((line) => line.startsWith('  Payload')),
      );
    expect([await rows('payload'), await rows('payload-4.20'), await rows('minimal')]).toEqual([
      ['  Payload       4.22.0-x86_64.payload, 495616 bytes'],
      ['  Payload       4.20.3-x86_64.payload, 495616 bytes, checked as a whole'],
      [],
    ]);
  });

  it.each([
    ['{ tpm2: true }', 'root, unlocked by TPM 2.0'],
    [
      `{ tpm2: true, threshold: 2, tang: [{ url: "http://a.example.com", thumbprint: ${'a'.repeat(43)} }] }`,
      'root, unlocked by 2 of TPM 2.0 + http://a.example.com',
    ],
  ])('has the encryption of the disk: %s', async (given, want) => {
    const config = `apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\ndiskEncryption: ${given}\n`;
    const sheet = await sheetOfFixture('minimal', { 'sno-config.yaml': config });
    const line = sheetLines(sheet, now).find((each) => each.startsWith('  Encrypts '));
    expect(line).toBe(`  Encrypts      ${want}`);
  });

  it('has every decisive value on one screen of 80 columns', async () => {
    const lines = sheetLines(await sheetOfFixture('static-network', full), now);

    expect(lines).toEqual([
      'Cluster',
      '  Name          site1.example.com',
      '  API           api.site1.example.com, api-int.site1.example.com',
      '  Apps          *.apps.site1.example.com',
      '  Host name     node-1',
      '  Release       quay.io/openshift-release-dev/ocp-release:4.21.0-x86_64',
      '  Channel       stable-4.21',
      '  Architecture  amd64',
      '  SSH keys      ssh-ed25519 SHA256:kb2KNR/ZzX6ws4PLjkg41/WmDuyxaSASR64ABFsShbI',
      '  Features      workload partitioning',
      'Disk',
      '  Erases        minSizeGigabytes=480, model=PERC H755',
      '  Keeps         label data*',
      '  On reinstall  overwrites an installation of this cluster',
      'Network',
      '  bond0.126     VLAN 126 on bond0, 192.168.126.10/24',
      '  bond0         bond 802.3ad, ports ens1f0 + ens1f1, lacp_rate=fast, miimon=100,',
      '                MTU 9000',
      '  ens1f0        ethernet, port of bond0, MAC 52:54:00:12:34:01',
      '  ens1f1        ethernet, port of bond0, MAC 52:54:00:12:34:02',
      '  eno1          ethernet, down',
      '  Node address  192.168.126.10',
      '  Gateway       192.168.126.1 on bond0.126',
      '  DNS           192.168.126.1',
      '  DNS search    example.com',
      '  Machine net   192.168.126.0/24',
      '  Pod net       10.128.0.0/14',
      '  Service net   172.30.0.0/16',
      'Services',
      '  NTP           192.168.126.1',
      '  HTTP proxy    http://[redacted]@proxy.example.com:3128',
      '  No proxy      .example.com, 10.0.0.0/8',
      '  Pull secret   quay.io',
      '  Mirror        quay.io/a from registry.example.com/a or registry.example.com/b',
      '  Trust bundle  CN=throwaway-ca',
      '  Bundle for    node and cluster',
      'Added objects',
      '  PerformanceProfile',
      '                low-latency (reserved CPUs 0-3,32-35; isolated CPUs 4-31,36-63;',
      '                32 pages of 1G; 16 pages of 2M on NUMA node 1; topology',
      '                single-numa-node; real-time kernel; kernel arguments',
      '                nohz_full=4-31 hugepagesz=2M)',
      'After installation',
      '  Wave 10       ConfigMap late',
      'Boot',
      '  Node kernel   console=ttyS0, without quiet, intel_iommu=on',
    ]);
    expect(lines.every((line) => line.length <= 80)).toBe(true);
  });

  it('contains no secret in any format', async () => {
    const sheet = readSheet(await liveConfig('static-network', full)) ?? [];
    const shown = [JSON.stringify(sheet), sheetMarkdown(sheet, 'site1'), ...shortSheetLines(sheet, now)].join(
      '\n',
    );

    expect(shown).not.toMatch(/canary|dGhyb3dhd2F5|PRIVATE KEY/);
  });

  it('has the certificates only if they are no placeholders', async () => {
    const config = await liveConfig('minimal');
    const names = (sheet: Sheet | undefined): readonly string[] =>
      (sheet ?? []).flatMap(({ rows }) => rows.map(({ name }) => name));
    const [real, rendered] = [names(readSheet(config)), names(readSheet(config, { isRendered: true }))];

    expect(real.filter((name) => !rendered.includes(name))).toEqual(['boot-before', 'first-expiry']);
  });

  it('has a digest on one line, with the release', async () => {
    const sheet = await sheetOfFixture('disconnected');

    expect(sheetLines(sheet, now).filter((line) => /@sha256|4\.18/.test(line))).toEqual([
      '  Release       registry.example.com:5000/ocp4/openshift4@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
      '                (4.18)',
      '  Channel       stable-4.18',
    ]);
  });

  it('says that no SSH key is set', async () => {
    const text = readFileSync('fixtures/configs/minimal/install-config.yaml', 'utf8');
    const sheet = await sheetOfFixture('minimal', {
      'install-config.yaml': text.replace(/^sshKey.*\n/m, ''),
    });
    const [cluster] = sheet;

    expect(cluster?.rows.filter(({ name }) => name === 'ssh-key')).toEqual([
      { name: 'ssh-key', label: 'SSH keys', values: ['none: no login by SSH'] },
    ]);
  });

  it('lists only the known facts of a config of another program', () => {
    const files = [{ path: '/etc/hostname', contents: { source: dataUrl('other\n') } }];
    const config = JSON.stringify({ ignition: { version: '3.2.0' }, storage: { files } });

    expect(sheetLines(readSheet(Buffer.from(config)) ?? [], now)).toEqual([
      'Cluster',
      '  Host name     other',
    ]);
    expect(readSheet(Buffer.from('{}'))).toBeUndefined();
  });

  it('has only kernel arguments of the user from a boot script', () => {
    const script =
      '#!ipxe\nkernel http://192.0.2.1/vmlinuz initrd=main initrd=config coreos.live.rootfs_url=http://192.0.2.1/rootfs.img ignition.firstboot ignition.platform.id=metal console=ttyS0\nboot\n';

    expect(mediumOfScript(script)).toEqual({
      kernelArguments: ['console=ttyS0'],
      rootfsUrl: 'http://192.0.2.1/rootfs.img',
    });
  });
});

describe('added objects', () => {
  const fixtures = ['custom-manifests', 'disconnected', 'dual-stack', 'fips', 'post-install', 'release-4.22'];

  it.each(fixtures)('are exactly those of the user: %s', async (fixture) => {
    const sheet = await sheetOfFixture(fixture);
    const added = sheet.find(({ name }) => name === 'objects')?.rows.flatMap(({ values }) => values) ?? [];

    expect(added).toEqual(objectsOfUser[fixture] ?? []);
  });

  it('include a file with nearly the name of a generated one', () => {
    expect(
      ['cluster-dns-02-config.yml', '99_openshift-machineconfig_99-master-ssh.yaml'].map(isGeneratedManifest),
    ).toEqual([true, true]);
    expect(
      ['cluster-dns.yaml', '99_openshift-machineconfig_99-master-sysctl.yaml'].map(isGeneratedManifest),
    ).toEqual([false, false]);
  });
});

const objectsOfUser: Readonly<Record<string, readonly string[]>> = {
  'custom-manifests': ['site-agents/site', '99-master-chrony', 'site-agents'],
  'post-install': [
    'openshift-storage',
    'openshift-ptp',
    'openshift-sriov-network-operator',
    'openshift-storage/openshift-storage',
    'openshift-ptp/ptp-operators',
    'openshift-sriov-network-operator/sriov-network-operators',
    'openshift-storage/lvms-operator',
    'openshift-ptp/ptp-operator',
    'openshift-sriov-network-operator/sriov-network-operator',
  ],
};

describe('the short sheet', () => {
  it.each([
    [
      'static-network',
      [
        '  Machine       site1.example.com, host name node-1, amd64',
        '  Erases        /dev/disk/by-id/wwn-0x5000c500a1b2c3d4',
        '  Network       bond0.126 VLAN 126 on bond0 192.168.126.10/24, gateway',
        '                192.168.126.1 on bond0.126',
        '  Release       quay.io/openshift-release-dev/ocp-release:4.21.0-x86_64',
      ],
    ],
    [
      'disconnected',
      [
        '  Machine       sno-disconnected.example.com, host name from DHCP or DNS, amd64',
        '  Erases        /dev/disk/by-id/scsi-3600508b1001c7e1f',
        '  Network       no profiles: DHCP, unless kernel arguments configure the network',
        '  Release       registry.example.com:5000/ocp4/openshift4@sha256:0123456789ab…',
        '                (4.18)',
      ],
    ],
  ])('of %s has at most 8 lines', async (fixture, want) => {
    const lines = shortSheetLines(await sheetOfFixture(fixture), now);
    expect(lines).toEqual(want);
  });

  it('has at most 8 lines and the deadline for a full site', async () => {
    const sheet = readSheet(await liveConfig('static-network', full)) ?? [];
    const lines = shortSheetLines(sheet, now);

    expect(lines.length).toBeLessThanOrEqual(8);
    expect(lines.at(-1)).toMatch(/^ {2}Boot before {3}\d{4}-.*Z \(.* left\)$/);
  });
});

describe('two sheets', () => {
  it('differ in the lines of the changed values', async () => {
    const before = await sheetOfFixture('static-network');
    const after = await sheetOfFixture('static-network', full);
    const lines = changedRowsLines(changedRows(before, after));

    expect(changedRows(before, before)).toEqual([]);
    expect(lines).toEqual(
      expect.arrayContaining([
        'Disk',
        '  - Erases: /dev/disk/by-id/wwn-0x5000c500a1b2c3d4',
        '  + Erases: minSizeGigabytes=480, model=PERC H755',
        '  + NTP: 192.168.126.1',
      ]),
    );
  });
});
