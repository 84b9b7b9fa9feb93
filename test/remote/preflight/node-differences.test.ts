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
    want: 'those from DHCP (name them with --dns-server).',
  },
  {
    name: 'with a static network',
    given: network(fixed, server),
    want: '192.168.126.1 (from `network`) (name them with --dns-server).',
  },
  {
    name: 'with DHCP beside servers',
    given: network(dhcp, server),
    want: '192.168.126.1 (from `network`), and those from DHCP (name them with --dns-server).',
  },
  {
    name: 'with DHCP whose servers are not taken',
    given: network(ownDhcp, server),
    want: '192.168.126.1 (from `network`) (name them with --dns-server).',
  },
  {
    name: 'with profiles',
    given: '{ keyfiles: [eno1.nmconnection] }',
    want: 'those from its keyfiles or DHCP (name them with --dns-server).',
  },
])('reports that the node uses its own name servers: $name', ({ given, want }) => {
  expect(ofNames(given, [])).toBe(
    `Names were looked up at the name servers of this machine; the node uses ${want}`,
  );
});

test('reports whether the node uses the same servers', () => {
  expect(ofNames(network(fixed, server), ['192.168.126.1'])).toBe(
    'Names were looked up at 192.168.126.1, like the node does.',
  );
  expect(ofNames(network(dhcp, server), ['192.168.126.1'])).toBe(
    'Names were looked up at 192.168.126.1; the node uses 192.168.126.1 (from `network`), and those from DHCP.',
  );
  expect(ofNames('', ['192.0.2.53'])).toBe(
    'Names were looked up at 192.0.2.53; the node uses those from DHCP.',
  );
  expect(ofNames(network(fixed), ['192.0.2.53'])).toBe(
    'Names were looked up at 192.0.2.53; the node has no name server: `network` lists none and does not use DHCP.',
  );
});
