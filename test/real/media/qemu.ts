import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { pathOfProgram } from '../../support/programs.js';

/** Settings of a machine. */
export interface MachineParts {
  /** Boot options: `fromImage` or `fromNetwork`. */
  readonly start: readonly string[];
  /** WWN of the empty installation disk. */
  readonly diskWwn: string;
  /** Folder for the machine's files. */
  readonly folder: string;
}

/** Boots from an image, as a CD or a USB stick. */
export function fromImage(iso: string, firmware: 'BIOS' | 'UEFI', medium: 'cd' | 'stick'): readonly string[] {
  const device = medium === 'cd' ? 'scsi-cd' : 'virtio-blk-pci';
  return [
    ...(firmware === 'UEFI' ? ['-bios', '/usr/share/ovmf/OVMF.fd'] : []),
    ...drive('medium', iso, 'readonly=on'),
    ...['-device', `${device},drive=medium,bootindex=1`],
  ];
}

/** Boots from the network with an iPXE script at this URL. */
export function fromNetwork(script: string): readonly string[] {
  return [...['-kernel', '/usr/lib/ipxe/ipxe.lkrn'], ...networkCard(`,bootfile=${script}`)];
}

/** A network card; a machine that boots from a minimal ISO also needs one. */
export function networkCard(settings = ''): readonly string[] {
  return ['-netdev', `user,id=net${settings}`, '-device', 'virtio-net-pci,netdev=net'];
}

/** Another disk, which the machine cannot change. */
export function secondDisk(file: string): readonly string[] {
  return [...drive('second', file, 'readonly=on'), '-device', 'virtio-blk-pci,drive=second'];
}

function drive(id: string, file: string, ...more: readonly string[]): readonly string[] {
  return ['-drive', ['if=none', `id=${id}`, 'format=raw', `file=${file}`, ...more].join(',')];
}

/** The results of a machine that has turned off. */
export interface Boot {
  /** The serial console, without colour codes. */
  readonly console: string;
  /** The folder with the files that the initramfs wrote to the root before switching to it. */
  readonly laid: string;
}

/** Runs a virtual machine from power on until it turns itself off. */
export async function boot({ start, diskWwn, folder }: MachineParts): Promise<Boot> {
  const at = (name: string): string => join(folder, name);
  const laid = at('laid');
  mkdirSync(laid, { recursive: true });
  for (const [name, bytes] of [
    ['disk', diskBytes],
    ['laid.tar', laidBytes],
  ] as const) {
    writeFileSync(at(name), '');
    truncateSync(at(name), bytes);
  }
  await untilOff(
    pathOfProgram('qemu-system-x86_64') ?? 'qemu-system-x86_64',
    [
      ...['-machine', 'q35,accel=tcg', '-smp', '1', '-m', '1536', '-nodefaults', '-display', 'none'],
      ...['-no-reboot', '-serial', `file:${at('console')}`],
      ...['-device', 'virtio-rng-pci', '-device', 'virtio-scsi-pci'],
      ...start,
      ...drive('disk', at('disk')),
      ...['-device', `scsi-hd,drive=disk,wwn=${diskWwn}`],
      ...drive('laid', at('laid.tar')),
      ...['-device', 'virtio-blk-pci,drive=laid,serial=laid'],
    ],
    at('console'),
  );
  const tar = ['--extract', '--numeric-owner', '--same-permissions', '--file', at('laid.tar')];
  spawnSync('tar', [...tar, '--directory', laid]);
  return { console: consoleOf(at('console')), laid };
}

/** The size that the node requires. The file is sparse. */
const diskBytes = 130e9;
const laidBytes = 64 * 1024 * 1024;

/** A boot takes 45 seconds of one core. With ten other processes on that core it took seven minutes. */
const longestBootMs = 20 * 60_000;

/** Runs QEMU, or a program that executes it, until the machine turns itself off. The console goes to a file. */
export function untilOff(program: string, args: readonly string[], console: string): Promise<void> {
  const machine = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: longestBootMs,
    // QEMU treats SIGTERM as a shutdown and exits with 0.
    killSignal: 'SIGKILL',
  });
  const kill = (): void => {
    machine.kill('SIGKILL');
  };
  process.once('exit', kill);
  let stderr = '';
  machine.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    machine.on('error', reject);
    machine.on('close', (code) => {
      process.off('exit', kill);
      if (code === 0) resolve();
      else
        reject(
          new Error(
            `the machine ended with ${code ?? 'a signal'}: ${stderr}\n${consoleOf(console).slice(-4000)}`,
          ),
        );
    });
  });
}

/** The contents of a console, without colour codes. */
export function consoleOf(path: string): string {
  // Control sequences. Source: ECMA-48 §5.4
  return readFileSync(path, 'utf8')
    .replace(/\u001b\[[0-?]*[ -/]*[@-~]/g, '')
    .replaceAll('\r', '');
}
