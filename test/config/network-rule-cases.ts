import type { RuleCase } from './install-rule-cases.js';
import { edited, type Edit } from './sound-config.js';

/** A valid network for the valid sno-config.yaml. It starts at line 26 of the file. */
const soundNetwork = `network:
  interfaces:
  - name: bond0
    type: bond
    link-aggregation:
      mode: active-backup
      options: { miimon: 100, primary: eno1 }
      port: [eno1, eno2]
  - name: eno1
    mtu: 9000
  - name: eno2
    identifier: mac-address
    mac-address: 52:54:00:00:00:02
  - name: bond0.7
    type: vlan
    vlan: { base-iface: bond0, id: 7 }
    ipv4:
      enabled: true
      address: [{ ip: 192.168.126.10, prefix-length: 24 }]
    ipv6: { enabled: true, dhcp: false }
  - name: br0
    type: linux-bridge
    bridge: { port: [{ name: eno3 }] }
    ipv4: { enabled: true, address: [{ ip: 10.9.0.1, prefix-length: 16 }] }
  dns-resolver:
    config: { server: [192.168.126.1], search: [example.com], options: [rotate] }
  routes:
    config:
    - { destination: 0.0.0.0/0, next-hop-address: 192.168.126.1, next-hop-interface: bond0.7 }
    - { destination: 10.10.0.0/16, next-hop-address: 10.9.0.254, next-hop-interface: br0 }
`;

const lastLine = 'extraManifests:\n- extra\n';

/** A case that edits the valid network. */
function networkCase(rule: number, name: string, edits: readonly Edit[], want: readonly string[]): RuleCase {
  return { rule, name, edits: [[lastLine, `${lastLine}${edited(soundNetwork, edits)}`]], want };
}

/** One fault of the valid network per case, by rule. */
export const networkRuleCases: readonly RuleCase[] = [
  networkCase(
    6,
    'what nmstate reports of a running machine',
    [['mtu: 9000', 'max-mtu: 9000']],
    [
      'config/unknown-field 37:max-mtu: unknown field "max-mtu" in network.interfaces[1] | leave it out: nmstate reports it for a running machine',
    ],
  ),
  networkCase(
    6,
    'a port that names its bond',
    [['mtu: 9000', 'controller: bond0']],
    [
      'config/unknown-field 37:controller: unknown field "controller" in network.interfaces[1] | add the interface to the ports of the bond or bridge',
    ],
  ),
  networkCase(
    6,
    'authentication',
    [['mtu: 9000', '802.1x: { identity: a }']],
    [
      'config/unknown-field 37:802.1x: unknown field "802.1x" in network.interfaces[1] | sno-install does not support it: add a keyfile to network.keyfiles',
    ],
  ),
  networkCase(
    6,
    'a mistyped field',
    [['dhcp: false', 'dchp: false']],
    [
      'config/unknown-field 47:dchp: unknown field "dchp" in network.interfaces[3].ipv6 | did you mean "dhcp"?',
    ],
  ),
  networkCase(
    9,
    'a type that is not made',
    [['type: linux-bridge', 'type: ovs-bridge']],
    [
      'config/unsupported-value 49:ovs-bridge: network.interfaces[4].type must be ethernet, bond, vlan, linux-bridge, dummy or loopback, not "ovs-bridge" | sno-install does not support it: add a keyfile to network.keyfiles',
    ],
  ),
  networkCase(
    9,
    'a VLAN id out of bounds',
    [['id: 7', 'id: 4095']],
    ['config/unsupported-value 43:4095: network.interfaces[3].vlan.id must be at most 4094, not 4095'],
  ),
  networkCase(
    9,
    'an MTU out of bounds',
    [['mtu: 9000', 'mtu: 66000']],
    ['config/unsupported-value 37:66000: network.interfaces[1].mtu must be at most 65536, not 66000'],
  ),
  networkCase(
    71,
    'another hostname',
    [['network:\n', 'network:\n  hostname: { config: node-2 }\n']],
    ['config/hostname 29:node-2: hostname is "node-1" at the top and "node-2" here | leave one out'],
  ),
  networkCase(
    99,
    'a name that is too long',
    [['name: br0', 'name: br0123456789abcdef']],
    [
      'config/interface 48:br0123456789abcdef: "br0123456789abcdef" is not a valid interface name: it is longer than 15 characters',
      'config/route 57:br0: interface "br0" does not exist',
    ],
  ),
  networkCase(
    99,
    'a name with a slash',
    [['name: br0\n', 'name: br/0\n']],
    [
      'config/interface 48:br/0: "br/0" is not a valid interface name: "/", ":" and "%" are not allowed',
      'config/route 57:br0: interface "br0" does not exist',
    ],
  ),
  networkCase(
    99,
    'names of ports and parents that Linux does not accept',
    [
      [
        'mtu: 9000',
        [
          'mtu: 9000',
          '  - { name: bond9, type: bond, state: up, link-aggregation: { mode: active-backup, port: ["52:54:00:00:00:01", eno7] } }',
          '  - { name: vlan9, type: vlan, state: up, vlan: { base-iface: abcdefghijklmnop, id: 9 } }',
          '  - { name: br9, type: linux-bridge, state: up, bridge: { port: [{ name: a/b }] } }',
        ].join('\n'),
      ],
    ],
    [
      'config/interface 38:"52:54:00:00:00:01": "52:54:00:00:00:01" is not a valid interface name: it is longer than 15 characters | describe the interface with identifier: mac-address and mac-address, and write its name here',
      'config/interface 39:abcdefghijklmnop: "abcdefghijklmnop" is not a valid interface name: it is longer than 15 characters | write the name that "ip link" shows',
      'config/interface 40:a/b: "a/b" is not a valid interface name: "/", ":" and "%" are not allowed | write the name that "ip link" shows',
    ],
  ),
  networkCase(
    99,
    'the name of the loopback',
    [['mtu: 9000', 'mtu: 9000\n  - name: lo']],
    ['config/interface 38:lo: "lo" is not a valid interface name: it is reserved'],
  ),
  networkCase(
    99,
    'a name for a profile with a blank at its end',
    [['mtu: 9000', 'profile-name: "uplink "']],
    [
      'config/interface 37:"uplink ": "uplink " is not a valid profile name: it starts or ends with a space, or contains a non-ASCII character',
    ],
  ),
  networkCase(
    99,
    'an interface twice',
    [['mtu: 9000', 'mtu: 9000\n  - name: eno1']],
    ['config/interface 38:eno1: interface "eno1" is listed twice | merge the two items'],
  ),
  networkCase(
    99,
    'a profile twice',
    [['mtu: 9000', 'profile-name: br0']],
    ['config/interface 48:br0: two profiles are named "br0.nmconnection"'],
  ),
  networkCase(
    100,
    'no address',
    [['52:54:00:00:00:02', 'eno2']],
    [
      'config/interface 40:eno2: mac-address "eno2" is not six pairs of hexadecimal digits separated by colons',
    ],
  ),
  networkCase(
    100,
    'of a group',
    [['52:54:00:00:00:02', '01:00:5e:00:00:02']],
    [
      'config/interface 40:01:00:5e:00:00:02: mac-address 01:00:5e:00:00:02 is a multicast address: the lowest bit of its first byte is set',
    ],
  ),
  networkCase(
    100,
    'none to be found by',
    [['    mac-address: 52:54:00:00:00:02\n', '']],
    ['config/interface 39:mac-address: identifier: mac-address needs mac-address'],
  ),
  networkCase(
    100,
    'found by, of a bridge',
    [['type: linux-bridge', 'type: linux-bridge\n    identifier: mac-address']],
    [
      'config/interface 50:mac-address: identifier: mac-address is not supported for type linux-bridge | leave identifier out',
    ],
  ),
  networkCase(
    100,
    'two by the same',
    [['mtu: 9000', 'mtu: 9000\n    identifier: mac-address\n    mac-address: 52:54:00:00:00:02']],
    [
      'warning config/bond-primary 34:eno1: primary "eno1" is the name of a profile, and the bond needs its kernel name | write the name that `ip link` shows on the machine, or leave primary out: the bond then chooses a port itself',
      'config/interface 42:52:54:00:00:00:02: interfaces "eno1" and "eno2" are identified by the same MAC address',
    ],
  ),
  networkCase(
    101,
    'too small for IPv6',
    [['type: vlan', 'type: vlan\n    mtu: 1000']],
    ['config/interface 43:1000: mtu 1000 is too small for IPv6, which needs 1280'],
  ),
  networkCase(
    101,
    'larger than below',
    [
      ['type: bond\n', 'type: bond\n    mtu: 1500\n'],
      ['type: vlan', 'type: vlan\n    mtu: 9000'],
    ],
    ['config/interface 44:9000: mtu 9000 is larger than the 1500 of its base interface "bond0"'],
  ),
  networkCase(
    102,
    'a VLAN without its type',
    [['    type: vlan\n', '']],
    ['config/interface-link 42:vlan: an interface of type ethernet cannot have vlan | say its type'],
  ),
  networkCase(
    102,
    'a bond without a bond',
    [['mtu: 9000', 'mtu: 9000\n  - { name: bond1, type: bond }']],
    ['config/interface-link 38:bond: an interface of type bond needs link-aggregation'],
  ),
  networkCase(
    102,
    'a list under both names',
    [['port: [eno1, eno2]', 'port: [eno1, eno2]\n      ports: [eno1]']],
    ['config/interface-link 30:name: bond0: a field and its alias are both set | leave one out'],
  ),
  networkCase(
    103,
    'on itself',
    [
      ['base-iface: bond0', 'base-iface: v9'],
      ['- name: br0', '- { name: v9, type: vlan, vlan: { base-iface: bond0.7, id: 9 } }\n  - name: br0'],
    ],
    [
      'config/interface-link 43:v9: "bond0.7" is a VLAN on itself',
      'config/interface-link 48:bond0.7: "v9" is a VLAN on itself',
    ],
  ),
  networkCase(
    104,
    'of two',
    [['port: [{ name: eno3 }]', 'port: [{ name: eno2 }]']],
    ['config/interface-link 50:eno2: "eno2" is a port of "bond0" and of "br0"'],
  ),
  networkCase(
    104,
    'twice',
    [['port: [eno1, eno2]', 'port: [eno1, eno2, eno2]']],
    ['config/interface-link 35:eno2: "eno2" is already a port of "bond0"'],
  ),
  networkCase(
    104,
    'of itself',
    [['port: [{ name: eno3 }]', 'port: [{ name: br0 }]']],
    ['config/interface-link 50:br0: "br0" is a port of "br0", which is part of it'],
  ),
  networkCase(
    104,
    'with an address',
    [['mtu: 9000', 'ipv4: { enabled: true, dhcp: true }']],
    [
      'config/interface-link 37:true: "eno1" cannot have addresses: it is a port of "bond0" | move them to bond0',
    ],
  ),
  networkCase(
    105,
    'a mode nobody knows',
    [['mode: active-backup', 'mode: active-backups']],
    [
      'config/interface-link 33:active-backups: "active-backups" is not a bond mode | did you mean "active-backup"?',
    ],
  ),
  networkCase(
    105,
    'an option nobody knows',
    [['miimon: 100', 'mimon: 100']],
    ['config/interface-link 34:mimon: unknown bond option "mimon" | did you mean "miimon"?'],
  ),
  networkCase(
    105,
    'an unknown option beside the option that it resembles',
    [['miimon: 100', 'miimon: 100, miimonn: 50']],
    [
      'config/interface-link 34:miimonn: unknown bond option "miimonn" | docs/network.md lists the options; a keyfile can set any',
    ],
  ),
  networkCase(
    105,
    'an option that is no number',
    [['miimon: 100', 'miimon: often']],
    [
      'config/interface-link 34:often: option miimon must be a whole number from 0 to 4294967295, not "often"',
    ],
  ),
  networkCase(
    105,
    'an option of another mode',
    [['miimon: 100', 'lacp_rate: fast']],
    ['config/interface-link 34:fast: option lacp_rate needs mode 802.3ad'],
  ),
  networkCase(
    105,
    'a primary that is no port',
    [['primary: eno1', 'primary: eno9']],
    ['config/interface-link 34:eno9: option primary must be a port of the bond, not "eno9"'],
  ),
  networkCase(
    105,
    'two ways to watch the link',
    [['miimon: 100', 'miimon: 100, arp_interval: 9, arp_ip_target: 10.9.0.1']],
    ['config/interface-link 34:9: option arp_interval and miimon exclude each other'],
  ),
  networkCase(
    105,
    'neighbours that are none',
    [['miimon: 100', 'arp_interval: 9, arp_ip_target: router']],
    [
      'config/interface-link 34:router: option arp_ip_target must be IPv4 addresses separated by commas, not "router"',
    ],
  ),
  networkCase(
    105,
    'a delay of nothing',
    [['miimon: 100', 'updelay: 100']],
    ['config/interface-link 34:100: option updelay needs miimon'],
  ),
  networkCase(
    106,
    'not said to be on',
    [['enabled: true\n', 'dhcp: false\n']],
    ['config/interface-address 44:ipv4: IPv4 is configured but not enabled | add "enabled: true"'],
  ),
  networkCase(
    106,
    'autoconf alone',
    [['dhcp: false', 'dhcp: false, autoconf: true']],
    [
      'config/interface-address 47:true: autoconf needs DHCP: NetworkManager uses router advertisements only together with it | add "dhcp: true", or use a keyfile',
    ],
  ),
  networkCase(
    106,
    'a token of 128 bits',
    [['dhcp: false', 'dhcp: true, autoconf: true, token: "fd00::1"']],
    [
      'config/interface-address 47:"fd00::1": token "fd00::1" is not the last half of an IPv6 address, such as ::10',
    ],
  ),
  networkCase(
    106,
    'a token without autoconf',
    [['dhcp: false', 'dhcp: true, token: "::1"']],
    ['config/interface-address 47:"::1": token needs "autoconf: true"'],
  ),
  networkCase(
    106,
    'a token and privacy',
    [['dhcp: false', 'dhcp: true, autoconf: true, addr-gen-mode: stable-privacy, token: "::1"']],
    ['config/interface-address 47:"::1": token and addr-gen-mode: stable-privacy exclude each other'],
  ),
  networkCase(
    106,
    'an id that nmstate has and NetworkManager has not',
    [['dhcp: false', 'dhcp: true, dhcp-duid: uuid']],
    [
      'config/interface-address 47:uuid: dhcp-duid must be ll, llt, LL, LLT, lease, stable-ll, stable-llt, stable-uuid or bytes separated by colons, not "uuid"',
    ],
  ),
  networkCase(
    106,
    'an id of words',
    [['dhcp: false', 'dhcp: true, dhcp-duid: me']],
    [
      'config/interface-address 47:me: dhcp-duid must be ll, llt, LL, LLT, lease, stable-ll, stable-llt, stable-uuid or bytes separated by colons, not "me"',
    ],
  ),
  networkCase(
    106,
    'a name that is none',
    [['dhcp: false', 'dhcp: true, dhcp-custom-hostname: a b']],
    ['config/interface-address 47:a b: "a b" is not a domain name'],
  ),
  networkCase(
    107,
    'no address',
    [['ip: 10.9.0.1,', 'ip: 10.9.0,']],
    ['config/interface-address 51:10.9.0: "10.9.0" is not an address'],
  ),
  networkCase(
    107,
    'with its prefix',
    [['ip: 10.9.0.1,', 'ip: 10.9.0.1/16,']],
    [
      'config/interface-address 51:10.9.0.1/16: "10.9.0.1/16" is not an address | write the prefix length as prefix-length',
    ],
  ),
  networkCase(
    107,
    'of the other family',
    [['ip: 10.9.0.1,', 'ip: "fd00::1",']],
    [
      'config/interface-address 51:"fd00::1": fd00::1 is an IPv6 address under ipv4',
      'config/route 57:10.9.0.254: 10.9.0.254 is not on the link of "br0" | add an address in the network of 10.9.0.254 to "br0"',
    ],
  ),
  networkCase(
    107,
    'of a group',
    [['ip: 10.9.0.1,', 'ip: 239.0.0.1,']],
    [
      'config/interface-address 51:239.0.0.1: 239.0.0.1 is a multicast address',
      'config/route 57:10.9.0.254: 10.9.0.254 is not on the link of "br0" (239.0.0.0/16) | write a gateway in 239.0.0.0/16; if 10.9.0.254 is on the link, add a route to 10.9.0.254/32 without next-hop-address',
    ],
  ),
  networkCase(
    107,
    'the broadcast address',
    [['ip: 10.9.0.1,', 'ip: 10.9.255.255,']],
    [
      'config/interface-address 51:10.9.255.255: 10.9.255.255 is the network or broadcast address of its /16 network',
    ],
  ),
  networkCase(
    107,
    'more bits than there are',
    [['prefix-length: 16', 'prefix-length: 64']],
    ['config/interface-address 51:64: prefix-length 64 is more than the 32 bits of an IPv4 address'],
  ),
  networkCase(
    107,
    'of two interfaces',
    [['ip: 10.9.0.1, prefix-length: 16', 'ip: 192.168.126.10, prefix-length: 24']],
    [
      'config/interface-address 51:192.168.126.10: "192.168.126.10" is an address of "bond0.7" and of "br0"',
      'config/route 57:10.9.0.254: 10.9.0.254 is not on the link of "br0" (192.168.126.0/24) | write a gateway in 192.168.126.0/24; if 10.9.0.254 is on the link, add a route to 10.9.0.254/32 without next-hop-address',
    ],
  ),
  networkCase(
    108,
    'no network',
    [['10.10.0.0/16', '10.10.0.0/33']],
    ['config/route 57:10.10.0.0/33: "10.10.0.0/33" is not a network such as 10.0.0.0/8'],
  ),
  networkCase(
    108,
    'no interface',
    [['next-hop-interface: br0', 'next-hop-interface: br1']],
    ['config/route 57:br1: interface "br1" does not exist'],
  ),
  networkCase(
    108,
    'a port',
    [['next-hop-interface: br0', 'next-hop-interface: eno3']],
    ['config/route 57:eno3: "eno3" cannot have routes: it is a port of "br0" | write br0'],
  ),
  networkCase(
    108,
    'an interface without the family',
    [['10.10.0.0/16, next-hop-address: 10.9.0.254', '"fd00::/8"']],
    ['config/route 57:br0: "br0" has no IPv6, but the route is IPv6'],
  ),
  networkCase(
    108,
    'a router that is none',
    [['10.9.0.254', 'router']],
    ['config/route 57:router: "router" is not an address'],
  ),
  networkCase(
    108,
    'a router of the other family',
    [['10.9.0.254', '"fd00::1"']],
    ['config/route 57:"fd00::1": fd00::1 is IPv6, while the destination is IPv4'],
  ),
  networkCase(
    108,
    'a router elsewhere',
    [['10.9.0.254', '10.8.0.254']],
    [
      'config/route 57:10.8.0.254: 10.8.0.254 is not on the link of "br0" (10.9.0.0/16) | write a gateway in 10.9.0.0/16; if 10.8.0.254 is on the link, add a route to 10.8.0.254/32 without next-hop-address',
    ],
  ),
  networkCase(
    108,
    'a router that is the node',
    [['10.9.0.254', '10.9.0.1']],
    ['config/route 57:10.9.0.1: 10.9.0.1 is an address of "br0" itself'],
  ),
  networkCase(
    108,
    'a source that is none',
    [['10.9.0.254,', '10.9.0.254, source: here,']],
    ['config/route 57:here: "here" is not an address of the family of the destination'],
  ),
  networkCase(
    108,
    'twice',
    [
      [
        '10.10.0.0/16,',
        '10.10.0.1/16, next-hop-address: 10.9.0.254, next-hop-interface: br0, metric: 9 }\n    - { destination: 10.10.0.0/16,',
      ],
    ],
    [
      'config/route 58:{ destination: 10.10.0.0/16, next-hop-ad: the route is listed twice | leave one out: nmstate keeps one of two routes that differ only in their metric',
    ],
  ),
  networkCase(
    109,
    'none',
    [['0.0.0.0/0', '10.11.0.0/16']],
    [
      'warning config/no-default-route 54:routes: the node has no default route | add a route with destination 0.0.0.0/0',
    ],
  ),
  networkCase(
    110,
    'a name',
    [['192.168.126.1]', 'ns.example.com]']],
    ['config/name-server 53:ns.example.com: name server "ns.example.com" is not an address'],
  ),
  networkCase(
    110,
    'on the link of nothing',
    [['192.168.126.1]', '"fe80::1%eno7"]']],
    ['config/name-server 53:"fe80::1%eno7": name server "fe80::1%eno7" does not name an interface with IPv6'],
  ),
  networkCase(
    110,
    'families in turns',
    [['192.168.126.1]', '192.168.126.1, "fd00::1", 192.168.126.2]']],
    [
      'config/name-server 53:server: IPv4 and IPv6 name servers are mixed: list all servers of one family before those of the other',
      'config/name-server 53:server: IPv6 name servers need an interface with IPv6 addresses | enable IPv6 on an interface, or set the servers in a keyfile',
    ],
  ),
  networkCase(
    110,
    'of a family that nobody speaks',
    [['192.168.126.1]', '"fd00::53"]']],
    [
      'config/name-server 53:server: IPv6 name servers need an interface with IPv6 addresses | enable IPv6 on an interface, or set the servers in a keyfile',
    ],
  ),
  networkCase(
    111,
    'a domain that is none',
    [['[example.com]', '[example_com]']],
    ['config/name-server 53:example_com: "example_com" is not a domain name'],
  ),
  networkCase(
    111,
    'an option that is none',
    [['[rotate]', '[rotates]']],
    ['config/name-server 53:rotates: "rotates" is not an option of resolv.conf'],
  ),
  networkCase(
    112,
    'none',
    [[/ {2}dns-resolver:\n.*\n/, '']],
    [
      'warning config/no-name-server 28:network: the node has no name server: none is configured, and no interface gets one from DHCP | add network.dns-resolver.config.server',
    ],
  ),
  networkCase(
    113,
    'in none',
    [[/192\.168\.126\./g, '192.168.127.']],
    [
      'config/interface-address 29:interfaces: no address of the interfaces (192.168.127.10, 10.9.0.1) is in a machine network (192.168.126.0/24) | add one and write it as nodeIP, or change networking.machineNetwork in install-config.yaml',
    ],
  ),
  networkCase(
    113,
    'in none, with a gateway in a machine network',
    [['ip: 192.168.126.10', 'ip: 192.168.127.10']],
    [
      'config/interface-address 29:interfaces: no address of the interfaces (192.168.127.10, 10.9.0.1) is in a machine network (192.168.126.0/24) | add one and write it as nodeIP, or change networking.machineNetwork in install-config.yaml',
    ],
  ),
  {
    rule: 113,
    name: 'in none, and the same nodeIP',
    edits: [
      [lastLine, `${lastLine}${soundNetwork}`],
      [/192\.168\.126\.10\b/g, '192.168.127.10'],
    ],
    want: [
      'config/interface-address 29:interfaces: no address of the interfaces (192.168.127.10, 10.9.0.1) is in a machine network (192.168.126.0/24) | add one and write it as nodeIP, or change networking.machineNetwork in install-config.yaml',
    ],
  },
  {
    rule: 114,
    name: 'outside of the machine networks',
    edits: [
      [lastLine, `${lastLine}${soundNetwork}`],
      ['nodeIP: 192.168.126.10', 'nodeIP: 192.168.127.10'],
    ],
    want: [
      'config/node-ip 4:192.168.127.10: nodeIP 192.168.127.10 is in none of the machine networks (192.168.126.0/24)',
    ],
  },
  networkCase(
    114,
    'another',
    [['192.168.126.10', '192.168.126.11']],
    [
      'config/node-ip 4:192.168.126.10: nodeIP "192.168.126.10" is not an address of network.interfaces (192.168.126.11, 10.9.0.1)',
    ],
  ),
  ...['52-54-00-00-00-02', '5254.0000.0002', '525400-000002', '52.54.00.00.00.02', '52:54:0:0:0:2'].map(
    (mac) =>
      networkCase(
        103,
        `MAC address written ${mac}`,
        [['52:54:00:00:00:02', mac]],
        [
          `config/interface 40:${mac}: mac-address "${mac}" is not six pairs of hexadecimal digits separated by colons | write "52:54:00:00:00:02"`,
        ],
      ),
  ),
  networkCase(
    120,
    'shorter than that of the machine network',
    [['prefix-length: 24', 'prefix-length: 16']],
    [
      'warning config/prefix-length 46:16: 192.168.126.10 has prefix-length 16, but the machine network is 192.168.126.0/24 | write "prefix-length: 24", or change networking.machineNetwork in install-config.yaml to 192.168.0.0/16',
    ],
  ),
  networkCase(
    120,
    'longer than that of the machine network',
    [['prefix-length: 24', 'prefix-length: 25']],
    [],
  ),
  networkCase(120, 'a host route', [['prefix-length: 24', 'prefix-length: 32']], []),
  {
    ...networkCase(
      120,
      'in one of several machine networks',
      [['prefix-length: 24', 'prefix-length: 23']],
      [],
    ),
    installEdits: [['- cidr: 192.168.126.0/24', '- cidr: 192.168.126.0/24\n  - cidr: 192.168.127.0/24']],
  },
  networkCase(
    115,
    'of another ending',
    [['network:\n', 'network:\n  keyfiles: [net/uplink.ini]\n']],
    [
      'config/keyfile 29:net/uplink.ini: "net/uplink.ini" is not a keyfile name: it must end in .nmconnection | NetworkManager ignores other files',
    ],
  ),
  networkCase(
    115,
    'of one name',
    [['network:\n', 'network:\n  keyfiles: [a/x.nmconnection, b/x.nmconnection]\n']],
    ['config/keyfile 29:b/x.nmconnection: two keyfiles are named "x.nmconnection"'],
  ),
  networkCase(
    115,
    'of an interface',
    [['network:\n', 'network:\n  keyfiles: [net/eno1.nmconnection]\n']],
    [
      'config/keyfile 29:net/eno1.nmconnection: "eno1.nmconnection" is already generated from network.interfaces | remove the interface there, or rename the file',
    ],
  ),
  networkCase(
    118,
    'a virtual function that is not made',
    [['mtu: 9000', 'ethernet: { sr-iov: { total-vfs: 2, vfs: [{ id: 2 }] } }']],
    ['config/interface 37:2: virtual function 2 does not exist: total-vfs is 2 and IDs start at 0'],
  ),
  networkCase(
    118,
    'a virtual function twice',
    [['mtu: 9000', 'ethernet: { sr-iov: { total-vfs: 2, vfs: [{ id: 1 }, { id: 1, trust: true }] } }']],
    ['config/interface 37:1: virtual function 1 is listed twice'],
  ),
  networkCase(
    118,
    'a virtual function with the address of a group',
    [
      [
        'mtu: 9000',
        'ethernet: { sr-iov: { total-vfs: 2, vfs: [{ id: 0, mac-address: 53:54:00:00:00:02 }] } }',
      ],
    ],
    [
      'config/interface 37:53:54:00:00:00:02: mac-address 53:54:00:00:00:02 is a multicast address: the lowest bit of its first byte is set',
    ],
  ),
  networkCase(
    118,
    'more as the least than as the most',
    [
      [
        'mtu: 9000',
        'ethernet: { sr-iov: { total-vfs: 2, vfs: [{ id: 0, min-tx-rate: 2, max-tx-rate: 1 }, { id: 1, min-tx-rate: 2, max-tx-rate: 0 }] } }',
      ],
    ],
    ['config/interface 37:2: min-tx-rate 2 is more than max-tx-rate 1'],
  ),
  networkCase(
    118,
    'a priority and a tag without VLAN',
    [['mtu: 9000', 'ethernet: { sr-iov: { total-vfs: 2, vfs: [{ id: 0, qos: 3, vlan-proto: 802.1q }] } }']],
    [
      'config/interface 37:3: qos has no effect without vlan-id | write "vlan-id: 0" to set only the priority',
      'config/interface 37:802.1q: vlan-proto has no effect without vlan-id',
    ],
  ),
  networkCase(
    118,
    'an outer tag of no VLAN',
    [
      [
        'mtu: 9000',
        'ethernet: { sr-iov: { total-vfs: 2, vfs: [{ id: 0, vlan-id: 0, vlan-proto: 802.1ad }, { id: 1, vlan-id: 0, qos: 1, vlan-proto: 802.1ad }] } }',
      ],
    ],
    ['config/interface 37:802.1ad: vlan-proto 802.1ad needs a vlan-id or a qos other than 0'],
  ),
  networkCase(
    119,
    'a feature that is mistyped',
    [['mtu: 9000', 'ethtool: { feature: { rx-groo: false } }']],
    [
      'config/interface 37:rx-groo: "rx-groo" is not a feature that NetworkManager can set | did you mean "rx-gro"?',
    ],
  ),
  networkCase(
    119,
    'a feature that is none',
    [['mtu: 9000', 'ethtool: { feature: { warp-drive: true } }']],
    [
      'config/interface 37:warp-drive: "warp-drive" is not a feature that NetworkManager can set | nm-settings(5) lists them',
    ],
  ),
  networkCase(
    119,
    'a feature by two of its names',
    [['mtu: 9000', 'ethtool: { feature: { tso: false, tx-tcp-segmentation: false } }']],
    [
      'config/interface 37:tx-tcp-segmentation: "tx-tcp-segmentation" is another name for "tso" | leave one out',
    ],
  ),
  networkCase(
    6,
    'a setting of the driver that nmstate drops',
    [['mtu: 9000', 'ethtool: { coalesce: { tx-usecs-high: 1 } }']],
    [
      'config/unknown-field 37:tx-usecs-high: unknown field "tx-usecs-high" in network.interfaces[1].ethtool.coalesce | sno-install does not support it: add a keyfile to network.keyfiles',
    ],
  ),
  networkCase(
    99,
    'a loopback of another name',
    [['mtu: 9000', 'mtu: 9000\n  - { name: loop, type: loopback }']],
    ['config/interface 38:loop: the loopback interface must be named lo, not "loop"'],
  ),
  networkCase(
    99,
    'a description of two lines',
    [['mtu: 9000', 'description: "a\\nb"']],
    [
      'config/interface 37:"a\\nb": description contains a line break or another control character | write it on one line',
    ],
  ),
  networkCase(
    100,
    'no address at all',
    [['52:54:00:00:00:02', "'00:00:00:00:00:00'"]],
    ["config/interface 40:'00:00:00:00:00:00': mac-address 00:00:00:00:00:00 is all zeros"],
  ),
  networkCase(
    106,
    'a loopback that asks DHCP',
    [['mtu: 9000', 'mtu: 9000\n  - { name: lo, type: loopback, ipv4: { enabled: true, dhcp: true } }']],
    ['config/interface-address 38:ipv4: the loopback interface cannot get IPv4 addresses automatically'],
  ),
  networkCase(
    108,
    'a route that drops packets, with a router',
    [
      [
        'next-hop-address: 10.9.0.254, next-hop-interface: br0',
        'route-type: blackhole, next-hop-interface: br0',
      ],
    ],
    ['config/route 57:br0: a route of type blackhole cannot have a next hop | leave next-hop-interface out'],
  ),
  networkCase(
    108,
    'a route without an interface',
    [[', next-hop-interface: br0', '']],
    ['config/route 57:{ destination: 10.10.0.0/16, next-hop-ad: a route needs next-hop-interface'],
  ),
  networkCase(
    140,
    'a rule for nothing, one of two families and one of no interface',
    [
      [
        '  routes:',
        '  route-rules:\n    config:\n    - { route-table: 9 }\n    - { ip-from: 10.0.0.0/8, ip-to: "fd00::/8" }\n    - { ip-from: 10.0.0.0/8, iif: eno9 }\n    - { ip-from: ten, iif: eno1 }\n  routes:',
      ],
    ],
    [
      'config/route-rule 56:{ route-table: 9 }: a route rule needs ip-from, ip-to or family',
      'config/route-rule 57:"fd00::/8": "fd00::/8" is IPv6, while the rule is for ipv4',
      'config/route-rule 58:eno9: interface "eno9" does not exist | add "- name: eno9" to interfaces',
      'config/route-rule 59:ten: "ten" is not an address or a network such as 10.0.0.0/8',
      'config/route-rule 59:eno1: "eno1" has no IPv4, but the rule is for IPv4 | enable ipv4 on eno1, or leave iif out',
    ],
  ),
  networkCase(
    141,
    'a primary that is found by its address',
    [['primary: eno1 }', 'primary: eno2 }']],
    [
      'warning config/bond-primary 34:eno2: primary "eno2" is the name of a profile, and the bond needs its kernel name | write the name that `ip link` shows on the machine, or leave primary out: the bond then chooses a port itself',
    ],
  ),
  networkCase(
    142,
    'a trunk without tags',
    [['{ name: eno3 }', '{ name: eno3, vlan: { mode: trunk } }']],
    ['config/interface-link 50:trunk: mode trunk needs trunk-tags'],
  ),
  networkCase(
    144,
    'settings of a bridge port that is found by its address',
    [
      [
        '{ name: eno3 }',
        '{ name: eno3, stp-priority: 7, vlan: { mode: access, tag: 10 } }, { name: eno4, stp-priority: 7 }, { name: eno5 }',
      ],
      [
        '  - name: br0',
        [3, 5]
          .map(
            (port) =>
              `  - { name: eno${port}, identifier: mac-address, mac-address: "52:54:00:00:00:0${port}" }\n`,
          )
          .join('') + '  - name: br0',
      ],
    ],
    [
      'warning config/mac-identifier 52:stp-priority: the bridge settings of port "eno3" are ignored, because the port is identified by its MAC address | identify the port by its name: remove identifier, and write the name that `ip link` shows on the machine',
    ],
  ),
  networkCase(
    145,
    'iif that is found by its address',
    [
      [
        '  - name: br0',
        '  - name: lan\n    identifier: mac-address\n    mac-address: 52:54:00:00:00:09\n    ipv4: { enabled: true, dhcp: true }\n  - name: br0',
      ],
      [
        '  routes:',
        '  route-rules:\n    config:\n    - { ip-from: 10.0.0.0/8, iif: lan }\n    - { ip-from: 10.1.0.0/16, iif: br0 }\n  routes:',
      ],
    ],
    [
      'warning config/mac-identifier 60:lan: iif "lan" is the name of a profile, and the rule needs its kernel name | leave iif out and select the packets by ip-from, or identify the interface by its name instead of its MAC address',
    ],
  ),
  networkCase(
    157,
    'a name with another number than the id of its VLAN',
    [['id: 7', 'id: 8']],
    [
      'warning config/vlan-name 43:8: interface "bond0.7" has the VLAN id 8, but its name says 7 | write id: 7, or rename the interface',
    ],
  ),
  networkCase(
    158,
    'an interface that is found by a name of no card',
    [['  - name: eno1\n', '  - name: uplink\n    mac-address: 52:54:00:00:00:01\n  - name: eno1\n']],
    [
      'warning config/interface-name 36:uplink: Linux gives no network card the name "uplink" | add "identifier: mac-address" and mac-address, or write the name that "ip link" shows on the machine',
    ],
  ),
  networkCase(
    158,
    'a parent with a misspelled name',
    [['base-iface: bond0', 'base-iface: bnod0']],
    [
      'warning config/interface-name 43:bnod0: Linux gives no network card the name "bnod0", and no interface of this name is described | did you mean "bond0"?',
    ],
  ),
  networkCase(
    158,
    'a port without a description',
    [['name: eno3', 'name: lan3']],
    [
      'warning config/interface-name 50:lan3: Linux gives no network card the name "lan3", and no interface of this name is described | describe it, or write the name that "ip link" shows on the machine',
    ],
  ),
];
