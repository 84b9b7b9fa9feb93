import { configOf, readMedium } from '../../../src/media/read-medium.js';
import { partsOf, unpackUpTo } from '../../../src/review/node-parts.js';
import { inMemory } from '../../media/support/made-iso.js';
import type { Machine } from '../../shell/disk/machine.js';

/** Files that an Ignition config writes, by path. */
export type NodeFiles = ReadonlyMap<string, Buffer>;

/** The files of the Ignition config in an ISO. */
export async function filesOnIso(iso: Buffer): Promise<NodeFiles> {
  const medium = await readMedium(inMemory(iso));
  const config = medium.ok && medium.value ? configOf(medium.value) : undefined;
  if (config === undefined) throw new Error('the ISO has no Ignition config');
  const parts = partsOf(
    JSON.parse(config.toString()) as Readonly<Record<string, unknown>>,
    unpackUpTo(2 ** 28),
  );
  return new Map(parts.map(({ path, bytes }) => [path, bytes]));
}

/** Writes the files for post-install manifests to the installed node, by the list that the Ignition config has. */
export function layPostInstallFiles(machine: Machine, files: NodeFiles): void {
  const home = '/opt/openshift/bootstrap-in-place';
  const list = files.get(`${home}/node-files.list`)?.toString() ?? '';
  for (const line of list.split('\n').filter((each) => each.startsWith('later '))) {
    const [, mode = '', source = '', path = ''] = line.split(/\s+/);
    if (!/^0\d+$/.test(mode)) continue;
    const from = source.startsWith('bin/') ? `/usr/local/${source}` : `/opt/${source}`;
    for (const [name, bytes] of files) {
      const isWanted = from.endsWith('/') ? name.startsWith(from) : name === from;
      if (isWanted)
        machine.write(`${path}${name.slice(from.length)}`.slice(1), bytes.toString(), parseInt(mode, 8));
    }
  }
}
