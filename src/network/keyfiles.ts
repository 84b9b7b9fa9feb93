import type { InterfaceDescription, NetworkDescription } from '../fields/network-model.js';
import { uuidOfUrl } from '../formats/uuid.js';
import { ethtoolSection, sriovSection } from './device-sections.js';
import { controllersOf, interfacesOf, type Controller } from './interfaces.js';
import { ipSection } from './ip-section.js';
import { keyfileText, type Keyfile, type KeyfileSection } from './keyfile.js';
import {
  bondSection,
  bridgePortSection,
  bridgeSection,
  ethernetSection,
  vlanSection,
} from './link-sections.js';
import { placeNameServers, type PlacedNameServers } from './name-servers.js';
import { routesVia } from './routes.js';

/** What every interface is made from. */
interface Whole {
  readonly network: NetworkDescription;
  readonly controllers: readonly Controller[];
  readonly nameServers: readonly PlacedNameServers[];
}

/**
 * The profiles of a description that is sound, byte for byte as `nmstatectl gc` of nmstate 2.2.62 writes them; in the order of
 * their names.
 */
export function keyfilesOf(network: NetworkDescription): readonly Keyfile[] {
  const whole = { network, controllers: controllersOf(network), nameServers: placeNameServers(network) };
  return interfacesOf(network)
    .map((each) => ({ name: keyfileName(each), text: keyfileText(sectionsOf(each, whole)) }))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

/** The name of the file of an interface's profile. */
export function keyfileName(each: InterfaceDescription): string {
  return `${profileName(each)}.nmconnection`;
}

function sectionsOf(each: InterfaceDescription, whole: Whole): readonly KeyfileSection[] {
  const controller = whole.controllers.find(({ ports }) => ports.some(({ name }) => name === each.name));
  return [
    connectionSection(each, controller),
    ...bondSection(each),
    ...bridgeSection(each),
    ...(controller === undefined ? [] : bridgePortSection(each, controller)),
    ...(controller === undefined ? ipSections(each, whole) : []),
    ...ethernetSection(each),
    ...vlanSection(each),
    ...sriovSection(each),
    ...ethtoolSection(each),
  ];
}

/** What NetworkManager calls each type, and what stands before the name in the URL that the UUID is made of. Source: nmstate, InterfaceType */
const typeNames = {
  ethernet: { manager: '802-3-ethernet', nmstate: 'ethernet' },
  bond: { manager: 'bond', nmstate: 'bond' },
  vlan: { manager: 'vlan', nmstate: 'vlan' },
  'linux-bridge': { manager: 'bridge', nmstate: 'linux-bridge' },
} as const;

function connectionSection(each: InterfaceDescription, controller: Controller | undefined): KeyfileSection {
  const { name = '', type = 'ethernet', lldp } = each;
  return {
    name: 'connection',
    values: {
      id: profileName(each),
      uuid: uuidOfUrl(`${typeNames[type].nmstate}://${name}`),
      type: typeNames[type].manager,
      'interface-name': each.identifier === 'mac-address' ? undefined : name,
      // The names that an older NetworkManager knows too.
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

function ipSections(each: InterfaceDescription, { network, nameServers }: Whole): readonly KeyfileSection[] {
  const { name = '' } = each;
  return (['IPv4', 'IPv6'] as const).map((family) =>
    ipSection({
      interface: each,
      family,
      routes: routesVia(network, name, family),
      nameServers:
        nameServers.find((placed) => placed.interface === name && placed.family === family)?.values ?? {},
    }),
  );
}
