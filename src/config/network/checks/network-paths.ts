import type { InterfaceDescription, IpDescription } from '../../schema/network-model.js';
import type { Family } from '../../../formats/cidr.js';
import type { FieldPath } from '../../../formats/yaml/yaml-tree.js';
import { controllersOf, presentInterfaces } from '../interfaces.js';
import type { NetworkSubject } from './network-subject.js';

/** An interface with the place where it is described. */
export interface PlacedInterface {
  readonly each: InterfaceDescription;
  readonly path: FieldPath;
}

/** A family of an interface, as it is written, with its place. */
export interface PlacedIp extends PlacedInterface {
  readonly family: Family;
  readonly ip: IpDescription;
}

/** Where the interfaces are described. */
export const interfacesPath: FieldPath = ['network', 'interfaces'];

/** The interfaces that are to have a profile, in the order of the file. */
export function placedInterfaces(subject: NetworkSubject): readonly PlacedInterface[] {
  const present = new Set(presentInterfaces(subject.config.network ?? {}));
  return describedInterfaces(subject).filter(({ each }) => present.has(each));
}

/** The same, with those that are `absent` or to be ignored. */
export function describedInterfaces({ config }: NetworkSubject): readonly PlacedInterface[] {
  return (config.network?.interfaces ?? []).map((each, index) => ({
    each,
    path: [...interfacesPath, index],
  }));
}

/** What is said of both families of every interface, whether it is on or not. */
export function placedIps(subject: NetworkSubject): readonly PlacedIp[] {
  return placedInterfaces(subject).flatMap(({ each, path }) => [
    ...(each.ipv4 ? [{ each, path: [...path, 'ipv4'], family: 'IPv4' as const, ip: each.ipv4 }] : []),
    ...(each.ipv6 ? [{ each, path: [...path, 'ipv6'], family: 'IPv6' as const, ip: each.ipv6 }] : []),
  ]);
}

/** The bond or bridge that an interface is a port of. */
export function controllerOf({ config }: NetworkSubject, name: string): string | undefined {
  return controllersOf(config.network ?? {}).find(({ ports }) => ports.some((port) => port.name === name))
    ?.name;
}

/** Whether files describe interfaces that are not known here. */
export function hasKeyfiles({ config }: NetworkSubject): boolean {
  return (config.network?.keyfiles ?? []).length > 0;
}

/** The member of a list that says for the second time what one before it says. */
export function repeated<Item>(
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
