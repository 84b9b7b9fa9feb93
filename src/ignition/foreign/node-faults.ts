import { pathText, type FieldPath } from '../../formats/yaml/yaml-tree.js';
import { quoted } from '../../core/quoted.js';
import { entriesAt, fileText, withoutNulls, type FoundEntry } from './config-entries.js';
import type { NodeFault } from './node-fault.js';
import { placeFaults } from './place-faults.js';
import { isOwnedByOthers, unreadFaults, type ReaderFacts } from './unread-files.js';

/** Facts about the node that the config itself does not contain. */
export interface NodeFacts extends ReaderFacts {
  /** The boot disk as the node's config names it. */
  readonly bootDisk?: string;
  /** Paths and units that other configs of the same node write. */
  readonly otherPaths?: ReadonlySet<string>;
  readonly otherUnits?: ReadonlySet<string>;
}

/** All faults, in the order of the checks. The config may be any JSON value. */
export function nodeFaults(given: unknown, facts: NodeFacts = {}): readonly NodeFault[] {
  const config = withoutNulls(given);
  return [
    ...entriesAt(config, ['storage', 'files']).flatMap(keyfileFaults),
    ...['files', 'directories'].flatMap((kind) =>
      entriesAt(config, ['storage', kind]).flatMap(decimalFaults),
    ),
    ...placeFaults(config),
    ...unreadFaults(config, facts),
    ...entriesAt(config, ['storage', 'disks']).flatMap((disk) => diskFaults(disk, config, facts)),
    ...mirrorFaults(config, facts),
    ...wholeDiskFaults(config, facts),
    ...entriesAt(config, ['storage', 'filesystems']).flatMap((each) => mountFaults(each, config, facts)),
    ...referenceFaults(config, facts),
  ];
}

/** Source: NetworkManager src/core/settings/plugins/keyfile, nms_keyfile_utils_check_file_permissions: mode & 077, and user 0 */
function keyfileFaults({ path, entry }: FoundEntry): readonly NodeFault[] {
  const place = entry['path'];
  if (
    typeof place !== 'string' ||
    !/^\/(?:etc|run)\/NetworkManager\/system-connections\/[^/.][^/]*$/.test(place)
  )
    return [];
  // The default mode of Ignition and the machine-config operator is 0644.
  const mode = typeof entry['mode'] === 'number' ? entry['mode'] : 0o644;
  const isOthers = isOwnedByOthers({ path, entry });
  if ((mode & 0o077) === 0 && !isOthers) return [];
  return [
    {
      kind: 'unbootable',
      path: [...path, isOthers ? 'user' : 'mode'],
      message: 'NetworkManager ignores the profile, because others than root can read or write it',
      hint: isOthers ? 'leave user out' : 'write "mode: 384", which is octal 0600',
    },
  ];
}

/** Decimal numbers that look like common octal modes; Ignition reads them as unusual modes. */
const decimalModes: ReadonlySet<unknown> = new Set([400, 440, 444, 500]);

function decimalFaults({ path, entry }: FoundEntry): readonly NodeFault[] {
  const mode = entry['mode'];
  if (typeof mode !== 'number' || !decimalModes.has(mode)) return [];
  const message = `mode ${mode} is a decimal number, which is octal 0${mode.toString(8)}`;
  return [{ kind: 'useless', path: [...path, 'mode'], message, hint: octalHint(mode) }];
}

/** Hint with the decimal number for a mode written in octal digits. */
export function octalHint(digits: number): string {
  return `write ${Number.parseInt(String(digits), 8)}, which is octal 0${digits}`;
}

/** CoreOS's own link to the boot disk. */
const coreosBootDisk = '/dev/disk/by-id/coreos-boot-disk';

function diskFaults(
  { path, entry }: FoundEntry,
  config: unknown,
  { bootDisk }: NodeFacts,
): readonly NodeFault[] {
  const partitions = entriesAt(entry, ['partitions']).map((each) => ({
    ...each,
    path: [...path, ...each.path],
  }));
  const device = entry['device'];
  const isBootDisk = device === coreosBootDisk || (bootDisk !== undefined && device === bootDisk);
  if (!isBootDisk) return overlapFaults(partitions);
  const isWiped = entry['wipeTable'] === true;
  if (isWiped && recreates(config)) {
    return [...partitions.flatMap(recreatedFaults), ...overlapFaults(partitions)];
  }
  const wipes: readonly NodeFault[] = isWiped
    ? [
        {
          kind: 'unbootable',
          path: [...path, 'wipeTable'],
          message:
            'wipeTable deletes the partitions that the node boots from: the disk is the one it is installed on',
          hint: 'leave wipeTable out, or mirror the disk with boot_device.mirror of butane, which creates root and boot again',
        },
      ]
    : [];
  const isRootResized = partitions.some((each) => isRoot(each) && sizeOf(each, 'sizeMiB') > 0);
  return [
    ...wipes,
    ...partitions.flatMap((each) => bootPartitionFaults(each, isRootResized)),
    ...overlapFaults(partitions),
  ];
}

/** Partition types of boot loaders: BIOS, EFI and PReP. Source: coreos/butane config/openshift, boot_device */
const loaderTypes: readonly string[] = [
  '21686148-6449-6E6F-744E-656564454649',
  'C12A7328-F81F-11D2-BA4B-00A0C93EC93B',
  '9E1A2D38-C612-4316-AA26-8B49521E5A8B',
];

/**
 * Whether the config creates the file systems root and boot and the partition of the boot loader again, as butane does for
 * boot_device.mirror: CoreOS keeps their contents in memory meanwhile.
 * Source: coreos/fedora-coreos-config 40ignition-ostree/ignition-ostree-transposefs.sh
 */
function recreates(config: unknown): boolean {
  const systems = entriesAt(config, ['storage', 'filesystems']);
  const isCreated = (label: string): boolean =>
    systems.some(({ entry }) => entry['label'] === label && entry['wipeFilesystem'] === true);
  const partitions = entriesAt(config, ['storage', 'disks']).flatMap(({ entry }) =>
    entriesAt(entry, ['partitions']),
  );
  const hasLoader = partitions.some(
    ({ entry: { typeGuid } }) => typeof typeGuid === 'string' && loaderTypes.includes(typeGuid.toUpperCase()),
  );
  return isCreated('root') && isCreated('boot') && hasLoader;
}

/** The partitions root, root-1 and so on of a disk with a new table. */
function recreatedFaults(partition: FoundEntry): readonly NodeFault[] {
  const { label } = partition.entry;
  const isRootPart = typeof label === 'string' && /^root(?:-\d+)?$/.test(label);
  const size = sizeOf(partition, 'sizeMiB');
  return isRootPart && size > 0 ? rootSizeFaults(partition, 'sizeMiB', size) : [];
}

/** Reports a mirror without the disk on which the node is installed. Only names of one kind can be compared. */
function mirrorFaults(config: unknown, { bootDisk }: NodeFacts): readonly NodeFault[] {
  const disks = entriesAt(config, ['storage', 'disks']).filter(({ entry }) => entry['wipeTable'] === true);
  const devices = disks.map(({ entry }) => entry['device']);
  const [first] = disks;
  if (bootDisk === undefined || first === undefined || !recreates(config) || devices.includes(bootDisk))
    return [];
  if (!devices.every((device) => kindOfName(device) === kindOfName(bootDisk))) return [];
  return [
    {
      kind: 'useless',
      path: [...first.path, 'device'],
      message: `the config moves root and boot to other disks than ${quoted(bootDisk)}, on which the node is installed`,
      hint: 'name the installation disk as one of the disks',
    },
  ];
}

/** Such as `/dev/disk/by-id/wwn` or `/dev/sd`. */
function kindOfName(device: unknown): string {
  const name = String(device);
  return /^\/dev\/disk\/[^/]+\/[a-z]+/.exec(name)?.[0] ?? name.replace(/[a-z]?\d*$|n\d+$/, '');
}

/** Root is partition 4 of the image, after partitions 1 to 3. Source: coreos-assembler, image.yaml and osbuild manifests */
function isRoot({ entry }: FoundEntry): boolean {
  return entry['number'] === 4 || entry['label'] === 'root';
}

function isOfImage({ entry }: FoundEntry): boolean {
  const { number, label } = entry;
  const isNumbered = typeof number === 'number' && number >= 1 && number <= 3;
  return (
    isNumbered ||
    ['BIOS-BOOT', 'EFI-SYSTEM', 'PowerPC-PReP-boot', 'boot', 'reserved'].some((each) => each === label)
  );
}

/** Minimum size of the root partition, and OpenShift's recommendation. Sources: docs.fedoraproject.org/fedora-coreos/storage; OpenShift, "Partitioning" */
const rootMiB = { least: 8192, advised: 25_000 };

function bootPartitionFaults(partition: FoundEntry, isRootResized: boolean): readonly NodeFault[] {
  const { path, entry } = partition;
  const removes = entry['shouldExist'] === false ? 'shouldExist' : 'wipePartitionEntry';
  const isRemoved = entry['shouldExist'] === false || entry['wipePartitionEntry'] === true;
  if (isOfImage(partition) || (isRoot(partition) && entry['shouldExist'] === false)) {
    const message = 'the node boots from this partition, which the config deletes';
    return isRemoved
      ? [{ kind: 'unbootable', path: [...path, removes], message, hint: 'leave the partition out' }]
      : [];
  }
  if (entry['shouldExist'] === false) return [];
  const [field, size] = isRoot(partition)
    ? (['sizeMiB', sizeOf(partition, 'sizeMiB')] as const)
    : (['startMiB', sizeOf(partition, 'startMiB')] as const);
  if (isRoot(partition) ? size === 0 : isRootResized && size === 0) return [];
  return rootSizeFaults(partition, field, size);
}

function rootSizeFaults(
  { path }: FoundEntry,
  field: 'sizeMiB' | 'startMiB',
  size: number,
): readonly NodeFault[] {
  if (size >= rootMiB.advised) return [];
  const at = [...path, field];
  const hint = `write "${field}: ${rootMiB.advised}" or more`;
  if (size < rootMiB.least) {
    const message =
      size === 0
        ? 'without startMiB the partition starts directly after root, which then has no room for the release'
        : `${field} ${size} leaves root less than ${rootMiB.least} MiB, which has no room for the release`;
    return [{ kind: 'unbootable', path: at, message, hint }];
  }
  const message = `${field} ${size} leaves root less than the ${rootMiB.advised} MiB that OpenShift requires`;
  return [{ kind: 'useless', path: at, message, hint }];
}

function sizeOf({ entry }: FoundEntry, field: string): number {
  const value = entry[field];
  return typeof value === 'number' ? value : 0;
}

function overlapFaults(partitions: readonly FoundEntry[]): readonly NodeFault[] {
  const placed = partitions.filter(
    (each) => sizeOf(each, 'startMiB') > 0 && each.entry['shouldExist'] !== false,
  );
  return placed.flatMap((each, index) => {
    const start = sizeOf(each, 'startMiB');
    const end = start + Math.max(1, sizeOf(each, 'sizeMiB'));
    const other = placed.slice(0, index).find((before) => {
      const earlierStart = sizeOf(before, 'startMiB');
      return start < earlierStart + Math.max(1, sizeOf(before, 'sizeMiB')) && earlierStart < end;
    });
    if (other === undefined) return [];
    const message = `the partition overlaps ${pathText(other.path)}, so Ignition fails and the node does not boot`;
    return [
      {
        kind: 'unbootable' as const,
        path: [...each.path, 'startMiB'],
        message,
        hint: 'start it where the other ends',
      },
    ];
  });
}

/** Reports file systems, RAID and encryption on the whole boot disk instead of a partition. */
function wholeDiskFaults(config: unknown, { bootDisk }: NodeFacts): readonly NodeFault[] {
  const isBootDisk = (device: unknown): boolean =>
    device === coreosBootDisk || (bootDisk !== undefined && device === bootDisk);
  const paths: readonly FieldPath[] = [
    ...['filesystems', 'luks'].flatMap((kind) =>
      entriesAt(config, ['storage', kind]).flatMap(({ path, entry }) =>
        isBootDisk(entry['device']) ? [[...path, 'device']] : [],
      ),
    ),
    ...entriesAt(config, ['storage', 'raid']).flatMap(({ path, entry }) =>
      Array.isArray(entry['devices']) && entry['devices'].some(isBootDisk) ? [[...path, 'devices']] : [],
    ),
  ];
  return paths.map((path) => ({
    kind: 'unbootable',
    path,
    message: 'the node boots from this disk, and the config writes over its partitions',
    hint: 'name a partition, such as /dev/disk/by-partlabel/LABEL',
  }));
}

/** Mount points of the system itself. */
const systemMounts: ReadonlySet<unknown> = new Set(['/', '/boot', '/boot/efi', '/sysroot']);

/** Ignition mounts a file system only while it runs; the booted system needs a mount unit. Source: coreos.github.io/ignition/operator-notes; butane with_mount_unit */
function mountFaults(
  { path, entry }: FoundEntry,
  config: unknown,
  { otherPaths, otherUnits }: NodeFacts,
): readonly NodeFault[] {
  const place = entry['path'];
  if (typeof place !== 'string' || place === '' || systemMounts.has(place) || entry['format'] === 'swap')
    return [];
  const name = `${escapedPath(place)}.mount`;
  const units = entriesAt(config, ['systemd', 'units']);
  const unit = units.find((each) => each.entry['name'] === name);
  const files = new Set([
    ...entriesAt(config, ['storage', 'files']).map((each) => each.entry['path']),
    ...(otherPaths ?? []),
  ]);
  const isElsewhere =
    otherUnits?.has(name) === true || files.has('/etc/fstab') || files.has(`/etc/systemd/system/${name}`);
  const isStarted =
    unit?.entry['enabled'] === true || units.some((each) => each !== unit && unitText(each).includes(name));
  if (isElsewhere || isStarted) return [];
  const why = unit ? `the unit ${name} is not enabled` : `unit ${name} is missing`;
  return [
    {
      kind: 'useless',
      path: [...path, 'path'],
      message: `nothing mounts ${quoted(place)} after Ignition, because ${why}: its data is on the root disk`,
      hint: unit
        ? 'write "enabled: true" for the unit, with an [Install] section'
        : `add the unit ${name}; butane makes it of with_mount_unit`,
    },
  ];
}

/** Source: systemd-escape(1), --path */
function escapedPath(path: string): string {
  const plain = path.replaceAll(/^\/+|\/+$/g, '').replaceAll(/\/+/g, '/');
  return [...Buffer.from(plain)]
    .map((byte, index) => {
      const char = String.fromCharCode(byte);
      if (char === '/') return '-';
      return /[\w:.]/.test(char) && !(index === 0 && char === '.')
        ? char
        : `\\x${byte.toString(16).padStart(2, '0')}`;
    })
    .join('');
}

/** Programs installed by the machine-config operator. Source: openshift/machine-config-operator templates */
const operatorPrograms =
  /\/(?:configure-ip-forwarding\.sh|configure-ovs\.sh|ipsec-connect-wait\.sh|kubenswrapper|mco-hostname|mtu-migration\.sh|nm-clean-initrd-state\.sh|nmstate-configuration\.sh|set-valid-hostname\.sh|wait-for-primary-ip\.sh|(?:aws|openstack|azure|gcp)-.*|.*-kubelet-nodename|resolv-prepender\.sh)$/;

/**
 * Environment files that the image or the machine config operator provides; packages install theirs in /etc/sysconfig and /etc/default.
 * Sources: openshift/machine-config-operator templates; os-release(5)
 */
const environmentFile =
  /^\/etc\/(?:(?:sysconfig|default|kubernetes|mco)\/|(?:os-release|environment|locale\.conf|machine-info|node-sizing(?:-enabled)?\.env)$)/;

/** A line of a unit that requires a file. */
interface Reference {
  readonly verb: 'starts' | 'reads';
  /** Matches the whole line; other mentions of the file are outside of it. */
  readonly line: RegExp;
  readonly isElsewhere: RegExp;
}

/**
 * Programs below /usr/local and /opt, which are empty in the image, and environment files. A minus before the path makes the file
 * optional. Source: systemd.exec(5), systemd.service(5)
 */
const references: readonly Reference[] = [
  {
    verb: 'starts',
    line: /^Exec(?:Condition|Start|StartPre|StartPost)=[@:+!]*(\/(?:usr\/local|opt)\/[^\s%$]+)(?=\s|$)/gm,
    isElsewhere: operatorPrograms,
  },
  {
    verb: 'reads',
    line: /^EnvironmentFile=(\/(?:usr\/local|opt|etc)\/[^\s%*?[]+)(?=\s*$)/gm,
    isElsewhere: environmentFile,
  },
];

/** Reports files that a unit or a drop-in starts or reads and no config writes. */
function referenceFaults(config: unknown, { otherPaths }: NodeFacts): readonly NodeFault[] {
  const nodes = ['files', 'links', 'directories'].flatMap((kind) => entriesAt(config, ['storage', kind]));
  const paths = new Set<unknown>([...nodes.map(({ entry }) => entry['path']), ...(otherPaths ?? [])]);
  const units = entriesAt(config, ['systemd', 'units']).filter(({ entry }) => entry['mask'] !== true);
  const unitTexts = units.flatMap(textsOfUnit);
  const fileTexts = entriesAt(config, ['storage', 'files']).map(({ entry }) => fileText(entry));
  // Unreadable contents may be a script that installs the files.
  if (fileTexts.includes(undefined)) return [];
  return references.flatMap(({ verb, line, isElsewhere }) => {
    // A file mentioned in a script or another line of a unit may be created by it.
    const mentions = [...fileTexts, ...unitTexts.map((each) => each.text.replaceAll(line, ''))];
    return unitTexts.flatMap(({ path, text, what }) => {
      const named = [...text.matchAll(line)].map(([, file = '']) => file);
      const missing = named.filter(
        (file) =>
          !paths.has(file) && !isElsewhere.test(file) && !mentions.some((each) => each?.includes(file)),
      );
      return [...new Set(missing)].map((file) => ({
        kind: 'useless' as const,
        path,
        message: `the ${what} ${verb} ${quoted(file)}, which no file of the config writes`,
        hint:
          verb === 'starts'
            ? 'add the file, or correct the path'
            : 'add the file, correct the path, or write "EnvironmentFile=-" where it may be absent',
      }));
    });
  });
}

interface PlacedText {
  readonly path: FieldPath;
  readonly text: string;
  readonly what: 'unit' | 'drop-in';
}

function textsOfUnit(unit: FoundEntry): readonly PlacedText[] {
  return [
    { path: [...unit.path, 'contents'], text: unitText(unit), what: 'unit' },
    ...entriesAt(unit.entry, ['dropins']).map((dropin) => ({
      path: [...unit.path, ...dropin.path, 'contents'],
      text: unitText(dropin),
      what: 'drop-in' as const,
    })),
  ];
}

function unitText({ entry }: FoundEntry): string {
  return typeof entry['contents'] === 'string' ? entry['contents'] : '';
}
