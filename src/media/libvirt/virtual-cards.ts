import type { MachinePool } from '../../config/schema/install-config-schema.js';
import type { InterfaceDescription, NetworkDescription } from '../../config/schema/network-model.js';
import { bondOf, controllersOf, interfacesOf, presentInterfaces } from '../../config/network/interfaces.js';
import type { Finding } from '../../config/schema/rule.js';
import { sha256 } from '../../formats/sha256.js';
import type { FieldPath } from '../../formats/yaml/yaml-tree.js';

/** A network card of a virtual machine. */
export interface VirtualCard {
  /** In lower case. */
  readonly mac: string;
  /** PCI bus and function. Absent if any place is right. */
  readonly place?: { readonly bus: number; readonly functionNumber?: number };
  /** Index that the firmware reports; the kernel names the card after it. */
  readonly acpiIndex?: number;
}

/** Other settings of the machine. */
export interface CardOptions {
  /** Such as `site1.example.com`: MAC addresses that the config does not contain are derived from it. */
  readonly clusterDomain: string;
  readonly architecture: MachinePool['architecture'];
}

/** A card for each Ethernet interface; one card without `network`. */
export function virtualCards(
  network: NetworkDescription | undefined,
  options: CardOptions,
): { readonly cards: readonly VirtualCard[]; readonly findings: readonly Finding[] } {
  const { clusterDomain } = options;
  if (network === undefined) return { cards: [{ mac: derivedMac(clusterDomain, '') }], findings: [] };
  const made = ethernetInterfaces(network).map((each) => ({ each, place: placeOf(each, options) }));
  const used = new Set(made.map(({ each }) => each.name));
  const free = Array.from({ length: lastBus }, (_, index) => `enp${index + 1}s0`).filter(
    (name) => !used.has(name),
  );
  return {
    cards: made.map(({ each, place }) => ({
      mac: each['mac-address']?.toLowerCase() ?? derivedMac(clusterDomain, each.name ?? ''),
      ...(place ?? {}),
    })),
    findings: [
      ...made
        .filter(({ place }) => place === undefined)
        .map(({ each }, index) => nameFinding(network, each, free[index] ?? each.name ?? '')),
      ...made.flatMap(({ each }) => sriovFindings(network, each)),
      ...bondFindings(network),
    ],
  };
}

/** Also ports without a description. */
export function ethernetInterfaces(network: NetworkDescription): readonly InterfaceDescription[] {
  return interfacesOf(network).filter(({ type = 'ethernet' }) => type === 'ethernet');
}

/** The path of an interface in sno-config.yaml, or of the bond or bridge whose port it is. */
export function interfacePath(network: NetworkDescription, name: string | undefined): FieldPath {
  const { interfaces = [] } = network;
  const controller = controllersOf(network).find(({ ports }) => ports.some((port) => port.name === name));
  const own = interfaces.findIndex((each) => each.name === name);
  const index = own === -1 ? interfaces.findIndex((each) => each.name === controller?.name) : own;
  return ['network', 'interfaces', Math.max(0, index)];
}

/** A MAC address with QEMU's prefix that stays the same for each run. */
function derivedMac(clusterDomain: string, name: string): string {
  const digits = sha256(`${clusterDomain}/${name}`).slice(0, 6);
  return `52:54:00:${digits.slice(0, 2)}:${digits.slice(2, 4)}:${digits.slice(4)}`;
}

/** The bus behind the highest root port that a machine gets without bridges between. */
const lastBus = 16;

/**
 * The place of the card that gets the interface's name from udev; undefined if no virtual card has that name.
 * Source: systemd.net-naming-scheme(7), ID_NET_NAME_ONBOARD and ID_NET_NAME_PATH
 */
function placeOf(
  { identifier, name = '' }: InterfaceDescription,
  { architecture }: CardOptions,
): Omit<VirtualCard, 'mac'> | undefined {
  if (identifier === 'mac-address') return {};
  const [, index] = /^eno([1-9]\d{0,2})$/.exec(name) ?? [];
  // QEMU's virt machine for arm64 has no ACPI hotplug, which reports the index.
  if (index !== undefined) return architecture === 'amd64' ? { acpiIndex: Number(index) } : undefined;
  const [, bus, functionNumber] = /^enp([1-9]\d?)s0(?:f([0-7]))?$/.exec(name) ?? [];
  if (bus === undefined || Number(bus) > lastBus) return undefined;
  return {
    place: {
      bus: Number(bus),
      ...(functionNumber !== undefined && { functionNumber: Number(functionNumber) }),
    },
  };
}

function nameFinding(
  network: NetworkDescription,
  { name = '' }: InterfaceDescription,
  free: string,
): Finding {
  return {
    code: 'libvirt/interface-name',
    path: interfacePath(network, name),
    message: `no network card of a virtual machine gets the name ${name}`,
    hint: `add "identifier: mac-address" and "mac-address" to the interface, or name it ${free} for the virtual machine`,
  };
}

function sriovFindings(
  network: NetworkDescription,
  { name = '', ethernet }: InterfaceDescription,
): readonly Finding[] {
  if ((ethernet?.['sr-iov']?.['total-vfs'] ?? 0) === 0) return [];
  return [
    {
      code: 'libvirt/sr-iov',
      path: [...interfacePath(network, name), 'ethernet', 'sr-iov'],
      message: `the virtual network card of ${name} has no virtual functions`,
      hint: 'remove sr-iov from the copy of the config for the virtual machine',
    },
  ];
}

/** Modes in which several ports carry traffic at once for one MAC address. Source: networking/bonding.rst of Linux */
const channelModes = ['balance-rr', '0', 'balance-xor', '2', 'broadcast', '3'];

function bondFindings(network: NetworkDescription): readonly Finding[] {
  return presentInterfaces(network).flatMap((each): readonly Finding[] => {
    const mode = bondOf(each)?.mode ?? '';
    if (each.type !== 'bond' || !channelModes.includes(mode)) return [];
    return [
      {
        code: 'libvirt/bond-mode',
        path: interfacePath(network, each.name),
        message: `${each.name ?? 'the bond'} with mode ${mode} needs a channel group in the switch, and a virtual network has none`,
        hint: 'use active-backup in the copy of the config for the virtual machine',
      },
    ];
  });
}
