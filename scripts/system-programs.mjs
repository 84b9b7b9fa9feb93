// The system programs that tests need, and the Debian packages that contain them. This is the only list.
//
//   node scripts/system-programs.mjs packages ci   the packages of missing programs, one per line
//   node scripts/system-programs.mjs require lab   one line and exit code 1 if a program is missing
//
// The second argument is ci (.ci/run), core, lab, machines or full.
import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * `[program or absolute path, package, users]`. Users: `ci` is `npm test` without skipped tests, the end-to-end check and the core
 * machines; `lab` is the laboratory; `full` is the remaining machines and the parts of `npm run test:full`.
 */
const rows = [
  ['age-keygen', 'age', 'ci'],
  ['bash', 'bash', 'ci lab'],
  ['chromium-headless-shell', 'chromium-headless-shell', 'full'],
  ['chronyd', 'chrony', 'full'],
  ['cpio', 'cpio', 'ci'],
  ['curl', 'curl', 'ci'],
  ['dbus-daemon', 'dbus', 'lab full'],
  ['debugfs', 'e2fsprogs', 'lab'],
  ['dnsmasq', 'dnsmasq-base', 'full'],
  ['docker-registry', 'docker-registry', 'ci'],
  ['etcd', 'etcd-server', 'ci'],
  ['etcdctl', 'etcd-client', 'ci'],
  ['faketime', 'faketime', 'full'],
  ['fish', 'fish', 'ci'],
  ['git', 'git', 'ci'],
  ['gnutls-cli', 'gnutls-bin', 'full'],
  ['grub-mkimage', 'grub-common', 'full'],
  ['grub-script-check', 'grub-common', 'ci'],
  ['htpasswd', 'apache2-utils', 'ci'],
  ['ignition', 'ignition', 'ci lab'],
  ['ignition-validate', 'ignition', 'ci'],
  ['ip', 'iproute2', 'ci lab'],
  ['isoinfo', 'genisoimage', 'full'],
  ['jq', 'jq', 'ci lab'],
  ['kubectl', 'kubernetes-client', 'ci lab'],
  ['libvirtd', 'libvirt-daemon', 'full'],
  ['losetup', 'mount', 'lab full'],
  ['mandoc', 'mandoc', 'ci'],
  ['mformat', 'mtools', 'full'],
  ['mke2fs', 'e2fsprogs', 'lab full'],
  ['mksquashfs', 'squashfs-tools', 'ci'],
  ['mmdebstrap', 'mmdebstrap', 'full'],
  ['modprobe', 'kmod', 'ci lab'],
  ['NetworkManager', 'network-manager', 'lab full'],
  ['nft', 'nftables', 'ci lab'],
  ['nmcli', 'network-manager', 'lab full'],
  ['nsenter', 'util-linux', 'ci lab'],
  ['openssl', 'openssl', 'ci lab'],
  ['partx', 'util-linux', 'lab full'],
  ['perl', 'perl', 'ci'],
  ['podman', 'podman', 'ci lab'],
  ['prometheus', 'prometheus', 'full'],
  ['promtool', 'prometheus', 'full'],
  ['python3', 'python3-venv', 'full'],
  ['qemu-img', 'qemu-utils', 'full'],
  ['qemu-system-x86_64', 'qemu-system-x86', 'full'],
  ['restorecon', 'policycoreutils', 'ci lab'],
  ['runc', 'runc', 'ci lab'],
  ['script', 'bsdutils', 'ci'],
  ['sfdisk', 'fdisk', 'ci lab'],
  ['sgdisk', 'gdisk', 'ci lab'],
  ['shellcheck', 'shellcheck', 'ci'],
  ['skopeo', 'skopeo', 'full'],
  ['ssh', 'openssh-client', 'ci'],
  ['ssh-keygen', 'openssh-client', 'ci'],
  ['sshd', 'openssh-server', 'ci'],
  ['systemctl', 'systemd', 'ci lab'],
  ['systemd-analyze', 'systemd', 'ci'],
  ['tar', 'tar', 'ci lab'],
  ['tinyproxy', 'tinyproxy', 'full'],
  ['unshare', 'util-linux', 'ci lab'],
  ['unsquashfs', 'squashfs-tools', 'ci'],
  ['virsh', 'libvirt-clients', 'ci'],
  ['virt-xml-validate', 'libvirt-clients', 'ci'],
  ['xmllint', 'libxml2-utils', 'ci'],
  ['xorriso', 'xorriso', 'ci'],
  ['xz', 'xz-utils', 'ci'],
  ['zsh', 'zsh', 'ci'],
  ['/usr/lib/grub/x86_64-efi/normal.mod', 'grub-efi-amd64-bin', 'full'],
  ['/usr/lib/ipxe/ipxe.lkrn', 'ipxe', 'full'],
  ['/usr/lib/ISOLINUX/isolinux.bin', 'isolinux', 'full'],
  ['/usr/lib/syslinux/modules/bios/ldlinux.c32', 'syslinux-common', 'full'],
  ['/usr/share/ovmf/OVMF.fd', 'ovmf', 'full'],
  // Builds coreos-installer (test/lab/build-coreos-installer).
  ['gcc', 'gcc', 'ci'],
  ['pkg-config', 'pkg-config', 'ci'],
  ['/usr/include/openssl/ssl.h', 'libssl-dev', 'ci'],
  ['/usr/include/stdio.h', 'libc6-dev', 'ci'],
  ['/usr/include/zstd.h', 'libzstd-dev', 'ci'],
];

/** Compilers whose Debian packages are too old for the tools of the tests. */
const compilers = { go: 'https://go.dev/doc/install', cargo: 'https://rustup.rs' };

const users = {
  ci: ['ci', 'lab'],
  core: ['ci'],
  lab: ['lab'],
  machines: ['ci', 'full'],
  full: ['ci', 'lab', 'full'],
};

/** Programs that are used from these paths even if their folder is not in PATH. */
const knownPlaces = {
  cargo: `${homedir()}/.cargo/bin/cargo`,
  chronyd: '/usr/sbin/chronyd',
  dnsmasq: '/usr/sbin/dnsmasq',
  go: '/usr/local/go/bin/go',
  ignition: '/usr/lib/dracut/modules.d/30ignition/ignition',
  libvirtd: '/usr/sbin/libvirtd',
  NetworkManager: '/usr/sbin/NetworkManager',
  sshd: '/usr/sbin/sshd',
};

/** The absolute path of a program; undefined if it is not installed. */
export function pathOfProgram(name) {
  if (name.startsWith('/')) return isAccessible(name, constants.R_OK) ? name : undefined;
  const inPath = (process.env.PATH ?? '').split(delimiter).map((folder) => `${folder}/${name}`);
  const candidates = Object.hasOwn(knownPlaces, name) ? [knownPlaces[name], ...inPath] : inPath;
  return candidates.find((path) => isAccessible(path, constants.X_OK));
}

/** The command or page for installing a program. */
export function installCommand(name) {
  if (Object.hasOwn(compilers, name)) return `see ${compilers[name]}`;
  const row = rows.find(([program]) => program === name);
  return row === undefined ? `install ${name}` : `apt-get install ${row[1]}`;
}

/** One line with the missing programs and how to install them; undefined if none is missing. */
export function missingLine(command) {
  const missing = missingRows(command);
  const absent = Object.keys(compilers).filter((name) => pathOfProgram(name) === undefined);
  if (process.getuid?.() !== 0) return 'root is required: the tests set owners, mounts and networks';
  if (missing.length === 0 && absent.length === 0) return undefined;
  const names = [...missing.map(([program]) => program), ...absent].join(', ');
  const packages = missing.length === 0 ? [] : [`apt-get install ${packagesOf(missing).join(' ')}`];
  return `missing: ${names}; install with: ${[...packages, ...absent.map(installCommand)].join('; ')}`;
}

function missingRows(command) {
  return rows.filter(
    ([program, , needs]) =>
      needs.split(' ').some((user) => users[command].includes(user)) && pathOfProgram(program) === undefined,
  );
}

function packagesOf(chosen) {
  return [...new Set(chosen.map(([, name]) => name))].toSorted();
}

function isAccessible(path, mode) {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [action, command] = process.argv.slice(2);
  if (!['packages', 'require'].includes(action) || !Object.hasOwn(users, command)) {
    console.error(`usage: node scripts/system-programs.mjs packages|require ${Object.keys(users).join('|')}`);
    process.exit(2);
  }
  const line = missingLine(command);
  if (action === 'packages')
    process.stdout.write(
      packagesOf(missingRows(command))
        .map((name) => `${name}\n`)
        .join(''),
    );
  else if (line !== undefined) {
    console.error(line);
    process.exit(1);
  }
}
