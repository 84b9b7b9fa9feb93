import type { Draft } from '../../formats/field-schema.js';
import type { NetworkInput } from './network-schema.js';

/** `network` of sno-config.yaml as it is written, as far as it fits the schema. */
export type NetworkDescription = Draft<NetworkInput>;

/** One of its interfaces. */
export type InterfaceDescription = NonNullable<NetworkDescription['interfaces']>[number];

/** IPv4 or IPv6 of an interface. */
export type IpDescription = NonNullable<InterfaceDescription['ipv6']> &
  Pick<NonNullable<InterfaceDescription['ipv4']>, 'dhcp-client-id'>;

/** A virtual function of a network card. */
export type VirtualFunction = NonNullable<
  NonNullable<NonNullable<InterfaceDescription['ethernet']>['sr-iov']>['vfs']
>[number];

/** A rule that chooses a routing table. */
export type RouteRuleDescription = NonNullable<
  NonNullable<NetworkDescription['route-rules']>['config']
>[number];

/** A route. */
export type RouteDescription = NonNullable<NonNullable<NetworkDescription['routes']>['config']>[number];
