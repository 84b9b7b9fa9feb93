import { describe, expect, test } from 'vitest';

import {
  certificateCheck,
  clusterVersionCheck,
  nameFindings,
  nodeFindings,
  operatorFindings,
  podFindings,
  poolFindings,
  requestFindings,
} from '../../../scripts/acceptance/checks.mjs';
import {
  clusterVersion,
  condition,
  node,
  operator,
  pool,
  settledOperator,
} from '../../remote/kubernetes/fake-cluster.js';
import { certificate, healthy, pod } from './healthy-cluster.js';

const present = new Date('2026-01-02T04:00:00Z');

/** The findings of all checks for a cluster with these objects. */
function findingsOf(changes: Partial<typeof healthy>): readonly string[] {
  const cluster = { ...healthy, ...changes };
  return [
    ...clusterVersionCheck(cluster.version).findings,
    ...operatorFindings(cluster.operators),
    ...poolFindings(cluster.pools),
    ...nodeFindings(cluster.nodes, 1),
    ...podFindings(cluster.pods),
    ...certificateCheck(cluster.secrets, present).findings,
    ...requestFindings(cluster.requests),
  ];
}

function withHistory(state: string, ...conditions: readonly object[]): object {
  return { status: { ...(Object.values(clusterVersion(...conditions))[0] as object), history: [{ state }] } };
}

const available = condition('Available', 'True');
const settled = condition('Progressing', 'False');

const faulty: readonly { name: string; changes: Partial<typeof healthy>; want: readonly string[] }[] = [
  {
    name: 'ClusterVersion is empty',
    changes: { version: {} },
    want: [
      'ClusterVersion has no desired version',
      'ClusterVersion: the newest entry of the history is missing',
      'ClusterVersion has no condition Available',
      'ClusterVersion has no condition Progressing',
    ],
  },
  {
    name: 'the update is not complete',
    changes: {
      version: withHistory(
        'Partial',
        available,
        condition('Progressing', 'True', 'Working'),
        condition('Failing', 'True'),
      ),
    },
    want: [
      'ClusterVersion: the newest entry of the history is Partial',
      'ClusterVersion: Progressing is True: Working',
      'ClusterVersion: Failing is True',
    ],
  },
  {
    name: 'there are no operators',
    changes: { operators: { items: [] } },
    want: ['there are no ClusterOperators'],
  },
  {
    name: 'operators are degraded or silent',
    changes: {
      operators: {
        items: [
          settledOperator('dns'),
          operator('etcd', available, settled, condition('Degraded', 'True', 'one member is down')),
          operator('new', settled),
        ],
      },
    },
    want: [
      'operator etcd: Degraded is True: one member is down',
      'operator new has no condition Available',
      'operator new has no condition Degraded',
    ],
  },
  {
    name: 'a pool is not updated',
    changes: { pools: { items: [pool('master', condition('Updated', 'False', 'waits'))] } },
    want: ['MachineConfigPool master: Updated is False: waits'],
  },
  {
    name: 'nodes are not ready or too many',
    changes: { nodes: { items: [node('a', 'True'), node('b', 'False', 'no network')] } },
    want: ['there are 2 nodes, expected 1', 'node b: Ready is False: no network'],
  },
  { name: 'there are no nodes', changes: { nodes: {} }, want: ['there are 0 nodes, expected 1'] },
  {
    name: 'pods fail',
    changes: {
      pods: {
        items: [
          pod('a', { phase: 'Failed' }),
          pod('b', {}),
          pod('c', { phase: 'Succeeded', containerStatuses: [{ name: 'x', ready: false }] }),
          pod('d', {
            phase: 'Running',
            containerStatuses: [
              { name: 'x', ready: true },
              {
                name: 'y',
                ready: false,
                state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 5m' } },
              },
              { name: 'z', ready: false },
            ],
          }),
        ],
      },
    },
    want: [
      'pod ns/a is Failed',
      'pod ns/b is unknown',
      'pod ns/d: container y is not ready (CrashLoopBackOff: back-off 5m)',
      'pod ns/d: container z is not ready',
    ],
  },
  { name: 'there are no pods', changes: { pods: {} }, want: ['there are no pods'] },
  {
    name: 'certificates have expired',
    changes: {
      secrets: {
        items: [
          certificate('old', '2026-01-02T04:00:00Z'),
          certificate('odd', 'soon'),
          certificate('new', '2026-01-02T04:00:01Z'),
        ],
      },
    },
    want: [
      'the certificate in Secret ns/old expired at 2026-01-02T04:00:00Z',
      'the certificate in Secret ns/odd has the end "soon"',
    ],
  },
  {
    name: 'no certificate is known',
    changes: { secrets: {} },
    want: ['no Secret names the end of its certificate'],
  },
  {
    name: 'a request is pending',
    changes: {
      requests: {
        items: [
          { metadata: { name: 'csr-1' } },
          { metadata: { name: 'csr-2' }, status: { conditions: [{ type: 'Approved' }] } },
        ],
      },
    },
    want: ['CertificateSigningRequest csr-1 is pending'],
  },
];

describe('the checks of an acceptance', () => {
  test('find nothing in a healthy cluster', () => {
    expect(findingsOf({})).toEqual([]);
    expect(clusterVersionCheck(healthy.version).version).toBe('4.18.3');
    expect(certificateCheck(healthy.secrets, present)).toEqual({
      certificates: 2,
      firstExpiry: '2036-01-01T00:00:00Z',
      findings: [],
    });
  });

  test.each(faulty)('report that $name', ({ changes, want }) => {
    expect(findingsOf(changes)).toEqual(want);
  });
});

test.each([
  {
    name: 'the machine',
    server: 'https://127.0.0.1:6443',
    addresses: ['192.168.126.10', '127.0.0.1'],
    want: [],
  },
  { name: 'any machine', server: 'https://[::1]:6443', addresses: [], want: [] },
  {
    name: 'another machine',
    server: 'https://127.0.0.1:6443',
    addresses: ['192.168.126.10'],
    want: [
      '127.0.0.1 resolves to 127.0.0.1 on this host: add "192.168.126.10 127.0.0.1" to /etc/hosts, then use --resume',
    ],
  },
  {
    name: 'no machine',
    server: 'https://api..invalid:6443',
    addresses: ['192.168.126.10'],
    want: [
      'api..invalid does not resolve on this host: add "192.168.126.10 api..invalid" to /etc/hosts, then use --resume',
    ],
  },
])('the name of the API that resolves to $name', async ({ server, addresses, want }) => {
  const kubeconfig = `clusters:\n- cluster:\n    server: ${server}\n  name: site1\n`;
  expect(await nameFindings(kubeconfig, addresses)).toEqual(want);
});
