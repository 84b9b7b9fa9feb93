import type { InterfaceDescription } from '../schema/network-model.js';
import { uuidOfUrl } from '../../formats/uuid.js';
import { bondMode, bondOptions } from './bond-options.js';
import { bondOf, type BridgePort, type Controller } from './interfaces.js';
import type { KeyfileSection, KeyfileValue } from './keyfile.js';

type Sections = readonly KeyfileSection[];

/** The `[ethernet]` section for settings of any link; empty without such settings. */
export function ethernetSection(each: InterfaceDescription): Sections {
  if (each.type === 'loopback') return [];
  const values = { ...addressValues(each), mtu: each.mtu, ...speedValues(each), ...listenValues(each) };
  return Object.values(values).every((value) => value === undefined) ? [] : [{ name: 'ethernet', values }];
}

export function bondSection(each: InterfaceDescription): Sections {
  const bond = bondOf(each);
  if (each.type !== 'bond') return [];
  return [
    { name: 'bond', values: { mode: bondMode(bond?.mode ?? ''), ...bondOptions(bond?.options ?? {}) } },
  ];
}

export function bridgeSection(each: InterfaceDescription): Sections {
  if (each.type !== 'linux-bridge') return [];
  const { stp, ...options } = each.bridge?.options ?? {};
  const ports = each.bridge?.port ?? each.bridge?.ports;
  const values = {
    stp: stp?.enabled,
    'forward-delay': stp?.['forward-delay'],
    'hello-time': stp?.['hello-time'],
    'max-age': stp?.['max-age'],
    priority: stp?.priority,
    'ageing-time': options['mac-ageing-time'],
    'multicast-snooping': options['multicast-snooping'],
    'group-forward-mask': options['group-forward-mask'],
    'vlan-default-pvid': options['vlan-default-pvid'],
    'vlan-filtering': ports?.some(({ vlan = {} }) => Object.keys(vlan).length > 0),
    'vlan-protocol': protocolText(options['vlan-protocol']),
  };
  return [{ name: 'bridge', values }];
}

/** The `[bridge-port]` section of a bridge's port. nmstate only writes it for ports that are identified by name. */
export function bridgePortSection(each: InterfaceDescription, { type, ports }: Controller): Sections {
  const port = ports.find(({ name }) => name === each.name);
  if (type !== 'bridge' || port === undefined || each.identifier === 'mac-address') return [];
  const values = {
    'hairpin-mode': port['stp-hairpin-mode'],
    'path-cost': port['stp-path-cost'],
    priority: port['stp-priority'],
    vlans: vlansText(port.vlan),
  };
  return [{ name: 'bridge-port', values }];
}

/** Source: nm-settings-keyfile(5), vlans of bridge-port */
function vlansText(vlan: BridgePort['vlan']): string | undefined {
  const { mode, tag, 'trunk-tags': tags = [] } = vlan ?? {};
  if (mode === undefined) return undefined;
  const ranges = (mode === 'trunk' ? tags : []).map(({ id, 'id-range': range }) => ({
    first: id ?? range?.min ?? 0,
    text:
      id === undefined && range?.min !== range?.max
        ? `${range?.min ?? 0}-${range?.max ?? 0}`
        : `${id ?? range?.min ?? 0}`,
  }));
  const own = tag === undefined ? [] : [{ first: tag, text: `${tag} pvid untagged` }];
  return [...ranges, ...own]
    .toSorted((left, right) => left.first - right.first)
    .map(({ text }) => text)
    .join(',');
}

function protocolText(protocol: string | undefined): string | undefined {
  return protocol?.replace('q', 'Q');
}

/** NetworkManager's name of each type, and the scheme of the URL from which the UUID is computed. Source: nmstate, InterfaceType */
export const typeNames = {
  ethernet: { manager: '802-3-ethernet', nmstate: 'ethernet' },
  bond: { manager: 'bond', nmstate: 'bond' },
  vlan: { manager: 'vlan', nmstate: 'vlan' },
  'linux-bridge': { manager: 'bridge', nmstate: 'linux-bridge' },
  dummy: { manager: 'dummy', nmstate: 'dummy' },
  loopback: { manager: 'loopback', nmstate: 'loopback' },
} as const;

export function profileUuid({ name = '', type = 'ethernet' }: InterfaceDescription): string {
  return uuidOfUrl(`${typeNames[type].nmstate}://${name}`);
}

/** Source: NMVlanFlags of NetworkManager's libnm */
const vlanFlags = { reorderHeaders: 1, gvrp: 2, looseBinding: 4, mvrp: 8 };

/**
 * The `[vlan]` section. The name of a base that is identified by its MAC address is only known to the kernel, so the parent is the base's
 * profile. Source: nmstate 2.2.62, use_uuid_for_non_name_ref_parent
 */
export function vlanSection(
  { type, vlan }: InterfaceDescription,
  base: InterfaceDescription | undefined,
): Sections {
  if (type !== 'vlan') return [];
  const registration = vlan?.['registration-protocol'];
  const flags =
    (vlan?.['reorder-headers'] === false ? 0 : vlanFlags.reorderHeaders) +
    (registration === 'gvrp' || registration === 'mvrp' ? vlanFlags[registration] : 0) +
    (vlan?.['loose-binding'] === true ? vlanFlags.looseBinding : 0);
  const values = {
    id: vlan?.id,
    parent: base?.identifier === 'mac-address' ? profileUuid(base) : (base?.name ?? vlan?.['base-iface']),
    protocol: protocolText(vlan?.protocol),
    flags,
  };
  return [{ name: 'vlan', values }];
}

function addressValues(each: InterfaceDescription): Readonly<Record<string, KeyfileValue | undefined>> {
  const mac = each['mac-address']?.toUpperCase();
  if (each.identifier === 'mac-address') return { 'mac-address': mac };
  return takesMacOfPort(each) ? {} : { 'cloned-mac-address': mac };
}

/** Whether a bond has the MAC address of its active port. */
function takesMacOfPort(each: InterfaceDescription): boolean {
  const bond = each.type === 'bond' ? bondOf(each) : undefined;
  if (bondMode(bond?.mode ?? '') !== 'active-backup') return false;
  return bondOptions(bond?.options ?? {})['fail_over_mac'] === 'active';
}

function speedValues({ ethernet }: InterfaceDescription): Readonly<Record<string, KeyfileValue | undefined>> {
  const negotiation = ethernet?.['auto-negotiation'];
  return {
    'auto-negotiate': negotiation,
    ...(negotiation === false && { speed: ethernet?.speed, duplex: ethernet?.duplex }),
  };
}

function listenValues(each: InterfaceDescription): Readonly<Record<string, KeyfileValue | undefined>> {
  const all = each['accept-all-mac-addresses'];
  return { 'accept-all-mac-addresses': all === undefined ? undefined : Number(all) };
}
