import { describeWithMachine } from './support/tools.js';
import { firstBootTests } from './aio/first-boot.js';
import { identityTests } from './aio/identities.js';
import { nodeUnderTest } from './aio/node.js';
import { etcdTests, rebootTests } from './aio/recovery.js';
import { renewalTests } from './aio/renewal.js';
import { requestTests } from './aio/requests.js';
import { secretTests } from './aio/secrets.js';
import { workloadTests } from './aio/workloads.js';

// Longer than the certificates of the prototype were valid.
const issuedAt = new Date(Date.now() - 25 * 60 * 60 * 1000);

describeWithMachine('a machine that aio.ign was laid on', () => {
  const hostname = 'site1';
  const address = '192.168.126.10';
  const node = nodeUnderTest({
    config: { install: {}, sno: { nodeIP: address } },
    network: { address, prefix: 24, gateway: '192.168.126.1' },
    issuedAt,
  });
  firstBootTests(node, hostname);
  identityTests(node, hostname);
  workloadTests(node);
  secretTests(node, hostname);
  requestTests(node, { hostname, address });
  etcdTests(node, hostname);
  renewalTests(node, { address, domain: 'site1.example.com' });
  rebootTests(node);
});
