import type { InterfaceDescription, IpDescription } from '../../schema/network-model.js';
import type { Family } from '../../../formats/cidr.js';
import type { FieldPath } from '../../../formats/yaml/yaml-tree.js';
import { controllersOf, presentInterfaces } from '../interfaces.js';
import type { NetworkSubject } from './network-subject.js';

/** An interface with its path in the config. */
export interface PlacedInterface {
  readonly each: InterfaceDescription;
  readonly path: FieldPath;
}

/** The `ipv4` or `ipv6` field of an interface with its path. */
export interface PlacedIp extends PlacedInterface {
  readonly family: Family;
  readonly ip: IpDescription;
}

export const interfacesPath: FieldPath = ['network', 'interfaces'];

/** The interfaces that get a profile, in the order of the file. */
export function placedInterfaces(subject: NetworkSubject): readonly PlacedInterface[] {
  const present = new Set(presentInterfaces(subject.config.network ?? {}));
  return describedInterfaces(subject).filter(({ each }) => present.has(each));
}

/** All interfaces, including those with state `absent` or `ignore`. */
export function describedInterfaces({ config }: NetworkSubject): readonly PlacedInterface[] {
  return (config.network?.interfaces ?? []).map((each, index) => ({
    each,
    path: [...interfacesPath, index],
  }));
}

/** The `ipv4` and `ipv6` fields of all interfaces, including disabled ones. */
export function placedIps(subject: NetworkSubject): readonly PlacedIp[] {
  return placedInterfaces(subject).flatMap(({ each, path }) => [
    ...(each.ipv4 ? [{ each, path: [...path, 'ipv4'], family: 'IPv4' as const, ip: each.ipv4 }] : []),
    ...(each.ipv6 ? [{ each, path: [...path, 'ipv6'], family: 'IPv6' as const, ip: each.ipv6 }] : []),
  ]);
}

/** The bond or bridge of a port. */
export function controllerOf({ config }: NetworkSubject, name: string): string | undefined {
  return controllersOf(config.network ?? {}).find(({ ports }) => ports.some((port) => port.name === name))
    ?.name;
}

/** Whether the config names keyfiles, which may describe further interfaces. */
export function hasKeyfiles({ config }: NetworkSubject): boolean {
  return (config.network?.keyfiles ?? []).length > 0;
}

/** Items whose key equals that of an earlier item, with that item. Skips items without a key. */
export function repeatedItems<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string | undefined,
): readonly { readonly item: Item; readonly earlier: Item }[] {
  const seen = new Map<string, Item>();
  return items.flatMap((item) => {
    const key = keyOf(item);
    if (key === undefined || key === '') return [];
    const earlier = seen.get(key);
    if (earlier === undefined) seen.set(key, item);
    return earlier === undefined ? [] : [{ item, earlier }];
  });
}
