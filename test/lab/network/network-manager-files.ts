/** Files that configure Debian's NetworkManager like that of CoreOS, by path below /usr. */
export const networkManagerFiles = {
  'lib/systemd/system/multi-user.target.d/90-lab.conf': '[Unit]\nWants=NetworkManager.service\n',
  // The machine may not raise the limit as far as Debian's unit does.
  'lib/systemd/system/NetworkManager.service.d/90-lab.conf': '[Service]\nLimitNOFILE=4096\n',
  'lib/systemd/system/network-online.target.d/90-lab.conf':
    '[Unit]\nWants=NetworkManager-wait-online.service\n',
  // The other end of the veth pair is not the machine's. resolv.conf makes lookups fail at once, because there is no DNS server.
  'lib/NetworkManager/conf.d/90-lab.conf': `[main]
plugins=keyfile
rc-manager=unmanaged
[device-wire]
match-device=interface-name:wire
managed=0
`,
};
