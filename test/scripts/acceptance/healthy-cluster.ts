import { condition, node, pool, settledOperator } from '../../remote/kubernetes/fake-cluster.js';

export function pod(name: string, status: object): object {
  return { metadata: { name, namespace: 'ns' }, status };
}

/** A Secret of an operator with the end of its certificate. */
export function certificate(name: string, end: string): object {
  const annotations = { 'auth.openshift.io/certificate-not-after': end };
  return { metadata: { name, namespace: 'ns', annotations } };
}

interface List {
  readonly items?: readonly object[];
}

/** The objects of a cluster without findings. */
export const healthy: Readonly<
  Record<'operators' | 'pools' | 'nodes' | 'pods' | 'secrets' | 'requests', List> & { version: object }
> = {
  version: {
    status: {
      desired: { version: '4.18.3' },
      history: [{ state: 'Completed' }, { state: 'Partial' }],
      conditions: [
        condition('Available', 'True'),
        condition('Progressing', 'False'),
        condition('Failing', 'False'),
      ],
    },
  },
  operators: { items: [settledOperator('etcd'), settledOperator('dns')] },
  pools: { items: [pool('master')] },
  nodes: { items: [node('node', 'True')] },
  pods: {
    items: [
      pod('etcd', { phase: 'Running', containerStatuses: [{ name: 'etcd', ready: true }] }),
      pod('installer', { phase: 'Succeeded', containerStatuses: [{ name: 'installer', ready: false }] }),
    ],
  },
  secrets: {
    items: [
      certificate('late', '2037-01-01T00:00:00Z'),
      certificate('first', '2036-01-01T00:00:00Z'),
      { metadata: { name: 'other', namespace: 'ns' } },
    ],
  },
  requests: { items: [{ metadata: { name: 'csr-1' }, status: { conditions: [{ type: 'Approved' }] } }] },
};
