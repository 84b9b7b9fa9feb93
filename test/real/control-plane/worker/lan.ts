import { writeFileSync } from 'node:fs';

import { scaledMs } from '../../../support/time-scale.js';
import type { Machine } from '../support/machine.js';
import { outputOf } from '../support/run-program.js';
import { clusterDomain, nodeAddress } from './site.js';

/** /etc/hosts of every machine on the network; there is no DNS server. */
export const hosts = `127.0.0.1 localhost
::1 localhost
${nodeAddress} api.${clusterDomain} api-int.${clusterDomain}
`;

/**
 * Command prefix that runs a program of this system in the network of a machine, with the DNS names of the site. Writes `hostsFile`.
 * Ends the program after a timeout: Ignition retries forever, and the tests block while they wait for it.
 */
export function onNetworkOf({ pid }: Machine, hostsFile: string): readonly string[] {
  writeFileSync(hostsFile, hosts);
  return [
    ...['timeout', `${scaledMs(120_000) / 1000}s`],
    ...['nsenter', '--target', `${pid}`, '--net', 'unshare', '--mount'],
    ...['sh', '-c', 'mount --bind "$1" /etc/hosts && shift && exec "$@"', 'sh', hostsFile],
  ];
}

/** Connects the veth interface of a machine to a bridge that other machines can join. */
export async function openNetwork(machine: Machine): Promise<void> {
  await link(machine, 'add', 'lan', 'up', 'type', 'bridge');
  await link(machine, 'set', 'wire', 'master', 'lan');
}

/** Connects the veth interface of a machine to the bridge of another machine. */
export async function joinNetwork(machine: Machine, open: Machine): Promise<void> {
  await link(machine, 'set', 'wire', 'down');
  await link(machine, 'set', 'wire', 'name', 'wire2', 'netns', `${open.pid}`);
  await link(open, 'set', 'wire2', 'up', 'master', 'lan');
}

async function link({ pid }: Machine, ...args: readonly string[]): Promise<void> {
  await outputOf(['nsenter', '--target', `${pid}`, '--net', 'ip', 'link', ...args]);
}
