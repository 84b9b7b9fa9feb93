import { quoted } from '../../core/quoted.js';
import { parseUnit } from '../unit-text.js';
import { entriesAt, type FoundEntry } from './config-entries.js';
import type { NodeFault } from './node-fault.js';

/**
 * Reports files, directories, links and mount points where Ignition cannot create them, or where the node loses them.
 * /usr/local, /opt, /home, /root, /mnt and /srv are links into /var.
 * Sources: ostree, "Operating System Content in OSTree"; coreos.github.io/ignition; coreos/fedora-coreos-tracker issue 270 (the
 * folder / is immutable); coreos.github.io/butane: its `grub` field declares the file system of /boot before it writes there
 */
export function placeFaults(config: unknown): readonly NodeFault[] {
  const mounts = entriesAt(config, ['storage', 'filesystems']);
  const isBootMounted = mounts.some(
    ({ entry }) => entry['path'] === '/boot' || entry['path'] === '/boot/efi',
  );
  return [
    ...['files', 'directories', 'links'].flatMap((kind) =>
      entriesAt(config, ['storage', kind]).flatMap((each) => nodeFault(each, isBootMounted)),
    ),
    ...mounts.filter(({ entry }) => entry['format'] !== 'swap').flatMap(mountFault),
    ...entriesAt(config, ['systemd', 'units']).flatMap(mountUnitFault),
  ];
}

/** Folders of read-only file systems. */
const readOnly = /^\/(?:usr(?!\/local(?:\/|$))|bin|sbin|lib|lib64|sysroot|ostree|proc|sys|dev)(?:\/|$)/;

/** Folders in / of the image, or links there. */
const topFolders: readonly string[] = [
  ...['etc', 'var', 'home', 'root', 'opt', 'srv', 'mnt', 'usr', 'boot', 'run', 'tmp', 'media'],
  ...['bin', 'sbin', 'lib', 'lib64', 'sysroot', 'ostree', 'proc', 'sys', 'dev'],
];

/** The folder or file in / that does not exist in the image; undefined for other paths. */
function newTopFolder(place: string): string | undefined {
  const [, top] = /^\/+([^/]+)/.exec(place) ?? [];
  return top === undefined || topFolders.includes(top) ? undefined : `/${top}`;
}

const writable = 'write below /etc, /var, /opt or /usr/local';

function nodeFault({ path, entry }: FoundEntry, isBootMounted: boolean): readonly NodeFault[] {
  const place = entry['path'];
  if (typeof place !== 'string') return [];
  const at = [...path, 'path'];
  const failure = failureOf(place);
  if (failure !== undefined) return [{ kind: 'unbootable', path: at, message: failure, hint: writable }];
  if (/^\/(?:run|tmp|media)(?:\/|$)/.test(place)) {
    const message = `${quoted(place)} is gone when the node has booted: the file system is in memory`;
    return [{ kind: 'useless', path: at, message, hint: 'write it below /etc or /var, or use tmpfiles.d' }];
  }
  if (/^\/boot\/./.test(place) && !isBootMounted) {
    const message = `${quoted(place)} lies under the boot partition, which Ignition does not mount: the node hides the file`;
    const hint = 'write below /etc or /var; arguments of the kernel go into kernelArguments';
    return [{ kind: 'useless', path: at, message, hint }];
  }
  return [];
}

function failureOf(place: string): string | undefined {
  if (readOnly.test(place))
    return `${quoted(place)} is on a read-only file system, so Ignition fails and the node does not boot`;
  const top = newTopFolder(place);
  return top === undefined
    ? undefined
    : `${quoted(place)} needs ${quoted(top)}, which Ignition cannot create in the read-only folder /: the node does not boot`;
}

/** The system's own mounts are on existing folders. */
function mountFault({ path, entry }: FoundEntry): readonly NodeFault[] {
  const place = entry['path'];
  if (typeof place !== 'string' || place === '/sysroot') return [];
  const message = failureOf(place);
  if (message === undefined) return [];
  const hint = 'mount it below /var or /mnt, and make a link where programs expect it';
  return [{ kind: 'unbootable', path: [...path, 'path'], message, hint }];
}

/** systemd creates a missing mount point, which fails in /. Source: systemd.mount(5) */
function mountUnitFault({ path, entry }: FoundEntry): readonly NodeFault[] {
  const { name, contents, mask } = entry;
  if (mask === true || typeof name !== 'string' || !/\.(?:auto)?mount$/.test(name)) return [];
  if (typeof contents !== 'string' || parseUnit(contents).faultyLine !== undefined) return [];
  const where = /^Where=(\/\S*)\s*$/m.exec(contents)?.[1] ?? '';
  const top = newTopFolder(where);
  if (top === undefined) return [];
  const message = `systemd cannot create the mount point ${quoted(where)}: the folder / is read-only`;
  return [{ kind: 'useless', path: [...path, 'contents'], message, hint: 'mount it below /var or /mnt' }];
}
