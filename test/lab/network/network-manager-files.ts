/** What makes Debian's NetworkManager that of CoreOS on a machine of the lab, by path below /usr. */
export const networkManagerFiles = {
  'lib/systemd/system/multi-user.target.d/90-lab.conf': '[Unit]\nWants=NetworkManager.service\n',
  // The machine may not raise it as far as Debian's unit does.
  'lib/systemd/system/NetworkManager.service.d/90-lab.conf': '[Service]\nLimitNOFILE=4096\n',
  'lib/systemd/system/network-online.target.d/90-lab.conf':
    '[Unit]\nWants=NetworkManager-wait-online.service\n',
  // The other end of the wire is not the machine's; resolv.conf refuses at once what the machine has nobody to ask for.
  'lib/NetworkManager/conf.d/90-lab.conf': `[main]
plugins=keyfile
rc-manager=unmanaged
[device-wire]
match-device=interface-name:wire
managed=0
`,
};
