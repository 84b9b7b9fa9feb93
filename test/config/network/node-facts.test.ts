import { describe, expect, test } from 'vitest';

import { readInstallConfig } from '../../../src/config/reading/install-config.js';
import { readSnoConfig } from '../../../src/config/reading/sno-config.js';
import { testContext } from '../../support/context.js';
import { edited, soundInstallConfig, type Edit } from '../sound-config.js';

const head = 'apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\n';
const network = `network:
  interfaces:
  - name: eno1
    ipv4: { enabled: true, address: [{ ip: 192.168.126.10, prefix-length: 24 }] }
  - name: eno2
    ipv4: { enabled: true, dhcp: true }
`;

/** The `hostname` and `nodeIP` of the model, and the errors. */
function factsOf(edits: readonly Edit[]): object {
  const files = {
    'install-config.yaml': soundInstallConfig,
    'sno-config.yaml': edited(head + network, edits),
  };
  const { inputs } = testContext({ files });
  const { config, problems } = readSnoConfig(inputs, readInstallConfig(inputs).draft);
  const { hostname, nodeIP } = config;
  return { hostname, nodeIP, codes: problems.map(({ code }) => code) };
}

const cases: readonly { readonly name: string; readonly edits: readonly Edit[]; readonly want: object }[] = [
  { name: 'the one static address', edits: [], want: { nodeIP: '192.168.126.10', codes: [] } },
  {
    name: 'none of two',
    edits: [
      ['10, prefix-length: 24 }', '10, prefix-length: 24 }, { ip: 192.168.126.11, prefix-length: 24 }'],
    ],
    want: { codes: [] },
  },
  {
    name: 'the one of two that is in a machine network',
    edits: [['address: [', 'address: [{ ip: 10.99.0.1, prefix-length: 24 }, ']],
    want: { nodeIP: '192.168.126.10', codes: [] },
  },
  {
    name: 'none from DHCP',
    edits: [['address: [{ ip: 192.168.126.10, prefix-length: 24 }]', 'dhcp: true']],
    want: { codes: [] },
  },
  {
    name: 'none of an interface that is down',
    edits: [['- name: eno1', '- name: eno1\n    state: down']],
    want: { codes: [] },
  },
  {
    name: 'what is said at the top',
    edits: [['network:', 'nodeIP: 192.168.126.12\nhostname: node-1\nnetwork:']],
    want: { nodeIP: '192.168.126.12', hostname: 'node-1', codes: [] },
  },
  {
    name: 'its name in the form of nmstate',
    edits: [['network:', 'network:\n  hostname: { config: node-2 }']],
    want: { nodeIP: '192.168.126.10', hostname: 'node-2', codes: [] },
  },
  {
    name: 'that answers for its own cluster',
    edits: [['network:', 'dns: { local: true }\nnetwork:']],
    want: { nodeIP: '192.168.126.10', codes: [] },
  },
];

describe('of the network follows', () => {
  test.each(cases)('$name', ({ edits, want }) => {
    expect(factsOf(edits)).toEqual({ hostname: undefined, nodeIP: undefined, ...want });
  });
});
