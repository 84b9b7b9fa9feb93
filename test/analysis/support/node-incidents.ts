import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { installedMachine, masterIgnition } from '../../shell/disk/installed-machine.js';
import { put, type Machine } from '../../shell/disk/machine.js';
import {
  established,
  fileOf,
  postInstallNode,
  scaledLimits,
  type PostInstallNode,
} from '../../shell/post-install/post-install-node.js';
import {
  bundleOf,
  environmentOf,
  keepJournal,
  runUnit,
  siteOf,
  type Incident,
  type Site,
} from './incident.js';
import { look } from './live-incidents.js';

const ready = (type: string, status = 'True') =>
  JSON.stringify({ status: { conditions: [{ type, status }] } });
const operators = (...names: readonly string[]) =>
  JSON.stringify({
    items: names.map((name) => ({
      metadata: { name },
      status: { conditions: [{ type: 'Available', status: 'False' }] },
    })),
  });

/** The mirror pod of a static pod, either from the installation or from an operator's revision. */
const staticPod = (labels: Readonly<Record<string, string>>) =>
  JSON.stringify({
    items: [
      {
        metadata: {
          name: 'kube-apiserver-sno1',
          annotations: { 'kubernetes.io/config.mirror': 'hash' },
          labels,
        },
        status: { conditions: [{ type: 'Ready', status: 'True' }] },
      },
    ],
  });

const gatherScript = 'usr/local/bin/installer-gather.sh';

/** The installed node with the real gather script, which the config builder replaces by a stub. */
function installed(): Machine {
  const machine = installedMachine(masterIgnition());
  machine.write(gatherScript, readFileSync(join('templates/live', gatherScript), 'utf8'), 0o755);
  return machine;
}

/** Runs the etcd restore at the first boot of the installed node. */
function restore(change: (machine: Machine) => void): () => Site {
  return () => {
    const machine = installed();
    change(machine);
    const site = siteOf(machine);
    runUnit(site, 'sno-etcd-restore', 'sno-etcd-restore.sh');
    return site;
  };
}

/** Runs the post-reboot script. All conditions of the cluster are met except those that `change` affects. */
function postReboot(change: (machine: Machine, site: Site) => void): () => Site {
  return () => {
    const machine = installed();
    machine.answer('oc-get-node-sno1', ready('Ready'));
    machine.answer('oc-get-csr', '{"items":[]}');
    machine.answer('oc-get-pods', staticPod({ revision: '2' }));
    machine.answer('oc-get-clusterversion-version', ready('Available'));
    machine.write('var/lib/kubelet/pki/kubelet-server-current.pem', 'certificate\n');
    machine.write('etc/kubernetes/manifests/kube-apiserver-pod.yaml', 'of the operator\n');
    const site = siteOf(machine);
    change(machine, site);
    runUnit(site, 'bootkube', 'bootstrap-in-place-post-reboot.sh');
    return site;
  };
}

/** A node that is not Ready, and a line of the kubelet shortly before. */
function notReadyWith(line: string): () => Site {
  return () => {
    const site = postReboot((machine) => {
      machine.answer('oc-get-node-sno1', ready('Ready', 'False'));
    })();
    keepJournal(site, 'kubelet', line, 30);
    return site;
  };
}

const ptp = {
  wave: '20',
  apiVersion: 'ptp.openshift.io/v1',
  kind: 'PtpConfig',
  namespace: 'openshift-ptp',
  name: 'grandmaster',
};

/** Applies a post-install manifest, whose kind is served unless `change` affects it. */
function postInstall(change: (node: PostInstallNode) => void): () => Site {
  return () => {
    const node = postInstallNode([ptp]);
    node.serve('ptp.openshift.io/v1', { PtpConfig: 'ptpconfigs' });
    node.answerTo(ptpCrd, established);
    change(node);
    const site = siteOf(node);
    const variables = { ...scaledLimits, PATH: `${node.programs}:${environmentOf(site)['PATH'] ?? ''}` };
    runUnit(site, 'sno-post-install', 'sno-post-install.sh', { variables });
    return site;
  };
}

const ptpCrd = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/ptpconfigs.ptp.openshift.io';
const applying = 'apply-objects of sno-post-install';

const snapshotPath = 'opt/openshift/etcd-snapshot/snapshot.db.gz';
const restoring = 'etcd-restore of sno-etcd-restore';
const waitsForApi = 'api of bootkube';

/** Faults after the reboot. */
export const nodeIncidents: readonly Incident[] = [
  {
    name: 'a snapshot that is cut off',
    happen: restore((machine) => {
      put(join(machine.root, snapshotPath), gzipSync('a snapshot of etcd\n').subarray(0, 20));
    }),
    at: restoring,
    faults: ['snapshot-truncated'],
  },
  {
    name: 'another snapshot than was taken',
    happen: restore((machine) => {
      put(join(machine.root, snapshotPath), gzipSync('another'));
    }),
    at: restoring,
    faults: ['snapshot-wrong-hash'],
  },
  {
    name: 'a snapshot without its description',
    happen: restore((machine) => {
      machine.write('opt/openshift/etcd-snapshot/snapshot.json', '');
    }),
    at: restoring,
    faults: ['snapshot-undescribed'],
  },
  {
    name: 'an etcd image that cannot be pulled',
    happen: restore((machine) => {
      machine.fail('pull', 'always');
    }),
    at: restoring,
    faults: ['registry-unreachable'],
  },
  {
    name: 'a disk without the payload of the site',
    happen: () => {
      const site = restore((machine) => {
        machine.fail('pull', 'always');
        put(join(machine.root, 'etc/iri-registry/registry.env'), '');
      })();
      keepJournal(
        site,
        'sno-payload-mount',
        'the disk of this system has no partition sno-payload: the registry of the payload cannot start\n',
      );
      return site;
    },
    at: restoring,
    faults: ['payload-partition-missing', 'registry-unreachable'],
  },
  {
    name: 'a restore that fails',
    happen: restore((machine) => {
      machine.fail('etcdutl', 'always');
    }),
    at: restoring,
    faults: ['etcd-restore-failed'],
  },
  {
    name: 'another address than before the reboot',
    happen: postReboot((machine) => {
      machine.answer(
        'ip-address-show-scope-global-to-192.168.126.0_24',
        '2: eth0    inet 192.168.126.77/24 scope global eth0\n',
      );
    }),
    at: 'node-identity of bootkube',
    faults: ['identity-changed-after-reboot'],
  },
  {
    name: 'an API server that does not come',
    happen: postReboot((machine) => {
      machine.fail('oc', 'always');
    }),
    at: waitsForApi,
    faults: ['api-absent'],
  },
  {
    name: 'an etcd that started on old data',
    happen: postReboot((machine, site) => {
      machine.write('var/lib/etcd/member/snap/db', 'of an earlier cluster');
      runUnit(site, 'sno-etcd-restore', 'sno-etcd-restore.sh');
      machine.fail('oc', 'always');
    }),
    at: waitsForApi,
    faults: ['etcd-data-not-empty'],
  },
  {
    name: 'certificates that have ended at the reboot',
    happen: postReboot((machine, site) => {
      keepJournal(
        site,
        'kubelet',
        'E0102 03:04:05.000000 1 reflector.go:147] Get "https://api-int.sno.example.com:6443/": tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time 2026-03-02T03:04:05Z is after 2026-02-01T00:00:00Z',
      );
      machine.fail('oc', 'always');
    }),
    at: waitsForApi,
    faults: ['certificate-not-valid-now'],
  },
  {
    name: 'a lock that is not released',
    happen: postReboot((machine) => {
      machine.fail('oc-delete-lease-version', 'always');
    }),
    at: 'release-cvo-lease of bootkube',
    faults: ['api-interrupted'],
  },
  {
    name: 'a node that is not Ready, and the request of another',
    happen: postReboot((machine) => {
      machine.answer('oc-get-node-sno1', ready('Ready', 'False'));
      const request = {
        signerName: 'kubernetes.io/kubelet-serving',
        username: 'system:node:other',
        request: 'eA==',
      };
      const item = { metadata: { name: 'csr-other' }, spec: { ...request, usages: ['server auth'] } };
      machine.answer('oc-get-csr', JSON.stringify({ items: [item] }));
    }),
    at: 'node-ready of bootkube',
    faults: ['node-not-ready'],
    notes: ['foreign-certificate-request'],
  },
  {
    name: 'a kubelet that cannot resolve api-int',
    happen: postReboot((machine, site) => {
      keepJournal(
        site,
        'kubelet',
        'E0102 03:04:05.000000 1 kubelet_node_status.go:95] dial tcp: lookup api-int.sno.example.com on 192.168.126.1:53: no such host',
      );
      machine.answer('oc-get-node-sno1', ready('Ready', 'False'));
    }),
    at: 'node-ready of bootkube',
    faults: ['api-int-unknown-to-kubelet'],
  },
  {
    name: 'an earlier cluster behind api-int',
    happen: notReadyWith(
      'E0102 03:04:05.000000 1 reflector.go:147] Failed to watch: Get "https://api-int.sno.example.com:6443/api": tls: failed to verify certificate: x509: certificate signed by unknown authority',
    ),
    at: 'node-ready of bootkube',
    faults: ['api-int-of-another-cluster'],
  },
  {
    name: 'a network plugin that does not start',
    happen: notReadyWith(
      'E0102 03:04:05.000000 1 kubelet.go:2902] "Container runtime network not ready" networkReady="NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: No CNI configuration file in /etc/kubernetes/cni/net.d/"',
    ),
    at: 'node-ready of bootkube',
    faults: ['network-plugin-absent'],
  },
  {
    name: 'an image of the cluster that the mirror lacks',
    happen: notReadyWith(
      'E0102 03:04:05.000000 1 kuberuntime_image.go:55] "Failed to pull image" err="rpc error: code = Unknown desc = initializing source docker://example.com/a@sha256:b: reading manifest sha256:b in example.com/a: manifest unknown"',
    ),
    at: 'node-ready of bootkube',
    faults: ['image-not-found'],
  },
  {
    name: "an API server that stays the bootstrap's",
    happen: postReboot((machine) => {
      machine.answer('oc-get-pods', staticPod({}));
    }),
    at: 'restart-kubelet-for-api of bootkube',
    faults: ['kube-apiserver-operator'],
  },
  {
    name: 'an ingress that does not become available',
    happen: postReboot((machine) => {
      machine.answer('oc-get-clusterversion-version', ready('Available', 'False'));
      machine.answer('oc-get-clusteroperators', operators('console', 'dns', 'ingress'));
    }),
    at: 'cluster-available of bootkube',
    faults: ['routes-unavailable'],
  },
  {
    name: 'an ingress that does not become available, on a node whose live system lacked *.apps',
    happen: postReboot((machine) => {
      const live = look((node) => {
        node.answer('getent-ahosts-console-openshift-console.apps.sno.example.com', '');
      });
      machine.write('var/log/.keep', '');
      copyFileSync(bundleOf(live(), 'bootstrap'), join(machine.root, 'var/log/log-bundle-bootstrap.tar.gz'));
      machine.answer('oc-get-clusterversion-version', ready('Available', 'False'));
      machine.answer('oc-get-clusteroperators', operators('ingress'));
    }),
    at: 'cluster-available of bootkube',
    faults: ['routes-unavailable'],
    notes: ['dns-names'],
    isGathered: true,
  },
  {
    name: 'another operator that does not become available',
    happen: postReboot((machine) => {
      machine.answer('oc-get-clusterversion-version', ready('Available', 'False'));
      machine.answer('oc-get-clusteroperators', operators('dns'));
    }),
    at: 'cluster-available of bootkube',
    faults: ['operators-not-available'],
  },
  {
    name: 'no serving certificate, and static pods that stay',
    happen: postReboot((machine) => {
      rmSync(join(machine.root, 'var/lib/kubelet/pki'), { recursive: true });
      machine.write('etc/kubernetes/manifests/etcd-pod.yaml', '/etc/kubernetes/bootstrap-secrets\n');
    }),
    at: 'operators-own-control-plane of bootkube',
    faults: ['operators-not-available'],
    notes: ['no-serving-certificate'],
  },
  {
    name: 'a post-install manifest whose kind never comes',
    happen: postInstall((node) => {
      node.serve('ptp.openshift.io/v1', {});
    }),
    at: applying,
    faults: ['post-install-kind-missing'],
  },
  {
    name: 'an operator that is not installed',
    happen: postInstall((node) => {
      node.answerTo(ptpCrd, {});
    }),
    at: applying,
    faults: ['post-install-operator-not-ready'],
  },
  {
    name: 'a post-install manifest that the API rejects',
    happen: postInstall((node) => {
      node.refuse(fileOf(0, ptp), 'The PtpConfig "grandmaster" is invalid: spec: Required value', 'always');
    }),
    at: applying,
    faults: ['post-install-object-refused'],
  },
  {
    name: 'post-install manifests on a node whose API server stays away',
    happen: postInstall((node) => {
      node.away({ after: 0, calls: 99 });
    }),
    at: 'read-status of sno-post-install',
    faults: ['post-install-not-started'],
  },
];
