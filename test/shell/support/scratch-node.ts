import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { withoutSystemTrust } from '../../support/openssl.js';
import { scratchFolder } from '../../support/scratch.js';
import { filesBelow, recordedCalls } from './machine-traces.js';
import { changePayload, envText, imageTag, installerFiles, nodeVariables, stubFiles } from './node-files.js';

/** A folder that simulates a node for the scripts. Stubs replace every program that would change a real node. */
export interface ScratchNode {
  /** The folder of the node's `/`. It is removed from returned output and calls. */
  readonly root: string;
  /** Runs a script of `templates/live/usr/local/bin`, unchanged. */
  run(script: string, args?: readonly string[]): ScriptRun;
  /** Sources libraries of `templates/live/usr/local/bin`, `sno-common` first, then runs these shell lines. */
  runLines(libraries: readonly string[], lines: string): ScriptRun;
  /** The argument lists of all calls of a stub so far, starting with the program. */
  calls(program?: string): readonly (readonly string[])[];
  /** The contents of the last temporary file passed to a stub. */
  given(program: string): string;
  /** The path is relative to the root. */
  write(path: string, text: string): void;
  read(path: string): string;
  has(path: string): boolean;
  /** Files below a folder of the root, sorted, relative to it. */
  list(folder: string): readonly string[];
  /** Makes a stub fail. The names are those of stub.sh. */
  fail(name: string, times: number | 'always'): void;
  /** Sets the output of a stub. The names are those of stub.sh. */
  answer(name: string, text: string): void;
  /** Removes a flag from a tool of the payload. */
  forget(tool: string, flag: string): void;
  /** Multiplies the duration of every `sleep` on the node's clock, so that waits time out. */
  hasten(factor: number): void;
  /** Makes the payload list one image less, or more. */
  withoutImage(key: string): void;
  withImage(key: string): void;
  /** Sets the contents of a file of the payload. */
  answerPayload(name: string, text: string): void;
  remove(path: string): void;
  /** Adds an image of the payload to the machine, or removes it. */
  hold(image: string): void;
  drop(image: string): void;
  record(service: string): readonly RecordEntry[];
  /** The entries of a service's record without their times. */
  entries(service: string): readonly Omit<RecordEntry, 'timestamp'>[];
}

export interface ScriptRun {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Source: openshift/installer pkg/gather/service/entry.go */
export interface RecordEntry {
  readonly timestamp: string;
  readonly phase: string;
  readonly preCommand?: string;
  readonly postCommand?: string;
  readonly stage?: string;
  readonly result?: string;
  readonly errorLine?: string;
  readonly errorMessage?: string;
}

export interface NodeSetup {
  /** Minor release of the payload. */
  readonly minor?: number;
  /** Variables of the env file that differ from those of `variables`. */
  readonly variables?: Readonly<Record<string, string>>;
  /** File names of scripts, called by other scripts, that this test stubs. */
  readonly stubbedScripts?: readonly string[];
}

const scripts = resolve('templates/live/usr/local/bin');

export function scratchNode({
  minor = 21,
  variables = {},
  stubbedScripts = [],
}: NodeSetup = {}): ScratchNode {
  const folder = scratchFolder();
  const [root, stub, bin] = [join(folder, 'root'), join(folder, 'stub'), join(folder, 'root/usr/local/bin')];
  const put = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  for (const name of stubbedPrograms) link('test/shell/support/stub.sh', join(folder, 'programs', name));
  for (const name of readdirSync(scripts))
    link(stubbedScripts.includes(name) ? 'test/shell/support/stub.sh' : join(scripts, name), join(bin, name));
  for (const [path, text] of Object.entries(stubFiles(minor))) put(join(stub, path), text);
  for (const path of installerFiles) put(join(root, 'opt/openshift', path), path);
  put(join(root, nodeVariables['SNO_INSTALLATION_DISK'] ?? ''), '');
  put(join(root, 'opt/openshift/sno-install.env'), envText({ ...nodeVariables, ...variables }));

  const variablesOfRun = {
    PATH: `${join(folder, 'programs')}:/usr/sbin:/usr/bin:/sbin:/bin`,
    SNO_ROOT: root,
    SNO_UPTIME_FILE: join(stub, 'uptime'),
    SNO_MEMINFO_FILE: join(stub, 'answers/meminfo'),
    STUB: stub,
    ...withoutSystemTrust,
  };
  const bash = (path: string, args: readonly string[]): ScriptRun => {
    const { status, stdout, stderr } = spawnSync('bash', [path, ...args], {
      encoding: 'utf8',
      env: variablesOfRun,
    });
    return { status, stdout: stdout.replaceAll(root, ''), stderr: stderr.replaceAll(root, '') };
  };

  const node: ScratchNode = {
    root,
    run: (script, args = []) => bash(join(bin, script), args),
    runLines: (libraries, lines) => {
      const sources = libraries.map((name) => `source "${join(bin, name)}.sh"\n`).join('');
      put(join(folder, 'lines.sh'), `set -Eeuo pipefail\n${sources}${lines}\n`);
      return bash(join(folder, 'lines.sh'), []);
    },
    calls: (program) =>
      recordedCalls(stub, root).filter(([name]) => program === undefined || name === program),
    given: (program) => readFileSync(join(stub, 'given', program), 'utf8'),
    write: (path, text) => {
      put(join(root, path), text);
    },
    read: (path) => readFileSync(join(root, path), 'utf8'),
    has: (path) => node.list(dirname(path)).includes(path.slice(dirname(path).length + 1)),
    list: (path) => filesBelow(join(root, path)),
    fail: (name, times) => {
      put(join(stub, 'fail', name), `${times}\n`);
    },
    answer: (name, text) => {
      put(join(stub, 'answers', name), text);
    },
    forget: (tool, flag) => {
      for (const name of ['help', 'flags']) {
        const path = join(stub, 'tools', tool, name);
        const lines = readFileSync(path, 'utf8').split('\n');
        put(path, lines.filter((line) => !line.split(' ').includes(flag)).join('\n'));
      }
    },
    hasten: (factor) => {
      put(join(stub, 'haste'), String(factor));
    },
    withoutImage: (key) => {
      changePayload(stub, (tags) => tags.filter(({ name }) => name !== key));
    },
    withImage: (key) => {
      changePayload(stub, (tags) => [...tags, imageTag(key)]);
    },
    answerPayload: (name, text) => {
      put(join(stub, 'payload', name), text);
    },
    remove: (path) => {
      rmSync(join(root, path), { recursive: true });
    },
    hold: (image) => {
      put(join(stub, 'images', image), '');
    },
    drop: (image) => {
      rmSync(join(stub, 'images', image), { force: true });
    },
    entries: (service) =>
      node.record(service).map((entry) => {
        const { timestamp, ...rest } = entry;
        if (Number.isNaN(Date.parse(timestamp))) throw new Error(`${timestamp} is no time`);
        return rest;
      }),
    record: (service) => JSON.parse(node.read(`var/log/openshift/${service}.json`)) as RecordEntry[],
  };
  return node;
}

const stubbedPrograms = [
  'agetty',
  'chcon',
  'chown',
  'date',
  'df',
  'findmnt',
  'getent',
  'hostname',
  'ip',
  'journalctl',
  'kubelet',
  'lsblk',
  'mount',
  'oc',
  'ostree',
  'podman',
  'rsync',
  'semodule',
  'sleep',
  'systemctl',
  'uname',
  'useradd',
];

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(resolve(target), path);
}
