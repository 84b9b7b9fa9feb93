import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { pathOfProgram } from '../../support/programs.js';

/** What a machine is made of. */
export interface MachineParts {
  /** What it starts from: `fromImage` or `fromNetwork`. */
  readonly start: readonly string[];
  /** Of the disk that is to be installed to, which is empty. */
  readonly diskWwn: string;
  /** For what it writes. */
  readonly folder: string;
}

/** A machine that starts from an image, which is in it as a CD or as a memory stick. */
export function fromImage(iso: string, firmware: 'BIOS' | 'UEFI', medium: 'cd' | 'stick'): readonly string[] {
  const device = medium === 'cd' ? 'scsi-cd' : 'virtio-blk-pci';
  return [
    ...(firmware === 'UEFI' ? ['-bios', '/usr/share/ovmf/OVMF.fd'] : []),
    ...drive('medium', iso, 'readonly=on'),
    ...['-device', `${device},drive=medium,bootindex=1`],
  ];
}

/** A machine with a network, on which a script for iPXE is at a URL. */
export function fromNetwork(script: string): readonly string[] {
  return [...['-kernel', '/usr/lib/ipxe/ipxe.lkrn'], ...networkCard(`,bootfile=${script}`)];
}

/** What else a machine needs that starts from an image and fetches its root from the network. */
export function networkCard(settings = ''): readonly string[] {
  return ['-netdev', `user,id=net${settings}`, '-device', 'virtio-net-pci,netdev=net'];
}

function drive(id: string, file: string, ...more: readonly string[]): readonly string[] {
  return ['-drive', ['if=none', `id=${id}`, 'format=raw', `file=${file}`, ...more].join(',')];
}

/** What a machine said and did until it was turned off. */
export interface Boot {
  /** Its serial console, without the codes for colours. */
  readonly console: string;
  /** The folder with everything that came to lie over the root before it was switched to. */
  readonly laid: string;
}

/** A virtual machine from power on until it turns itself off. */
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

/** As the node wants it; it takes no room until something is written. */
const diskBytes = 130e9;
const laidBytes = 64 * 1024 * 1024;

/** A boot takes 45 seconds of one core; seven minutes were seen where ten others wanted that core. */
const longestBootMs = 20 * 60_000;

/** Runs a program that is QEMU, or becomes it, until the machine turns itself off. Its console goes to a file. */
export function untilOff(program: string, args: readonly string[], console: string): Promise<void> {
  const machine = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: longestBootMs,
    // QEMU takes SIGTERM for being turned off, and ends well.
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

/** What a console said, without the codes for colours. */
export function consoleOf(path: string): string {
  // Control sequences of ECMA-48 §5.4.
  return readFileSync(path, 'utf8')
    .replace(/\u001b\[[0-?]*[ -/]*[@-~]/g, '')
    .replaceAll('\r', '');
}
