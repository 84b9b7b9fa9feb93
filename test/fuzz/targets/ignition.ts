import { parseJson } from '../../../src/formats/json.js';
import { validateIgnition } from '../../../src/ignition/foreign/validate-ignition.js';
import { inspectConfig } from '../../../src/review/inspection/inspect-config.js';
import type { Target } from '../driver/target.js';
import { keptInputs } from './fixture-texts.js';
import { canaries, plantedPullSecret } from './planted.js';

/** Ignition configs from other programs. ignition-validate must accept each accepted config, and `inspect` must not show a secret. */
export const ignition: Target = {
  name: 'ignition',
  form: 'json',
  seeds: () => [whole, '{"ignition":{"version":"3.2.0"}}', ...keptInputs('ignition')],
  words: [
    '3.2.0',
    '3.4.0',
    'data:,',
    'data:;base64,',
    '%20',
    'gzip',
    'sha512-',
    'https://',
    's3://',
    '/etc/',
    '[Unit]\\n',
    '[Service]\\n',
  ],
  canaries,
  run: (input) => {
    const text = input.toString('utf8');
    const shown = JSON.stringify(inspectConfig(input)?.config ?? null);
    const config = parseJson(text);
    if (config === undefined) return { isAccepted: false, shown };
    const version = /"version"\s*:\s*"3\.([0-5])\.0"/.exec(text)?.[1];
    const faults = version === undefined ? [] : validateIgnition(config, Number(version));
    return {
      isAccepted: version !== undefined && faults.length === 0,
      shown: shown + JSON.stringify(faults.map(({ message, hint }) => [message, hint])),
      outputs: () => [{ judge: 'ignition-validate', text }],
    };
  },
};

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const whole = JSON.stringify({
  ignition: {
    version: '3.2.0',
    config: { merge: [{ source: 'data:,%7B%22ignition%22%3A%7B%22version%22%3A%223.2.0%22%7D%7D' }] },
    timeouts: { httpTotal: 30 },
    security: { tls: { certificateAuthorities: [{ source: 'https://example.com/ca.pem' }] } },
    proxy: { httpProxy: 'http://proxy.example.com', noProxy: ['example.com'] },
  },
  passwd: {
    users: [
      {
        name: 'core',
        groups: ['wheel'],
        sshAuthorizedKeys: ['ssh-ed25519 AAAA a'],
        passwordHash: '$2a$10$x',
        uid: 1000,
      },
    ],
    groups: [{ name: 'a', gid: 1001 }],
  },
  storage: {
    disks: [{ device: '/dev/vda', wipeTable: true, partitions: [{ number: 1, label: 'a', sizeMiB: 1 }] }],
    filesystems: [{ device: '/dev/vda1', path: '/var', format: 'xfs' }],
    files: [
      { path: '/etc/a', mode: 384, contents: { source: `data:;base64,${base64(plantedPullSecret)}` } },
      {
        path: '/etc/b',
        overwrite: true,
        contents: { source: 'data:,a%20b', verification: { hash: `sha256-${'0'.repeat(64)}` } },
      },
      {
        path: '/etc/c',
        append: [{ source: 'https://example.com/c', httpHeaders: [{ name: 'a', value: 'b' }] }],
      },
    ],
    directories: [{ path: '/etc/d', user: { name: 'core' }, group: { id: 0 } }],
    links: [{ path: '/etc/e', target: '/etc/a', hard: false }],
  },
  systemd: {
    units: [
      {
        name: 'a.service',
        enabled: true,
        contents: '[Service]\nExecStart=/bin/true\n[Install]\nWantedBy=multi-user.target\n',
        dropins: [{ name: 'b.conf', contents: '[Service]\nEnvironment=A=b\n' }],
      },
    ],
  },
});
