import { expect, test } from 'vitest';

import { readInstallConfig } from '../../../src/config/reading/install-config.js';
import { readSnoConfig } from '../../../src/config/reading/sno-config.js';
import { nodeDifferences } from '../../../src/remote/preflight/node-differences.js';
import { testContext } from '../../support/context.js';
import { minimalInstallConfig, snoConfigText } from '../../support/minimal-config.js';

/** The message about name servers with this network. */
function ofNames(network: string, dnsServers: readonly string[]): string | undefined {
  const files = {
    'install-config.yaml': minimalInstallConfig,
    'sno-config.yaml': snoConfigText(network === '' ? '' : `network: ${network}\n`),
  };
  const { inputs } = testContext({ files });
  const { draft } = readInstallConfig(inputs);
  if (draft === undefined) throw new Error('not sound');
  const { config } = readSnoConfig(inputs, draft);
  const [said] = nodeDifferences(
    { install: draft.config, sno: config, proxy: {} },
    { dnsServers, proxyVariables: [] },
  );
  return said;
}

const fixed = 'ipv4: { enabled: true, address: [{ ip: 192.168.126.10, prefix-length: 24 }] }';
const dhcp = 'ipv4: { enabled: true, dhcp: true }';
const ownDhcp = 'ipv4: { enabled: true, dhcp: true, auto-dns: false }';
const network = (ip: string, more = ''): string =>
  `{ interfaces: [{ name: eno1, type: ethernet, ${ip} }]${more} }`;
const server = ', dns-resolver: { config: { server: [192.168.126.1] } }';

test.each([
  {
    name: 'without a network',
    given: '',
    want: 'those that DHCP gives it (name them with --dns-server).',
  },
  {
    name: 'with a static network',
    given: network(fixed, server),
    want: '192.168.126.1, as `network` says (name them with --dns-server).',
  },
  {
    name: 'with DHCP beside servers',
    given: network(dhcp, server),
    want: '192.168.126.1, as `network` says, and those that DHCP gives it (name them with --dns-server).',
  },
  {
    name: 'with DHCP whose servers are not taken',
    given: network(ownDhcp, server),
    want: '192.168.126.1, as `network` says (name them with --dns-server).',
  },
  {
    name: 'with profiles',
    given: '{ keyfiles: [eno1.nmconnection] }',
    want: 'those that its keyfiles name or DHCP gives it (name them with --dns-server).',
  },
])('$name the node asks its own name servers', ({ given, want }) => {
  expect(ofNames(given, [])).toBe(
    `Names were asked of the name servers of this machine; the node asks ${want}`,
  );
});

test('servers that the node asks too are said to be the same, and others not', () => {
  expect(ofNames(network(fixed, server), ['192.168.126.1'])).toBe(
    'Names were asked of 192.168.126.1, as the node will.',
  );
  expect(ofNames(network(dhcp, server), ['192.168.126.1'])).toBe(
    'Names were asked of 192.168.126.1; the node asks 192.168.126.1, as `network` says, and those that DHCP gives it.',
  );
  expect(ofNames('', ['192.0.2.53'])).toBe(
    'Names were asked of 192.0.2.53; the node asks those that DHCP gives it.',
  );
  expect(ofNames(network(fixed), ['192.0.2.53'])).toBe(
    'Names were asked of 192.0.2.53; the node has no name server: `network` names none and takes none from DHCP.',
  );
});
