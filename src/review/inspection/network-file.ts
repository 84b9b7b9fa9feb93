import { renderWord } from '../render-text.js';

/** The addressing facts of a NetworkManager keyfile. */
export interface NetworkFile {
  readonly path: string;
  /** Such as `ethernet`, `bond`, `vlan`. */
  readonly type?: string;
  /** Interface name, MAC address, or match. */
  readonly device?: string;
  /** Allowed fields, formatted as `ipv4.method=manual`. */
  readonly settings: readonly string[];
}

/** Fields without secrets. Source: nm-settings-keyfile(5) */
const shownFields =
  /^(?:(?:ipv4|ipv6)\.(?:method|address\d*|gateway|dns|dns-search|route\d*|addresses|may-fail)|ethernet\.(?:mac-address|cloned-mac-address|mtu)|vlan\.(?:id|parent)|bond\.[a-z_]+|connection\.(?:master|controller|slave-type|port-type))$/;

export function isNetworkFile(path: string): boolean {
  return path.endsWith('.nmconnection');
}

export function readNetworkFile(path: string, text: string): NetworkFile {
  const fields = keyfileFields(text);
  const type = fields.get('connection.type');
  const device =
    fields.get('connection.interface-name') ??
    fields.get('ethernet.mac-address') ??
    fields.get('match.interface-name');
  return {
    path,
    ...(type !== undefined && { type: renderWord(type) }),
    ...(device !== undefined && { device: renderWord(device) }),
    settings: [...fields]
      .filter(([name]) => shownFields.test(name))
      .map(([name, value]) => renderWord(`${name}=${value}`)),
  };
}

/** Parses a keyfile into `section.name` fields, in order. */
export function keyfileFields(text: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  let section = '';
  for (const line of text.split(/\r?\n/).map((each) => each.trim())) {
    const [, title] = /^\[([^\]]+)\]$/.exec(line) ?? [];
    const [, name, value = ''] = /^([^#;=[\]][^=]*?)\s*=\s*(.*)$/.exec(line) ?? [];
    if (title !== undefined) section = title;
    else if (name !== undefined) fields.set(`${section}.${name}`, value);
  }
  return fields;
}
