import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { endWithRunner } from './end-with-runner.js';
import { requireHost } from './host.js';
import { writeImageArchive, type Images } from './images.js';
import { writeOperatingSystem, type Additions } from './operating-system.js';
import { outputOf, runProgram, type ProgramResult } from './run-program.js';
import { waitUntil } from './wait-until.js';

export interface MachineOptions {
  /** The root written by the Ignition engine. The machine writes into it and next to it. It must be on a disk, not an overlay. */
  readonly root: string;
  /** The host name assigned by the network. /etc/hostname has precedence. */
  readonly hostname?: string;
  /** Addresses of eth0 with prefix length. Default: one of the documentation range (RFC 5737). */
  readonly addresses?: readonly string[];
  /** Gateways of the default routes. No host has these addresses. */
  readonly gateways?: readonly string[];
  /** Images in the container runtime, without a registry. */
  readonly images?: Images;
  /** Operating system files in addition to containerd and Debian's programs. */
  readonly additions?: Additions;
  /** The kubelet's path on the machine. Flags are added that make it independent of the host's cgroups and disk. */
  readonly kubelet?: string;
}

export interface Machine {
  /** Process ID of its systemd on the host. */
  readonly pid: number;
  /** Resolves when the machine ends without `stop`: `powered off`, `rebooted` or `killed`. */
  readonly exited: Promise<string>;
  /** Runs a program on the machine and returns its output. Throws its error output if it fails. */
  readonly exec: (argv: readonly string[], input?: string) => Promise<string>;
  /** Like exec, but returns the exit code instead of throwing. */
  readonly run: (argv: readonly string[], input?: string) => Promise<ProgramResult>;
  /** The journal of a unit, or the whole journal. */
  readonly journal: (unit?: string) => Promise<string>;
  /** Runs kubectl on the machine. `kubeconfig` is the text of the file. */
  readonly kubectl: (kubeconfig: string, argv: readonly string[], input?: string) => Promise<ProgramResult>;
  /** The host path of a path on the running machine. */
  readonly path: (path: string) => string;
  /** Kills all processes at once, like a power failure. The root is kept. */
  readonly stop: () => Promise<void>;
}

/**
 * Boots a machine: systemd in separate namespaces, with the programs of a CoreOS image. A second start on the same root is a
 * reboot of the same machine. Throws a one-line error if the host does not meet the requirements.
 */
export async function startMachine(options: MachineOptions): Promise<Machine> {
  requireHost(options.root);
  const folder = `${options.root}.machine`;
  const name = `sno-install-${process.pid}-${(machineCount += 1)}`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await writeOperatingSystem(join(folder, 'os'), options.additions ?? {});
  await provideImages(options);
  const launched = launch(options, folder, name);
  try {
    const machine = booted(folder, launched, name);
    const failed = launched.exited.then((status) => Promise.reject(new Error(`it ended: ${status}`)));
    return await Promise.race([machine, failed]);
  } catch (error) {
    await end(launched, name);
    throw new Error(`the machine did not start:\n${launched.said()}`, { cause: error });
  }
}

let machineCount = 0;

/** Written once, since containerd keeps imported images. */
async function provideImages({ root, images }: MachineOptions): Promise<void> {
  const folder = join(root, 'var/lib/test-machine');
  if (images === undefined || existsSync(folder)) return;
  mkdirSync(folder, { recursive: true });
  await writeImageArchive(images, join(folder, 'images.tar'));
}

interface Launched {
  readonly process: ChildProcess;
  readonly exited: Promise<string>;
  readonly said: () => string;
}

function launch(options: MachineOptions, folder: string, name: string): Launched {
  const script = join(import.meta.dirname, 'machine/start');
  // If the tests are killed, the machine is killed too.
  endWithRunner();
  const running = spawn('setpriv', ['--pdeathsig', 'KILL', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], ...variablesOf(options, folder, name) },
  });
  let said = '';
  for (const stream of [running.stdout, running.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const exited = new Promise<string>((resolve) => {
    running.on('error', (error) => {
      said += error.message;
      resolve('killed');
    });
    running.on('close', (_code, signal) => {
      resolve(exitText(signal));
    });
  });
  return { process: running, exited, said: () => said };
}

/** Environment variables of the script `start`. */
function variablesOf(
  { root, hostname, addresses, gateways, kubelet }: MachineOptions,
  folder: string,
  name: string,
): Readonly<Record<string, string>> {
  return {
    MACHINE_ROOT: root,
    MACHINE_FOLDER: folder,
    MACHINE_NAME: name,
    MACHINE_HOSTNAME: hostname ?? 'localhost',
    MACHINE_ADDRESSES: (addresses ?? ['192.0.2.10/24']).join(' '),
    MACHINE_GATEWAYS: (gateways ?? ['192.0.2.1']).join(' '),
    MACHINE_KUBELET: kubelet ?? '/usr/local/bin/kubelet',
  };
}

/** Signals by which the parent learns of a reboot(2) inside the machine. Source: reboot(2), "Behavior inside PID namespaces" */
function exitText(signal: NodeJS.Signals | null): string {
  if (signal === 'SIGINT') return 'powered off';
  return signal === 'SIGHUP' ? 'rebooted' : 'killed';
}

async function booted(folder: string, launched: Launched, name: string): Promise<Machine> {
  const pid = await waitUntil('the first process', () => readFile(join(folder, 'pid'), 'utf8'), {
    pauseMs: 50,
  });
  const machine = control(Number(pid), launched, name);
  await waitUntil('systemd to answer', () => machine.exec(['systemctl', 'list-jobs']));
  return machine;
}

function control(pid: number, launched: Launched, name: string): Machine {
  const inside = (argv: readonly string[]) => [
    'nsenter',
    '--target',
    `${pid}`,
    '--all',
    ...environment,
    ...argv,
  ];
  const path = (inner: string) => join(`/proc/${pid}/root`, inner);
  return {
    pid,
    exited: launched.exited,
    exec: (argv, input) => outputOf(inside(argv), input),
    run: (argv, input) => runProgram(inside(argv), input),
    journal: (unit) =>
      outputOf(
        inside([
          'journalctl',
          '--no-pager',
          '--output=short-iso',
          ...(unit === undefined ? [] : ['--unit', unit]),
        ]),
      ),
    kubectl: (kubeconfig, argv, input) => {
      const file = '/run/test-machine/kubeconfig';
      mkdirSync(dirname(path(file)), { recursive: true });
      writeFileSync(path(file), kubeconfig, { mode: 0o600 });
      return runProgram(inside(['kubectl', '--kubeconfig', file, ...argv]), input);
    },
    path,
    stop: () => end(launched, name),
  };
}

/** The environment of a shell on the machine, without variables of the tests. */
const environment = [
  'env',
  '--ignore-environment',
  'HOME=/root',
  'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
];

/** When the first process of a machine ends, the kernel ends all others and removes the mounts and network of the machine. */
async function end(launched: Launched, name: string): Promise<void> {
  launched.process.kill('SIGKILL');
  await launched.exited;
  await outputOf([join(import.meta.dirname, 'machine/forget'), name]);
}
