import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { buildConfig } from '../../src/ignition/build-config.js';
import { checkConfig } from '../../src/ignition/check-config.js';
import { pointerConfig } from '../../src/ignition/pointer.js';
import { serializeConfig } from '../../src/ignition/serialize.js';
import { sampleConfig, sampleContents } from './sample-config.js';

const root = { name: 'root' };

describe('buildConfig', () => {
  it('writes files by path, units and users by name', () => {
    expect(sampleConfig()).toEqual({
      ignition: { version: '3.2.0' },
      passwd: { users: sampleContents.users },
      storage: {
        files: [
          { path: '/etc/empty', mode: 384, user: root, overwrite: true, contents: { source: 'data:,' } },
          {
            path: '/etc/motd',
            mode: 420,
            user: root,
            overwrite: false,
            append: [{ source: 'data:,a%20bootstrap%20node%0A' }],
          },
          {
            path: '/opt/blob',
            mode: 384,
            user: root,
            overwrite: true,
            contents: { source: 'data:;base64,/wAQ' },
          },
          {
            path: '/usr/local/bin/start.sh',
            mode: 365,
            user: root,
            overwrite: true,
            contents: { source: 'data:,%23!/bin/bash%0Aecho%20%22100%25%22%20done%0A' },
          },
        ],
      },
      systemd: {
        units: [
          { name: 'gatewayd.socket', enabled: true },
          { name: 'other.service', contents: '[Service]\nExecStart=/bin/true\n' },
          sampleContents.units[0],
          sampleContents.units[3],
        ],
      },
    });
  });

  it('keeps private material for root alone', () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${'A'.repeat(64)}\n-----END PRIVATE KEY-----\n`;
    const files = [
      { path: '/key', mode: 0o644, contents: key },
      { path: '/script', mode: 0o555, contents: key },
    ];
    const modes = sampleConfig({ files }).storage?.files?.map(({ mode }) => mode.toString(8));
    expect(modes).toEqual(['600', '500']);
  });

  it('has files fetched, held against their hash, through a proxy and under authorities of the user', () => {
    const hash = `sha256-${'ab'.repeat(32)}`;
    const config = buildConfig({
      files: [{ path: '/b', mode: 0o600, contents: '' }],
      units: [],
      users: [],
      fetched: [
        { path: '/c', mode: 0o755, url: 'https://example.com/c', hash },
        { path: '/a', mode: 0o755, url: 'https://example.com/a.gz', hash, compression: 'gzip' },
      ],
      folders: [{ path: '/etc/keys', mode: 0o700 }],
      transport: {
        proxy: { httpsProxy: 'http://proxy:3128', noProxy: ['localhost'] },
        authoritiesPem: 'CA\n',
      },
    });
    expect(checkConfig(config)).toEqual([]);
    expect(config).toEqual({
      ignition: {
        version: '3.2.0',
        proxy: { httpsProxy: 'http://proxy:3128', noProxy: ['localhost'] },
        security: { tls: { certificateAuthorities: [{ source: 'data:,CA%0A' }] } },
      },
      passwd: { users: [] },
      storage: {
        directories: [{ path: '/etc/keys', mode: 0o700, user: root, overwrite: false }],
        files: [
          {
            path: '/a',
            mode: 0o755,
            user: root,
            overwrite: true,
            contents: { source: 'https://example.com/a.gz', compression: 'gzip', verification: { hash } },
          },
          { path: '/b', mode: 0o600, user: root, overwrite: true, contents: { source: 'data:,' } },
          {
            path: '/c',
            mode: 0o755,
            user: root,
            overwrite: true,
            contents: { source: 'https://example.com/c', verification: { hash } },
          },
        ],
      },
      systemd: { units: [] },
    });
  });

  it('has no file fetched unverified', () => {
    const file = { path: '/a', mode: 0o755, user: { name: 'root' }, overwrite: true } as const;
    const contents = { source: 'https://example.com/a' };
    const config = { ignition: { version: '3.2.0' }, storage: { files: [{ ...file, contents }] } } as const;
    expect(() => checkConfig(config)).toThrow('internal error: the Ignition config breaks its schema');
  });

  it('returns the same text for any order of its input', () => {
    const { files, units, users } = sampleContents;
    const shuffled = fc.record({
      files: fc.shuffledSubarray([...files], { minLength: files.length }),
      units: fc.shuffledSubarray([...units], { minLength: units.length }),
    });
    const want = serializeConfig(sampleConfig());
    fc.assert(
      fc.property(shuffled, (contents) => {
        expect(serializeConfig(buildConfig({ ...contents, users }))).toBe(want);
      }),
    );
  });
});

describe('serializeConfig', () => {
  const nothing = { files: [], units: [], users: [] };
  const cases = [
    { name: 'nothing at all', given: nothing, want: '{"ignition":{"version":"3.2.0"}}' },
    {
      name: 'a unit without drop-ins',
      given: { ...nothing, units: [{ name: 'a.socket', enabled: true, contents: '', dropins: [] }] },
      want: '{"ignition":{"version":"3.2.0"},"systemd":{"units":[{"name":"a.socket","enabled":true,"contents":""}]}}',
    },
    {
      name: 'an empty file',
      given: { ...nothing, files: [{ path: '/a', mode: 0o600, contents: '' }] },
      want: '{"ignition":{"version":"3.2.0"},"storage":{"files":[{"path":"/a","mode":384,"user":{"name":"root"},"overwrite":true,"contents":{"source":"data:,"}}]}}',
    },
  ];
  it.each(cases)('omits empty fields: $name', ({ given, want }) => {
    expect(serializeConfig(buildConfig(given))).toBe(want);
  });

  it('writes a pointer as openshift-install does', () => {
    const pointer = pointerConfig('https://api-int.sno.example.com:22623/config/worker', 'CA\n');
    expect(serializeConfig(pointer)).toBe(
      '{"ignition":{"config":{"merge":[{"source":"https://api-int.sno.example.com:22623/config/worker"}]},' +
        '"security":{"tls":{"certificateAuthorities":[{"source":"data:text/plain;charset=utf-8;base64,Q0EK"}]}},"version":"3.2.0"}}',
    );
  });
});
