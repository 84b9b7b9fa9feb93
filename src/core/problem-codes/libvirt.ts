import type { CodeTable } from './entry.js';

/** Problems of `render libvirt`: settings that a virtual machine cannot have. */
export const libvirtCodes = {
  'libvirt/architecture': {
    severity: 'error',
    fault: 'the config is for a machine with ppc64le or s390x',
    why: 'These machines have other firmware and buses.',
    fix: 'Use `amd64` or `arm64` in a copy of the config.',
  },
  'libvirt/disk': {
    severity: 'error',
    fault:
      'no virtual disk has the path or a hint of the installation disk, or a MachineConfig partitions another disk',
    why: 'The node would wait for a disk that the virtual machine does not have.',
    fix: 'In a copy of the config, use `/dev/disk/by-id/virtio-SERIAL`, a serial number, or a World Wide Name of 16 digits, and remove other disks.',
  },
  'libvirt/interface-name': {
    severity: 'error',
    fault: 'an interface is identified by a name that a virtual network card cannot get',
    why: 'The node would have no network: profiles apply to the interface with their name.',
    fix: 'Add `identifier: mac-address` and `mac-address`, which the virtual network card gets too.',
  },
  'libvirt/sr-iov': {
    severity: 'error',
    fault: 'an interface has virtual functions',
    why: 'Virtual network cards have none, so the profile could not be activated.',
    fix: 'Remove `sr-iov` from a copy of the config.',
  },
  'libvirt/bond-mode': {
    severity: 'warning',
    fault: 'the mode of a bond needs a channel group in the switch',
    why: 'The bridge of a virtual network has none. Packets may be lost or arrive twice.',
    fix: 'Use `active-backup` in a copy of the config.',
  },
  'libvirt/keyfiles': {
    severity: 'error',
    fault: 'the network is configured by keyfiles',
    why: 'The network cards of the machine are derived from `network.interfaces`.',
    fix: 'Describe the interfaces in `network.interfaces`.',
  },
  'libvirt/vlan': {
    severity: 'error',
    fault: 'the address of the node is on a VLAN',
    why: 'The host is the gateway and name server of the virtual network, and has no address in the VLAN.',
    fix: 'Use `--bridge` with a bridge that carries the VLAN, or put the address on the parent interface in a copy of the config.',
  },
  'libvirt/network': {
    severity: 'error',
    fault: 'the address or the gateway of the node does not define a virtual network',
    why: 'The host needs one network in which it is the gateway of the node.',
    fix: 'Follow the hint, or connect the machine to a bridge of the host with `--bridge`.',
  },
  'libvirt/lease': {
    severity: 'warning',
    fault: 'an interface uses DHCP and gets no address in the virtual network',
    why: 'The virtual network has at most one lease, for the address of the node.',
    fix: 'Remove the interface from a copy of the config, or ignore the warning if nothing needs its address.',
  },
  'libvirt/name-server': {
    severity: 'warning',
    fault: 'the node uses a name server outside of the virtual network',
    why: 'Only the name server of the virtual network resolves the names of the cluster to the virtual machine.',
    fix: 'Use the gateway as name server in a copy of the config, or set `dns.local: true`.',
  },
} as const satisfies CodeTable;
