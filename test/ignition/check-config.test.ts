import { describe, expect, it } from 'vitest';

import { checkConfig } from '../../src/ignition/check-config.js';
import { pointerConfig } from '../../src/ignition/pointer.js';
import type { IgnitionConfig, IgnitionFile, IgnitionUnit } from '../../src/ignition/types.js';
import { sampleConfig, sampleContents } from './sample-config.js';

const start = '[Service]\nExecStart=/bin/true\n';
const install = '[Install]\nWantedBy=multi-user.target\n';
const key = `-----BEGIN RSA PRIVATE KEY-----\n${'A'.repeat(64)}\n-----END RSA PRIVATE KEY-----\n`;

/** The sample with additional files at these paths. */
function withFiles(...paths: readonly string[]): IgnitionConfig {
  const files = paths.map((path) => ({ path, mode: 0o600, contents: 'x' }));
  return sampleConfig({ files: [...sampleContents.files, ...files] });
}

function withUnits(...units: readonly IgnitionUnit[]): IgnitionConfig {
  return sampleConfig({ units: [...sampleContents.units, ...units] });
}

/** A config with one file, without normalization. */
function withFile(file: Partial<IgnitionFile>): IgnitionConfig {
  const base = { path: '/a', mode: 0o600, user: { name: 'root' }, overwrite: true } as const;
  return { ignition: { version: '3.2.0' }, storage: { files: [{ ...base, ...file }] } };
}

function found(config: IgnitionConfig): readonly string[] {
  return checkConfig(config).map(({ code, message }) => `${code}: ${message}`);
}

describe('checkConfig', () => {
  it('accepts a generated config', () => {
    expect(found(sampleConfig())).toEqual([]);
    expect(found(pointerConfig('https://api-int.sno.example.com:22623/config/worker', 'CA\n'))).toEqual([]);
  });

  const cases: readonly { name: string; given: IgnitionConfig; want: readonly string[] }[] = [
    {
      name: 'a path twice',
      given: withFiles('/etc/motd'),
      want: ['ignition/conflict: /etc/motd is in the config twice'],
    },
    {
      name: 'a path that is file and folder',
      given: {
        ...withFile({ contents: { source: 'data:,' } }),
        storage: {
          files: [
            {
              path: '/a',
              mode: 0o600,
              user: { name: 'root' },
              overwrite: true,
              contents: { source: 'data:,' },
            },
          ],
          directories: [{ path: '/a', mode: 0o755, user: { name: 'root' } }],
        },
      },
      want: ['ignition/conflict: /a is in the config twice'],
    },
    {
      name: 'a file below a file',
      given: withFiles('/etc/motd/deep/file'),
      want: ['ignition/conflict: /etc/motd/deep/file lies below /etc/motd, which is a file'],
    },
    {
      name: 'paths that are not plain',
      given: withFiles('/a//b', '/b/../c', '/d/.', '/e/', '/'),
      want: ['/', '/a//b', '/b/../c', '/d/.', '/e/'].map(
        (path) => `ignition/invalid: ${path} is not a plain absolute path`,
      ),
    },
    {
      name: 'a unit that is a file too',
      given: withFiles('/etc/systemd/system/start.service'),
      want: [
        'ignition/conflict: /etc/systemd/system/start.service is both a file and part of unit start.service',
      ],
    },
    {
      name: 'a drop-in that is a file too',
      given: withFiles('/etc/systemd/system/zincati.service.d/off.conf'),
      want: [
        'ignition/conflict: /etc/systemd/system/zincati.service.d/off.conf is both a file and part of unit zincati.service',
      ],
    },
    {
      name: 'a unit twice',
      given: withUnits({ name: 'other.service', contents: start }),
      want: ['ignition/conflict: unit other.service is in the config twice'],
    },
    {
      name: 'a drop-in twice',
      given: withUnits({
        name: 'crio.service',
        dropins: [
          { name: 'a.conf', contents: start },
          { name: 'a.conf', contents: start },
        ],
      }),
      want: ['ignition/conflict: drop-in a.conf of unit crio.service is in the config twice'],
    },
    {
      name: 'a user twice',
      given: sampleConfig({ users: [...sampleContents.users, { name: 'core', sshAuthorizedKeys: [] }] }),
      want: ['ignition/conflict: user core is in the config twice'],
    },
    {
      name: 'a key twice',
      given: sampleConfig({ users: [{ name: 'core', sshAuthorizedKeys: ['ssh-rsa A', 'ssh-rsa A'] }] }),
      want: ['ignition/conflict: user core has the same SSH key twice'],
    },
    {
      name: 'a unit without a type',
      given: withUnits({ name: 'kubelet', contents: start }, { name: 'kubelet.conf', contents: start }),
      want: [
        'ignition/invalid: unit kubelet has no type of unit for an ending',
        'ignition/invalid: unit kubelet.conf has no type of unit for an ending',
      ],
    },
    {
      name: 'a drop-in without .conf',
      given: withUnits({ name: 'crio.service', dropins: [{ name: 'a', contents: start }] }),
      want: ['ignition/invalid: drop-in a of unit crio.service does not end in .conf'],
    },
    {
      name: 'unit text that cannot be read',
      given: withUnits({
        name: 'crio.service',
        contents: '[Unit\n',
        dropins: [{ name: 'a.conf', contents: `${start}what\n` }],
      }),
      want: [
        'ignition/invalid: unit crio.service cannot be read at its line 1',
        'ignition/invalid: drop-in a.conf of unit crio.service cannot be read at its line 3',
      ],
    },
    {
      name: 'an enabled unit that says nowhere for what',
      given: withUnits({ name: 'crio.service', enabled: true, contents: start }),
      want: ['ignition/invalid: unit crio.service is enabled and has no [Install] section'],
    },
    {
      name: 'enabled units that need not say it, or say it in a drop-in',
      given: withUnits(
        { name: 'a.service', enabled: true },
        { name: 'b.service', enabled: true, contents: '' },
        {
          name: 'c.service',
          enabled: true,
          contents: start,
          dropins: [{ name: 'i.conf', contents: install }],
        },
      ),
      want: [],
    },
    {
      name: 'contents that cannot be decoded',
      given: withFile({ contents: { source: 'data:,%zz' } }),
      want: ['ignition/invalid: the contents of /a cannot be decoded'],
    },
    {
      name: 'a key that others can read',
      given: withFile({ mode: 0o640, contents: { source: `data:,${encodeURIComponent(key)}` } }),
      want: ['ignition/invalid: /a contains a secret and has mode 0640, expected 0600'],
    },
    {
      name: 'a key that others can read, added to a file',
      given: withFile({
        mode: 0o604,
        overwrite: false,
        append: [{ source: `data:;base64,${Buffer.from(key).toString('base64')}` }],
      }),
      want: ['ignition/invalid: /a contains a secret and has mode 0604, expected 0600'],
    },
  ];
  it.each(cases)('finds $name', ({ given, want }) => {
    expect(found(given)).toEqual(want);
  });

  const contents = { source: 'data:,' };
  const broken: readonly { name: string; given: object; want: string }[] = [
    {
      name: 'another version',
      given: { ignition: { version: '3.3.0' } },
      want: '/ignition/version: must be equal to constant',
    },
    {
      name: 'an unknown member',
      given: { ignition: { version: '3.2.0' }, kernelArguments: {} },
      want: ': must NOT have additional properties',
    },
    {
      name: 'a mode out of range',
      given: withFile({ mode: 0o1777, contents }),
      want: '/storage/files/0/mode: must be <= 511',
    },
    {
      name: 'a mode that is no integer',
      given: withFile({ mode: 1.5, contents }),
      want: '/storage/files/0/mode: must be integer',
    },
    {
      name: 'a relative path',
      given: withFile({ path: 'a', contents }),
      want: '/storage/files/0/path: must match pattern "^\\/"',
    },
    {
      name: 'a file without contents',
      given: withFile({}),
      want: "/storage/files/0: must have required property 'contents'",
    },
    {
      name: 'plain http',
      given: withFile({ contents: { source: 'http://example.com/a' } }),
      want: '/storage/files/0/contents/source: must match pattern "^(data:|https:\\/\\/)"',
    },
    {
      name: 'two keys on one line',
      given: {
        ignition: { version: '3.2.0' },
        passwd: { users: [{ name: 'core', sshAuthorizedKeys: ['ssh-rsa A\nssh-rsa B'] }] },
      },
      want: '/passwd/users/0/sshAuthorizedKeys/0: must match pattern "^\\S[^\\r\\n]* [^\\r\\n]+$"',
    },
    {
      name: 'enabled false',
      given: { ignition: { version: '3.2.0' }, systemd: { units: [{ name: 'a.service', enabled: false }] } },
      want: '/systemd/units/0/enabled: must be equal to constant',
    },
  ];
  it.each(broken)('throws for an impossible input: $name', ({ given, want }) => {
    expect(() => checkConfig(given as IgnitionConfig)).toThrow(
      new Error(`internal error: the Ignition config breaks its schema at ${want}`),
    );
  });
});
