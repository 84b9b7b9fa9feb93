import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { imageName } from '../../../lab/release/images.js';
import { nodeRuntime } from '../../../lab/system.js';
import { layWithIgnition } from '../../../support/real-ignition.js';
import { imageOf, writeImageArchive } from '../support/images.js';
import { startMachine, type Machine } from '../support/machine.js';
import { toolFolder } from '../support/tools.js';
import { hosts, joinNetwork, onNetworkOf } from './lan.js';
import { workerAddress, workerName, type Site } from './site.js';

export const podImage = imageName('web');

/** Applies `worker.ign` with Ignition in the network of the control plane, as the first boot of a worker does. Returns the root folder. */
export async function layWorker(site: Site, controlPlane: Machine, scratch: string): Promise<string> {
  mkdirSync(scratch);
  const within = onNetworkOf(controlPlane, join(scratch, 'hosts'));
  const root = layWithIgnition(site.workerIgn, scratch, within);
  writeFileSync(join(root, 'etc/hosts'), hosts);
  const archive = join(root, 'var/lib/sno-lab/images.tar');
  mkdirSync(dirname(archive), { recursive: true });
  const programs = await toolFolder('programs');
  const images = {
    [imageName('pod')]: imageOf(join(programs, 'pause'), '/pause'),
    [podImage]: imageOf(join(programs, 'http-server'), '/http-server'),
  };
  await writeImageArchive(images, archive);
  return root;
}

/** Boots the worker on the network of the control plane. */
export async function startWorker(root: string, controlPlane: Machine): Promise<Machine> {
  const runtime = await nodeRuntime();
  const plugins = await toolFolder('cni-plugins');
  const machine = await startMachine({
    root,
    hostname: workerName,
    addresses: [`${workerAddress}/24`],
    gateways: ['192.168.126.1'],
    additions: {
      ...runtime,
      programs: {
        ...runtime.programs,
        'libexec/cni/bridge': join(plugins, 'bridge'),
        'libexec/cni/host-local': join(plugins, 'host-local'),
      },
    },
    kubelet: '/usr/bin/kubelet',
  });
  await joinNetwork(machine, controlPlane);
  return machine;
}
