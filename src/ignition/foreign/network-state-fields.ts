import { pathText, type FieldPath, type YamlMap, type YamlNode } from '../../formats/yaml/yaml-tree.js';

/** Fields of a structure of nmstate. */
interface Structure {
  /** Names, with the structure below each; undefined if anything is accepted there. */
  readonly fields: ReadonlyMap<string, Structure | undefined>;
  /** Whether nmstate ignores unknown fields, instead of refusing the whole state. */
  readonly isOpen: boolean;
}

/** A field that nmstate does not know. */
export interface UnknownField {
  readonly name: string;
  /** Path of the structure that contains the field; empty for the state itself. */
  readonly within: string;
  readonly known: readonly string[];
  /** Whether nmstate ignores the field, instead of refusing the whole state. */
  readonly isIgnored: boolean;
  /** Type of the interface, if the field is for interfaces of other types. */
  readonly otherType?: string;
}

function closed(names: string, below: Readonly<Record<string, Structure>> = {}): Structure {
  const plain = names.split(' ').filter((name) => name !== '');
  const fields = [...plain.map((name) => [name, undefined] as const), ...Object.entries(below)];
  return { fields: new Map<string, Structure | undefined>(fields), isOpen: false };
}

function open(names: string): Structure {
  return { ...closed(names), isOpen: true };
}

// Source: nmstate 2.2.62 rust/src/lib, the structures that serde reads, with their aliases and deny_unknown_fields.
const address = closed(
  'ip prefix-length mptcp-flags protocol valid-life-time valid-left valid-lft preferred-life-time preferred-left preferred-lft',
);
const ip = closed(
  'enabled dhcp autoconf dhcp-client-id dhcp-duid auto-dns auto-gateway auto-routes auto-route-table-id auto-route-metric ' +
    'addr-gen-mode allow-extra-address token dhcp-send-hostname dhcp-custom-hostname forwarding prefix-route-metric',
  { address },
);
const ovsDatabase = closed('external_ids other_config');
const ethtool = closed('feature', {
  pause: closed('rx tx autoneg'),
  fec: closed('auto mode'),
  ring: closed('rx rx-max rx-jumbo rx-jumbo-max rx-mini rx-mini-max tx tx-max'),
  coalesce: closed(
    'adaptive-rx adaptive-tx pkt-rate-high pkt-rate-low rx-frames rx-frames-high rx-frames-irq rx-frames-low rx-usecs ' +
      'rx-usecs-high rx-usecs-irq rx-usecs-low sample-interval stats-block-usecs tx-frames tx-frames-high tx-frames-irq ' +
      'tx-frames-low tx-usecs tx-usecs-high tx-usecs-irq tx-usecs-low',
  ),
});
const everyInterface = {
  ...closed(
    'name profile-name description type driver state identifier mac-address permanent-mac-address pci-address mtu min-mtu ' +
      'max-mtu wait-ip controller accept-all-mac-addresses copy-mac-from',
    {
      ipv4: ip,
      ipv6: ip,
      mptcp: closed('address-flags'),
      'ovs-db': ovsDatabase,
      '802.1x': open(
        'identity eap-methods private-key client-cert ca-cert private-key-password phase2-auth password',
      ),
      lldp: closed('enabled neighbors'),
      ethtool,
      dispatch: open('post-activation post-deactivation'),
      'alt-names': closed('name state'),
    },
  ),
  isOpen: true,
};

const portVlan = closed('enable-native mode tag', {
  'trunk-tags': closed('id', { 'id-range': closed('min max') }),
});
const bondPort = open('name priority queue-id');
const bond = closed('mode port ports', {
  'ports-config': bondPort,
  options: closed(
    'ad_actor_sys_prio ad_actor_system ad_select ad_user_port_key all_slaves_active arp_all_targets arp_interval arp_ip_target ' +
      'arp_validate arp_missed_max balance_slb balance-slb downdelay fail_over_mac lacp_active lacp_rate lp_interval miimon ' +
      'min_links ns_ip6_target num_grat_arp num_unsol_na packets_per_slave primary primary_reselect resend_igmp tlb_dynamic_lb ' +
      'updelay use_carrier xmit_hash_policy',
  ),
});
const bridgePort = closed('name stp-hairpin-mode stp-path-cost stp-priority', { vlan: portVlan });
const bridge = closed('allow-extra-ports', {
  port: bridgePort,
  ports: bridgePort,
  options: closed(
    'gc-timer group-addr group-forward-mask group-fwd-mask hash-max hello-timer mac-ageing-time multicast-last-member-count ' +
      'multicast-last-member-interval multicast-membership-interval multicast-querier multicast-querier-interval ' +
      'multicast-query-interval multicast-query-response-interval multicast-query-use-ifaddr multicast-router ' +
      'multicast-snooping multicast-startup-query-count multicast-startup-query-interval vlan-protocol vlan-default-pvid',
    { stp: closed('enabled forward-delay hello-time max-age priority') },
  ),
});
const ovsBondPort = open('name');
const ovsBond = closed('mode bond-downdelay bond-updelay', {
  port: ovsBondPort,
  ports: ovsBondPort,
  'ovs-db': ovsDatabase,
});
const ovsPort = closed('name', { 'link-aggregation': ovsBond, bond: ovsBond, vlan: portVlan });
const ovsBridge = closed('allow-extra-patch-ports allow-extra-ports', {
  port: ovsPort,
  ports: ovsPort,
  // `stp` is a boolean or a structure.
  options: closed('rstp mcast-snooping-enable fail-mode datapath', { stp: closed('enabled') }),
});
const ethernet = {
  ethernet: closed('auto-negotiation speed duplex', {
    'sr-iov': closed('drivers-autoprobe total-vfs max-vfs', {
      vfs: closed(
        'id iface-name mac-address spoof-check trust min-tx-rate max-tx-rate vlan-id qos vlan-proto',
      ),
    }),
  }),
  veth: open('peer'),
};
const qosMapping = open('from to');
const macVlan = closed('base-iface mode promiscuous accept-all-mac');

/** Sections of each type of interface, in addition to the fields of every interface. */
const sections: Readonly<Record<string, Readonly<Record<string, Structure>>>> = {
  ethernet,
  veth: ethernet,
  bond: { 'link-aggregation': bond, bond },
  'linux-bridge': { bridge },
  'ovs-bridge': { bridge: ovsBridge },
  'ovs-interface': {
    patch: closed('peer'),
    dpdk: closed('devargs rx-queue n_rxq n_rxq_desc n_txq_desc lsc-interrupt dpdk-lsc-interrupt'),
  },
  vlan: {
    vlan: closed('base-iface id protocol registration-protocol reorder-headers loose-binding', {
      'ingress-qos-map': qosMapping,
      'egress-qos-map': qosMapping,
    }),
  },
  vxlan: { vxlan: closed('base-iface id learning local remote destination-port') },
  'mac-vlan': { 'mac-vlan': macVlan },
  'mac-vtap': { 'mac-vtap': macVlan },
  vrf: { vrf: closed('port ports route-table-id') },
  hsr: { hsr: closed('port1 port2 interlink supervision-address multicast-spec protocol') },
  infiniband: { infiniband: closed('mode base-iface pkey') },
  macsec: {
    macsec: closed('encrypt base-iface mka-cak mka-ckn port validation send-sci offload'),
  },
  ipsec: {
    libreswan: closed(
      'nm-auto-defaults right rightid rightrsasigkey rightcert left leftid leftrsasigkey leftcert ikev2 psk ikelifetime ' +
        'salifetime ike esp dpddelay dpdtimeout dpdaction ipsec-interface authby rightsubnet rightsubnets leftsubnet leftsubnets ' +
        'leftmodecfgclient type hostaddrfamily clientaddrfamily require-id-on-certificate leftsendcert rightca leftprotoport ' +
        'rightprotoport',
    ),
  },
  ipvlan: { ipvlan: closed('base-iface mode private vepa') },
  'ip-tunnel': {
    'ip-tunnel': closed(
      'mode base-iface local remote ttl tos flow-label ip6tun-flags pmtu-disc encap-limit fwmark',
    ),
  },
  dummy: {},
  loopback: {},
  xfrm: {},
};
const sectionNames = new Set(Object.values(sections).flatMap((own) => Object.keys(own)));

const nameServers = closed('server search options');
const routes = closed(
  'state destination next-hop-interface next-hop-address metric table-id weight route-type cwnd source initcwnd initrwnd mtu ' +
    'quickack advmss lock-mtu vrf-name',
);
const state = closed('description interfaces', {
  hostname: closed('running config'),
  'dns-resolver': closed('', { running: nameServers, config: nameServers }),
  routes: closed('', { running: routes, config: routes }),
  'route-rules': closed('', {
    config: closed(
      'family state ip-from ip-to priority route-table fwmark fwmask action iif suppress-prefix-length suppress_prefixlength',
    ),
  }),
  'ovs-db': ovsDatabase,
  ovn: closed('', { 'bridge-mappings': open('localnet state bridge') }),
});

/** Fields of a policy, which contains a state. Source: nmstate rust/src/lib/policy/net_policy.rs */
const policyStates: readonly string[] = ['desired', 'desiredState'];
const policyNames: readonly string[] = ['capture', 'current', ...policyStates];

/** Fields of a network state or policy that nmstate does not know. */
export function unknownStateFields(root: YamlMap): readonly UnknownField[] {
  const isPolicy = root.entries.some(({ key }) => policyNames.includes(key));
  if (!isPolicy) return stateFields(root, []);
  return root.entries.flatMap(({ key, value }): readonly UnknownField[] => {
    if (policyStates.includes(key)) return value.kind === 'map' ? stateFields(value, [key]) : [];
    return policyNames.includes(key) ? [] : [{ name: key, within: '', known: policyNames, isIgnored: false }];
  });
}

function stateFields(root: YamlMap, path: FieldPath): readonly UnknownField[] {
  const interfaces = root.entries.find(({ key }) => key === 'interfaces')?.value;
  const described = interfaces?.kind === 'list' ? interfaces.items : [];
  return [
    ...unknownIn(root, state, path),
    ...described.flatMap((each, index) =>
      each.kind === 'map' ? interfaceFields(each, [...path, 'interfaces', index]) : [],
    ),
  ];
}

function interfaceFields(given: YamlMap, path: FieldPath): readonly UnknownField[] {
  const textOf = (name: string): string | undefined => {
    const value = given.entries.find(({ key }) => key === name)?.value;
    return value?.kind === 'scalar' ? value.text : undefined;
  };
  // nmstate reads only the name and type then.
  if (textOf('state') === 'absent') return [];
  const type = textOf('type');
  const own = type === undefined ? undefined : sections[type];
  // Without a type, nmstate takes that of the running interface.
  const others = own === undefined ? [...sectionNames].map((name) => [name, undefined] as const) : [];
  const fields = new Map([...everyInterface.fields, ...Object.entries(own ?? {}), ...others]);
  return unknownIn(given, { fields, isOpen: true }, path).map((found) =>
    type !== undefined && found.within === pathText(path) && sectionNames.has(found.name)
      ? { ...found, otherType: type }
      : found,
  );
}

function unknownIn(node: YamlNode, structure: Structure, path: FieldPath): readonly UnknownField[] {
  if (node.kind === 'scalar') return [];
  if (node.kind === 'list')
    return node.items.flatMap((each, index) => unknownIn(each, structure, [...path, index]));
  const { fields, isOpen } = structure;
  return node.entries.flatMap(({ key, value }) => {
    if (!fields.has(key))
      return [{ name: key, within: pathText(path), known: [...fields.keys()], isIgnored: isOpen }];
    const below = fields.get(key);
    return below === undefined ? [] : unknownIn(value, below, [...path, key]);
  });
}
