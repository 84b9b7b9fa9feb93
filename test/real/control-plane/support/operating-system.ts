import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { pathOfProgram } from '../../../support/programs.js';
import { placeFile } from './place-file.js';
import { toolFolder } from './tools.js';

/** Files of an operating system image below /usr, in addition to Debian's own. Paths are relative to /usr. */
export interface Additions {
  readonly programs?: Readonly<Record<string, string>>;
  readonly texts?: Readonly<Record<string, string>>;
}

/**
 * Writes the overlay layer that turns this system's /usr into that of a CoreOS machine: containerd as in its image, units enabled by
 * presets only, no console prompts.
 */
export async function writeOperatingSystem(folder: string, additions: Additions): Promise<void> {
  const [containerd, programs] = await Promise.all([toolFolder('containerd'), toolFolder('programs')]);
  const files = {
    'bin/containerd': join(containerd, 'containerd'),
    'bin/containerd-shim-runc-v2': join(containerd, 'containerd-shim-runc-v2'),
    'bin/ctr': join(containerd, 'ctr'),
    // Debian's path of runc. It precedes /usr/bin in PATH.
    'sbin/runc': join(programs, 'runc-within-limits'),
    'libexec/test-machine/runc': debianRunc(),
    ...additions.programs,
  };
  for (const [path, source] of Object.entries(files)) placeFile(source, join(folder, path));
  for (const [path, text] of Object.entries({ ...units, ...additions.texts }))
    write(join(folder, path), text);
  link(folder, 'multi-user.target', 'test-images.service');
}

const units = {
  // Replaces Debian's file. Like Fedora's 99-default-disable.preset it leaves installed units disabled.
  'lib/systemd/system-preset/90-systemd.preset': 'disable *\n',
  // An empty file masks the unit. These two would prompt on a console that does not exist.
  'lib/systemd/system/systemd-firstboot.service': '',
  'lib/systemd/system/console-getty.service': '',
  // The machine runs on the kernel of the host.
  'lib/systemd/system/systemd-modules-load.service': '',
  // Fedora's containerd.service without the limits that this machine cannot raise.
  'lib/systemd/system/containerd.service': `[Unit]
Description=containerd container runtime
After=network.target

[Service]
ExecStart=/usr/bin/containerd
Type=notify
Delegate=yes
KillMode=process
Restart=always
RestartSec=5

[Install]
WantedBy=multi-user.target
`,
  // Replaces the registries, which the machine cannot reach.
  'lib/systemd/system/test-images.service': `[Unit]
Description=Import the images of the tests
ConditionPathExists=/var/lib/test-machine/images.tar
Requires=containerd.service
After=containerd.service
Before=kubelet.service

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/usr/bin/ctr --namespace k8s.io images import /var/lib/test-machine/images.tar
ExecStart=/usr/bin/rm /var/lib/test-machine/images.tar
`,
};

function debianRunc(): string {
  const path = pathOfProgram('runc');
  if (path === undefined) throw new Error('runc is missing: apt-get install runc');
  return realpathSync(path);
}

function link(folder: string, target: string, unit: string): void {
  const path = join(folder, `lib/systemd/system/${target}.wants/${unit}`);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(`../${unit}`, path);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
