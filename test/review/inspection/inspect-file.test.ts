import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

import { beforeAll, describe, expect, it } from 'vitest';

import type { OutputFile } from '../../../src/core/output-file.js';
import { templatesFrom } from '../../../src/disk/program-files/templates.js';
import { dataUrl } from '../../../src/formats/data-url.js';
import { sha256 } from '../../../src/formats/sha256.js';
import { xzEncode } from '../../../src/formats/xz.js';
import { knownTemplates } from '../../../src/review/output-tree.js';
import {
  inspectFile,
  machineWarnings,
  type Inspection,
} from '../../../src/review/inspection/inspect-file.js';
import { sshFingerprint } from '../../../src/review/inspection/ssh-fingerprint.js';
import { resolveFixtureTarget } from '../../support/made-from.js';
import { describeWith } from '../../support/programs.js';
import { seededEcKey } from '../../support/seeded-keys.js';

const sample = readFileSync('test/review/sample-certificate.pem', 'utf8');
const templates = knownTemplates(templatesFrom('templates'));
const sshKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPmjS1O7wJXzLw6e0n0r9mDL8m1m3pYyq0xV5H6mJmEx';

async function inspected(
  given: object | string | Uint8Array,
  now = '2026-01-02T03:04:05Z',
): Promise<Inspection> {
  const bytes = typeof given === 'string' || given instanceof Uint8Array ? given : JSON.stringify(given);
  const found = await inspectFile(
    { path: 'a.ign', bytes: Buffer.from(bytes) },
    { now: new Date(now), templates, encode: xzEncode },
  );
  if (found === undefined) throw new Error('it is no config');
  return found;
}

const ignition = { version: '3.2.0' };
const file = (path: string, contents: string, more: object = {}): object => ({
  path,
  mode: 0o600,
  contents: { source: dataUrl(contents) },
  ...more,
});
const codesOf = ({ odd }: Inspection): readonly string[] => odd.map(({ code }) => code);

describe('the summary of a config', () => {
  it('contains its files, units and users, without secrets', async () => {
    const wifi =
      '[connection]\nid=a\ntype=ethernet\ninterface-name=eno1\n\n[ipv4]\nmethod=manual\naddress1=192.0.2.7/24\n' +
      'dns=192.0.2.1;\n[wifi-security]\npsk=canary\n[802-1x]\npassword=canary\n';
    const merged = { ignition, passwd: { users: [{ name: 'core', passwordHash: '$2a$10$canary' }] } };
    const { config, network, embedded, bytes } = await inspected({
      ignition: {
        version: '3.3.0',
        config: {
          merge: [
            { source: `data:,${encodeURIComponent(JSON.stringify(merged))}` },
            { source: 'https://user:canary@192.0.2.9/a.ign?token=canary' },
          ],
        },
      },
      kernelArguments: { shouldExist: ['console=ttyS0'], shouldNotExist: ['quiet'] },
      passwd: { users: [{ name: 'admin', sshAuthorizedKeys: [`${sshKey} me`, 'canary'] }] },
      storage: {
        files: [
          file('/etc/a', 'abc'),
          { path: '/etc/b', append: [{ source: 'https://192.0.2.9/b' }], user: { name: 'core' } },
          file('/etc/NetworkManager/system-connections/a.nmconnection', wifi),
        ],
      },
      systemd: {
        units: [
          {
            name: 'a.service',
            enabled: true,
            contents: '[Service]\n[Install]\nWantedBy=multi-user.target\n',
          },
          { name: 'b.service', mask: true, dropins: [{ name: 'c.conf', contents: '' }] },
          { name: 'd.service', enabled: false },
        ],
      },
    });

    expect(config).toEqual({
      specVersion: '3.3.0',
      mergedConfigs: 1,
      fetchedConfigs: ['<secret>'],
      files: [
        { path: '/etc/a', mode: '0600', owner: 'root', bytes: 3, notes: ['once'] },
        { path: '/etc/b', mode: '0644', owner: 'core', notes: ['append', 'fetched'] },
        {
          path: '/etc/NetworkManager/system-connections/a.nmconnection',
          mode: '0600',
          owner: 'root',
          bytes: wifi.length,
          notes: ['once'],
        },
      ],
      units: [
        { name: 'a.service', state: 'enabled', hasText: true, dropins: [] },
        { name: 'b.service', state: 'masked', hasText: false, dropins: ['c.conf'] },
        { name: 'd.service', state: 'disabled', hasText: false, dropins: [] },
      ],
      users: [
        {
          name: 'admin',
          sshKeys: [
            'ssh-ed25519 SHA256:kb2KNR/ZzX6ws4PLjkg41/WmDuyxaSASR64ABFsShbI',
            'a line that is not a public key',
          ],
          hasPassword: false,
        },
        { name: 'core', sshKeys: [], hasPassword: true },
      ],
      kernelArguments: { added: ['console=ttyS0'], removed: ['quiet'] },
    });
    expect(network).toEqual([
      {
        path: '/etc/NetworkManager/system-connections/a.nmconnection',
        type: 'ethernet',
        device: 'eno1',
        settings: ['ipv4.method=manual', 'ipv4.address1=192.0.2.7/24', 'ipv4.dns=192.0.2.1;'],
      },
    ]);
    expect(bytes).toBeGreaterThan(500);
    expect(embedded.bytes).toBeLessThan(bytes + 500);
  });
});

describe('odd is', () => {
  const key = seededEcKey('inspect', 'P-256');
  const unit = (name: string, contents?: string): object => ({
    ignition,
    systemd: { units: [{ name, enabled: true, ...(contents !== undefined && { contents }) }] },
  });
  const installable = '[Service]\nExecStart=/bin/true\n[Install]\nWantedBy=multi-user.target\n';
  const certificate = { ignition, storage: { files: [file('/etc/a.crt', sample)] } };
  const cases: readonly { name: string; given: object; now?: string; want: readonly string[] }[] = [
    { name: 'nothing about a sound config', given: { ignition }, want: [] },
    {
      name: 'a certificate that has ended',
      given: certificate,
      now: '2026-01-03T00:00:00Z',
      want: ['inspect/certificate-ended'],
    },
    {
      name: 'a certificate that ends soon',
      given: certificate,
      now: '2026-01-02T12:00:00Z',
      want: ['inspect/certificate-ends'],
    },
    {
      name: 'a certificate that has not begun',
      given: certificate,
      now: '2025-12-01T00:00:00Z',
      want: ['inspect/certificate-future'],
    },
    {
      name: 'a keyfile that NetworkManager ignores',
      given: {
        ignition,
        storage: {
          files: [file('/etc/NetworkManager/system-connections/a.nmconnection', '', { mode: 0o644 })],
        },
      },
      want: ['inspect/node'],
    },
    {
      name: 'a second profile for one interface',
      given: {
        ignition,
        storage: {
          files: ['a', 'b'].map((id) =>
            file(
              `/etc/NetworkManager/system-connections/${id}.nmconnection`,
              `[connection]\nid=${id}\ntype=ethernet\ninterface-name=eno1\n`,
            ),
          ),
        },
      },
      want: ['inspect/node'],
    },
    {
      name: 'a file under the boot partition',
      given: { ignition, storage: { files: [file('/boot/a', '')] } },
      want: ['inspect/node'],
    },
    {
      name: 'a key that everybody may read',
      given: { ignition, storage: { files: [file('/etc/a.key', key, { mode: 0o644 })] } },
      want: ['inspect/exposed-secret'],
    },
    {
      name: 'not a key for its owner',
      given: { ignition, storage: { files: [file('/etc/a.key', key)] } },
      want: [],
    },
    { name: 'a spec of tomorrow', given: { ignition: { version: '3.9.0' } }, want: ['inspect/spec-version'] },
    {
      name: 'a field that Ignition refuses',
      given: { ignition, storage: { files: [{}] } },
      want: ['inspect/ignition'],
    },
    { name: 'a field of a later spec', given: { ignition, kernelArguments: {} }, want: ['inspect/ignition'] },
    {
      name: 'a unit that is enabled and not there',
      given: unit('mine.service'),
      want: ['inspect/absent-unit'],
    },
    { name: 'not a unit of the system', given: unit('chronyd.service'), want: [] },
    { name: 'not a unit with its text', given: unit('mine.service', installable), want: [] },
    {
      name: 'a file that comes over http',
      given: {
        ignition,
        storage: { files: [{ path: '/etc/a', contents: { source: 'http://192.0.2.9/a' } }] },
      },
      want: ['inspect/plain-http'],
    },
    {
      name: 'not one whose hash is known',
      given: {
        ignition,
        storage: {
          files: [
            {
              path: '/etc/a',
              contents: { source: 'http://192.0.2.9/a', verification: { hash: `sha512-${'0'.repeat(128)}` } },
            },
          ],
        },
      },
      want: [],
    },
    {
      name: 'a config within that comes over http',
      given: {
        ignition: {
          ...ignition,
          config: {
            merge: [
              {
                source: dataUrl(
                  JSON.stringify({
                    ignition: { ...ignition, config: { replace: { source: 'http://192.0.2.9/a' } } },
                  }),
                ),
              },
            ],
          },
        },
      },
      want: ['inspect/plain-http'],
    },
    {
      name: 'a script that is not of this version',
      given: {
        ignition,
        storage: {
          files: [
            file('/opt/openshift/sno-install.env', ''),
            file('/usr/local/bin/bootkube.sh', 'true', { mode: 0o555 }),
          ],
        },
      },
      want: ['inspect/other-version'],
    },
    {
      name: 'not such a script of somebody else',
      given: { ignition, storage: { files: [file('/usr/local/bin/bootkube.sh', 'true', { mode: 0o555 })] } },
      want: [],
    },
  ];
  it.each(cases)('$name', async ({ given, now, want }) => {
    expect(codesOf(await inspected(given, now))).toEqual(want);
  });

  it('a config that is too large for a live ISO', async () => {
    const noise = Array.from({ length: 9000 }, (_, index) => sha256(`${index}`)).join('');
    const contents = { source: `data:,${noise}` };
    expect(
      codesOf(await inspected({ ignition, storage: { files: [{ path: '/etc/a', mode: 0o600, contents }] } })),
    ).toContain('inspect/too-large');
  });

  it('an image that is for another machine', () => {
    const cluster = { architecture: 'arm64', releaseVersion: '4.21' };
    const messages = (image: object): readonly string[] =>
      machineWarnings(cluster, image).map(({ message }) => message);
    expect(messages({ machine: 'amd64', release: '4.18' })).toEqual([
      'the image is for amd64, but the config is for arm64',
      'the image is for OpenShift 4.18, but the config is for 4.21',
    ]);
    expect(messages({ machine: 'arm64', release: '4.21' })).toEqual([]);
    expect(messages({})).toEqual([]);
  });
});

describe('outputs of sno-install', () => {
  let files: readonly OutputFile[] = [];
  beforeAll(async () => {
    const made = await Promise.all([
      resolveFixtureTarget('single-node-ignition-config', 'minimal'),
      resolveFixtureTarget('aio-ignition', 'aio-minimal'),
    ]);
    files = made.flatMap((each) => each.files);
  });
  const bytesOf = (path: string): Uint8Array =>
    Buffer.from(files.find((each) => each.path === path)?.contents ?? '');

  it.each([
    {
      path: 'bootstrap-in-place-for-live-iso.ign',
      want: {
        name: 'site1',
        baseDomain: 'example.com',
        apiHost: 'api.site1.example.com',
        releaseImage: 'quay.io/openshift-release-dev/ocp-release:4.21.0-x86_64',
        releaseVersion: '4.21',
        architecture: 'amd64',
        createdBy: expect.stringMatching(/^sno-install \d/) as string,
      },
    },
    { path: 'worker.ign', want: { apiHost: 'api.site1.example.com' } },
    { path: 'aio.ign', want: { name: 'site1', baseDomain: 'example.com', apiHost: 'api.site1.example.com' } },
  ])('$path shows its cluster and has no problems', async ({ path, want }) => {
    const { cluster, odd, config } = await inspected(bytesOf(path));
    const { storage } = JSON.parse(Buffer.from(bytesOf(path)).toString()) as {
      readonly storage?: { readonly files?: readonly unknown[] };
    };
    expect({ cluster, odd, files: config.files.length }).toEqual({
      cluster: want,
      odd: [],
      files: storage?.files?.length ?? 0,
    });
  });
});

describeWith(['ssh-keygen'], 'the fingerprint of an SSH key', () => {
  it('is that of ssh-keygen', () => {
    const { stdout } = spawnSync('ssh-keygen', ['-l', '-f', '-'], {
      input: `${sshKey}\n`,
      encoding: 'utf8',
    });
    const [, digest = 'none'] = stdout.split(' ');
    expect(sshFingerprint(sshKey)).toBe(`ssh-ed25519 ${digest}`);
  });
});
