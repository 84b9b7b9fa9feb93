import type { Draft } from '../../formats/field-schema.js';
import type { NetworkInput } from './network-schema.js';

/** The fields of `network` in sno-config.yaml that fit the schema. */
export type NetworkDescription = Draft<NetworkInput>;

export type InterfaceDescription = NonNullable<NetworkDescription['interfaces']>[number];

/** `ipv4` or `ipv6` of an interface. */
export type IpDescription = NonNullable<InterfaceDescription['ipv6']> &
  Pick<NonNullable<InterfaceDescription['ipv4']>, 'dhcp-client-id'>;

export type VirtualFunction = NonNullable<
  NonNullable<NonNullable<InterfaceDescription['ethernet']>['sr-iov']>['vfs']
>[number];

export type RouteRuleDescription = NonNullable<
  NonNullable<NetworkDescription['route-rules']>['config']
>[number];

export type RouteDescription = NonNullable<NonNullable<NetworkDescription['routes']>['config']>[number];
