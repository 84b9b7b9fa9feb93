import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'vitest';

import { enrich } from '../../../src/manifests/enrich/enrich.js';
import { openAssetFolder } from '../../../src/disk/asset-folder.js';
import { etcdImage, masterConfig } from '../../shell/disk/machine-files.js';
import { liveMachine, put, type Machine } from '../../shell/disk/machine.js';
import { nodeFileRows } from '../../shell/disk/node-files.js';
import { layWithIgnition, validateWithIgnition } from '../../support/real-ignition.js';
import { scratchFolder } from '../../support/scratch.js';
import { expectOk } from '../../support/sound-value.js';
import { laidTree } from './laid-tree.js';

/** The folder of sno-install on the live system, relative to its root. */
export const home = 'opt/openshift';
/** Arguments of the script on the node. */
export const args = [
  '--etcd-image',
  etcdImage,
  '--cluster-bootstrap-image',
  'example.com/ocp/cluster-bootstrap:test',
];

interface Shape {
  readonly name: string;
  readonly prepare: (machine: Machine) => void;
  /** Paths that must exist on the node in addition to the usual ones. */
  readonly has: readonly string[];
  readonly hasNot?: readonly string[];
}

/** Folders that exist only with some ways of rendering the control plane. */
const optionalFolders = nodeFileRows.filter(({ source }) => /^\?kubernetes\/.*\/$/.test(source));

/** Live systems that differ in the files that the bootstrap left. */
export const shapes: readonly Shape[] = [
  {
    name: 'the payload rendered the control plane',
    prepare: () => undefined,
    has: ['/etc/hostname'],
    hasNot: ['/var/log/log-bundle-bootstrap.tar.gz'],
  },
  {
    name: 'the installer rendered it, with folders of resources that the list knows, and one that it learns',
    prepare: (machine) => {
      for (const { source } of optionalFolders) {
        machine.write(
          `${source.replace('?kubernetes', 'etc/kubernetes')}secrets/serving/tls.key`,
          'a key\n',
          0o644,
        );
      }
      machine.write('etc/kubernetes/other/configmaps/ca with a blank.crt', 'a certificate\n');
      appendFileSync(
        join(machine.root, home, 'bootstrap-in-place/node-files.list'),
        'keep 0640 ?kubernetes/other/ /srv/other/\nkeep 0640 ?kubernetes/none/ /srv/none/\n',
      );
    },
    has: [
      ...optionalFolders.map(({ path }) => `${path}secrets/serving/tls.key`),
      '/srv/other/configmaps/ca with a blank.crt',
    ],
    hasNot: ['/srv/none'],
  },
  {
    name: 'a MachineConfig sets the host name, links and folders',
    prepare: (machine) => {
      const storage = {
        files: [
          ...masterConfig.storage.files,
          { path: '/etc/hostname', mode: 0o600, contents: { source: 'data:,sno1%0A' } },
        ],
        directories: [{ path: '/srv/data', mode: 0o700 }],
        links: [{ path: '/etc/localtime', target: '/usr/share/zoneinfo/UTC' }],
      };
      const units = [...masterConfig.systemd.units, { name: 'zincati.service', mask: true }];
      machine.answer('curl', JSON.stringify({ ...masterConfig, storage, systemd: { units } }));
    },
    has: ['/etc/hostname', '/etc/localtime', '/srv/data', '/etc/systemd/system/zincati.service'],
  },
  {
    name: 'files are large, empty and binary',
    prepare: (machine) => {
      const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * index) % 251));
      put(join(machine.root, home, 'log-bundle-bootstrap.tar.gz'), bytes);
      machine.write(`${home}/tls/empty`, '');
      machine.write(`${home}/tls/text`, 'déjà vu\n'.repeat(50_000));
    },
    has: ['/var/log/log-bundle-bootstrap.tar.gz', '/etc/kubernetes/bootstrap-secrets/empty'],
  },
];

/** Builds the config with the script on the node, which uses this Butane or a stub, and with `enrich`. */
function bothConfigs(shape: Shape, butane: string): { readonly node: string; readonly ours: string } {
  const machine = liveMachine();
  shape.prepare(machine);
  const { status, stderr } = machine.run('bootstrap-in-place.sh', { args, variables: { BUTANE: butane } });
  if (status !== 0) throw new Error(stderr);
  const input = { name: 'input', bytes: readFileSync(join(machine.root, home, 'original-master.ign')) };
  const { text } = expectOk(enrich(expectOk(openAssetFolder(machine.root)), input));
  return { node: machine.read(`${home}/master.ign`), ours: text };
}

/** Checks that the configs of the script on the node and of `enrich` write the same tree. `butane` may be a stub. */
export function expectSameTree(shape: Shape, butane: string): void {
  const { node, ours } = bothConfigs(shape, butane);
  expect(validateWithIgnition(ours)).toBe('');
  const want = laidTree(layWithIgnition(node, scratchFolder()));
  const laid = laidTree(layWithIgnition(ours, scratchFolder()));
  expect(laid).toEqual(want);
  expect(Object.keys(laid)).toEqual(expect.arrayContaining([...always, ...shape.has]));
  expect((shape.hasNot ?? []).filter((path) => path in laid)).toEqual([]);
  expect(laid['/etc/systemd/system-preset/20-ignition.preset']).toMatch(
    /enable bootkube\.service.*enable kubelet\.service.*enable sno-etcd-restore\.service/,
  );
  const isPrivate = /^\/etc\/kubernetes\/(?:bootstrap-|manifests\/|static-pod)|^\/opt\/openshift\//;
  const files = Object.entries(laid).filter(
    ([path, text]) => isPrivate.test(path) && text.startsWith('file'),
  );
  expect(files.filter(([, text]) => !text.startsWith('file 600 0:0 '))).toEqual([]);
  for (const path of ['/var/lib/etcd', '/opt/openshift', '/etc/kubernetes/bootstrap-secrets']) {
    expect([path, laid[path]]).toEqual([path, 'folder 700 0:0']);
  }
}

const always = [
  '/etc/kubernetes/bootstrap-secrets/kubeconfig',
  '/etc/kubernetes/manifests/etcd-pod.yaml',
  '/etc/kubernetes/manifests/kube-apiserver-pod.yaml',
  '/opt/openshift/etcd-snapshot/snapshot.db.gz',
  '/opt/openshift/etcd-snapshot/snapshot.json',
  '/usr/local/bin/bootstrap-in-place-post-reboot.sh',
  '/var/lib/etcd',
  '/var/lib/kubelet/config.json',
];
