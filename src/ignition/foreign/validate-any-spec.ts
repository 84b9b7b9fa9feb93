import { isRecord } from '../../core/is-record.js';
import { quotedName } from '../../core/quoted.js';
import { pathText, type FieldPath } from '../../formats/yaml/yaml-tree.js';
import { rejectedConfig, type Fault, type SpecVersion } from './ignition-fault.js';
import { validateIgnition } from './validate-ignition.js';
import { entriesAt, valueAt, withoutNulls } from './config-entries.js';

/** Faults of the Ignition config in a MachineConfig, for any spec version that MachineConfigs support. */
export function validateAnySpec(config: unknown, spec: SpecVersion): readonly Fault[] {
  return spec === '2.2.0' ? validateSpec2(config) : validateIgnition(config, spec);
}

/**
 * Faults of a config of spec 2.2.0, which the machine-config operator converts: fields that the conversion rejects or drops, and
 * faults of the converted config. Parts that no known MachineConfig uses in this spec are rejected too: disks, RAID, file systems,
 * and fields of `ignition` other than the version.
 * Source: openshift/machine-config-operator pkg/controller/common/helpers.go, ParseAndConvertConfig (release-4.14 to main);
 * coreos/ign-converter translate/v23tov30; coreos/ignition config/v2_2/types/schema.go for the fields
 */
function validateSpec2(given: unknown): readonly Fault[] {
  const config = withoutNulls(given);
  const unread = unreadParts(config);
  const unknown = unknownFields(config, fields, []);
  const own = [...unread, ...unknown, ...refusedEntries(config)];
  const isSaid = ({ path }: Fault): boolean =>
    [...unread, ...unknown].some((each) => each.path.every((step, index) => path[index] === step));
  const converted = validateIgnition(asSpec3(config), 0).map((fault) => asWritten(fault, config));
  return [...own, ...converted.filter((fault) => !isSaid(fault))];
}

/** Moves a fault from `enabled` to `enable` if the config uses the old name. */
function asWritten(fault: Fault, config: unknown): Fault {
  const [own, above] = [fault.path.at(-1), fault.path.slice(0, -1)];
  const isRenamed = own === 'enabled' && valueAt(config, fault.path) === undefined;
  return isRenamed ? { ...fault, path: [...above, 'enable'] } : fault;
}

/** Supported fields by parent. Fields below `{}` are not checked: there are none, or their names are the same in spec 3. */
interface Fields {
  readonly [field: string]: Fields;
}

const owner = { id: {}, name: {} };
const node = { filesystem: {}, path: {}, user: owner, group: owner, overwrite: {} };

const fields: Fields = {
  ignition: { version: {}, config: {}, security: {}, timeouts: {} },
  networkd: {},
  passwd: {
    groups: { name: {}, gid: {}, passwordHash: {}, system: {} },
    users: Object.fromEntries(
      [
        ...['name', 'passwordHash', 'sshAuthorizedKeys', 'uid', 'gecos', 'homeDir', 'noCreateHome', 'create'],
        ...['primaryGroup', 'groups', 'noUserGroup', 'noLogInit', 'shell', 'system'],
      ].map((name) => [name, {}]),
    ),
  },
  storage: {
    disks: {},
    raid: {},
    filesystems: {},
    files: {
      ...node,
      mode: {},
      append: {},
      contents: { source: {}, compression: {}, verification: { hash: {} } },
    },
    directories: { ...node, mode: {} },
    links: { ...node, target: {}, hard: {} },
  },
  systemd: {
    units: {
      name: {},
      enable: {},
      enabled: {},
      mask: {},
      contents: {},
      dropins: { name: {}, contents: {} },
    },
  },
};

function unknownFields(value: unknown, known: Fields, path: FieldPath): readonly Fault[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => unknownFields(item, known, [...path, index]));
  if (!isRecord(value) || Object.keys(known).length === 0) return [];
  return Object.entries(value).flatMap(([name, member]): readonly Fault[] => {
    const own = [...path, name];
    const below = Object.hasOwn(known, name) ? known[name] : undefined;
    if (below !== undefined) return unknownFields(member, below, own);
    const message = `Ignition spec 2.2.0 has no field ${quotedName(name)} here, which is left out`;
    return [{ kind: 'unknown', path: own, target: 'key', message, hint: 'write it for spec 3.2.0' }];
  });
}

const partsUnread: readonly FieldPath[] = [
  ['networkd'],
  ['ignition', 'config'],
  ['ignition', 'security'],
  ['ignition', 'timeouts'],
  ['storage', 'disks'],
  ['storage', 'raid'],
  ['storage', 'filesystems'],
];

function unreadParts(config: unknown): readonly Fault[] {
  return partsUnread.flatMap((path) => {
    const found = valueAt(config, path);
    const isEmpty =
      found === undefined || (typeof found === 'object' && Object.keys(found ?? {}).length === 0);
    const message = `${pathText(path)} of Ignition spec 2.2.0 is not supported`;
    return isEmpty ? [] : [rejectedConfig(path, message, 'write the config for spec 3.2.0')];
  });
}

function refusedEntries(config: unknown): readonly Fault[] {
  const nodes = nodeKinds.flatMap((kind) => entriesAt(config, ['storage', kind]));
  const users = entriesAt(config, ['passwd', 'users']);
  return [
    ...nodes.flatMap(({ path, entry }) =>
      entry['filesystem'] === 'root'
        ? []
        : [
            rejectedConfig(
              [...path, 'filesystem'],
              'Ignition spec 2.2.0 requires the filesystem root here',
              'write "filesystem: root"',
            ),
          ],
    ),
    ...users.flatMap(({ path, entry }) =>
      entry['create'] === undefined
        ? []
        : [
            rejectedConfig(
              [...path, 'create'],
              'create is refused when the config is converted to spec 3',
              'leave it out',
            ),
          ],
    ),
  ];
}

const nodeKinds = ['files', 'directories', 'links'];

/** Converts to spec 3. Entries keep their indices; parts that spec 2.2.0 rejects are omitted. */
function asSpec3(config: unknown): unknown {
  if (!isRecord(config)) return config;
  const { ignition, storage, systemd, passwd, ...rest }: Entry = without(config, ['networkd']);
  return {
    ...rest,
    ...(ignition !== undefined && { ignition: isRecord(ignition) ? { version: '3.0.0' } : ignition }),
    ...(storage !== undefined && { storage: withEntries(storage, nodeKinds, asNode) }),
    ...(systemd !== undefined && { systemd: withEntries(systemd, ['units'], asUnit) }),
    ...(passwd !== undefined && { passwd: withEntries(passwd, ['users'], asUser) }),
  };
}

type Entry = Readonly<Record<string, unknown>>;

/** Maps the entries of the named lists and omits unsupported parts; other fields stay unchanged. */
function withEntries(part: unknown, lists: readonly string[], made: (entry: Entry) => Entry): unknown {
  if (!isRecord(part)) return part;
  const kept = Object.entries(without(part, ['disks', 'raid', 'filesystems']));
  return Object.fromEntries(
    kept.map(([name, list]) => {
      const isMade = lists.includes(name) && Array.isArray(list);
      return [name, isMade ? list.map((entry: unknown) => (isRecord(entry) ? made(entry) : entry)) : list];
    }),
  );
}

function asNode(entry: Entry): Entry {
  return without(entry, ['filesystem', 'append']);
}

function asUnit(entry: Entry): Entry {
  const rest = without(entry, ['enable']);
  return entry['enable'] === undefined ? rest : { enabled: entry['enable'], ...rest };
}

function asUser(entry: Entry): Entry {
  return without(entry, ['create']);
}

function without(entry: Entry, names: readonly string[]): Entry {
  return Object.fromEntries(Object.entries(entry).filter(([name]) => !names.includes(name)));
}
