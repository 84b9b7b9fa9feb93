import { clusterUuid, idleDisk, masterConfig } from './machine-files.js';
import { liveMachine, type Machine } from './machine.js';

export const script = 'install-to-disk.sh';

export const home = 'opt/openshift';

export const coreosInstaller = 'install --copy-network --ignition-file /opt/openshift/master.ign -- /dev/sda';

/** A live system in the state that bootkube.sh leaves at its end. */
export function bootstrapped(variables: Readonly<Record<string, string>> = {}): Machine {
  const machine = liveMachine({ variables });
  const storage = { directories: [{ path: '/var/lib/etcd', mode: 448 }], files: [{ path: '/a', mode: 384 }] };
  const systemd = { units: [{ name: 'bootkube.service' }] };
  const config = { merge: [{ source: 'data:,x' }] };
  machine.write(`${home}/original-master.ign`, JSON.stringify(masterConfig));
  machine.write(
    `${home}/bootstrap-in-place/master-update.complete.fcc`,
    JSON.stringify({ variant: 'fcos', storage, systemd }),
  );
  machine.write(
    `${home}/master.ign`,
    JSON.stringify({ ignition: { version: '3.1.0', config }, storage, systemd }),
  );
  machine.write(
    `${home}/etcd-snapshot/snapshot.json`,
    JSON.stringify({ clusterID: clusterUuid, node: { hostname: 'sno1', address: '192.168.126.10' } }),
  );
  machine.write(`${home}/.bootkube.done`, '');
  return machine;
}

export function showDisk(machine: Machine, change: object): void {
  machine.answer('lsblk.json', JSON.stringify({ blockdevices: [{ ...idleDisk, ...change }] }));
}
