import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { quotedValue } from '../../../src/node/live/env-value.js';
import { envFile } from '../../../src/node/live/live-env-file.js';
import { describeWith } from '../../support/programs.js';
import { facts } from './live-facts.js';

describe('envFile', () => {
  test('contains all variables of the scripts', async () => {
    expect(envFile(await facts())).toBe(`# Settings of the installation scripts, read with source.
SNO_CLUSTER_NAME='sno'
SNO_CLUSTER_DOMAIN='sno.example.com'
SNO_API_HOST='api.sno.example.com'
SNO_API_INT_HOST='api-int.sno.example.com'
SNO_RELEASE_IMAGE='quay.io/openshift-release-dev/ocp-release:4.21.0-x86_64'
SNO_INSTALLATION_DISK='/dev/disk/by-id/nvme-eui.0025388b710a5e20'
SNO_ROOT_DEVICE_HINTS=''
SNO_COREOS_INSTALLER='{"savePartitionLabels":[],"savePartitionIndexes":[],"appendKernelArguments":[],"deleteKernelArguments":[]}'
SNO_REINSTALL='Refuse'
SNO_MACHINE_NETWORKS='192.168.126.0/24'
SNO_HOSTNAME=''
SNO_NODE_IP=''
SNO_API_CHECK='Address'
SNO_IP_FAMILY='4'
SNO_DUAL_STACK='0'
SNO_RENDER='Release'
SNO_KEY_ALGORITHM='RSA-2048'
SNO_CLUSTER_PROFILE='self-managed-high-availability'
SNO_NOT_BEFORE='1767319445'
SNO_NOT_AFTER='1769915045'
SNO_OS_IMAGE_STREAM='rhel-9'
SNO_FIPS='0'
SNO_INVOKER='user'
SNO_EXPECTED_ARCH='amd64'
`);
  });

  test('follows sno-config.yaml, the environment and the networks', async () => {
    const given = await facts({
      sno: 'hostname: node-1\nnodeIP: FD2E:0::10\nreleaseImage: registry.example.com/release:5.1.0\n',
      networking: [
        'machineNetwork: [{ cidr: fd2e::/64 }, { cidr: 192.168.126.0/24 }]',
        'clusterNetwork: [{ cidr: fd01::/48, hostPrefix: 64 }, { cidr: 10.128.0.0/14, hostPrefix: 23 }]',
        'serviceNetwork: [fd02::/112, 172.30.0.0/16]',
      ],
      more: 'fips: true\n',
      invoker: 'pipeline',
    });
    const changed = envFile(given)
      .split('\n')
      .filter((line) => /RELEASE|MACHINE|HOSTNAME|NODE_IP|FAMILY|DUAL|STREAM|FIPS|INVOKER/.test(line));
    expect(changed).toEqual([
      "SNO_RELEASE_IMAGE='registry.example.com/release:5.1.0'",
      "SNO_MACHINE_NETWORKS='fd2e::/64 192.168.126.0/24'",
      "SNO_HOSTNAME='node-1'",
      "SNO_NODE_IP='fd2e::10'",
      "SNO_IP_FAMILY='6'",
      "SNO_DUAL_STACK='1'",
      "SNO_OS_IMAGE_STREAM='rhel-10'",
      "SNO_FIPS='1'",
      "SNO_INVOKER='pipeline'",
    ]);
  });
});

describe('quoted', () => {
  test.each(['a\nb', 'a\rb', 'a\u0000b', 'a\tb', '\u007f'])(
    'refuses the control character in %j',
    (value) => {
      expect(() => quotedValue('SNO_INVOKER', value)).toThrow(
        'internal error: SNO_INVOKER holds a control character, which the env file cannot carry',
      );
    },
  );

  test('has the intended value in systemd', () => {
    fc.assert(
      fc.property(printable, (value) => {
        expect(readAsSystemd(quotedValue('NAME', value))).toBe(value);
      }),
    );
  });
});

describeWith(['bash'], 'quoted before the real bash', () => {
  test('gives back every value', () => {
    const nasty = [
      `it's`,
      `''`,
      '"$HOME" `id` $(id) \\',
      '!!',
      '# no comment',
      ' ends with a blank ',
      'ä漢',
      '*?[a]',
    ];
    const values = [...nasty, ...fc.sample(printable, { numRuns: 100, seed: 7 })];
    const lines = values.map((value, index) => `V${index}=${quotedValue('V', value)}\n`).join('');
    const prints = values.map((_, index) => `printf '%s\\n' "$V${index}"\n`).join('');

    const { stdout } = spawnSync('bash', ['-c', `source /dev/stdin <<'END'\n${lines}END\n${prints}`], {
      encoding: 'utf8',
    });

    expect(stdout.split('\n').slice(0, -1)).toEqual(values);
  });
});

/** Any text that a config accepts, which excludes control characters. */
const printable = fc.string({ unit: 'grapheme' }).filter((text) => !/\p{Cc}/u.test(text));

/**
 * Reads a value as systemd does: a sequence of quoted parts, each ended by the same kind of quote. Backslash escapes only in double
 * quotes. Source: src/basic/env-file.c, states PRE_VALUE, SINGLE_QUOTE_VALUE, DOUBLE_QUOTE_VALUE
 */
function readAsSystemd(text: string): string {
  const part = /'([^']*)'|"((?:[^"\\]|\\.)*)"/y;
  let value = '';
  while (part.lastIndex < text.length) {
    const found = part.exec(text);
    if (!found) throw new Error(`systemd would not read ${text} as quoted`);
    value += found[1] ?? found[2]?.replaceAll(/\\(.)/g, '$1') ?? '';
  }
  return value;
}
