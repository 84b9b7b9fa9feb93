import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

import { startMachine, type Machine } from '../real/control-plane/support/machine.js';
import { writeImageArchive, writeImageLayout } from '../real/control-plane/support/images.js';
import type { Additions } from '../real/control-plane/support/operating-system.js';
import { placeFile } from '../real/control-plane/support/place-file.js';
import { toolFolder, toolPath } from '../real/control-plane/support/tools.js';
import { coreosInstaller } from './coreos-installer.js';
import { writeDiskImage, type Disk } from './disk.js';
import type { LabPayload, Medium } from './payload/lab-payload.js';
import { networkManagerFiles } from './network/network-manager-files.js';
import { releaseImages } from './release/images.js';
import { registryImages } from './release/payload-images.js';
import { clusterDomain, nodeAddress, nodeName } from './site.js';

/** The contents of /usr that the machines of both phases share. */
export interface System {
  readonly additions: Additions;
  /** The images that CRI-O has without a registry, or those that it pulls from the payload. */
  readonly images: { readonly archive: string } | LoadedFromPayload;
  /** The source of the machine's address. */
  readonly network: 'NetworkManager' | 'namespace';
}

/** Images that CRI-O pulls from the registry of the payload. There is no other registry. */
export interface LoadedFromPayload extends Pick<LabPayload, 'imports'> {
  /** On the installed node, the machine-config operator writes it for CRI-O and podman. */
  readonly pullSecret: string;
}

/** Builds or finds the programs and writes the images. Runs once. */
export async function prepareSystem(
  folder: string,
  minor: number,
  release: Readonly<Record<string, string>>,
): Promise<System> {
  const archive = join(folder, 'images.tar');
  if (!existsSync(archive)) await writeImageArchive(await releaseImages(minor, folder), archive);
  const diskImage = join(folder, 'disk.img');
  await writeDiskImage(diskImage);
  const registry = join(folder, 'registry');
  await writeImageLayout(await registryImages(minor, folder, release), registry);
  return {
    images: { archive },
    network: 'namespace',
    additions: { programs: { ...(await programs(diskImage)), ...registryFiles(registry) }, texts: units },
  };
}

/** The same without registries: all images come from the payload. */
export async function prepareSystemWithPayload(folder: string, images: LoadedFromPayload): Promise<System> {
  const diskImage = join(folder, 'disk.img');
  await writeDiskImage(diskImage);
  return {
    images,
    network: 'namespace',
    additions: { programs: await programs(diskImage), texts: units },
  };
}

/** The same system with NetworkManager. Without the keyfiles that Ignition writes, a machine has no address. */
export function withNetworkManager({ images, additions }: System): System {
  const texts = { ...additions.texts, ...networkManagerFiles };
  return { images, network: 'NetworkManager', additions: { ...additions, texts } };
}

/** The files that the stub registry serves. */
function registryFiles(layout: string): Readonly<Record<string, string>> {
  const paths = readdirSync(layout, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    paths.map((path) => [`share/sno-lab/registry${path.slice(layout.length)}`, path]),
  );
}

const programFolder = resolve(import.meta.dirname, 'stand-ins');

/** The kubelet, and containerd instead of CRI-O. containerd imports the images of `/var/lib/sno-lab/images.tar`. */
export async function nodeRuntime(): Promise<Additions> {
  return {
    programs: {
      'bin/crio': join(programFolder, 'crio'),
      'bin/kubelet': await toolPath('kubernetes', 'kubelet'),
      'libexec/cni/loopback': join(await toolFolder('cni-plugins'), 'loopback'),
      'libexec/sno-lab/crio-prepare': join(programFolder, 'crio-prepare'),
      'libexec/sno-lab/import-images': join(programFolder, 'import-images'),
    },
    texts: runtimeUnits,
  };
}

async function programs(diskImage: string): Promise<Readonly<Record<string, string>>> {
  const library = readdirSync(programFolder).filter((name) => name.endsWith('.mjs'));
  const onPath = ['crictl', 'date', 'dd', 'findmnt', 'lsblk', 'mv', 'sgdisk', 'sleep', 'udevadm'];
  return {
    ...(await nodeRuntime()).programs,
    'bin/oc': join(programFolder, 'oc'),
    'libexec/sno-lab/node': realpathSync(process.execPath),
    'libexec/sno-lab/clock': join(programFolder, 'clock'),
    'libexec/sno-lab/machine-devices': join(programFolder, 'machine-devices'),
    'share/sno-lab/disk.img': diskImage,
    'libexec/sno-lab/die': join(programFolder, 'die'),
    'libexec/sno-lab/count-commands': join(programFolder, 'count-commands'),
    ...Object.fromEntries(
      ['crictl', 'oc'].map((name) => [
        `share/sno-lab/flags/${name}.json`,
        resolve(`test/support/command-flags/${name}.json`),
      ]),
    ),
    ...Object.fromEntries(library.map((name) => [`libexec/sno-lab/${name}`, join(programFolder, name)])),
    'local/bin/podman': join(programFolder, 'podman'),
    'share/sno-lab/containers.conf': join(programFolder, 'containers.conf'),
    'local/bin/coreos-installer': join(programFolder, 'coreos-installer'),
    ...coreosInstaller(),
    ...Object.fromEntries(onPath.map((name) => [`local/bin/${name}`, join(programFolder, name)])),
  };
}

/** Debian has no crio.service. */
const runtimeUnits = {
  // Empty means masked: containerd runs as crio.service on this machine, which loads the images itself.
  'lib/systemd/system/containerd.service': '',
  'lib/systemd/system/test-images.service': '',
  'lib/systemd/system/crio.service': `[Unit]
Description=containerd in CRI-O's place

[Service]
Type=notify
ExecStartPre=/usr/libexec/sno-lab/crio-prepare
ExecStart=/usr/bin/crio
ExecStartPost=/usr/libexec/sno-lab/import-images
Delegate=yes
KillMode=process
Restart=always
RestartSec=1
TimeoutStartSec=10min
`,
};

/** Debian has no units of these names, and the machine has no clock of its own. */
const units = {
  ...runtimeUnits,
  'lib/systemd/system/sno-lab-registry.service': `[Unit]
Description=The registries that the machine reaches
DefaultDependencies=no
After=sno-lab.service
Before=sysinit.target

[Service]
ExecStart=/usr/libexec/sno-lab/node /usr/libexec/sno-lab/registry.mjs
ExecStartPost=/bin/bash -c 'until [[ -e /run/sno-lab/registry ]]; do /usr/bin/sleep 0.1; done'
Restart=always
RestartSec=1
`,
  'lib/systemd/system/sno-lab.service': `[Unit]
Description=What the hardware of the machine would bring, and its seconds since boot
DefaultDependencies=no
Before=sysinit.target

[Service]
ExecStartPre=/usr/libexec/sno-lab/machine-devices
ExecStart=/usr/libexec/sno-lab/clock
Restart=always
RestartSec=1
`,
};

/** The disks of a machine. */
export interface Attached {
  /** The empty disk of the live system. */
  readonly disk?: Disk;
  /** The disk with the system that runs. */
  readonly systemDisk?: Disk;
  /** A stick with the payload. */
  readonly medium?: Medium;
}

/** Boots a machine of the lab on a prepared root. A second boot on the same root is a reboot. */
export async function boot(system: System, root: string, attached: Attached = {}): Promise<Machine> {
  prepareRoot(system, root, attached);
  return startMachine({
    root,
    hostname: nodeName,
    addresses: system.network === 'namespace' ? [`${nodeAddress}/24`] : [],
    gateways: system.network === 'namespace' ? ['192.168.126.1'] : [],
    additions: system.additions,
    kubelet: '/usr/bin/kubelet',
  });
}

/** Writes the state that network and disk would provide before our units run. All but the disk only on the first boot. */
function prepareRoot(system: System, root: string, { disk, systemDisk, medium }: Attached): void {
  const state = join(root, 'var/lib/sno-lab');
  // The disk may have been replaced since the last boot.
  for (const [name, device] of [
    ['disk', (disk ?? systemDisk)?.device],
    ['system-disk', systemDisk?.device],
    ['medium', medium?.device],
  ] as const)
    if (device !== undefined) put(join(state, name), `${basename(device)} ${deviceNumber(device)}\n`);
  if (existsSync(join(root, 'etc/systemd/system.conf.d/90-lab.conf'))) return;
  const names = ['api', 'api-int', 'console-openshift-console.apps'].map(
    (name) => `${name}.${clusterDomain}`,
  );
  const { images } = system;
  if ('archive' in images) placeFile(images.archive, join(state, 'images.tar'));
  else {
    put(join(state, 'images.list'), images.imports);
    put(join(root, 'var/lib/kubelet/config.json'), images.pullSecret);
  }
  put(join(root, 'etc/hosts'), `127.0.0.1 localhost\n::1 localhost\n${nodeAddress} ${names.join(' ')}\n`);
  put(join(root, 'etc/resolv.conf'), `nameserver ${nodeAddress}\n`);
  put(join(root, 'etc/systemd/system.conf.d/90-lab.conf'), managerSettings);
  const wants = join(root, 'etc/systemd/system/sysinit.target.wants');
  mkdirSync(wants, { recursive: true });
  for (const unit of ['sno-lab.service', ...('archive' in images ? ['sno-lab-registry.service'] : [])])
    symlinkSync(`/usr/lib/systemd/system/${unit}`, join(wants, unit));
  put(join(root, 'etc/containers/policy.json'), '{"default":[{"type":"insecureAcceptAnything"}]}\n');
  if ('archive' in images) put(join(root, 'etc/containers/registries.conf.d/90-lab.conf'), registries);
}

/** The names of public registries are redirected to the machine's stub registry. Source: containers-registries.conf(5) */
const registries = ['quay.io', 'registry.lab.example']
  .map((name) => `[[registry]]\nprefix = "${name}"\nlocation = "127.0.0.1:5000/${name}"\ninsecure = true\n`)
  .join('\n');

const managerSettings =
  '[Manager]\nDefaultEnvironment=SNO_UPTIME_FILE=/run/sno-lab/uptime SNO_MINIMUM_MEMORY_MIB=1000\n';

function deviceNumber(device: string): string {
  return readFileSync(join('/sys/class/block', basename(device), 'dev'), 'utf8').trim();
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
