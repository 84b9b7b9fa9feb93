import { writeFileSync } from 'node:fs';

import { scaledMs } from '../../../support/time-scale.js';
import type { Machine } from '../support/machine.js';
import { outputOf } from '../support/run-program.js';
import { clusterDomain, nodeAddress } from './site.js';

/** /etc/hosts of every machine on the network, in the place of DNS. */
export const hosts = `127.0.0.1 localhost
::1 localhost
${nodeAddress} api.${clusterDomain} api-int.${clusterDomain}
`;

/**
 * Words that run a program of this system in the network of a machine, with the DNS of the site. `hostsFile` is written. The program
 * is ended after a while: Ignition fetches again and again, and the tests wait for these programs without a break.
 */
export function onNetworkOf({ pid }: Machine, hostsFile: string): readonly string[] {
  writeFileSync(hostsFile, hosts);
  return [
    ...['timeout', `${scaledMs(120_000) / 1000}s`],
    ...['nsenter', '--target', `${pid}`, '--net', 'unshare', '--mount'],
    ...['sh', '-c', 'mount --bind "$1" /etc/hosts && shift && exec "$@"', 'sh', hostsFile],
  ];
}

/** Puts the wire of a machine on a bridge that others can join. */
export async function openNetwork(machine: Machine): Promise<void> {
  await link(machine, 'add', 'lan', 'up', 'type', 'bridge');
  await link(machine, 'set', 'wire', 'master', 'lan');
}

/** Puts the wire of a machine on the bridge of another one. */
export async function joinNetwork(machine: Machine, open: Machine): Promise<void> {
  await link(machine, 'set', 'wire', 'down');
  await link(machine, 'set', 'wire', 'name', 'wire2', 'netns', `${open.pid}`);
  await link(open, 'set', 'wire2', 'up', 'master', 'lan');
}

async function link({ pid }: Machine, ...args: readonly string[]): Promise<void> {
  await outputOf(['nsenter', '--target', `${pid}`, '--net', 'ip', 'link', ...args]);
}
