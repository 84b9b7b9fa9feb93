// A stub of coreos-installer, for hosts without a build of the real one. It makes the same checks, writes the image, writes the
// Ignition config into the file system labelled boot, and appends NetworkManager profiles to the initramfs there.
// Source: coreos-installer 0.27 src/install.rs
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const image = '/usr/share/sno-lab/disk.img';
const args = process.argv.slice(2);
if (args[0] !== 'install') stop('unrecognized subcommand');
let disk;
let config;
let copyNetwork = false;
for (let index = 1; index < args.length; index += 1) {
  const word = args[index];
  if (word === '--copy-network') copyNetwork = true;
  else if (word === '--ignition-file') config = args[(index += 1)];
  else if (word === '--') disk = args[(index += 1)];
  else stop(`unexpected argument '${word}'`);
}
if (disk === undefined) stop('destination device must be specified');
const document = JSON.parse(readFileSync(config, 'utf8'));
if (typeof document.ignition?.version !== 'string') stop('config is no Ignition config');
if (!statSync(disk).isBlockDevice()) stop(`${disk} is not a block device`);
const mounted = run('lsblk', ['--noheadings', '--output=MOUNTPOINT', disk]).trim();
if (mounted !== '') stop(`found busy partitions: ${mounted}`);
run('dd', [`if=${image}`, `of=${disk}`, 'bs=1M', 'conv=sparse,notrunc,fsync', 'status=none']);
// Registers the image's partitions with the kernel: the machine has no loop devices to mount them by.
run('udevadm', ['settle']);
const { partitiontable } = JSON.parse(run('sfdisk', ['--json', disk]));
const boot = partitiontable.partitions.findIndex(({ name }) => name === 'boot') + 1;
const folder = mkdtempSync('/run/coreos-installer-');
run('mount', [`${realpathSync(disk)}p${boot}`, folder]);
mkdirSync(join(folder, 'ignition'), { recursive: true, mode: 0o700 });
writeFileSync(join(folder, 'ignition/config.ign'), readFileSync(config), { mode: 0o600 });
const keyfiles = '/etc/NetworkManager/system-connections';
if (copyNetwork && existsSync(keyfiles)) appendToInitramfs();
run('umount', [folder]);

function appendToInitramfs() {
  const entries = join(folder, 'loader/entries');
  const entry = readFileSync(join(entries, readdirSync(entries)[0]), 'utf8');
  const staging = mkdtempSync('/run/coreos-installer-');
  mkdirSync(join(staging, 'etc'));
  run('cp', ['--recursive', keyfiles, join(staging, 'etc/coreos-firstboot-network')]);
  const initramfs = join(folder, /^initrd (.*)$/m.exec(entry)[1]);
  run('sh', [
    '-c',
    'cd "$1" && find . -type f | cpio --create --format=newc --quiet >>"$2"',
    'sh',
    staging,
    initramfs,
  ]);
}

function run(program, words) {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8' });
  if (status !== 0) stop(`${program}: ${stderr}`);
  return stdout;
}

function stop(message) {
  console.error(`Error: ${message}`);
  process.exit(1);
}
