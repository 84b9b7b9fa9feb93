import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { etcdSnapshot } from '../../../src/node/live/etcd-snapshot.js';
import { withoutSystemTrust } from '../../support/openssl.js';
import { pathOfProgram } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';
import {
  clusterUuid,
  envText,
  leftByBootkube,
  stubFiles,
  stubbedPrograms,
  usualVariables,
} from './machine-files.js';
import { callsOf, filesBelow } from '../support/machine-traces.js';
import { scaledMs } from '../../support/time-scale.js';

/** A folder that simulates a machine for the scripts. Stubs replace every program that would change a real machine. */
export interface Machine {
  /** The folder of the machine's `/`. */
  readonly root: string;
  /** The folder of the stubs' files. */
  readonly stub: string;
  /** Runs a script of the machine's /usr/local/bin, unchanged. */
  run(script: string, options?: RunOptions): ScriptRun;
  /** Runs bash code after sourcing a library like the scripts do. */
  source(library: string, code: string, variables?: Readonly<Record<string, string>>): ScriptRun;
  /** The calls of a stub so far: arguments joined by blanks. */
  calls(program: string): readonly string[];
  forgetCalls(): void;
  /** The path is relative to the root. */
  write(path: string, text: string, mode?: number): void;
  read(path: string): string;
  has(path: string): boolean;
  /** Every file and link below the root, sorted, with `/` first. */
  list(): readonly string[];
  /** Permission bits, in octal. */
  modeOf(path: string): string;
  /** Makes a stub fail. The names are those of stub.sh. */
  fail(name: string, times: number | 'always'): void;
  /** Sets the output of a stub. The names are those of stub.sh. */
  answer(name: string, text: string): void;
  /** Kills the process group of the script in this call. The names are those of stub.sh. */
  killAt(name: string, callsBefore?: number): void;
  /** Seconds since 1970. */
  setClock(seconds: number): void;
  /** Stages in a service's record with their results, in order. */
  stages(service: string): readonly string[];
  /** The text above the console's login prompt, without colors. */
  console(): string;
}

export interface ScriptRun {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly args?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
}

/** A machine without any of the installer's files. */
export function emptyMachine(): Machine {
  const folder = scratchFolder();
  const [root, stub, programs] = [join(folder, 'root'), join(folder, 'stub'), join(folder, 'programs')];
  for (const path of ['root', 'tmp']) mkdirSync(join(root, path), { recursive: true });
  mkdirSync(programs, { recursive: true });
  for (const name of stubbedPrograms) symlinkSync(resolve('test/shell/disk/stub.sh'), join(programs, name));
  for (const name of ['date', 'sleep'])
    symlinkSync(resolve('test/shell/disk/clock.sh'), join(programs, name));
  for (const [path, text] of Object.entries(stubFiles)) put(join(stub, path), text);
  return machineOf(root, stub, programs);
}

/** Records the process ID before exec of the script, so that a stub can kill it. */
const startNoted = 'echo "${$}" >"${STUB}/pid"; exec bash "${0}" "${@}"';

function sourceThen(library: string, code: string): string {
  const sources = ['sno-common.sh', 'sno-checks.sh', 'sno-etcd.sh', library];
  const lines = [...new Set(sources)].map((name) => `source "$(dirname "$0")/${name}"`);
  return ['set -Eeuo pipefail', ...lines, code].join('\n');
}

/** The environment of a machine's scripts and stubs. */
export function machineEnvironment(
  root: string,
  stub: string,
  ...programs: readonly string[]
): Readonly<Record<string, string>> {
  return {
    PATH: [...programs, '/usr/sbin:/usr/bin:/sbin:/bin'].join(':'),
    HOME: join(root, 'root'),
    SNO_ROOT: root,
    SNO_UPTIME_FILE: join(stub, 'uptime'),
    SNO_MEMINFO_FILE: join(stub, 'answers/meminfo'),
    STUB: stub,
    NODE: process.execPath,
    STAND_IN: resolve('test/shell/disk/butane-stand-in.mjs'),
    BUTANE: pathOfProgram('butane') ?? '',
    ...withoutSystemTrust,
  };
}

function machineOf(root: string, stub: string, programs: string): Machine {
  const at = (path: string) => join(root, path);
  const bash = (command: readonly string[], variables: Readonly<Record<string, string>>): ScriptRun => {
    const { status, signal, stdout, stderr } = spawnSync('bash', ['-c', ...command], {
      encoding: 'utf8',
      timeout: scaledMs(50_000),
      env: { ...machineEnvironment(root, stub, programs), ...variables },
    });
    return { status, signal, stdout, stderr };
  };
  const machine: Machine = {
    root,
    stub,
    run: (script, { args = [], variables = {} } = {}) =>
      bash([startNoted, at(`usr/local/bin/${script}`), ...args], variables),
    source: (library, code, variables = {}) =>
      bash([sourceThen(library, code), at('usr/local/bin/script.sh')], variables),
    calls: (program) => callsOf(program, stub, root),
    forgetCalls: () => {
      writeFileSync(join(stub, 'calls'), '');
    },
    write: (path, text, mode = 0o600) => {
      put(at(path), text, mode);
    },
    read: (path) => readFileSync(at(path), 'utf8'),
    has: (path) => existsSync(at(path)),
    list: () => filesBelow(root).map((path) => `/${path}`),
    modeOf: (path) => (statSync(at(path)).mode & 0o7777).toString(8),
    fail: (name, times) => {
      put(join(stub, 'fail', name), `${times}\n`);
    },
    answer: (name, text) => {
      put(join(stub, 'answers', name), text);
    },
    killAt: (name, callsBefore = 0) => {
      put(join(stub, 'kill', name), `${callsBefore}\n`);
    },
    setClock: (seconds) => {
      put(join(stub, 'clock'), `${Math.trunc(seconds)}\n`);
    },
    stages: (service) => stagesIn(machine.read(`var/log/openshift/${service}.json`)),
    console: () =>
      filesBelow(at('etc/issue.d'))
        .filter((path) => !path.startsWith('30_'))
        .map((path) => machine.read(`etc/issue.d/${path}`).replace(/\\e\{\w+\}/g, ''))
        .join(''),
  };
  return machine;
}

export interface LiveSetup {
  /** Variables of the env file that differ from the defaults. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly hostname?: string;
  readonly nodeIP?: string;
  /** File names of scripts that this test stubs. By default the log gathering script is stubbed. */
  readonly stubbedScripts?: readonly string[];
}

/** A live system in the state in which bootkube calls bootstrap-in-place.sh. */
export function liveMachine(setup: LiveSetup = {}): Machine {
  const machine = emptyMachine();
  const { variables = {}, stubbedScripts = ['installer-gather.sh'], hostname, nodeIP } = setup;
  const live = resolve('templates/live');
  const bin = join(machine.root, 'usr/local/bin');
  mkdirSync(bin, { recursive: true });
  for (const name of readdirSync(join(live, 'usr/local/bin'))) {
    const stub = resolve('test/shell/disk/stub.sh');
    symlinkSync(stubbedScripts.includes(name) ? stub : join(live, 'usr/local/bin', name), join(bin, name));
  }
  for (const path of filesBelow(join(live, 'opt')))
    machine.write(`opt/${path}`, readFileSync(join(live, 'opt', path), 'utf8'));
  for (const [path, text] of Object.entries(leftByBootkube)) machine.write(path, text);
  const description = etcdSnapshot(
    { ...(hostname && { hostname }), ...(nodeIP && { nodeIP }), renderedBy: 'Release' },
    clusterUuid,
  );
  machine.write('opt/openshift/etcd-snapshot/snapshot.json', JSON.stringify(description));
  machine.write('opt/openshift/sno-install.env', envText({ ...usualVariables, ...variables }));
  mkdirSync(join(machine.root, 'dev/disk/by-id'), { recursive: true });
  machine.write('dev/sda', '');
  symlinkSync('../../sda', join(machine.root, 'dev/disk/by-id/test'));
  return machine;
}

/** Writes a file and creates its folders. Replaces an existing read-only file. */
export function put(path: string, text: string | Uint8Array, mode = 0o600): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode });
}

function stagesIn(record: string): readonly string[] {
  const entries = JSON.parse(record) as readonly Readonly<Record<string, string>>[];
  return entries
    .filter((entry) => entry['phase'] === 'stage end')
    .map((entry) => `${entry['stage'] ?? ''} ${entry['result'] ?? ''}`);
}
