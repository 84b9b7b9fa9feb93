import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { endWithRunner } from '../control-plane/support/end-with-runner.js';
import { toolFolder } from '../control-plane/support/tools.js';
import { waitUntil } from '../control-plane/support/wait-until.js';

/** Container settings in addition to those of the image. */
export interface ContainerOptions {
  /** Writable folders of this machine, by their path in the container. */
  readonly folders?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, string>>;
}

export interface ContainerResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A container that runs in the background. */
export interface RunningContainer {
  /** ID of its first process on this machine. */
  readonly pid: number;
  readonly said: () => string;
  readonly signal: (name: 'SIGTERM' | 'SIGKILL') => void;
  readonly exited: Promise<ContainerResult>;
}

/** A separate containerd with the image of an archive. */
export interface Containerd {
  /** Runs the entry point of the image with these arguments to its end. */
  readonly run: (args: readonly string[], options?: ContainerOptions) => Promise<ContainerResult>;
  readonly start: (args: readonly string[], options?: ContainerOptions) => Promise<RunningContainer>;
  readonly stop: () => Promise<void>;
}

const reference = 'localhost/sno-install:0.1.0';
const entryPoint = '/usr/bin/sno-install';

/** Default capabilities of containerd. Source: pkg/oci/spec.go of containerd, defaultUnixCaps */
const capabilities =
  'CHOWN DAC_OVERRIDE FSETID FOWNER MKNOD NET_RAW SETGID SETUID SETFCAP SETPCAP NET_BIND_SERVICE SYS_CHROOT KILL AUDIT_WRITE';

/** The restricted level of Pod Security, with a read-only root and the network of this machine. ctr sets no_new_privs by default. */
const restricted = [
  '--read-only',
  '--net-host',
  ...capabilities.split(' ').map((name) => `--cap-drop=CAP_${name}`),
];

/** Starts containerd and imports the archive. */
export async function startedContainerd(archive: string): Promise<Containerd> {
  const tools = await toolFolder('containerd');
  const root = mkdtempSync(join(tmpdir(), 'sno-image-'));
  const socket = join(root, 'sock');
  writeFileSync(join(root, 'config.toml'), configOf(root, socket));
  endWithRunner();
  const server = spawn(
    'setpriv',
    ['--pdeathsig', 'KILL', join(tools, 'containerd'), '--config', join(root, 'config.toml')],
    { stdio: 'ignore', env: { ...process.env, PATH: `${tools}:${process.env['PATH'] ?? ''}` } },
  );
  const ctr = (...args: readonly string[]): ContainerResult => {
    const result = spawnSync(join(tools, 'ctr'), ['--address', socket, ...args], { encoding: 'utf8' });
    return { code: result.status, stdout: result.stdout, stderr: result.stderr };
  };
  await waitUntil('containerd answers', () => Promise.resolve(ctr('version').code === 0 ? true : undefined));
  const imported = ctr('images', 'import', archive);
  if (imported.code !== 0) throw new Error(imported.stderr);

  let count = 0;
  const startContainer = (
    args: readonly string[],
    { folders = {}, variables = {} }: ContainerOptions = {},
  ): Omit<RunningContainer, 'pid'> & { readonly id: string } => {
    count += 1;
    const id = `container-${count}`;
    const mounts = Object.entries(folders).map(
      ([path, folder]) => `--mount=type=bind,src=${folder},dst=${path},options=rbind:rw`,
    );
    const environment = Object.entries(variables).map(([name, value]) => `--env=${name}=${value}`);
    const words = [...restricted, ...mounts, ...environment, reference, id, entryPoint, ...args];
    const child = spawn(join(tools, 'ctr'), ['--address', socket, 'run', '--rm', ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const printed = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].on('data', (text: Buffer) => {
        printed[name] += text.toString();
      });
    const exited = once(child, 'close').then(() => ({ code: child.exitCode, ...printed }));
    const signal = (name: 'SIGTERM' | 'SIGKILL'): void => {
      ctr('tasks', 'kill', '--signal', name, id);
    };
    return { id, exited, signal, said: () => `${printed.stdout}${printed.stderr}` };
  };

  return {
    run: (args, options) => startContainer(args, options).exited,
    start: async (args, options) => {
      const { id, ...container } = startContainer(args, options);
      const pid = await waitUntil(`the process of ${id}`, () =>
        Promise.resolve(pidIn(ctr('tasks', 'ls').stdout, id)),
      );
      return { ...container, pid };
    },
    stop: async () => {
      server.kill();
      await once(server, 'exit');
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Disables the Kubernetes plugin. Source: man 5 containerd-config.toml */
function configOf(root: string, socket: string): string {
  return `version = 3
root = "${root}/root"
state = "${root}/state"
disabled_plugins = ["io.containerd.grpc.v1.cri"]
[grpc]
address = "${socket}"
`;
}

/** Parses a line such as `container-1 4711 RUNNING`. */
function pidIn(listed: string, id: string): number | undefined {
  const line = listed.split('\n').find((each) => each.startsWith(`${id} `));
  const [, pid, status] = line?.split(/\s+/) ?? [];
  return status === 'RUNNING' ? Number(pid) : undefined;
}
