import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { requireHost, type HostNeeds } from '../real/control-plane/support/host.js';
import type { Machine } from '../real/control-plane/support/machine.js';
import { pathOfProgram } from '../support/programs.js';
import { layWithIgnition } from '../support/real-ignition.js';
import { createDisk, type Disk } from './disk.js';
import { createMedium, createPayload, type Medium } from './payload/lab-payload.js';
import type { LabOptions } from './options.js';
import { releaseFiles } from './release/payload.js';
import { createSite, nodeAddress, nodeName, type Site, type SiteParts } from './site.js';
import { boot, prepareSystem, prepareSystemWithPayload, withNetworkManager, type System } from './system.js';

/** The shared inputs of a lab run. */
export interface Lab {
  readonly folder: string;
  readonly site: Site;
  readonly system: System;
  readonly disk: Disk;
  /** The medium with the payload, for a site with one. */
  readonly medium?: Medium;
  readonly options: LabOptions;
  /** Removes everything that the lab created on the host. */
  readonly remove: () => Promise<void>;
}

/** Parts of a lab: those of its site, and whether it installs from a payload, without registries. */
export interface LabParts extends Omit<SiteParts, 'payload'> {
  readonly hasPayload?: true;
}

/** Creates the user's files, the stub release and the disk. */
export async function createLab(options: LabOptions, { hasPayload, ...parts }: LabParts = {}): Promise<Lab> {
  requireHost(tmpdir(), labNeeds);
  if (pathOfProgram('podman') === undefined) throw new Error('podman is missing: apt-get install podman');
  const folder = mkdtempSync(join(tmpdir(), 'sno-lab-'));
  // The engine switches to the user whose keys it writes, and that user must reach its files.
  chmodSync(folder, 0o711);
  // The images of the release contain certificates of the site.
  const draft = createSite(join(folder, 'site'), options, parts);
  const tls = Object.entries(draft.files).filter(([path]) => path.startsWith('/opt/openshift/tls/'));
  const release = releaseFiles(options.minor, {
    name: nodeName,
    address: nodeAddress,
    tls: Object.fromEntries(tls.map(([path, text]) => [basename(path), text])),
  });
  const payload = hasPayload && (await createPayload(folder, options.minor, release));
  const site =
    payload === undefined ? draft : createSite(draft.folder, options, { ...parts, payload: payload.file });
  const prepared =
    payload === undefined
      ? await prepareSystem(folder, options.minor, release)
      : await prepareSystemWithPayload(folder, { ...payload, pullSecret: site.files[pullSecretPath] ?? '' });
  const system = parts.hasNetwork === true ? withNetworkManager(prepared) : prepared;
  const disk = await createDisk(join(folder, 'disk'));
  const medium = payload && (await createMedium(payload.file, join(folder, 'medium')));
  const remove = async () => {
    await medium?.detach();
    await disk.detach();
    if (!options.keep) rmSync(folder, { recursive: true, force: true });
  };
  return { folder, site, system, disk, options, remove, ...(medium && { medium }) };
}

/** Source: containers-auth.json(5), and the file of the live system */
const pullSecretPath = '/root/.docker/config.json';

/** Measured: the roots of both machines, images and disk take 3.4 GiB. The memory is an estimate with a margin. */
const labNeeds: HostNeeds = { diskMiB: 4096, memoryMiB: 3072, loopDevices: true };

/** Writes a root file system with the real Ignition, as the first boot of a machine does. */
export function applyIgnition(lab: Lab, name: string, config: string): string {
  const scratch = join(lab.folder, name);
  mkdirSync(scratch);
  return layWithIgnition(config, scratch);
}

export async function bootLive(lab: Lab, root: string): Promise<Machine> {
  return boot(lab.system, root, { disk: lab.disk, ...(lab.medium && { medium: lab.medium }) });
}

export async function bootNode(lab: Lab, root: string): Promise<Machine> {
  return boot(lab.system, root, lab.medium && { systemDisk: lab.disk });
}

export function readRoot(root: string, path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** Kills the unit that reaches one of these places, once per place. */
export function killAt(root: string, places: readonly string[]): void {
  for (const place of places) writeStubControl(root, join('die-at', place.replaceAll(' ', '_')), '');
}

/** Writes a file that controls the stubs of a machine. */
export function writeStubControl(root: string, name: string, text: string): void {
  const path = join(root, 'var/lib/sno-lab', name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
}
