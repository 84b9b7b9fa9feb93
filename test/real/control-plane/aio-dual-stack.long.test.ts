import { expect, test } from 'vitest';

import { firstBootTests } from './aio/first-boot.js';
import { nodeUnderTest } from './aio/node.js';
import { rebootTests } from './aio/recovery.js';
import { secretTests } from './aio/secrets.js';
import { addressesOf, workloadTests } from './aio/workloads.js';
import { describeWithMachine } from './support/tools.js';

describeWithMachine('a machine with IPv4 and IPv6 that aio.ign was laid on', () => {
  const hostname = 'site1';
  const node = nodeUnderTest({
    config: {
      install: {
        networking: {
          networkType: 'OVNKubernetes',
          machineNetwork: [{ cidr: '192.168.126.0/24' }, { cidr: 'fd2e:6f44:5dd8::/64' }],
          clusterNetwork: [
            { cidr: '10.128.0.0/14', hostPrefix: 23 },
            { cidr: 'fd01::/48', hostPrefix: 64 },
          ],
          serviceNetwork: ['172.30.0.0/16', 'fd02::/112'],
        },
      },
      sno: { nodeIP: '192.168.126.10' },
    },
    network: {
      address: '192.168.126.10',
      prefix: 24,
      gateway: '192.168.126.1',
      second: { address: 'fd2e:6f44:5dd8::10', prefix: 64, gateway: 'fd2e:6f44:5dd8::1' },
    },
    issuedAt: new Date(),
  });
  firstBootTests(node, hostname);
  workloadTests(node);

  test('gives pods and Services an address of each family', async () => {
    expect((await addressesOf(node)).map(familyOf)).toEqual([4, 6]);
    const path = '{.items[*].status.podIPs}';
    const pods = await node.kubectl(['get', 'pods', '--selector=app=web', `--output=jsonpath=${path}`]);
    const podAddresses = JSON.parse(pods) as readonly { readonly ip: string }[];
    expect(podAddresses.map(({ ip }) => familyOf(ip))).toEqual([4, 6]);
  });

  secretTests(node, hostname);
  rebootTests(node);
});

function familyOf(address: string): 4 | 6 {
  return address.includes(':') ? 6 : 4;
}
