import { quoted, quotedName } from '../../core/quoted.js';
import { parseCidr } from '../../formats/cidr.js';

/** A fault that NetworkManager would reject or misread. */
export interface KeyfileFault {
  /** From 1; the first line if something is missing. */
  readonly line: number;
  /** One lower-case sentence. Contains no values except names and addresses, because a keyfile may contain a password. */
  readonly message: string;
}

interface Entry {
  readonly section: string;
  readonly key: string;
  readonly value: string;
  readonly line: number;
}

export function fileNameOf(path: string): string {
  return path.split('/').at(-1) ?? '';
}

/**
 * Checks the syntax of a profile and the keys that every profile needs. Keys of plugins are not checked.
 * Source: GKeyFile of GLib; nm-settings-keyfile(5)
 */
export function keyfileFaults(text: string): readonly KeyfileFault[] {
  const { entries, faults } = readLines(text);
  if (faults.length > 0) return faults;
  return [...missing(entries), ...entries.flatMap((entry) => valueFaults(entry))];
}

/** The keys of a keyfile in order, without lines that are none. */
export function keyfileEntries(text: string): readonly Entry[] {
  return readLines(text).entries;
}

function readLines(text: string): {
  readonly entries: readonly Entry[];
  readonly faults: readonly KeyfileFault[];
} {
  const entries: Entry[] = [];
  const faults: KeyfileFault[] = [];
  let section: string | undefined;
  for (const [index, raw] of text.split('\n').entries()) {
    const line = index + 1;
    const trimmed = raw.trim();
    if (/[\u0000-\u0008\u000b-\u001f\u007f]/.test(raw))
      faults.push({
        line,
        message: 'this line contains a control character; lines must end with a line feed only',
      });
    else if (trimmed === '' || trimmed.startsWith('#')) continue;
    else if (/^\[[^[\]]+\]$/.test(trimmed)) section = trimmed.slice(1, -1);
    else if (!/^[^=[\]]+=/.test(trimmed))
      faults.push({ line, message: 'this is neither [section] nor key=value' });
    else if (section === undefined) faults.push({ line, message: 'this key is before the first [section]' });
    else {
      const [key = '', ...value] = trimmed.split('=');
      entries.push({ section, key: key.trim(), value: value.join('=').trim(), line });
    }
  }
  return { entries, faults };
}

function missing(entries: readonly Entry[]): readonly KeyfileFault[] {
  const type = entries.find(({ section, key }) => section === 'connection' && key === 'type');
  if (type === undefined || type.value === '')
    return [{ line: 1, message: 'type in section [connection] is missing' }];
  return types.has(type.value)
    ? []
    : [{ line: type.line, message: `connection type ${quotedName(type.value)} is not supported` }];
}

/** Connection types that a server can have, without wireless and dial-up. Source: nm-settings-nmcli(5) */
const types: ReadonlySet<string> = new Set([
  ...[
    'ethernet',
    '802-3-ethernet',
    'bond',
    'bridge',
    'dummy',
    'hsr',
    'infiniband',
    'ip-tunnel',
    'ipvlan',
    'loopback',
  ],
  ...['macvlan', 'ovs-bridge', 'ovs-interface', 'ovs-port', 'team', 'veth', 'vlan', 'vrf', 'vxlan'],
]);

const methods: Readonly<Record<string, readonly string[]>> = {
  ipv4: ['auto', 'manual', 'link-local', 'shared', 'disabled'],
  ipv6: ['auto', 'dhcp', 'manual', 'link-local', 'shared', 'disabled', 'ignore'],
};

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$|^[0-9a-f]{40}$/i;

function valueFaults({ section, key, value, line }: Entry): readonly KeyfileFault[] {
  if (section === 'connection' && key === 'uuid' && !uuidForm.test(value))
    return [{ line, message: `${quoted(value)} is not a UUID` }];
  if (section === 'connection' && key === 'interface-name' && (value.length > 15 || /[\s/]/.test(value)))
    return [{ line, message: `${quoted(value)} is not a valid interface name` }];
  const known = methods[section];
  if (known === undefined) return [];
  if (key === 'method' && !known.includes(value))
    return [
      {
        line,
        message: `method of [${section}] must be one of ${known.join(', ')}, not ${quotedName(value)}`,
      },
    ];
  return /^address(es)?\d*$/.test(key) ? addressFaults(section, value, line) : [];
}

/** Source: nm-settings-keyfile(5): address/prefix, optionally with a gateway after a comma. */
function addressFaults(section: string, value: string, line: number): readonly KeyfileFault[] {
  const [address = ''] = value.split(',');
  const cidr = parseCidr(address.trim());
  const family = section === 'ipv4' ? 'IPv4' : 'IPv6';
  return cidr?.family === family
    ? []
    : [
        {
          line,
          message: `${quoted(value)} is not an ${family} address with a prefix length, such as ${section === 'ipv4' ? '192.0.2.2/24' : 'fd00::2/64'}`,
        },
      ];
}
