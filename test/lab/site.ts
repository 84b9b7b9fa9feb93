import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { sno } from '../support/command.js';
import { longNames } from '../support/long-names.js';
import { snoConfigText } from '../support/minimal-config.js';
import { decodeDataUrl } from '../../src/formats/data-url.js';
import type { IgnitionConfig } from '../../src/ignition/types.js';
import { networkText } from './network/described-network.js';
import { optionsOf, type LabOptions } from './options.js';

/** The output of `create single-node-ignition-config`. */
export interface Site {
  readonly folder: string;
  /** bootstrap-in-place-for-live-iso.ign */
  readonly liveConfig: string;
  readonly adminKubeconfig: string;
  /** The files in the Ignition config, by path. */
  readonly files: Readonly<Record<string, string>>;
}

const shortNames = { hostname: 'node1', clusterName: 'site1', baseDomain: 'example.com' };
const names = optionsOf(process.env).hasLongNames ? longNames : shortNames;
export const clusterDomain = `${names.clusterName}.${names.baseDomain}`;
export const nodeName = names.hostname;
export const nodeAddress = '192.168.126.10';
export const diskPath = '/dev/disk/by-id/lab-disk';

/** A user manifest's object. It must exist in the finished cluster. */
export const userObject = { namespace: 'default', name: 'asked-for', value: 'before the snapshot' };

/** Optional inputs of a site. */
export interface SiteParts {
  /** Additional user manifests, by name. */
  readonly extra?: Readonly<Record<string, string>>;
  /** Manifests in post-install/, by name. */
  readonly postInstall?: Readonly<Record<string, string>>;
  /** The config has a `network` section, and NetworkManager uses the generated keyfiles. */
  readonly hasNetwork?: true;
  /** sno-config.yaml describes the disk, and keeps its partitions `data…`. */
  readonly hasDiskHints?: true;
  /** Path of the payload from which the machine installs. Omitted means that it pulls from registries. */
  readonly payload?: string;
}

/** The disk as the machine's lsblk reports it. */
const diskHints = `rootDeviceHints:
  serialNumber: LAB-0001
  minSizeGigabytes: 120
coreosInstaller:
  savePartitionLabels: ['data*']
  appendKernelArguments: [lab.appended=1]
  deleteKernelArguments: [lab.deleted=1]`;

/** Runs the built CLI on a config for the lab's machine. A second run in the same folder has the same keys. */
export function createSite(
  folder: string,
  options: LabOptions,
  { extra = {}, postInstall = {}, hasNetwork, hasDiskHints, payload }: SiteParts = {},
): Site {
  mkdirSync(join(folder, 'extra'), { recursive: true });
  mkdirSync(join(folder, 'post-install'), { recursive: true });
  const minimal = readFileSync('fixtures/configs/minimal/install-config.yaml', 'utf8');
  write(
    folder,
    'install-config.yaml',
    minimal
      .replace(
        /bootstrapInPlace:\n.*\n/,
        hasDiskHints === true ? '' : `bootstrapInPlace:\n  installationDisk: ${diskPath}\n`,
      )
      .replace('name: site1', `name: ${names.clusterName}`)
      .replace('baseDomain: example.com', `baseDomain: ${names.baseDomain}`),
  );
  write(
    folder,
    'sno-config.yaml',
    snoConfigText(
      [
        payload === undefined
          ? `releaseImage: quay.io/openshift-release-dev/ocp-release:4.${options.minor}.0-x86_64`
          : `payload: { file: ${payload} }`,
        'certificates:',
        '  keyAlgorithm: ECDSA-P256',
        'controlPlane:',
        `  render: ${options.render}`,
        'extraManifests:',
        '  - extra',
        ...(hasNetwork === true ? [networkText(nodeAddress)] : []),
        ...(hasDiskHints === true ? [diskHints] : []),
        '',
      ].join('\n'),
    ),
  );
  for (const [name, text] of Object.entries({ 'asked-for.yaml': userManifest, ...extra }))
    write(folder, join('extra', name), text);
  for (const [name, text] of Object.entries(postInstall)) write(folder, join('post-install', name), text);
  const { code, stderr } = sno(['create', 'single-node-ignition-config', '--dir', folder]);
  if (code !== 0) throw new Error(`create failed:\n${stderr}`);
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const liveConfig = read('bootstrap-in-place-for-live-iso.ign');
  return { folder, liveConfig, adminKubeconfig: read('auth/kubeconfig'), files: filesOf(liveConfig) };
}

const userManifest = JSON.stringify({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: userObject.name, namespace: userObject.namespace },
  data: { value: userObject.value },
});

function filesOf(configText: string): Readonly<Record<string, string>> {
  const config = JSON.parse(configText) as IgnitionConfig;
  return Object.fromEntries(
    (config.storage?.files ?? []).map(({ path, contents }) => [
      path,
      Buffer.from(decodeDataUrl(contents?.source ?? 'data:,') ?? []).toString(),
    ]),
  );
}

function write(folder: string, name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}
