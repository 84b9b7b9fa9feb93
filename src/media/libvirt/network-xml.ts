import { element, textElement, xmlText, type XmlElement } from '../../formats/xml.js';
import type { VirtualMachine } from './virtual-machine.js';
import type { NetworkStack } from './virtual-network.js';

/**
 * The network of a machine: NAT, DHCP, and a name server that resolves the names of the cluster.
 * Source: libvirt.org/formatnetwork.html
 */
export function networkXml(machine: VirtualMachine): string {
  const { clusterDomain, network } = machine;
  const { stacks } = network;
  const isV6 = stacks.some(({ family }) => family === 'IPv6');
  return xmlText(
    element(
      'network',
      { 'xmlns:dnsmasq': 'http://libvirt.org/schemas/network/dnsmasq/1.0' },
      textElement('name', machine.name),
      element('forward', { mode: 'nat' }, isV6 ? element('nat', { ipv6: 'yes' }) : undefined),
      network.mtu === undefined ? undefined : element('mtu', { size: network.mtu }),
      element('domain', { name: clusterDomain, localOnly: 'yes' }),
      element('dns', {}, ...stacks.map(({ node }) => hostElement(machine, node))),
      ...stacks.flatMap((stack) => ipElements(machine, stack)),
      element(
        'dnsmasq:options',
        {},
        // Names below the domain too. Source: --address of dnsmasq(8)
        ...stacks.map(({ node }) =>
          element('dnsmasq:option', { value: `address=/apps.${clusterDomain}/${node}` }),
        ),
      ),
    ),
  );
}

/** The first name is that of reverse lookups. */
function hostElement({ nodeName, clusterDomain }: VirtualMachine, ip: string): XmlElement {
  const names = [nodeName, `api.${clusterDomain}`, `api-int.${clusterDomain}`];
  return element('host', { ip }, ...names.map((name) => textElement('hostname', name)));
}

function ipElements(machine: VirtualMachine, stack: NetworkStack): readonly XmlElement[] {
  const { prefix, gateway, nameServers } = stack;
  const family = stack.family === 'IPv6' ? 'ipv6' : undefined;
  return [
    element(
      'ip',
      { family, address: gateway, prefix },
      stack.isLeased ? dhcpElement(machine, stack) : undefined,
    ),
    ...nameServers.map((address) => element('ip', { family, address, prefix })),
  ];
}

/** A range with one address for any card. If there is one card, it also gets the name of the node below the domain. */
function dhcpElement(machine: VirtualMachine, { node, family }: NetworkStack): XmlElement {
  const { cards, nodeName, clusterDomain } = machine;
  const [card, ...others] = cards;
  // dnsmasq ignores names of other domains. Source: --dhcp-host of dnsmasq(8)
  const name = nodeName.endsWith(`.${clusterDomain}`)
    ? nodeName.slice(0, -clusterDomain.length - 1)
    : undefined;
  const isNamed = family === 'IPv4' && card !== undefined && others.length === 0;
  return element(
    'dhcp',
    {},
    element('range', { start: node, end: node }),
    isNamed ? element('host', { mac: card.mac, name, ip: node }) : undefined,
  );
}
