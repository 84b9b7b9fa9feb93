import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { endWithRunner } from '../end-with-runner.js';
import type { Images } from '../images.js';
import { runProgram, type ProgramResult } from '../run-program.js';
import { commandOf, type NodeIdentity } from './environment.js';
import type { Container, Manifest, Volume } from './manifest.js';

/** The environment that all containers of a manifest folder share. */
export interface Surroundings {
  /** Replaces `/` in every hostPath. */
  readonly root: string;
  readonly images: Images;
  readonly node: NodeIdentity;
  /** Command prefix that enters the network of the node. */
  readonly network: readonly string[];
  /** Folder for files of the runner. */
  readonly work: string;
}

export interface RunningContainer {
  /** Resolves to the exit code; null if a signal ended the container. */
  readonly exited: Promise<number | null>;
  /** Runs a program of the image in the running container. */
  readonly exec: (argv: readonly string[]) => Promise<ProgramResult>;
  readonly signal: (name: 'SIGTERM' | 'SIGKILL') => void;
}

/** Starts a container of a pod. `onOutput` gets its output. Throws if the image or a volume is missing. */
export function startContainer(
  manifest: Manifest,
  container: Container,
  surroundings: Surroundings,
  onOutput: (text: string) => void,
): RunningContainer {
  const image = surroundings.images[container.image];
  if (image === undefined) throw new Error(`no image ${container.image}`);
  const { argv, environment } = commandOf(manifest, container, image.entrypoint ?? [], surroundings.node);
  const folder = mkdtempSync(join(surroundings.work, `${container.name}-`));
  mkdirSync(join(folder, 'root'));
  const mounts = [
    ...Object.entries(image.files).map(([path, source]) => `ro\t${source}\t${path}`),
    ...namingFiles(surroundings.root),
    ...volumeMounts(manifest, container, surroundings),
  ];
  writeFileSync(join(folder, 'mounts'), mounts.map((line) => `${line}\n`).join(''));
  const pairs = [...environment].map(([name, value]) => `${name}=${value}\0`);
  writeFileSync(join(folder, 'environment'), pairs.join(''), { mode: 0o600 });
  return launch(surroundings.network, folder, [container.workingDir, ...argv], onOutput);
}

/** The node's own files, which a container runtime mounts into every container. */
function namingFiles(root: string): readonly string[] {
  const paths = ['/etc/hosts', '/etc/resolv.conf'].filter((path) => existsSync(join(root, path)));
  return paths.map((path) => `ro\t${join(root, path)}\t${path}`);
}

function volumeMounts(
  { uid, pod }: Manifest,
  container: Container,
  { root, work }: Surroundings,
): readonly string[] {
  return container.volumeMounts.map(({ name, mountPath, subPath = '', readOnly }) => {
    const volume = pod.spec.volumes.find((each) => each.name === name);
    if (volume === undefined) throw new Error(`no volume ${name}`);
    const source = join(sourceOf(volume, root, join(work, `volumes-${uid}`)), subPath);
    return `${readOnly ? 'ro' : 'rw'}\t${source}\t${mountPath}`;
  });
}

/** The folder or file of a volume, created if its type requires that. Source: kubernetes.io/docs/concepts/storage/volumes, hostPath */
function sourceOf(volume: Volume, root: string, emptyDirs: string): string {
  if ('emptyDir' in volume) return made(join(emptyDirs, volume.name));
  const { path, type } = volume.hostPath;
  const source = join(root, path);
  if (existsSync(source)) return source;
  if (type === 'Directory' || type === 'File') throw new Error(`hostPath ${path} is missing`);
  if (type !== 'FileOrCreate') return made(source);
  made(dirname(source));
  writeFileSync(source, '');
  return source;
}

function made(folder: string): string {
  mkdirSync(folder, { recursive: true });
  return folder;
}

function launch(
  network: readonly string[],
  folder: string,
  argv: readonly string[],
  onOutput: (text: string) => void,
): RunningContainer {
  const script = join(import.meta.dirname, 'enter-container');
  const namespaces = ['unshare', '--mount', '--pid', '--fork', '--kill-child=SIGKILL'];
  // If the tests are killed, the containers are killed too.
  endWithRunner();
  const child = spawn(
    'setpriv',
    ['--pdeathsig', 'KILL', ...network, ...namespaces, script, folder, ...argv],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', onOutput);
  const exited = new Promise<number | null>((resolve) => {
    child.on('error', (error) => {
      onOutput(error.message);
    });
    child.on('close', (code) => {
      resolve(code);
    });
  });
  return {
    exited,
    exec: (program) =>
      runProgram(['nsenter', '--target', pidIn(folder), '--all', '--root', '--wd', ...program]),
    signal: (name) => {
      // unshare(1) ignores SIGTERM itself, and its end ends its children.
      if (name === 'SIGKILL') child.kill(name);
      else if (child.exitCode === null && existsSync(join(folder, 'pid')))
        process.kill(Number(pidIn(folder)), name);
    },
  };
}

function pidIn(folder: string): string {
  return readFileSync(join(folder, 'pid'), 'utf8').trim();
}
