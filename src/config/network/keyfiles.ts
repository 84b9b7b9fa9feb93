import type { InterfaceDescription, NetworkDescription, VirtualFunction } from '../schema/network-model.js';
import { featureProperty } from './ethtool-features.js';
import {
  baseOf,
  type Controller,
  controllersOf,
  interfacesOf,
  loopback,
  loopbackName,
} from './interfaces.js';
import { ipSection } from './ip-section.js';
import { type Keyfile, type KeyfileSection, type KeyfileValue, keyfileText } from './keyfile.js';
import {
  bondSection,
  bridgePortSection,
  bridgeSection,
  ethernetSection,
  profileUuid,
  typeNames,
  vlanSection,
} from './link-sections.js';
import { type PlacedNameServers, placeNameServers } from './name-servers.js';
import { type PlacedRouteRule, placeRouteRules } from './route-rules.js';
import { routesVia } from './routes.js';

/** Inputs shared by the profiles of all interfaces. */
interface SharedInputs {
  readonly network: NetworkDescription;
  readonly controllers: readonly Controller[];
  readonly nameServers: readonly PlacedNameServers[];
  readonly routeRules: readonly PlacedRouteRule[];
}

/** The profiles of a valid description, sorted by name, byte for byte as `nmstatectl gc` of nmstate 2.2.62 writes them. */
export function keyfilesOf(network: NetworkDescription): readonly Keyfile[] {
  const routeRules = placeRouteRules(network);
  const whole = {
    network,
    controllers: controllersOf(network),
    nameServers: placeNameServers(network),
    routeRules,
  };
  return profiledInterfaces(network, routeRules)
    .map((each) => ({ name: keyfileName(each), text: keyfileText(sectionsOf(each, whole)) }))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

/** All interfaces, and the loopback interface if a routing rule needs it. */
function profiledInterfaces(
  network: NetworkDescription,
  routeRules: readonly PlacedRouteRule[],
): readonly InterfaceDescription[] {
  const all = interfacesOf(network);
  const needsLoopback = routeRules.some((rule) => rule.interface === loopbackName);
  return needsLoopback && !all.some(({ name }) => name === loopbackName) ? [...all, loopback] : all;
}

export function keyfileName(each: InterfaceDescription): string {
  return `${profileName(each)}.nmconnection`;
}

function sectionsOf(each: InterfaceDescription, whole: SharedInputs): readonly KeyfileSection[] {
  const controller = whole.controllers.find(({ ports }) => ports.some(({ name }) => name === each.name));
  return [
    connectionSection(each, controller),
    ...bondSection(each),
    ...bridgeSection(each),
    ...(controller === undefined ? [] : bridgePortSection(each, controller)),
    ...(controller === undefined ? ipSections(each, whole) : []),
    ...ethernetSection(each),
    ...vlanSection(each, baseOf(each, whole.network)),
    ...sriovSection(each),
    ...userSection(each),
    ...ethtoolSection(each),
  ];
}

function connectionSection(each: InterfaceDescription, controller: Controller | undefined): KeyfileSection {
  const { name = '', type = 'ethernet', lldp } = each;
  return {
    name: 'connection',
    values: {
      id: profileName(each),
      uuid: profileUuid(each),
      type: typeNames[type].manager,
      'interface-name': each.identifier === 'mac-address' ? undefined : name,
      // Older versions of NetworkManager also know these names.
      master: controller?.name,
      'slave-type': controller?.type,
      autoconnect: each.state !== 'down',
      'autoconnect-slaves': type === 'bond' || type === 'linux-bridge' ? 1 : -1,
      lldp: lldp?.enabled === undefined ? undefined : Number(lldp.enabled),
    },
  };
}

function profileName(each: InterfaceDescription): string {
  return each['profile-name'] ?? each.name ?? '';
}

function ipSections(each: InterfaceDescription, whole: SharedInputs): readonly KeyfileSection[] {
  const { network, nameServers, routeRules } = whole;
  const { name = '' } = each;
  return (['IPv4', 'IPv6'] as const).map((family) =>
    ipSection({
      interface: each,
      family,
      routes: routesVia(network, name, family),
      routeRules: routeRules
        .filter((placed) => placed.interface === name && placed.family === family)
        .map(({ text }) => text),
      nameServers:
        nameServers.find((placed) => placed.interface === name && placed.family === family)?.values ?? {},
    }),
  );
}

type Sections = readonly KeyfileSection[];
type Values = Readonly<Record<string, KeyfileValue | undefined>>;
type Ethtool = NonNullable<InterfaceDescription['ethtool']>;

/** The `[user]` section with the description. Source: nmstate 2.2.62, NMSTATE_DESCRIPTION */
function userSection({ description }: InterfaceDescription): Sections {
  return description === undefined
    ? []
    : [{ name: 'user', values: { 'nmstate.interface.description': description } }];
}

/** The `[sriov]` section of a card with virtual functions. */
function sriovSection({ ethernet }: InterfaceDescription): Sections {
  const { 'total-vfs': total, 'drivers-autoprobe': autoprobe, vfs = [] } = ethernet?.['sr-iov'] ?? {};
  if (total === undefined || total === 0) return [];
  const values = {
    'total-vfs': total,
    'autoprobe-drivers': autoprobe === undefined ? undefined : Number(autoprobe),
    ...Object.fromEntries(vfs.map((each) => [`vf.${each.id ?? 0}`, functionText(each)])),
  };
  return [{ name: 'sriov', values }];
}

/** Source: nm-settings-keyfile(5), sriov setting */
function functionText(each: VirtualFunction): string {
  const vlan = each['vlan-id'];
  const words = {
    mac: each['mac-address']?.toUpperCase(),
    'spoof-check': each['spoof-check'],
    trust: each.trust,
    'min-tx-rate': each['min-tx-rate'],
    'max-tx-rate': each['max-tx-rate'],
    vlans: vlan === undefined ? undefined : `${vlan}.${each.qos ?? 0}.${tagLetters(each['vlan-proto'])}`,
  };
  return Object.entries(words)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${String(value)}`]))
    .join(' ');
}

function tagLetters(protocol: string | undefined): string {
  return protocol === '802.1ad' ? 'ad' : 'q';
}

/** The `[ethtool]` section with driver settings. */
function ethtoolSection({ ethtool }: InterfaceDescription): Sections {
  if (ethtool === undefined) return [];
  const values = {
    ...prefixed('ring', ethtool.ring),
    ...prefixed('coalesce', ethtool.coalesce),
    ...featureValues(ethtool),
    ...pauseValues(ethtool),
    'fec-mode': fecMode(ethtool),
  };
  return [{ name: 'ethtool', values }];
}

function prefixed(
  prefix: string,
  values: Readonly<Record<string, number | boolean | undefined>> = {},
): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      `${prefix}-${name}`,
      typeof value === 'boolean' ? Number(value) : value,
    ]),
  );
}

function featureValues({ feature = {} }: Ethtool): Values {
  return Object.fromEntries(
    Object.entries(feature).map(([name, value]) => [featureProperty(name) ?? `feature-${name}`, value]),
  );
}

function pauseValues({ pause = {} }: Ethtool): Values {
  return {
    'pause-autoneg': pause.autoneg,
    ...(pause.autoneg === false && { 'pause-rx': pause.rx, 'pause-tx': pause.tx }),
  };
}

/** Source: NMSettingEthtoolFecMode of NetworkManager's libnm */
const fecModes = { auto: 2, off: 4, rs: 8, baser: 16, llrs: 32 };

function fecMode({ fec = {} }: Ethtool): number | undefined {
  if (fec.auto === true) return fecModes.auto;
  if (fec.mode !== undefined) return fecModes[fec.mode];
  return fec.auto === false ? fecModes.off : undefined;
}
