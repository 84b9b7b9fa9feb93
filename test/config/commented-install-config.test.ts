import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  commentedInstallConfig,
  type InstallConfigAnswers,
} from '../../src/config/commented-install-config.js';
import { readInstallConfig } from '../../src/config/reading/install-config.js';
import { testContext } from '../support/context.js';

const answers: InstallConfigAnswers = {
  name: 'sno',
  baseDomain: 'example.com',
  installationDisk: '/dev/disk/by-id/wwn-0x5000c500a0b1c2d3',
  machineNetwork: ['192.168.126.0/24'],
};
const pullSecret = '{"auths":{"quay.io":{"auth":"dGhyb3dhd2F5OnRocm93YXdheQ=="}}}';
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ5ialTiFcdXwCKUP4Zr7gO/zTKL/pikuBWWXvRMftkQ throwaway';

function read(text: string): ReturnType<typeof readInstallConfig> {
  return readInstallConfig(testContext({ files: { 'install-config.yaml': text } }).inputs);
}

describe('commentedInstallConfig', () => {
  test('has only one problem, the missing pull secret at its line', () => {
    const text = commentedInstallConfig(answers);
    const line = text.split('\n').findIndex((each) => each.startsWith('pullSecret:')) + 1;
    expect(read(text).problems.map(({ code, at }) => ({ code, line: at?.line }))).toEqual([
      { code: 'config/missing-field', line },
    ]);
  });

  test.each<{ name: string; given: Partial<InstallConfigAnswers>; want: object }>([
    {
      name: 'with a pull secret',
      given: { pullSecret },
      want: { metadata: { name: 'sno' }, baseDomain: 'example.com', sshKey: '' },
    },
    {
      name: 'with keys',
      given: { pullSecret, sshKey: `${key}\n${key}\n` },
      want: { sshKey: `${key}\n${key}` },
    },
    {
      name: 'with an IPv6 network',
      given: { pullSecret, machineNetwork: ['fd2e:6f44:5dd8::/64'] },
      want: { networking: { serviceNetwork: ['fd02::/112'] } },
    },
    {
      name: 'for another architecture',
      given: { pullSecret, architecture: 'arm64' },
      want: { controlPlane: { architecture: 'arm64' }, compute: [{ architecture: 'arm64' }] },
    },
    {
      name: 'with two address families',
      given: { pullSecret, machineNetwork: ['192.168.126.0/24', 'fd2e:6f44:5dd8::/64'] },
      want: {
        networking: {
          clusterNetwork: [{ hostPrefix: 23 }, { hostPrefix: 64 }],
          serviceNetwork: ['172.30.0.0/16', 'fd02::/112'],
        },
      },
    },
    {
      name: 'with networks, a proxy and mirrors',
      given: {
        pullSecret: '{"auths":{"r.example.com":{"auth":"dGhyb3dhd2F5OnRocm93YXdheQ=="}}}',
        clusterNetwork: ['10.200.0.0/14'],
        serviceNetwork: ['172.31.0.0/16'],
        httpProxy: 'http://proxy.example.com:3128',
        noProxy: '.example.com,192.168.126.0/24',
        mirror: [
          { source: 'quay.io/a', mirror: 'r.example.com/a' },
          { source: 'quay.io/b', mirror: 'r.example.com/b' },
          { source: 'quay.io/a', mirror: 'r.example.com/c' },
        ],
      },
      want: {
        networking: { serviceNetwork: ['172.31.0.0/16'] },
        proxy: { httpProxy: 'http://proxy.example.com:3128' },
        imageDigestSources: [
          { source: 'quay.io/a', mirrors: ['r.example.com/a', 'r.example.com/c'] },
          { source: 'quay.io/b', mirrors: ['r.example.com/b'] },
        ],
      },
    },
  ])('is sound $name', ({ given, want }) => {
    const { problems, draft } = read(commentedInstallConfig({ ...answers, ...given }));
    expect(problems).toEqual([]);
    expect(draft?.config).toMatchObject(want);
    expect(draft?.config.pullSecret.reveal()).toBe(given.pullSecret);
  });

  test('is valid with uncommented lines', () => {
    const text = commentedInstallConfig({ ...answers, pullSecret });
    // Uncomments every field below a comment of prose, except certificates, which need a real value.
    const uncommented = text
      .replace(/^# (?=(proxy|imageDigestSources):| {2})/gm, '')
      .replace(/^ {2}-----[^]*?-----END CERTIFICATE-----\n/m, '')
      .replace(/^ {2}…\n/m, '');
    expect(uncommented).not.toBe(text);
    const { draft, problems } = read(uncommented);
    expect(problems.filter(({ code }) => code !== 'config/mirror-without-credentials')).toEqual([]);
    expect([draft?.config.proxy?.httpProxy, draft?.config.imageDigestSources.length]).toEqual([
      'http://proxy.example.com:3128',
      2,
    ]);
  });

  test('quotes an answer as one value', () => {
    const odd = fc
      .array(
        fc.constantFrom(
          'a',
          'B',
          '0',
          ':',
          ' ',
          '#',
          "'",
          '"',
          '\n',
          '{',
          '-',
          '&',
          '*',
          '!',
          '%',
          'yes',
          'é',
          '.',
        ),
        { maxLength: 8 },
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(odd, odd, odd, (name, baseDomain, installationDisk) => {
        const { draft } = read(
          commentedInstallConfig({ ...answers, pullSecret, name, baseDomain, installationDisk }),
        );
        const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ').trim();
        expect(draft?.config).toMatchObject({
          metadata: { name: oneLine(name) },
          bootstrapInPlace: { installationDisk: oneLine(installationDisk) },
        });
        expect(draft?.input.baseDomain ?? '').toBe(oneLine(baseDomain));
      }),
    );
  });
});
