const scalarForms = ['word', 'text', 'bool', 'flag', 'address', 'network', 'mac'] as const;
const otherForms = ['words', 'texts', 'flags', 'any'] as const;

/** `bool` and sizes accept quoted values, as nmstate does; `flag` and strict sizes do not. `word` is any scalar. */
export type ScalarForm =
  | { readonly is: (typeof scalarForms)[number] }
  | { readonly is: 'size'; readonly least: bigint; readonly most: bigint; readonly isStrict: boolean }
  | { readonly is: 'choice'; readonly values: readonly string[] };

/** `flags` is an object with a flag in each field. */
export type ValueForm =
  | ScalarForm
  | { readonly is: (typeof otherForms)[number] }
  | { readonly is: 'structure' | 'structures'; readonly structure: Structure };

export interface StateField {
  readonly form: ValueForm;
  readonly isNeeded: boolean;
}

/** Fields of a structure of nmstate. */
export interface Structure {
  readonly fields: ReadonlyMap<string, StateField>;
  /** Whether nmstate ignores unknown fields, instead of refusing the whole state. */
  readonly isOpen: boolean;
}

/** A list of structures is written as a list of one. */
type Below = Readonly<Record<string, Structure | readonly [Structure]>>;

/** A structure without other fields. `name:form` gives the form of a field, `name=a|b` its values; "!" marks fields that are needed. */
function closed(names: string, below: Below = {}): Structure {
  const plain = names.split(' ').filter((name) => name !== '');
  const fields = [...plain.map(scalarField), ...Object.entries(below).map(structureField)];
  return { fields: new Map(fields), isOpen: false };
}

function open(names: string): Structure {
  return { ...closed(names), isOpen: true };
}

function structureField([name, below]: readonly [string, Structure | readonly [Structure]]): readonly [
  string,
  StateField,
] {
  const form: ValueForm =
    'fields' in below ? { is: 'structure', structure: below } : { is: 'structures', structure: below[0] };
  return [name, { form, isNeeded: false }];
}

function scalarField(token: string): readonly [string, StateField] {
  const [, name = '', sign, written = '', needed] = /^([^:=!]+)(?:([:=])([^!]+))?(!?)$/.exec(token) ?? [];
  const form: ValueForm = sign === '=' ? { is: 'choice', values: written.split('|') } : formNamed(written);
  return [name, { form, isNeeded: needed === '!' }];
}

/** Sizes are `u8` to `u64` and `i8` to `i64`, after `strict-` without quotes. */
function formNamed(written: string): ValueForm {
  const [, strict, sign, bits] = /^(strict-)?([ui])(8|16|32|64)$/.exec(written) ?? [];
  if (bits === undefined)
    return { is: [...scalarForms, ...otherForms].find((form) => form === written) ?? 'any' };
  const span = 2n ** BigInt(bits);
  const least = sign === 'u' ? 0n : -span / 2n;
  return { is: 'size', least, most: least + span - 1n, isStrict: strict !== undefined };
}

// Source: nmstate 2.2.62 rust/src/lib, the structures that serde reads, with their aliases and deny_unknown_fields.
const address = closed(
  'ip:address! prefix-length:u8! mptcp-flags:texts protocol valid-life-time:text valid-left:text valid-lft:text ' +
    'preferred-life-time:text preferred-left:text preferred-lft:text',
);
const ip = closed(
  'enabled:bool dhcp:bool autoconf:bool dhcp-client-id:text dhcp-duid:text auto-dns:bool auto-gateway:bool auto-routes:bool ' +
    'auto-route-table-id:u32 auto-route-metric:i64 addr-gen-mode:text allow-extra-address:flag token:text ' +
    'dhcp-send-hostname:flag dhcp-custom-hostname:text forwarding:flag prefix-route-metric:i64',
  { address: [address] },
);
const ovsDatabase = closed('external_ids other_config');
const ethtool = closed('feature:flags', {
  pause: closed('rx:bool tx:bool autoneg:bool'),
  fec: closed('auto:bool mode=off|rs|baser|llrs'),
  ring: closed(
    'rx:u32 rx-max:u32 rx-jumbo:u32 rx-jumbo-max:u32 rx-mini:u32 rx-mini-max:u32 tx:u32 tx-max:u32',
  ),
  coalesce: closed(
    'adaptive-rx:bool adaptive-tx:bool pkt-rate-high:u32 pkt-rate-low:u32 rx-frames:u32 rx-frames-high:u32 rx-frames-irq:u32 ' +
      'rx-frames-low:u32 rx-usecs:u32 rx-usecs-high:u32 rx-usecs-irq:u32 rx-usecs-low:u32 sample-interval:u32 ' +
      'stats-block-usecs:u32 tx-frames:u32 tx-frames-high:u32 tx-frames-irq:u32 tx-frames-low:u32 tx-usecs:u32 ' +
      'tx-usecs-high:u32 tx-usecs-irq:u32 tx-usecs-low:u32',
  ),
});
export const everyInterface: Structure = {
  ...closed(
    'name:text! profile-name:text description:text type:text driver:text state=up|down|absent|unknown|ignore ' +
      'identifier=name|mac-address|pci-address mac-address:mac permanent-mac-address:text pci-address:text mtu:u64 ' +
      'min-mtu:strict-u64 max-mtu:strict-u64 wait-ip=any|ipv4|ipv6|ipv4+ipv6 controller:text ' +
      'accept-all-mac-addresses:bool copy-mac-from:text',
    {
      ipv4: ip,
      ipv6: ip,
      mptcp: closed('address-flags:texts'),
      'ovs-db': ovsDatabase,
      '802.1x': open(
        'identity:text eap-methods:texts private-key:text client-cert:text ca-cert:text private-key-password:text ' +
          'phase2-auth:text password:text',
      ),
      lldp: closed('enabled:bool! neighbors'),
      ethtool,
      dispatch: open('post-activation:text post-deactivation:text'),
      'alt-names': [closed('name:text! state=absent')],
    },
  ),
  isOpen: true,
};

const portVlan = closed('enable-native:bool mode=trunk|access tag:u16', {
  'trunk-tags': [closed('id:u16', { 'id-range': closed('min:u16! max:u16!') })],
});
const bond = closed(
  'mode=balance-rr|0|active-backup|1|balance-xor|2|broadcast|3|802.3ad|lacp|4|balance-tlb|5|balance-alb|6|unknown ' +
    'port:texts ports:texts',
  {
    'ports-config': [open('name:text! priority:i32 queue-id:u16')],
    options: closed(
      'ad_actor_sys_prio:u16 ad_actor_system:text ad_select=stable|0|bandwidth|1|count|2 ad_user_port_key:u16 ' +
        'all_slaves_active=dropped|0|delivered|1 arp_all_targets=any|0|all|1 arp_interval:u32 arp_ip_target:text ' +
        'arp_validate=none|0|active|1|backup|2|all|3|filter|4|filter_active|5|filter_backup|6 arp_missed_max:u8 ' +
        'balance_slb:bool balance-slb:bool downdelay:u32 fail_over_mac=none|0|active|1|follow|2 lacp_active:bool ' +
        'lacp_rate=slow|0|fast|1 lp_interval:u32 miimon:u32 min_links:u32 ns_ip6_target:texts num_grat_arp:u8 ' +
        'num_unsol_na:u8 packets_per_slave:u32 primary:text primary_reselect=always|0|better|1|failure|2 resend_igmp:u32 ' +
        'tlb_dynamic_lb:bool updelay:u32 use_carrier:bool ' +
        'xmit_hash_policy=layer2|0|layer3+4|1|layer2+3|2|encap2+3|3|encap3+4|4|vlan+srcmac|5',
    ),
  },
);
const bridgePort = closed('name:text! stp-hairpin-mode:bool stp-path-cost:u32 stp-priority:u16', {
  vlan: portVlan,
});
const bridge = closed('allow-extra-ports:flag', {
  port: [bridgePort],
  ports: [bridgePort],
  options: closed(
    'gc-timer:strict-u64 group-addr:text group-forward-mask:u16 group-fwd-mask:u16 hash-max:u32 hello-timer:strict-u64 ' +
      'mac-ageing-time:u32 multicast-last-member-count:u32 multicast-last-member-interval:u64 ' +
      'multicast-membership-interval:u64 multicast-querier:bool multicast-querier-interval:u64 multicast-query-interval:u64 ' +
      'multicast-query-response-interval:u64 multicast-query-use-ifaddr:bool multicast-router multicast-snooping:bool ' +
      'multicast-startup-query-count:u32 multicast-startup-query-interval:u64 vlan-protocol=802.1q|802.1ad ' +
      'vlan-default-pvid:strict-u16',
    { stp: closed('enabled:bool forward-delay:u8 hello-time:u8 max-age:u8 priority:u16') },
  ),
});
const ovsBondPort = open('name:text!');
const ovsBond = closed(
  'mode=active-backup|balance-slb|balance-tcp|lacp bond-downdelay:u32 bond-updelay:u32',
  {
    port: [ovsBondPort],
    ports: [ovsBondPort],
    'ovs-db': ovsDatabase,
  },
);
const ovsPort = closed('name:text!', { 'link-aggregation': ovsBond, bond: ovsBond, vlan: portVlan });
const ovsBridge = closed('allow-extra-patch-ports:flag allow-extra-ports:flag', {
  port: [ovsPort],
  ports: [ovsPort],
  options: closed('rstp:bool mcast-snooping-enable:bool fail-mode:text datapath:text', {
    // Also a boolean.
    stp: closed('enabled:bool'),
  }),
});
const ethernet = {
  ethernet: closed('auto-negotiation:bool speed:u32 duplex=full|half', {
    'sr-iov': closed('drivers-autoprobe:bool total-vfs:u32 max-vfs:u32', {
      vfs: [
        closed(
          'id:u32! iface-name:text mac-address:text spoof-check:bool trust:bool min-tx-rate:u32 max-tx-rate:u32 vlan-id:u32 ' +
            'qos:u32 vlan-proto=802.1q|802.1ad',
        ),
      ],
    }),
  }),
  veth: open('peer:text!'),
};
const qosMapping = open('from:u32! to:u32!');
const macVlan = closed(
  'base-iface:text! mode=vepa|bridge|private|passthru|source|unknown! promiscuous:bool accept-all-mac:bool',
);

/** Sections of each type of interface, in addition to the fields of every interface. */
const typeSections: Readonly<Record<string, Below>> = {
  ethernet,
  veth: ethernet,
  bond: { 'link-aggregation': bond, bond },
  'linux-bridge': { bridge },
  'ovs-bridge': { bridge: ovsBridge },
  'ovs-interface': {
    patch: closed('peer:text!'),
    dpdk: closed(
      'devargs:text! rx-queue:strict-u32 n_rxq:strict-u32 n_rxq_desc:strict-u32 n_txq_desc:strict-u32 lsc-interrupt:flag ' +
        'dpdk-lsc-interrupt:flag',
    ),
  },
  vlan: {
    vlan: closed(
      'base-iface:text id:u16! protocol=802.1q|802.1ad registration-protocol=gvrp|mvrp|none reorder-headers:flag ' +
        'loose-binding:flag',
      { 'ingress-qos-map': [qosMapping], 'egress-qos-map': [qosMapping] },
    ),
  },
  vxlan: {
    vxlan: closed('base-iface:text id:u32! learning:flag local:address remote:address destination-port:u16'),
  },
  'mac-vlan': { 'mac-vlan': macVlan },
  'mac-vtap': { 'mac-vtap': macVlan },
  vrf: { vrf: closed('port:texts ports:texts route-table-id:u32') },
  hsr: {
    hsr: closed(
      'port1:text! port2:text! interlink:text supervision-address:text multicast-spec:strict-u8! protocol=hsr|hsr-2010|hsr-2012|prp!',
    ),
  },
  infiniband: { infiniband: closed('mode=datagram|connected! base-iface:text pkey:u16') },
  macsec: {
    macsec: closed(
      'encrypt:flag! base-iface:text! mka-cak:text mka-ckn:text port:strict-u32! validation=disabled|check|strict! ' +
        'send-sci:flag! offload=off|phy|mac',
    ),
  },
  ipsec: {
    libreswan: closed(
      'nm-auto-defaults:flag right:text! rightid:text rightrsasigkey:text rightcert:text left:text leftid:text ' +
        'leftrsasigkey:text leftcert:text ikev2:text psk:text ikelifetime:text salifetime:text ike:text esp:text dpddelay:u64 ' +
        'dpdtimeout:u64 dpdaction:text ipsec-interface authby:text rightsubnet:text rightsubnets:text leftsubnet:text ' +
        'leftsubnets:text leftmodecfgclient:flag type=tunnel|transport hostaddrfamily=ipv4|ipv6 clientaddrfamily=ipv4|ipv6 ' +
        'require-id-on-certificate:flag leftsendcert:text rightca:text leftprotoport:text rightprotoport:text',
    ),
  },
  ipvlan: { ipvlan: closed('base-iface:text mode=l2|l3|l3s private:bool vepa:bool') },
  'ip-tunnel': {
    'ip-tunnel': closed(
      'mode=unknown|ipip|sit|ip6ip6|ipip6 base-iface:text local:address remote:address ttl:strict-u8 tos:strict-u8 ' +
        'flow-label:strict-u32 ip6tun-flags:texts pmtu-disc:flag encap-limit:strict-u8 fwmark:strict-u32',
    ),
  },
  dummy: {},
  loopback: {},
  xfrm: {},
};

/** The sections as fields. */
export const sections: Readonly<Record<string, ReadonlyMap<string, StateField>>> = Object.fromEntries(
  Object.entries(typeSections).map(([type, own]) => [type, new Map(Object.entries(own).map(structureField))]),
);

/** Types of interfaces that nmstate reads without a section. Source: enum InterfaceType */
export const interfaceTypes: readonly string[] = [...Object.keys(typeSections), 'tun', 'unknown'];

const nameServers = closed('server:words search:words options:words');
const route = closed(
  'state=absent|ignore destination:network next-hop-interface:word next-hop-address:address metric:i64 table-id:u32 weight:u16 ' +
    'route-type=blackhole|unreachable|prohibit cwnd:u32 source:word initcwnd:u32 initrwnd:u32 mtu:u32 quickack:bool advmss:u32 ' +
    'lock-mtu:bool vrf-name:word',
);
const routeRule = closed(
  'family=ipv4|ipv6|unknown state=absent ip-from:network ip-to:network priority:i64 route-table:u32 fwmark:u32 fwmask:u32 ' +
    'action=blackhole|unreachable|prohibit iif:word suppress-prefix-length:strict-u32 suppress_prefixlength:strict-u32',
);

/** The interfaces are read by their types. */
export const networkState: Structure = closed('description:word interfaces', {
  hostname: closed('running:word config:word'),
  'dns-resolver': closed('', { running: nameServers, config: nameServers }),
  routes: closed('', { running: [route], config: [route] }),
  'route-rules': closed('', { config: [routeRule] }),
  'ovs-db': ovsDatabase,
  ovn: closed('', { 'bridge-mappings': [open('localnet:word! state=present|absent bridge:word')] }),
});
