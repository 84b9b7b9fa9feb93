import { quoted } from '../../core/quoted.js';
import { readYaml } from '../../formats/yaml/yaml.js';
import { toData } from '../../formats/yaml/yaml-tree.js';
import { entriesAt, fileText, valueAt, type FoundEntry } from './config-entries.js';
import { stateFileFaults } from './network-state-faults.js';
import type { NodeFault } from './node-fault.js';

export interface ReaderFacts {
  /** The host name of the node, if it is configured. */
  readonly hostname?: string;
  /** Whether the release has nmstate-configuration.service; since 4.16. */
  readonly readsBridgeFiles?: boolean;
}

/** A folder whose reader ignores files with other names. */
interface ReadFolder {
  readonly folder: RegExp;
  readonly reader: string;
  readonly suffixes: readonly string[];
}

/**
 * Sources: the manuals sysctl.d(5), modprobe.d(5), modules-load.d(5), tmpfiles.d(5), sysusers.d(5), binfmt.d(5), environment.d(5),
 * depmod.d(5), dracut.conf(5), udev(7), hwdb(7), systemd.unit(5), systemd-system.conf(5), systemd.link(5), NetworkManager.conf(5),
 * polkit(8), augenrules(8), sshd_config of the image (Include), nmstate.service(8), containers-registries.conf.d(5),
 * containers-registries.d(5), containers.conf(5), yum.conf(5)
 */
const readFolders: readonly ReadFolder[] = [
  folderOf('sysctl.d', 'sysctl'),
  folderOf('modprobe.d', 'modprobe'),
  folderOf('modules-load.d', 'systemd-modules-load'),
  folderOf('tmpfiles.d', 'systemd-tmpfiles'),
  folderOf('sysusers.d', 'systemd-sysusers'),
  folderOf('binfmt.d', 'systemd-binfmt'),
  folderOf('environment.d', 'systemd'),
  folderOf('depmod.d', 'depmod'),
  folderOf('dracut.conf.d', 'dracut'),
  folderOf('ld.so.conf.d', 'ldconfig'),
  folderOf('security/limits.d', 'pam_limits'),
  folderOf('rsyslog.d', 'rsyslog'),
  folderOf('ssh/sshd_config.d', 'sshd'),
  folderOf('NetworkManager/conf.d', 'NetworkManager'),
  folderOf('containers/registries.conf.d', 'CRI-O'),
  folderOf('containers/registries.d', 'CRI-O', ['.yaml']),
  folderOf('containers/containers.conf.d', 'podman'),
  folderOf('udev/rules.d', 'udev', ['.rules']),
  folderOf('udev/hwdb.d', 'systemd-hwdb', ['.hwdb']),
  folderOf('audit/rules.d', 'augenrules', ['.rules']),
  folderOf('polkit-1/rules.d', 'polkit', ['.rules']),
  folderOf('profile.d', 'the shell', ['.sh', '.csh']),
  folderOf('yum.repos.d', 'rpm-ostree', ['.repo']),
  folderOf('openshift/kubelet.conf.d', 'the kubelet'),
  folderOf('nmstate', 'nmstate.service', ['.yml']),
  {
    folder: /^\/etc\/systemd\/(?:system|user)\/[^/]+\.d$/,
    reader: 'systemd',
    suffixes: ['.conf'],
  },
  {
    folder: /^\/etc\/systemd\/(?:system|user|journald|logind|resolved|coredump|sleep|timesyncd)\.conf\.d$/,
    reader: 'systemd',
    suffixes: ['.conf'],
  },
  {
    folder: /^\/etc\/systemd\/network$/,
    reader: 'systemd',
    suffixes: ['.link', '.network', '.netdev'],
  },
];

function folderOf(name: string, reader: string, suffixes: readonly string[] = ['.conf']): ReadFolder {
  return { folder: new RegExp(`^/etc/${name.replaceAll('.', String.raw`\.`)}$`), reader, suffixes };
}

/** Names of backups and disabled files, and of settings next to the files of a folder. */
const intended =
  /^(?:\.|README)|(?:~|\.(?:applied|bak|disabled|example|md|off|orig|sample|save|template|tmpl|txt))$/i;
const settingsFiles: ReadonlySet<string> = new Set(['/etc/nmstate/nmstate.conf']);

/** Reports files and links that the program for which they are made ignores, by name or mode. */
export function unreadFaults(config: unknown, facts: ReaderFacts): readonly NodeFault[] {
  const files = entriesAt(config, ['storage', 'files']);
  const entries = [...files, ...entriesAt(config, ['storage', 'links'])];
  const texts = [
    ...files.map(({ entry }) => fileText(entry)),
    ...entriesAt(config, ['systemd', 'units']).map(({ entry }) => JSON.stringify(entry)),
  ];
  const isMentioned = (place: string): boolean => texts.some((text) => text?.includes(place) === true);
  return [
    ...entries.flatMap((each) => nameFaults(each, isMentioned)),
    ...entries.flatMap((each) => bridgeFaults(each, facts)),
    ...files.flatMap(networkStateFaults),
    ...files.flatMap(dispatcherFaults),
    ...files.flatMap(sudoersFaults),
  ];
}

function splitPath({
  entry,
}: FoundEntry): { readonly place: string; readonly folder: string; readonly name: string } | undefined {
  const place = entry['path'];
  const [, folder, name] = (typeof place === 'string' ? /^(\/.+)\/([^/]+)$/.exec(place) : null) ?? [];
  return typeof place !== 'string' || folder === undefined || name === undefined
    ? undefined
    : { place, folder, name };
}

function nameFaults(each: FoundEntry, isMentioned: (place: string) => boolean): readonly NodeFault[] {
  const split = splitPath(each);
  if (split === undefined || intended.test(split.name) || settingsFiles.has(split.place)) return [];
  const { place, folder, name } = split;
  const found = readFolders.find((row) => row.folder.test(folder));
  // A program may get the file by its path.
  if (!found || found.suffixes.some((suffix) => name.endsWith(suffix)) || isMentioned(place)) return [];
  const expected = found.suffixes.join(' or ');
  const message = `${found.reader} ignores ${quoted(place)}, because the name does not end in ${expected}`;
  const [suffix = ''] = found.suffixes;
  const hint = `call it ${quoted(`${name.replace(/\.(?:conf|cfg|ya?ml|rules?|txt|repo)$/, '')}${suffix}`)}`;
  return [{ kind: 'useless', path: [...each.path, 'path'], message, hint }];
}

/** Source: openshift/machine-config-operator templates/common/_base/files/nmstate-configuration.yaml, since 4.16 */
function bridgeFaults(
  each: FoundEntry,
  { hostname, readsBridgeFiles = true }: ReaderFacts,
): readonly NodeFault[] {
  const { place, folder, name } = splitPath(each) ?? { place: '', folder: '', name: '' };
  const root = '/etc/nmstate/openshift';
  if ((folder !== root && !folder.startsWith(`${root}/`)) || intended.test(name) || name === 'applied')
    return [];
  const at = [...each.path, 'path'];
  if (!readsBridgeFiles) {
    const message = `nothing reads ${quoted(place)}: nmstate-configuration.service came with OpenShift 4.16`;
    return [
      { kind: 'useless', path: at, message, hint: 'describe the bridge in network of sno-config.yaml' },
    ];
  }
  const short = hostname?.split('.')[0];
  const isHost = short === undefined ? name.endsWith('.yml') : name === `${short}.yml`;
  if (folder === root && (name === 'cluster.yml' || isHost)) return [];
  const own = short === undefined ? '<short host name>.yml' : `${short}.yml`;
  const message = `nmstate-configuration.service does not read ${quoted(place)}, only cluster.yml and ${own} in ${root}`;
  return [{ kind: 'useless', path: at, message, hint: `call it ${root}/cluster.yml` }];
}

/** Checks the network states in /etc/nmstate. */
function networkStateFaults(each: FoundEntry): readonly NodeFault[] {
  const { place, folder, name } = splitPath(each) ?? { place: '', folder: '', name: '' };
  const isBridge = folder === '/etc/nmstate/openshift';
  const text = fileText(each.entry);
  const isState = (isBridge || folder === '/etc/nmstate') && name.endsWith('.yml');
  if (!isState || text === undefined || each.entry['contents'] === undefined) return [];
  const at = [...each.path, 'contents', 'source'];
  const useless = (message: string, hint: string): readonly NodeFault[] => [
    { kind: 'useless', path: at, message: `${quoted(place)} ${message}`, hint },
  ];
  if (text.trim() === '') return useless('is empty', 'write a network state, or remove the file');
  const { documents, faults } = readYaml(text);
  const [root] = documents;
  const [fault] = faults;
  if (fault) return useless(`is not YAML: ${fault.message}`, 'nmstatectl cannot read it; correct the text');
  if (root?.kind !== 'map') return useless('is not a network state', 'write interfaces');
  const found = stateFileFaults(root).flatMap(({ isIgnored, message, hint }) =>
    useless(
      `${message}, ${isIgnored ? 'which nmstatectl ignores' : 'so nmstatectl applies none of it'}`,
      hint,
    ),
  );
  if (found.length > 0) return found;
  if (!isBridge || JSON.stringify(toData(root)).includes('br-ex')) return [];
  return useless(
    'describes no interface br-ex, which OVN-Kubernetes needs: configure-ovs.sh makes none if the file exists',
    'describe br-ex, or remove the file',
  );
}

/** Source: NetworkManager src/nm-dispatcher, check_permissions and check_filename */
function dispatcherFaults(each: FoundEntry): readonly NodeFault[] {
  const { folder, name } = splitPath(each) ?? { folder: '', name: '' };
  if (!/^\/etc\/NetworkManager\/dispatcher\.d(?:\/(?:pre-up|pre-down|no-wait)\.d)?$/.test(folder)) return [];
  if (intended.test(name)) return [];
  const mode = modeOf(each);
  const isOthers = isOwnedByOthers(each);
  if ((mode & 0o100) !== 0 && (mode & 0o4022) === 0 && !isOthers) return [];
  const why = isOthers
    ? 'it does not belong to root'
    : (mode & 0o100) === 0
      ? 'it is not executable'
      : 'others than root can write it';
  return [
    {
      kind: 'useless',
      path: [...each.path, isOthers ? 'user' : 'mode'],
      message: `NetworkManager ignores the dispatcher script, because ${why}`,
      hint: isOthers ? 'leave user out' : 'write "mode: 493", which is octal 0755',
    },
  ];
}

/** Source: sudoers(5), "Including other files from within sudoers" */
function sudoersFaults(each: FoundEntry): readonly NodeFault[] {
  const { place, folder, name } = splitPath(each) ?? { place: '', folder: '', name: '' };
  if (folder !== '/etc/sudoers.d') return [];
  if (name.includes('.') || name.endsWith('~')) {
    if (intended.test(name)) return [];
    const message = `sudo ignores ${quoted(place)}, because the name contains "." or ends in "~"`;
    const hint = `call it ${quoted(name.replaceAll(/[.~]+/g, '-').replace(/-$/, ''))}`;
    return [{ kind: 'useless', path: [...each.path, 'path'], message, hint }];
  }
  const isOthers = isOwnedByOthers(each);
  if ((modeOf(each) & 0o022) === 0 && !isOthers) return [];
  return [
    {
      kind: 'useless',
      path: [...each.path, isOthers ? 'user' : 'mode'],
      message: `sudo ignores ${quoted(place)}, because others than root can write it`,
      hint: isOthers ? 'leave user out' : 'write "mode: 288", which is octal 0440',
    },
  ];
}

/** The default mode of Ignition and the machine-config operator is 0644. */
function modeOf({ entry }: FoundEntry): number {
  return typeof entry['mode'] === 'number' ? entry['mode'] : 0o644;
}

export function isOwnedByOthers({ entry }: FoundEntry): boolean {
  const owner = ['id', 'name']
    .map((each) => valueAt(entry, ['user', each]))
    .find((each) => each !== undefined);
  return owner !== undefined && owner !== 0 && owner !== 'root' && owner !== '';
}
