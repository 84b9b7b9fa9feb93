import { expect, test } from 'vitest';

import { authorityTests, organisationsAuthority } from './aio/authority.js';
import { certificatesOn } from './aio/certificates.js';
import { firstBootTests } from './aio/first-boot.js';
import { nodeUnderTest } from './aio/node.js';
import { rebootTests } from './aio/recovery.js';
import { secretTests } from './aio/secrets.js';
import { workloadTests } from './aio/workloads.js';
import { describeWithMachine } from './support/tools.js';
import { longNames } from '../../support/long-names.js';

const dayMs = 24 * 60 * 60 * 1000;

/**
 * IPv6 only, signers below a user's CA, the longest names, and a first boot 13 months after the config was generated. Certificates
 * valid for one year would have expired; `certificates.validity` extends them. Common names would exceed the 64 characters of X.509.
 */
describeWithMachine(
  'a machine with IPv6 and long names that aio.ign was laid on thirteen months late',
  () => {
    const { hostname, clusterName, baseDomain } = longNames;
    const organisation = organisationsAuthority();
    const node = nodeUnderTest(() => ({
      config: {
        install: {
          metadata: { name: clusterName },
          baseDomain,
          networking: {
            networkType: 'OVNKubernetes',
            machineNetwork: [{ cidr: 'fd2e:6f44:5dd8::/64' }],
            clusterNetwork: [{ cidr: 'fd01::/48', hostPrefix: 64 }],
            serviceNetwork: ['fd02::/112'],
          },
        },
        sno: {
          hostname,
          nodeIP: 'fd2e:6f44:5dd8::10',
          certificates: { validity: '2y', ...organisation().config.sno },
        },
        files: organisation().config.files,
      },
      network: { address: 'fd2e:6f44:5dd8::10', prefix: 64, gateway: 'fd2e:6f44:5dd8::1' },
      issuedAt: new Date(Date.now() - 396 * dayMs),
    }));
    firstBootTests(node, hostname);

    test('has renewed every expired certificate', async () => {
      const found = await certificatesOn(node.machine());
      const expired = found.filter(({ certificate }) => Date.parse(certificate.validTo) < Date.now());
      expect(expired.map(({ path }) => path)).toEqual([]);
    });

    authorityTests(node, organisation, `api.${clusterName}.${baseDomain}`);

    test('has addresses of IPv6 alone', async () => {
      const addresses = await node
        .machine()
        .exec(['ip', '-4', '-oneline', 'address', 'show', 'scope', 'global']);
      expect(addresses).toBe('');
      const path = '{.items[*].status.podIP} ';
      const pods = await node.kubectl(['get', 'pods', '--all-namespaces', `--output=jsonpath=${path}`]);
      expect(
        pods
          .trim()
          .split(' ')
          .filter((address) => !address.startsWith('fd')),
      ).toEqual([]);
    });

    workloadTests(node);
    secretTests(node, hostname);
    rebootTests(node);
  },
);
