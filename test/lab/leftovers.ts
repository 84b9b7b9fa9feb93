import { existsSync, lstatSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { IgnitionConfig } from '../../src/ignition/types.js';
import { nodeFileRows, postInstallFileRows } from '../shell/disk/node-files.js';

/** Listed paths that the clean-up should have deleted but that still exist. */
export function listedLeftovers(root: string): readonly string[] {
  return [...nodeFileRows, ...postInstallFileRows].flatMap(({ fate, mode, source, path }) => {
    if (fate === 'keep') return [];
    const file = join(root, path);
    if (mode === 'preset') return textOf(file).includes(`enable ${source}\n`) ? [`${path}: ${source}`] : [];
    return isThere(file) ? [path] : [];
  });
}

/** A removed folder may be there again, empty: the container runtime creates the folder of a volume when a pod with it restarts. */
function isThere(path: string): boolean {
  return path.endsWith('/') ? existsSync(path) && readdirSync(path).length > 0 : existsSync(path);
}

/** Paths that the node's Ignition config wrote and that still exist, except those listed as kept. */
export function configLeftovers(root: string, configText: string): readonly string[] {
  const config = JSON.parse(configText) as IgnitionConfig;
  const kept = nodeFileRows.filter(({ fate }) => fate === 'keep');
  const paths = [
    ...(config.storage?.files ?? []).map(({ path }) => path),
    ...(config.systemd?.units ?? []).map(({ name }) => `/etc/systemd/system/${name}`),
  ];
  return paths.filter(
    (path) =>
      existsSync(join(root, path)) &&
      !kept.some((row) => path === row.path || (row.path.endsWith('/') && path.startsWith(row.path))),
  );
}

/** Files with a private key or etcd data, below the folders of the installation, that other users can read. */
export function readableSecrets(root: string): readonly string[] {
  const folders = ['etc', 'opt', 'root', 'usr/local', 'var/lib/etcd', 'var/log'];
  return folders
    .flatMap((folder) => filesBelow(join(root, folder), root))
    .filter((path) => {
      // Debian's own files, as part of the stub operating system.
      if (path.startsWith('/etc/ssl/')) return false;
      const { mode, size } = lstatSync(join(root, path));
      if ((mode & 0o077) === 0 || isBehindClosedFolder(root, path)) return false;
      return (
        path.startsWith('/var/lib/etcd/') ||
        (size < 4_000_000 && /PRIVATE KEY-----|client-key-data/.test(textOf(join(root, path))))
      );
    });
}

function isBehindClosedFolder(root: string, path: string): boolean {
  const parts = path.split('/').slice(1, -1);
  return parts.some((_, index) => (lstatSync(join(root, ...parts.slice(0, index + 1))).mode & 0o077) === 0);
}

function filesBelow(folder: string, root: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length));
}

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'latin1') : '';
}
