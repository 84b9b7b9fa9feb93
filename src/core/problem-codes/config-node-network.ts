import type { CodeTable } from './entry.js';

/** Problems of `network` in sno-config.yaml. */
export const nodeNetworkCodes = {
  'config/interface': {
    severity: 'error',
    rule: 'an interface has a name that Linux takes, a MAC address of one machine and an MTU that works, and is described once',
    why: 'It is found by name or MAC address; a profile that fits nothing, or something else, leaves the node without a network.',
    fix: 'Compare with `ip link` on the machine; docs/network.md has examples.',
  },
  'config/interface-link': {
    severity: 'error',
    rule: 'bonds, bridges and VLANs are made of interfaces that are described or can be, in one way, with options that go together',
    why: 'NetworkManager refuses the profile, or the kernel the options, when the machine boots.',
    fix: 'Name every interface where it is used as where it is described; docs/network.md lists the options of bonds.',
  },
  'config/interface-address': {
    severity: 'error',
    rule: 'an interface has addresses that a host may have, one of them in a machine network, and says how it gets others',
    why: 'etcd and the API server listen on an address in a machine network.',
    fix: 'Write the address as `ip` and its network as `prefix-length`, below ipv4 or ipv6 with `enabled: true`.',
  },
  'config/route': {
    severity: 'error',
    rule: 'a route leads to a network, out of an interface of its family, to a router on the link',
    why: 'The kernel refuses a route to a router that it cannot reach, and the interface then does not come up.',
    fix: 'Give next-hop-address an address in a network of next-hop-interface.',
  },
  'config/route-rule': {
    severity: 'error',
    rule: 'a route rule selects packets of one family, and its interface is described with that family',
    why: 'nmstate refuses the rule, or writes it nowhere, and packets then take another table.',
    fix: 'Give ip-from or ip-to as networks of one family, or family alone for all packets.',
  },
  'config/bond-primary': {
    severity: 'warning',
    rule: "primary of a bond is the kernel's name of a port",
    why: 'A port that is found by its MAC address may have any name, and a primary with another name has no effect.',
    fix: 'Write the name that `ip link` shows on the machine, or leave primary out.',
  },
  'config/mac-identifier': {
    severity: 'warning',
    rule: 'settings that go by a name are those of an interface that is found by its name',
    why: 'With identifier: mac-address the name is that of a profile. nmstate leaves out what a bridge says of such a port, and the kernel compares iif of a route rule with its own names.',
    fix: 'Leave identifier out and give the interface the name that `ip link` shows on the machine, or leave the setting out.',
  },
  'config/no-hostname': {
    severity: 'warning',
    rule: 'a node with static addresses has a hostname',
    why: 'The name comes from DHCP or from the PTR record of an address; without both the node is called localhost, and its kubelet refuses to register.',
    fix: 'Set `hostname` in sno-config.yaml.',
  },
  'config/no-default-route': {
    severity: 'warning',
    rule: 'a node with static addresses has a default route',
    why: 'OVN-Kubernetes takes the interface of the default route for the cluster, and images come from beyond it.',
    fix: 'Add a route with destination `0.0.0.0/0` or `::/0`.',
  },
  'config/name-server': {
    severity: 'error',
    rule: 'a name server is an address, and an interface speaks its family',
    why: 'NetworkManager keeps name servers with interfaces.',
    fix: 'Write addresses under dns-resolver, config, server.',
  },
  'config/no-name-server': {
    severity: 'warning',
    rule: 'a node with static addresses has a name server',
    why: 'The node asks it for api, api-int, the registry and the time servers.',
    fix: 'Add `dns-resolver: { config: { server: […] } }`.',
  },
  'config/keyfile': {
    severity: 'error',
    rule: 'a keyfile is a profile of NetworkManager that it can read, under a name of its own that ends in .nmconnection',
    why: 'NetworkManager leaves out files that it cannot read, and says so on the node alone.',
    fix: 'Take it from a machine where it works, from /etc/NetworkManager/system-connections.',
  },
} as const satisfies CodeTable;
