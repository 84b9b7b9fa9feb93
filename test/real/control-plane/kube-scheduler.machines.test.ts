import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { testNode } from '../../support/control-plane.js';
import { loopbackNetworkPrograms, readyTimeoutMs } from '../../support/loopback-network.js';
import { describeWith } from '../../support/programs.js';
import { apiserverNode, type ApiserverNode } from './support/apiserver-node.js';
import { probeCommand, startComponent } from './support/component.js';
import { buildTimeoutMs, toolFolder } from './support/tools.js';
import { waitUntil } from './support/wait-until.js';

const families = [
  { family: 'IPv4', nodeIp: testNode.ip, networks: {} },
  {
    family: 'IPv6',
    nodeIp: 'fd00:126::10',
    networks: { serviceNetwork: ['fd02::/112'], family: 'IPv6' },
  },
] as const;

describeWith(
  ['go', 'etcd', 'etcdctl', 'kubectl', ...loopbackNetworkPrograms],
  'the rendered kube-scheduler, run by the real one',
  () => {
    let programs: string;
    beforeAll(async () => {
      programs = await toolFolder('kubernetes');
    }, buildTimeoutMs);

    test.each(families)(
      'answers its probes over $family, and gives a pod its node without waiting for a lease',
      async (each) => {
        const node = await apiserverNode(join(programs, 'kube-apiserver'), each);
        const scheduler = await startComponent(node, 'kube-scheduler', join(programs, 'kube-scheduler'));
        addNode(node);
        node.admin('create', 'serviceaccount', 'default');
        apply(node, {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'waiting' },
          spec: { containers: [{ name: 'one', image: 'registry.example.com/one:1' }] },
        });
        const place = await waitUntil('a place', () =>
          Promise.resolve(
            node.admin('get', 'pod', 'waiting', '--output=jsonpath={.spec.nodeName}') || undefined,
          ),
        );
        expect(place).toBe('sno');
        for (const url of scheduler.probeUrls)
          expect(node.network.run(probeCommand(url))).toEqual({ status: 0, output: 'ok' });
        expect(node.admin('get', 'leases', '--namespace=kube-system', '--output=name')).not.toContain(
          'kube-scheduler',
        );
      },
      4 * readyTimeoutMs,
    );
  },
);

/** A node with free capacity, as reported by a kubelet. */
function addNode(node: ApiserverNode): void {
  apply(node, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'sno' } });
  const resources = { cpu: '4', memory: '8Gi', pods: '110' };
  const status = {
    allocatable: resources,
    capacity: resources,
    conditions: [{ type: 'Ready', status: 'True' }],
  };
  node.admin('patch', 'node', 'sno', '--subresource=status', '--patch', JSON.stringify({ status }));
  // Added by kube-apiserver, removed by kube-controller-manager once the node is Ready.
  node.admin('patch', 'node', 'sno', '--patch', JSON.stringify({ spec: { taints: null } }));
}

function apply(node: ApiserverNode, object: object): void {
  const path = join(node.root, 'object.json');
  writeFileSync(path, JSON.stringify(object));
  node.admin('apply', '--filename', path);
}
