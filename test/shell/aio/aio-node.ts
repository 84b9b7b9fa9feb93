import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve as absolute } from 'node:path';

import { aioIgnition } from '../../../src/assets/aio/ignition.js';
import { decodeDataUrl } from '../../../src/formats/data-url.js';
import type { IgnitionConfig, NodeFile } from '../../../src/ignition/types.js';
import { testNow } from '../../support/context.js';
import { fixtureFiles, resolveAssets } from '../../support/made-from.js';
import { withoutSystemTrust } from '../../support/openssl.js';
import { scratchFolder } from '../../support/scratch.js';
import { callsOf, filesBelow } from '../support/machine-traces.js';
import { scaledMs } from '../../support/time-scale.js';

/** A folder that simulates an all-in-one node for its scripts. Stubs replace every program that would change a real node. */
export interface AioNode {
  readonly root: string;
  /** Runs a script of the node's /usr/local/bin, unchanged. */
  run(script: string, args?: readonly string[]): ScriptRun;
  /** The calls of a stub so far: arguments joined by blanks. */
  calls(program: string): readonly string[];
  forgetCalls(): void;
  write(path: string, text: string): void;
  read(path: string): string;
  has(path: string): boolean;
  remove(path: string): void;
  /** Files and links below a folder, sorted. */
  list(folder: string): readonly string[];
  modeOf(path: string): string;
  /** Makes a stub fail. The names are those of stub.sh. */
  fail(name: string, times: number | 'always'): void;
  answer(name: string, text: string): void;
  /** Kills the whole script in the call of a stub that follows this number of calls. */
  killAt(name: string, callsBefore: number): void;
  /** Removes a program of the operating system. */
  hide(program: string): void;
  /** Seconds since 1970. */
  setClock(seconds: number): void;
  /** The objects applied to the cluster. */
  applied(): string;
  /** The text above the console's login prompt. */
  console(): string;
}

export interface ScriptRun {
  readonly status: number | null;
  readonly stderr: string;
}

/** The time at which the node's config was generated. */
export const nodeClock = testNow.getTime() / 1000;

/** The files that a fixture's Ignition config writes on a node, without downloaded ones. */
export async function configFiles(
  fixture: string,
  more: Readonly<Record<string, string>> = {},
): Promise<readonly NodeFile[]> {
  const made = await resolveAssets([aioIgnition], { files: { ...fixtureFiles(fixture), ...more } });
  const config = JSON.parse(made.valueOf(aioIgnition).text) as IgnitionConfig;
  return (config.storage?.files ?? []).flatMap(({ path, mode, contents }) => {
    const bytes = decodeDataUrl(contents?.source ?? '');
    return bytes === undefined ? [] : [{ path, mode, contents: bytes }];
  });
}

/** A node with these files and with the units of the config. */
export function aioNode(files: readonly NodeFile[]): AioNode {
  const folder = scratchFolder();
  const [root, stub, programs] = [join(folder, 'root'), join(folder, 'stub'), join(folder, 'programs')];
  const put = (path: string, text: string | Uint8Array, mode = 0o644): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    chmodSync(path, mode);
  };
  for (const { path, mode, contents } of files) put(join(root, path), contents, mode);
  for (const unit of ['aiokube.service', 'sno-renew.service'])
    put(join(root, 'etc/systemd/system', unit), readFileSync(join('templates/aio/etc/systemd/system', unit)));
  put(
    join(root, 'etc/systemd/system-preset/20-ignition.preset'),
    'enable aiokube.service\nenable kubelet.service\n',
  );
  for (const plugin of ['bridge', 'host-local', 'loopback', 'portmap'])
    put(join(root, 'opt/cni/bin', plugin), '', 0o755);
  mkdirSync(programs);
  for (const name of stubbedPrograms) symlinkSync(absolute('test/shell/aio/stub.sh'), join(programs, name));
  for (const name of ['date', 'sleep'])
    symlinkSync(absolute('test/shell/disk/clock.sh'), join(programs, name));
  for (const [path, text] of Object.entries(stubFiles)) put(join(stub, path), text);

  const at = (path: string): string => join(root, path);
  let hidden: string | undefined;
  return {
    root,
    run: (script, args = []) => {
      const start = 'echo "${$}" >"${STUB}/group"; exec bash "${0}" "${@}"';
      const command = ['--wait', 'bash', '-c', start, at(`usr/local/bin/${script}`), ...args];
      const { status, stderr } = spawnSync('setsid', command, {
        encoding: 'utf8',
        timeout: scaledMs(120_000),
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          HOME: join(root, 'root'),
          PATH: hidden === undefined ? `${programs}:/usr/sbin:/usr/bin:/sbin:/bin` : `${programs}:${hidden}`,
          SNO_ROOT: root,
          SNO_UPTIME_FILE: join(stub, 'uptime'),
          STUB: stub,
          ...withoutSystemTrust,
        },
      });
      return { status, stderr: stderr.replaceAll(root, '') };
    },
    calls: (program) => callsOf(program, stub, root),
    forgetCalls: () => {
      put(join(stub, 'calls'), '');
    },
    write: (path, text) => {
      put(at(path), text);
    },
    read: (path) => readFileSync(at(path), 'utf8'),
    has: (path) => existsSync(at(path)),
    remove: (path) => {
      rmSync(at(path), { recursive: true, force: true });
    },
    list: (path) => filesBelow(at(path)),
    modeOf: (path) => (statSync(at(path)).mode & 0o7777).toString(8),
    fail: (name, times) => {
      put(join(stub, 'fail', name), `${times}\n`);
    },
    answer: (name, text) => {
      put(join(stub, 'answers', name), text);
    },
    killAt: (name, callsBefore) => {
      put(join(stub, 'kill', name), `${callsBefore}\n`);
    },
    hide: (program) => {
      hidden = systemWithout(program, join(folder, 'system'));
    },
    setClock: (seconds) => {
      put(join(stub, 'clock'), `${seconds}\n`);
    },
    applied: () => (existsSync(join(stub, 'applied')) ? readFileSync(join(stub, 'applied'), 'utf8') : ''),
    console: () =>
      filesBelow(at('etc/issue.d'))
        .map((name) => readFileSync(at(`etc/issue.d/${name}`), 'utf8').replace(/\\e\{\w+\}/g, ''))
        .join(''),
  };
}

/** A folder with all programs of this system except one. */
function systemWithout(program: string, folder: string): string {
  mkdirSync(folder);
  for (const source of ['/usr/bin', '/usr/sbin'])
    for (const name of readdirSync(source))
      if (name !== program && !existsSync(join(folder, name)))
        symlinkSync(join(source, name), join(folder, name));
  return folder;
}

const stubbedPrograms = [
  'agetty',
  'hostname',
  'install',
  'ip',
  'journalctl',
  'kubectl',
  'kubelet',
  'restorecon',
  'sync',
  'systemctl',
];

/** The stubs' answers on a healthy node. */
const stubFiles: Readonly<Record<string, string>> = {
  calls: '',
  uptime: '1000 0\n',
  clock: `${nodeClock}\n`,
  'answers/hostname': 'site1\n',
  'answers/ip-address-show-scope-global':
    '2: eth0    inet 192.168.126.10/24 scope global eth0\n3: cni0    inet 10.128.0.1/23 scope global cni0\n',
  'answers/kubectl-get-csr': JSON.stringify({ items: [] }),
  'answers/kubectl-get-node-site1': 'True',
};
