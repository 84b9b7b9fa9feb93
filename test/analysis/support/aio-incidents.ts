import type { NodeFile } from '../../../src/ignition/types.js';
import { aioNode, configFiles, nodeClock, type AioNode } from '../../shell/aio/aio-node.js';
import { keepJournal, runUnit, siteOf, type Incident, type Site } from './incident.js';

const day = 86_400;

let made: Promise<readonly NodeFile[]> | undefined;

/** Runs a service of an all-in-one node. All its conditions are met except those that `change` affects. */
function run(unit: string, change: (node: AioNode, site: Site) => void): () => Promise<Site> {
  return async () => {
    made ??= configFiles('aio-minimal');
    const node = aioNode(await made);
    const site = siteOf(node);
    change(node, site);
    runUnit(site, unit, `${unit}.sh`);
    return site;
  };
}

const waitsForApi = 'api of aiokube';

/** Faults of an all-in-one node. */
export const aioIncidents: readonly Incident[] = [
  {
    name: 'a machine without a CNI plugin',
    happen: run('aiokube', (node) => {
      node.remove('opt/cni/bin/loopback');
    }),
    at: 'machine of aiokube',
    faults: ['aio-missing-program'],
  },
  {
    name: 'an API server that does not come',
    happen: run('aiokube', (node) => {
      node.fail('kubectl', 'always');
    }),
    at: waitsForApi,
    faults: ['aio-api-absent'],
    isGathered: true,
  },
  {
    name: 'an image that its registry lacks',
    happen: run('aiokube', (node, site) => {
      keepJournal(
        site,
        'kubelet',
        'E0102 03:04:05.000000 1 log.go:32] "PullImage from image service failed" err="rpc error: code = NotFound desc = failed to pull and unpack image \\"registry.k8s.io/etcd:3.6.8-0\\": not found"',
      );
      node.fail('kubectl', 'always');
    }),
    at: waitsForApi,
    faults: ['aio-image-not-pulled'],
  },
  {
    name: 'a kubelet that does not register its node',
    happen: run('aiokube', (node) => {
      node.answer('kubectl-get-node-site1', '');
    }),
    at: 'node-registered of aiokube',
    faults: ['aio-node-not-registered'],
  },
  {
    name: 'a node that is not Ready',
    happen: run('aiokube', (node) => {
      node.answer('kubectl-get-node-site1', 'False');
    }),
    at: 'node-ready of aiokube',
    faults: ['aio-node-not-ready'],
  },
  {
    name: 'a clock that lost its time',
    happen: run('sno-renew', (node) => {
      node.setClock(nodeClock - 365 * day);
    }),
    at: 'clock of sno-renew',
    faults: ['aio-clock-before-authorities'],
  },
  {
    name: 'a disk that takes no renewed certificate',
    happen: run('sno-renew', (node) => {
      const path = 'etc/sno-install/certificates.tsv';
      const rows = node.read(path).split('\n');
      node.write(path, `${rows.filter((row) => row.startsWith('etcd-client\t')).join('\n')}\n`);
      node.setClock(nodeClock + 300 * day);
      node.fail('install', 'always');
    }),
    at: 'outcome of sno-renew',
    faults: ['aio-not-renewed'],
  },
];
