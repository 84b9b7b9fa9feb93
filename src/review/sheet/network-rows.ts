import { posix } from 'node:path';

import { fieldAt, listAt, textAt } from '../../kube/fields.js';
import { keyfileFields } from '../inspection/network-file.js';
import type { ConfigTexts } from './config-texts.js';
import { row } from './rows.js';
import type { SheetRow } from './sheet.js';

/** A NetworkManager profile. */
interface Profile {
  /** Interface name, or the name of a profile that is matched by MAC address. */
  readonly name: string;
  readonly uuid?: string;
  readonly fields: ReadonlyMap<string, string>;
}

/** Each interface with its addresses, then gateway, routes, DNS and the networks of the cluster. */
export function networkRows(texts: ConfigTexts, ofMedium: ConfigTexts['keyfiles'] = []): readonly SheetRow[] {
  const { settings, installConfig } = texts;
  const names = new Set(texts.keyfiles.map(({ path }) => posix.basename(path)));
  const keyfiles = [...texts.keyfiles, ...ofMedium.filter(({ path }) => !names.has(posix.basename(path)))];
  const profiles = keyfiles.map(({ text }) => profileOf(keyfileFields(text)));
  const routes = profiles.flatMap((profile) => routesOf(profile));
  const isNode = settings.size > 0;
  return [
    ...profiles.toSorted(inReadingOrder).flatMap((profile) => interfaceRow(profile, profiles)),
    ...(profiles.length === 0 && isNode
      ? row('interface', 'Interfaces', ['no profiles: DHCP, unless kernel arguments configure the network'])
      : []),
    ...row('node-address', 'Node address', [settings.get('SNO_NODE_IP')]),
    ...row('gateway', 'Gateway', routes.filter(isDefault).map(gatewayText)),
    ...row(
      'routes',
      'Routes',
      routes.filter((route) => !isDefault(route)).map((route) => `${route.to} via ${gatewayText(route)}`),
    ),
    ...row('dns', 'DNS', unique(profiles.flatMap((profile) => listOf(profile, /^ipv[46]\.dns$/)))),
    ...row(
      'dns-search',
      'DNS search',
      unique(profiles.flatMap((profile) => listOf(profile, /^ipv[46]\.dns-search$/))),
    ),
    ...row('machine-network', 'Machine net', cidrs(installConfig, 'machineNetwork')),
    ...row('cluster-network', 'Pod net', cidrs(installConfig, 'clusterNetwork')),
    ...row('service-network', 'Service net', serviceNetworks(installConfig)),
  ];
}

function profileOf(fields: ReadonlyMap<string, string>): Profile {
  const uuid = fields.get('connection.uuid');
  const name =
    fields.get('connection.interface-name') ??
    fields.get('connection.id') ??
    fields.get('ethernet.mac-address') ??
    '?';
  return { name, fields, ...(uuid !== undefined && { uuid }) };
}

/** Interfaces with addresses first, then bonds, bridges and VLANs, then ports and unused interfaces. */
function inReadingOrder(left: Profile, right: Profile): number {
  return rank(left) - rank(right);
}

function rank({ fields }: Profile): number {
  const has = (pattern: RegExp): boolean => [...fields].some(([name]) => pattern.test(name));
  if (has(/^ipv[46]\.address(?:es|\d*)$/)) return 0;
  if (fields.get('ipv4.method') === 'auto' || fields.get('ipv6.method') === 'auto') return 1;
  if (has(/^(?:bond|bridge|vlan)\./)) return 2;
  return controllerOf(fields) === undefined ? 4 : 3;
}

function interfaceRow(profile: Profile, all: readonly Profile[]): readonly SheetRow[] {
  const { name, fields } = profile;
  const ports = all.filter((each) => isNamed(profile, controllerOf(each.fields)));
  return row('interface', name, [
    ...linkTexts(profile, all),
    ...(ports.length === 0 ? [] : [`ports ${ports.map((each) => each.name).join(' + ')}`]),
    ...macTexts(fields),
    ...[...fields]
      .filter(([field]) => isBondOption(field))
      .map(([field, value]) => `${field.slice(5)}=${value}`),
    fields.has('ethernet.mtu') ? `MTU ${fields.get('ethernet.mtu') ?? ''}` : undefined,
    fields.has('sriov.total-vfs') ? `${fields.get('sriov.total-vfs') ?? ''} virtual functions` : undefined,
    ...addressesOf(fields),
    fields.get('ipv4.method') === 'auto' ? 'IPv4 by DHCP' : undefined,
    fields.get('ipv6.method') === 'auto' ? 'IPv6 automatic' : undefined,
    fields.get('ipv6.method') === 'dhcp' ? 'IPv6 by DHCP' : undefined,
    fields.get('connection.autoconnect') === 'false' ? 'down' : undefined,
  ]);
}

function linkTexts({ fields }: Profile, all: readonly Profile[]): readonly (string | undefined)[] {
  const type = fields.get('connection.type')?.replace('802-3-', '');
  const parent = fields.get('vlan.parent');
  const base = all.find((each) => isNamed(each, parent))?.name ?? parent ?? '?';
  const controller = controllerOf(fields);
  const controllerName = all.find((each) => isNamed(each, controller))?.name ?? controller;
  return [
    fields.has('vlan.id') ? `VLAN ${fields.get('vlan.id') ?? ''} on ${base}` : undefined,
    fields.has('bond.mode') ? `bond ${fields.get('bond.mode') ?? ''}` : undefined,
    fields.has('vlan.id') || fields.has('bond.mode') ? undefined : type,
    controllerName === undefined ? undefined : `port of ${controllerName}`,
  ];
}

function macTexts(fields: ReadonlyMap<string, string>): readonly (string | undefined)[] {
  const [matched, set] = [fields.get('ethernet.mac-address'), fields.get('ethernet.cloned-mac-address')];
  return [
    matched === undefined ? undefined : `MAC ${matched}`,
    set === undefined || set === matched ? undefined : `gets MAC ${set}`,
  ];
}

function isBondOption(field: string): boolean {
  return field.startsWith('bond.') && field !== 'bond.mode';
}

/** Profiles name others by interface name or UUID. */
function isNamed({ name, uuid }: Profile, reference: string | undefined): boolean {
  return reference !== undefined && (reference === name || reference === uuid);
}

function controllerOf(fields: ReadonlyMap<string, string>): string | undefined {
  return fields.get('connection.controller') ?? fields.get('connection.master');
}

/** Addresses with prefix, without the gateway that may follow. Source: nm-settings-keyfile(5) */
function addressesOf(fields: ReadonlyMap<string, string>): readonly string[] {
  return [...fields].flatMap(([name, value]) => {
    if (/^ipv[46]\.address\d*$/.test(name)) return [value.split(',')[0]?.trim() ?? ''];
    return /^ipv[46]\.addresses$/.test(name) ? words(value).filter((each) => each.includes('/')) : [];
  });
}

interface Route {
  readonly to: string;
  readonly via: string;
  readonly device: string;
}

/** Static routes and gateways. A route is `destination,next hop,metric`. Source: nm-settings-keyfile(5) */
function routesOf({ name: device, fields }: Profile): readonly Route[] {
  return [...fields].flatMap(([name, value]) => {
    const [first = '', via = ''] = value.split(',').map((each) => each.trim());
    if (/^ipv[46]\.route\d+$/.test(name)) return [{ to: first, via, device }];
    if (/^ipv[46]\.gateway$/.test(name)) return [{ to: defaultRoutes[0] ?? '', via: first, device }];
    return /^ipv[46]\.address\d*$/.test(name) && via !== ''
      ? [{ to: defaultRoutes[0] ?? '', via, device }]
      : [];
  });
}

const defaultRoutes = ['0.0.0.0/0', '::/0', 'default'];

function isDefault({ to }: Route): boolean {
  return defaultRoutes.includes(to);
}

function gatewayText({ via, device }: Route): string {
  return via === '' ? device : `${via} on ${device}`;
}

function listOf({ fields }: Profile, pattern: RegExp): readonly string[] {
  return [...fields].flatMap(([name, value]) => (pattern.test(name) ? words(value) : []));
}

function words(value: string): readonly string[] {
  return value
    .split(/[;,]/)
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}

function cidrs(installConfig: unknown, name: string): readonly (string | undefined)[] {
  return listAt(installConfig, ['networking', name]).map((each) => textAt(each, ['cidr']));
}

function serviceNetworks(installConfig: unknown): readonly string[] {
  const value = fieldAt(installConfig, ['networking', 'serviceNetwork']);
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
