import { rmSync, symlinkSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { etcdImage } from './machine-files.js';
import { emptyMachine, liveMachine, put, type Machine } from './machine.js';
import { readIgnition, type Config } from './read-ignition.js';

let made: string | undefined;

/** The node's Ignition config, as bootstrap-in-place.sh creates it on the live system. Created once per test file. */
export function masterIgnition(): string {
  made ??= makeMasterIgnition();
  return made;
}

function makeMasterIgnition(): string {
  const machine = liveMachine();
  const args = [
    '--etcd-image',
    etcdImage,
    '--cluster-bootstrap-image',
    'example.com/ocp/cluster-bootstrap:test',
  ];
  const { status, stderr } = machine.run('bootstrap-in-place.sh', { args });
  if (status !== 0) throw new Error(stderr);
  return machine.read('opt/openshift/master.ign');
}

/** A machine after the reboot: the files that Ignition writes, and systemd's links for enabled units. */
export function installedMachine(ignition: string): Machine {
  const machine = emptyMachine();
  const { config, files } = readIgnition(ignition);
  const merged = readIgnition.merged(config) as readonly Config[];
  const others = merged.flatMap((child) => readIgnition(JSON.stringify(child)).files);
  for (const { path, mode, text } of [...files, ...others]) {
    rmSync(join(machine.root, path), { force: true });
    put(join(machine.root, path), Buffer.from(text, 'latin1'), mode);
  }
  const units = [...config.systemd.units, ...merged.flatMap((child) => child.systemd.units)];
  for (const { name, contents = '' } of units) {
    machine.write(`etc/systemd/system/${name}`, contents, 0o644);
    linkUnit(machine, name, contents);
  }
  machine.write(
    'etc/systemd/system-preset/20-ignition.preset',
    units.map(({ name }) => `enable ${name}\n`).join(''),
    0o644,
  );
  return machine;
}

function linkUnit(machine: Machine, name: string, contents: string): void {
  for (const [, how = '', by = ''] of contents.matchAll(/^(WantedBy|RequiredBy)=(.*)$/gm)) {
    const folder = how === 'WantedBy' ? `${by}.wants` : `${by}.requires`;
    const link = join(machine.root, 'etc/systemd/system', folder, name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(`/etc/systemd/system/${name}`, link);
  }
}
