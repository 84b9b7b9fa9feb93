import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { innerManifestText, readPayloadManifest } from '../../../src/config/reading/payload-manifest.js';
import type { PayloadManifest } from '../../../src/config/schema/payload-schema.js';
import { sha256 } from '../../../src/formats/sha256.js';
import { makeRelease, writeStorage } from '../../payload/made-release.js';
import { payloadPlace } from '../../payload/payload-place.js';
import { scratchFolder } from '../../support/scratch.js';
import { expectOk } from '../../support/sound-value.js';

/** A payload of a small release, and the settings that the node has for it. */
export interface MadePayload {
  readonly file: string;
  readonly bytes: number;
  readonly settings: Readonly<Record<string, string>>;
  readonly manifest: PayloadManifest;
}

export async function madePayload(): Promise<MadePayload> {
  const release = await makeRelease();
  const { cwd, create } = payloadPlace(release);
  writeStorage(join(cwd, 'mirror'), release);
  const created = await create('--from', 'mirror', '--out', 'x.payload');
  if (created.code !== 0) throw new Error(created.stderr);
  const file = join(cwd, 'x.payload');
  const manifest = expectOk(readPayloadManifest(readFileSync(`${file}.json`, 'utf8'), 'x'));
  const { bytes, sha256: sum } = manifest.fileSystem ?? { bytes: 0, sha256: '' };
  return {
    file,
    bytes,
    manifest,
    settings: {
      SNO_PAYLOAD_NAME: 'x.payload',
      SNO_PAYLOAD_BYTES: String(bytes),
      SNO_PAYLOAD_SHA256: sum,
      SNO_PAYLOAD_MANIFEST_SHA256: sha256(innerManifestText(manifest)),
      SNO_PAYLOAD_VERIFY: 'Manifest',
      SNO_PAYLOAD_REGISTRY_IS_OF_RELEASE: '1',
    },
  };
}

/** A disk or CD of the machine: a file behind a loop device. */
export interface Disk {
  readonly path: string;
  readonly type: 'disk' | 'rom' | 'part';
  readonly label?: string;
}

/** A machine with real disks, loop devices, mounts and programs, but its own view of the disks (lsblk) and no podman. */
export interface PayloadMachine {
  readonly root: string;
  readonly addDisk: (file: string, kind: Omit<Disk, 'path'>) => string;
  readonly set: (settings: Readonly<Record<string, string>>) => void;
  readonly run: (
    script: string,
    ...args: readonly string[]
  ) => { readonly status: number | null; readonly text: string };
  readonly read: (path: string) => string;
  /** Variables of the scripts. */
  readonly environment: Record<string, string>;
  readonly remove: () => void;
}

/** The part of install-to-disk.sh that checks the disk and copies the payload. */
const copyScript = `#!/usr/bin/env bash
set -Eeuo pipefail
source "$(dirname "\${BASH_SOURCE[0]}")/sno-common.sh"
source "\${SNO_BIN_DIR}/sno-etcd.sh"
source "\${SNO_BIN_DIR}/sno-preflight-disk.sh"
source "\${SNO_BIN_DIR}/sno-payload-disk.sh"
record_begin
check_installation_disk
run_always copy-payload copy_payload
echo "\${coreos_installer}"
`;

const scripts = ['templates/live/usr/local/bin', 'templates/payload/usr/local/bin'];

export function payloadMachine(settings: Readonly<Record<string, string>>): PayloadMachine {
  const root = scratchFolder();
  for (const folder of ['bin', 'stubs', 'etc/issue.d', 'opt/openshift'])
    mkdirSync(join(root, folder), { recursive: true });
  for (const folder of scripts)
    for (const name of readdirSync(folder)) copyFileSync(join(folder, name), join(root, 'bin', name));
  writeFileSync(join(root, 'bin/copy-payload.sh'), copyScript);
  for (const [name, text] of Object.entries(stubs)) {
    writeFileSync(join(root, 'stubs', name), text);
    chmodSync(join(root, 'stubs', name), 0o755);
  }
  const disks: Disk[] = [];
  let sno: Readonly<Record<string, string>> = {
    SNO_INSTALLATION_DISK: '',
    SNO_API_CHECK: 'None',
    SNO_NODE_IP: '',
    SNO_COREOS_INSTALLER: 'null',
  };
  let payload = settings;
  const env = (values: Readonly<Record<string, string>>): string =>
    Object.entries(values)
      .map(([name, value]) => `${name}='${value}'\n`)
      .join('');
  const write = (): void => {
    writeFileSync(join(root, 'opt/openshift/sno-install.env'), env(sno));
    writeFileSync(join(root, 'opt/openshift/sno-payload.env'), env(payload));
    writeFileSync(join(root, 'disks.json'), JSON.stringify(disks));
  };
  write();
  const environment: Record<string, string> = {
    PATH: `${join(root, 'stubs')}:/usr/sbin:/usr/bin:/sbin:/bin`,
    NODE: process.execPath,
    MACHINE: root,
    SNO_HOME: join(root, 'opt/openshift'),
    SNO_ETC: join(root, 'etc'),
    SNO_RUN_DIR: join(root, 'run'),
    SNO_BIN_DIR: join(root, 'bin'),
    SERVICE_RECORDS_DIR: join(root, 'records'),
    SNO_PAYLOAD_LIMIT_SECONDS: '0',
    SNO_MINIMUM_DISK_GB: '0',
    SNO_MINIMUM_SYSTEM_MIB: '0',
  };
  return {
    root,
    environment,
    addDisk: (file, kind) => {
      const path = runText('losetup', ['--find', '--show', file]).trim();
      disks.push({ path, ...kind });
      write();
      return path;
    },
    set: (given) => {
      payload = { ...payload, ...pick(given, 'SNO_PAYLOAD') };
      sno = { ...sno, ...pick(given, 'SNO_', 'SNO_PAYLOAD') };
      write();
    },
    run: (script, ...args) => {
      const result = spawnSync('bash', [join(root, 'bin', script), ...args], {
        encoding: 'utf8',
        env: environment,
      });
      return { status: result.status, text: `${result.stdout}${result.stderr}` };
    },
    read: (path) => readFileSync(join(root, path), 'utf8'),
    remove: () => {
      spawnSync('umount', [join(root, 'run/payload')]);
      const own = disks.map(({ path }) => path);
      const loops = runText('losetup', ['--list', '--noheadings', '--output', 'NAME,BACK-FILE'])
        .split('\n')
        .map((line) => line.trim().split(/\s+/));
      // Partitions are behind disks, and the payload may be behind a partition.
      for (let depth = 0; depth < 2; depth += 1)
        for (const [name = '', file = ''] of loops)
          if (own.includes(file) && !own.includes(name)) own.push(name);
      for (const path of own.toReversed()) spawnSync('losetup', ['--detach', path]);
    },
  };
}

function pick(
  values: Readonly<Record<string, string>>,
  prefix: string,
  except = '\0',
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => name.startsWith(prefix) && !name.startsWith(except)),
  );
}

function runText(program: string, args: readonly string[]): string {
  const result = spawnSync(program, args, { encoding: 'utf8' });
  if (result.status !== 0) throw new Error(`${program}: ${result.stderr}`);
  return result.stdout;
}

/** An empty file of this size. */
export function emptyDisk(bytes: number): string {
  const file = join(scratchFolder(), 'disk');
  writeFileSync(file, '');
  truncateSync(file, bytes);
  return file;
}

/**
 * lsblk with the disks of the test. The kernel of the test may have no partition scanning, so partitions are loop devices too, made from
 * the real table of the disk.
 */
const lsblk = `#!/bin/sh
exec "$NODE" "$MACHINE/stubs/lsblk.mjs" "$@"
`;

const lsblkProgram = `
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
const machine = process.env.MACHINE;
const run = (program, ...args) => execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
const kept = machine + '/partitions.json';
const known = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : {};
function partitionsOf(path) {
  let table;
  try { table = JSON.parse(run('sfdisk', '--json', path)).partitiontable; } catch { return []; }
  return table.partitions.map(({ start, size, name, node }) => {
    const key = [path, start, size].join(' ');
    known[key] ??= run('losetup', '--find', '--show', '--offset', String(start * 512), '--sizelimit', String(size * 512), path).trim();
    return { name: known[key], kname: known[key], type: 'part', partlabel: name ?? null, mountpoint: null, size: size * 512 };
  });
}
const wanted = process.argv.slice(2).filter((each) => each.startsWith('/dev/'));
const disks = JSON.parse(readFileSync(machine + '/disks.json', 'utf8'));
const devices = disks
  .filter(({ path }) => wanted.length === 0 || wanted.includes(path))
  .map(({ path, type, label }) => {
    const children = type === 'disk' ? partitionsOf(path) : [];
    return { name: path, kname: path, type, partlabel: label ?? null, size: Number(run('blockdev', '--getsize64', path)), ro: false,
      mountpoint: null, ptuuid: null, pttype: children.length > 0 ? 'gpt' : null, serial: null, wwn: null, ...(children.length > 0 && { children }) };
  });
writeFileSync(kept, JSON.stringify(known));
if (process.argv.includes('--json')) console.log(JSON.stringify({ blockdevices: devices }));
else console.log(devices.flatMap((each) => [each.name, ...(each.children ?? []).map(({ name }) => name)]).join('\\n'));
`;

/** Instead of a container, it runs Debian's registry with the variables and folders of the container. */
const podman = `#!/bin/bash
echo "$@" >>"$MACHINE/podman"
case "$1" in
  pull) test -d "\${3#dir:}" && echo 0123abcd; exit ;;
  run) ;;
  *) exit 0 ;;
esac
for word in "$@"; do
  case "$word" in --volume=*) IFS=: read -r from to _ <<<"\${word#--volume=}"; folders+="s,=$to,=$from,;" ;; esac
done
for word in "$@"; do
  case "$word" in --env=*) export "$(sed "$folders" <<<"\${word#--env=}")" ;; esac
done
printf 'version: 0.1\nstorage: {filesystem: {rootdirectory: /nowhere}}\nhttp: {addr: ":5000"}\n' >"$MACHINE/registry.yml"
exec docker-registry serve "$MACHINE/registry.yml"
`;

const stubs: Readonly<Record<string, string>> = {
  lsblk,
  'lsblk.mjs': lsblkProgram,
  findmnt: '#!/bin/sh\ncat "$MACHINE/medium" 2>/dev/null\n',
  podman,
  systemctl: '#!/bin/sh\necho "$@" >>"$MACHINE/systemctl"\n',
  udevadm: '#!/bin/sh\nexit 0\n',
  partx: '#!/bin/sh\nexit 0\n',
  hostname: '#!/bin/sh\necho site1\n',
};
