import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { sno } from '../../../support/command.js';
import { minimalInstallConfig, snoConfigText } from '../../../support/minimal-config.js';
import { contentsOf } from '../aio/ignition-contents.js';

export const releaseMinor = 21;
export const nodeName = 'node1';
export const nodeAddress = '192.168.126.10';
/** The longest valid label. The CN of its certificates has 75 characters; X.509 allows 64. */
export const workerName = 'worker-in-rack-17-of-the-radio-tower-north-of-the-river-bridge1';
export const workerAddress = '192.168.126.20';
export const clusterDomain = 'site1.example.com';

/** The outputs of `create single-node-ignition-config` and of `render control-plane` for one site. */
export interface Site {
  /** Contains the folder `site1`, as on the pages of docs/how-to. */
  readonly folder: string;
  readonly workerIgn: string;
  /** The manifests of the cluster, by path on the live system. */
  readonly manifests: readonly (readonly [string, string])[];
  /** The files below /etc of the control-plane node: static pods, certificates, configuration. */
  readonly nodeFiles: readonly (readonly [string, string])[];
}

/** Runs the built command in `folder`/site1. */
export function createSite(folder: string): Site {
  const site = join(folder, 'site1');
  mkdirSync(site, { recursive: true });
  writeFileSync(join(site, 'install-config.yaml'), minimalInstallConfig);
  writeFileSync(join(site, 'sno-config.yaml'), snoConfig);
  run(['create', 'single-node-ignition-config', '--dir', site]);
  run(['render', 'control-plane', '--dir', site]);
  const { files } = contentsOf(readFileSync(join(site, 'bootstrap-in-place-for-live-iso.ign'), 'utf8'));
  return {
    folder,
    workerIgn: readFileSync(join(site, 'worker.ign'), 'utf8'),
    manifests: [...files].filter(([path]) => manifestPath.test(path)),
    nodeFiles: filesBelow(join(site, 'control-plane/etc')),
  };
}

const snoConfig =
  snoConfigText(`releaseImage: quay.io/openshift-release-dev/ocp-release:4.${releaseMinor}.0-x86_64
hostname: ${nodeName}
nodeIP: ${nodeAddress}
controlPlane:
  render: Installer
`);

const manifestPath = /^\/opt\/openshift\/(?:control-plane\/)?(?:manifests|openshift)\/[^/]+\.ya?ml$/;

function run(args: readonly string[]): void {
  const { code, stderr } = sno(args);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code ?? 'a signal'}:\n${stderr}`);
}

function filesBelow(folder: string): readonly (readonly [string, string])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [`/etc${path.slice(folder.length)}`, readFileSync(path, 'utf8')] as const);
}
