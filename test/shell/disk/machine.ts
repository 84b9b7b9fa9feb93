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
import { basename, dirname, join, resolve } from 'node:path';

import { etcdSnapshot } from '../../../src/assets/bootstrap/etcd-snapshot.js';
import { pathOfProgram } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';

/** A folder that looks like a machine to the scripts, with stubs for every program that would touch a real one. */
export interface Machine {
  /** Where `/` of the machine lies. */
  readonly root: string;
  /** The stubs' own folder. */
  readonly stub: string;
  /** Runs a script of the machine's /usr/local/bin, unchanged. */
  run(script: string, options?: RunOptions): ScriptRun;
  /** Runs bash code after a library has been sourced as the scripts source it. */
  source(library: string, code: string, variables?: Readonly<Record<string, string>>): ScriptRun;
  /** The calls of a stub so far, each as its arguments joined by blanks. */
  calls(program: string): readonly string[];
  /** Forgets the calls so far. */
  forgetCalls(): void;
  /** Below the root. */
  write(path: string, text: string, mode?: number): void;
  read(path: string): string;
  has(path: string): boolean;
  /** Every file and link below the root, sorted, with `/` first. */
  list(): readonly string[];
  /** Permission bits, in octal. */
  modeOf(path: string): string;
  /** Makes a stub fail so many times, or always; the names are those of stub.sh. */
  fail(name: string, times: number | 'always'): void;
  /** What a stub prints; the names are those of stub.sh. */
  answer(name: string, text: string): void;
  /** The call that kills its whole process group; the names are those of stub.sh. */
  killAt(name: string, callsBefore?: number): void;
  /** Stages of a service's record and how each ended, in order. */
  stages(service: string): readonly string[];
  /** What stands above the console's login prompt, without colours. */
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

/** The clock of the machine, inside the validity of its certificates. */
export const machineClock = 1_767_323_045;
export const clusterUuid = '2f6c5a6e-6f0d-4c0e-9b1a-0d8a4f0c1b2d';
export const etcdImage = 'example.com/ocp/etcd:test';
export const cidr = '192.168.126.0/24';

/** A machine without a file of ours on it. */
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

/** Notes the process before it becomes the script, so that a stub can kill it. */
const startNoted = 'echo "${$}" >"${STUB}/pid"; exec bash "${0}" "${@}"';

function sourceThen(library: string, code: string): string {
  const sources = ['sno-common.sh', 'sno-checks.sh', 'sno-etcd.sh', library];
  const lines = [...new Set(sources)].map((name) => `source "$(dirname "$0")/${name}"`);
  return ['set -Eeuo pipefail', ...lines, code].join('\n');
}

function environmentOf(root: string, stub: string, programs: string): Readonly<Record<string, string>> {
  return {
    PATH: `${programs}:/usr/sbin:/usr/bin:/sbin:/bin`,
    HOME: join(root, 'root'),
    SNO_ROOT: root,
    SNO_UPTIME_FILE: join(stub, 'uptime'),
    SNO_MEMINFO_FILE: join(stub, 'answers/meminfo'),
    STUB: stub,
    NODE: process.execPath,
    STAND_IN: resolve('test/shell/disk/butane-stand-in.mjs'),
    BUTANE: pathOfProgram('butane') ?? '',
  };
}

function machineOf(root: string, stub: string, programs: string): Machine {
  const at = (path: string) => join(root, path);
  const bash = (command: readonly string[], variables: Readonly<Record<string, string>>): ScriptRun => {
    const { status, signal, stdout, stderr } = spawnSync('bash', ['-c', ...command], {
      encoding: 'utf8',
      timeout: 50_000,
      env: { ...environmentOf(root, stub, programs), ...variables },
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
    calls: (program) =>
      callsIn(stub)
        .filter(([name]) => name === program)
        .map(([, ...args]) => args.join(' ').replaceAll(root, '')),
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
  /** Variables of the env file that differ from the usual ones. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly hostname?: string;
  readonly nodeIP?: string;
  /** Scripts that this test replaces by a stub, by file name. Gathering logs is one, unless the test is about it. */
  readonly stubbedScripts?: readonly string[];
}

/** A machine in the live system as bootkube leaves it before it calls bootstrap-in-place.sh. */
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
  const description = etcdSnapshot({ ...(hostname && { hostname }), ...(nodeIP && { nodeIP }) }, clusterUuid);
  machine.write('opt/openshift/etcd-snapshot/snapshot.json', JSON.stringify(description));
  machine.write('opt/openshift/sno-install.env', envText({ ...usualVariables, ...variables }));
  mkdirSync(join(machine.root, 'dev/disk/by-id'), { recursive: true });
  machine.write('dev/sda', '');
  symlinkSync('../../sda', join(machine.root, 'dev/disk/by-id/test'));
  return machine;
}

const stubbedPrograms = [
  'agetty',
  'chown',
  'coreos-installer',
  'crictl',
  'curl',
  'findmnt',
  'getent',
  'hostname',
  'ip',
  'journalctl',
  'lsblk',
  'oc',
  'podman',
  'restorecon',
  'rm',
  'rpm-ostree',
  'sgdisk',
  'shutdown',
  'ss',
  'sync',
  'systemctl',
  'timedatectl',
] as const;

/** What stands on the live system when bootkube has applied the manifests; each file holds its own path. */
const leftByBootkube = Object.fromEntries(
  [
    'opt/openshift/auth/kubeconfig-loopback',
    'opt/openshift/bootstrap-manifests/kube-apiserver-pod.yaml',
    'opt/openshift/bootstrap-manifests/kube-controller-manager-pod.yaml',
    'opt/openshift/bootstrap-manifests/kube-scheduler-pod.yaml',
    'opt/openshift/original_cvo_overrides.patch',
    'opt/openshift/tls/etcd-ca-bundle.crt',
    'opt/openshift/tls/etcd-client.crt',
    'opt/openshift/tls/etcd-client.key',
    'opt/openshift/tls/service-account.key',
    'etc/kubernetes/bootstrap-configs/kube-apiserver-config.yaml',
    'etc/kubernetes/manifests/etcd-member-pod.yaml',
    'etc/kubernetes/static-pod-resources/etcd-member/ca.crt',
    'etc/kubernetes/static-pod-resources/etcd-member/etcd-all-certs/etcd-serving-sno1.crt',
    'etc/kubernetes/static-pod-resources/etcd-member/etcd-all-certs/etcd-serving-sno1.key',
  ].map((path) => [path, `${path}\n`]),
);

const usualVariables: Readonly<Record<string, string>> = {
  SNO_CLUSTER_NAME: 'sno',
  SNO_CLUSTER_DOMAIN: 'sno.example.com',
  SNO_API_HOST: 'api.sno.example.com',
  SNO_API_INT_HOST: 'api-int.sno.example.com',
  SNO_RELEASE_IMAGE: 'example.com/ocp/release:test',
  SNO_INSTALLATION_DISK: '/dev/disk/by-id/test',
  SNO_MACHINE_NETWORKS: cidr,
  SNO_HOSTNAME: '',
  SNO_NODE_IP: '',
  SNO_IP_FAMILY: '4',
  SNO_NOT_BEFORE: String(machineClock - 3600),
  SNO_NOT_AFTER: String(machineClock + 864_000),
};

/** The disk of the machine as lsblk shows it, idle and big enough; a test changes what it is about. */
export const idleDisk = {
  name: '/dev/sda',
  type: 'disk',
  size: 480_103_981_056,
  ro: false,
  mountpoint: null,
  ptuuid: '11111111-2222-3333-4444-555555555555',
  pttype: 'gpt',
};

/** What the machine-config server answers. */
export const masterConfig = {
  ignition: { version: '3.2.0' },
  passwd: { users: [{ name: 'core', sshAuthorizedKeys: ['ssh-ed25519 AAAA test'] }] },
  storage: {
    files: [
      {
        path: '/var/lib/kubelet/config.json',
        mode: 384,
        overwrite: true,
        contents: { source: 'data:,%7B%22auths%22%3A%7B%7D%7D' },
      },
    ],
  },
  systemd: {
    units: [{ name: 'kubelet.service', enabled: true, contents: '[Service]\nExecStart=/bin/true\n' }],
  },
};

const noContainers = JSON.stringify({ containers: [] });
const member = { name: 'etcd-sno1', peerURLs: ['https://192.168.126.10:2380'] };
const stubFiles: Readonly<Record<string, string>> = {
  calls: '',
  uptime: '1000 0\n',
  clock: `${machineClock}\n`,
  'answers/hostname': 'sno1\n',
  'answers/meminfo': 'MemTotal:       33554432 kB\n',
  'answers/crictl-ps': noContainers,
  'answers/curl': JSON.stringify(masterConfig),
  'answers/etcd-member-list': JSON.stringify({ header: { revision: 4711 }, members: [member] }),
  'answers/etcd-endpoint-status': JSON.stringify([
    { Status: { header: { revision: 4711 }, version: '3.5.18', dbSize: 20480 } },
  ]),
  'answers/etcd-snapshot-status': JSON.stringify({ hash: 1, revision: 4711, totalKey: 812, totalSize: 19 }),
  [`answers/ip-address-show-scope-global-to-${cidr.replace('/', '_')}`]:
    '2: eth0    inet 192.168.126.10/24 brd 192.168.126.255 scope global eth0\n',
  'answers/ip-address-show-scope-global':
    '2: eth0    inet 192.168.126.10/24 scope global eth0\n2: eth0    inet6 fd2e:6f44::10/64 scope global\n',
  'answers/getent-api-int.sno.example.com': '192.168.126.10 STREAM\n192.168.126.10 DGRAM\n',
  'answers/lsblk': '/dev/sda 447G disk\n/dev/sr0 1G rom\n',
  'answers/lsblk-pttype': 'gpt\n',
  'answers/lsblk.json': JSON.stringify({ blockdevices: [idleDisk] }),
};

export const usualEnvText = envText(usualVariables);

function envText(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}='${value}'\n`)
    .join('');
}

/** Writes a file with its folders; an older one may be read-only. */
export function put(path: string, text: string | Uint8Array, mode = 0o600): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode });
}

/** Every file and link below a folder, sorted, relative to it. */
export function filesBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  return files.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)).toSorted();
}

/** Calls end with a record separator, arguments with a unit separator: neither stands in an argument. */
function callsIn(stub: string): readonly (readonly string[])[] {
  const calls = readFileSync(join(stub, 'calls'), 'utf8').split('\u001e');
  return calls.slice(0, -1).map((call) => call.split('\u001f'));
}

function stagesIn(record: string): readonly string[] {
  const entries = JSON.parse(record) as readonly Readonly<Record<string, string>>[];
  return entries
    .filter((entry) => entry['phase'] === 'stage end')
    .map((entry) => `${entry['stage'] ?? ''} ${entry['result'] ?? ''}`);
}

/** The name that a script's record has when no unit runs it. */
export function recordOf(script: string): string {
  return basename(script, '.sh');
}
