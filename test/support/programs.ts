import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter } from 'node:path';

import { describe } from 'vitest';

/** Where each program comes from, for the reason of a skip. */
const installedBy: Readonly<Record<string, string>> = {
  'ignition-validate': 'apt-get install ignition',
  ignition: 'apt-get install ignition',
  'age-keygen': 'apt-get install age',
  faketime: 'apt-get install faketime',
  git: 'apt-get install git',
  'gnutls-cli': 'apt-get install gnutls-bin',
  perl: 'apt-get install perl',
  openssl: 'apt-get install openssl',
  shellcheck: 'apt-get install shellcheck',
  'systemd-analyze': 'apt-get install systemd',
  kubectl: 'apt-get install kubernetes-client',
  etcd: 'apt-get install etcd-server',
  etcdctl: 'apt-get install etcd-client',
  jq: 'apt-get install jq',
  xz: 'apt-get install xz-utils',
  xorriso: 'apt-get install xorriso',
  bash: 'apt-get install bash',
  tar: 'apt-get install tar',
  cpio: 'apt-get install cpio',
  curl: 'apt-get install curl',
  'dpkg-deb': 'apt-get install dpkg',
  systemctl: 'apt-get install systemd',
  'ssh-keygen': 'apt-get install openssh-client',
  ssh: 'apt-get install openssh-client',
  sshd: 'apt-get install openssh-server',
  go: 'see https://go.dev/doc/install',
  cargo: 'see https://rustup.rs',
  zsh: 'apt-get install zsh',
  script: 'apt-get install bsdutils',
  fish: 'apt-get install fish',
  runc: 'apt-get install runc',
  podman: 'apt-get install podman',
  nft: 'apt-get install nftables',
  ip: 'apt-get install iproute2',
  unshare: 'apt-get install util-linux',
  NetworkManager: 'apt-get install network-manager',
  dnsmasq: 'apt-get install dnsmasq-base',
  nmcli: 'apt-get install network-manager',
  'dbus-daemon': 'apt-get install dbus',
  'grub-mkimage': 'apt-get install grub-common grub-efi-amd64-bin ipxe isolinux ovmf syslinux-common',
  'grub-script-check': 'apt-get install grub-common',
  mformat: 'apt-get install mtools',
  mksquashfs: 'apt-get install squashfs-tools',
  mmdebstrap: 'apt-get install mmdebstrap',
  'qemu-system-x86_64': 'apt-get install qemu-system-x86',
  'qemu-img': 'apt-get install qemu-utils',
  'docker-registry': 'apt-get install docker-registry',
  tinyproxy: 'apt-get install tinyproxy',
  chronyd: 'apt-get install chrony',
  htpasswd: 'apt-get install apache2-utils',
  python3: 'apt-get install python3-venv',
  'chromium-headless-shell': 'apt-get install chromium-headless-shell',
};

/** Programs that live outside PATH. */
const knownPlaces: Readonly<Record<string, string>> = {
  ignition: '/usr/lib/dracut/modules.d/30ignition/ignition',
  sshd: '/usr/sbin/sshd',
  NetworkManager: '/usr/sbin/NetworkManager',
  cargo: `${process.env['HOME'] ?? ''}/.cargo/bin/cargo`,
  chronyd: '/usr/sbin/chronyd',
  dnsmasq: '/usr/sbin/dnsmasq',
};

/** The absolute path of a program, or undefined where this machine does not have it. */
export function pathOfProgram(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = [knownPlaces[name], ...folders.map((folder) => `${folder}/${name}`)];
  return candidates.find((path) => path !== undefined && isExecutable(path));
}

function hasProgram(name: string): boolean {
  return pathOfProgram(name) !== undefined;
}

/**
 * A suite that needs real programs. Where one is missing the suite is skipped and its title says which and how to
 * install it; in CI a missing program is a failure instead.
 */
export function describeWith(programs: readonly string[], title: string, suite: () => void): void {
  const missing = programs.filter((name) => !hasProgram(name));
  if (missing.length === 0 || process.env['CI'] !== undefined) {
    describe(title, suite);
    return;
  }
  const commands = [...new Set(missing.map((name) => installedBy[name] ?? `install ${name}`))];
  describe.skip(`${title} (needs ${missing.join(', ')}: ${commands.join('; ')})`, suite);
}

/** Whether the tests run as root, which the Ignition engine needs to set owners. */
export function isRoot(): boolean {
  return spawnSync('id', ['-u'], { encoding: 'utf8' }).stdout.trim() === '0';
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
