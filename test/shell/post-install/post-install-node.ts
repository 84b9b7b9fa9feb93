import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

import { emptyMachine, put, type Machine, type ScriptRun } from '../disk/machine.js';
import { postInstallFileRows, type NodeFileRow } from '../disk/node-files.js';

export const script = 'sno-post-install.sh';
export const home = 'opt/sno-post-install';

/** An object of the list. `text` is its file. */
export interface ListedObject {
  readonly wave: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** Default: cluster-scoped. */
  readonly namespace?: string;
  readonly name: string;
  /** `NAMESPACE/NAME`, separated by commas. Default: none. */
  readonly subscriptions?: string;
  readonly text?: string;
}

/** A node with post-install manifests, and the API of the stub `oc`. */
export interface PostInstallNode extends Machine {
  /** Runs the script with limits of the stub's clock, on which a pass takes 10,000 seconds. */
  readonly apply: (variables?: Readonly<Record<string, string>>) => ScriptRun;
  /** The folder of the stub `oc`. */
  readonly programs: string;
  /** Lets the API serve kinds of a group/version, from an uptime on if given. */
  readonly serve: (groupVersion: string, kinds: Readonly<Record<string, string>>, at?: number) => void;
  /** Sets the answer to a GET of the path. */
  readonly answerTo: (path: string, object: object, at?: number) => void;
  /** Refuses the object with these answers, one per attempt; with `always` as the last, for ever. */
  readonly refuse: (file: string, ...answers: readonly string[]) => void;
  /** The API answers some calls, and then a number of calls not. */
  readonly away: (calls: { readonly after: number; readonly calls: number }) => void;
  /** A workstation writes the status `complete` at this uptime. */
  readonly completeAt: (uptime: number) => void;
  /** Kills the script when it applies the object. */
  readonly killAtObject: (file: string) => void;
  /** The files of the applied objects, in order. */
  readonly applied: () => readonly string[];
  /** The contents of the ConfigMap over time. */
  readonly published: () => readonly Readonly<Record<string, string>>[];
  /** The paths of all GET requests. */
  readonly requestedPaths: () => readonly string[];
}

export const crd = { kind: 'CustomResourceDefinition', status: { conditions: [] as object[] } };
export const established = {
  ...crd,
  status: { conditions: [{ type: 'Established', status: 'True' }] },
};

export function fileOf(index: number, { kind, name }: ListedObject): string {
  return `${String(index + 1).padStart(4, '0')}-${kind.toLowerCase()}-${name}.yaml`;
}

/** The contents of objects.tsv. */
export function listText(objects: readonly ListedObject[]): string {
  const rows = objects.map((object, index) =>
    [
      object.wave,
      fileOf(index, object),
      object.apiVersion,
      object.kind,
      object.namespace ?? '-',
      object.name,
      `post-install/${object.wave}-files.yaml#${index + 1}`,
      object.subscriptions ?? '-',
    ].join('\t'),
  );
  return `# wave\tfile\n${rows.map((row) => `${row}\n`).join('')}`;
}

/** The installed node after the clean-up of the installation, with the files of node-files.list. */
export function postInstallNode(objects: readonly ListedObject[]): PostInstallNode {
  const machine = emptyMachine();
  layNodeFiles(machine, objects);
  const api = join(machine.stub, 'api');
  const programs = join(machine.stub, 'programs');
  mkdirSync(programs);
  symlinkSync(resolve('test/shell/post-install/oc'), join(programs, 'oc'));
  mkdirSync(join(api, 'get'), { recursive: true });
  const answerTo: PostInstallNode['answerTo'] = (path, object, at) => {
    const file = join(api, 'get', path.replaceAll('/', '@'));
    put(file, JSON.stringify(object));
    if (at !== undefined) put(`${file}.at`, `${at}\n`);
  };
  const lines = (name: string): readonly string[] =>
    existsSync(join(api, name)) ? readFileSync(join(api, name), 'utf8').split('\n').slice(0, -1) : [];
  return {
    ...machine,
    programs,
    apply: (variables = {}) =>
      machine.run(script, {
        variables: {
          PATH: [programs, join(dirname(machine.stub), 'programs'), '/usr/sbin:/usr/bin:/sbin:/bin'].join(
            ':',
          ),
          ...scaledLimits,
          ...variables,
        },
      }),
    answerTo,
    serve: (groupVersion, kinds, at) => {
      const path = `${groupVersion.includes('/') ? '/apis' : '/api'}/${groupVersion}`;
      const resources = Object.entries(kinds).flatMap(([kind, plural]) => [
        { kind, name: plural },
        { kind: 'Scale', name: `${plural}/scale` },
      ]);
      answerTo(path, { resources }, at);
    },
    refuse: (file, ...answers) => {
      put(join(api, 'refuse', file), answers.map((answer) => `${answer.replaceAll('\n', '\\n')}\n`).join(''));
    },
    away: ({ after, calls }) => {
      put(join(api, 'away'), `${after} ${calls}\n`);
    },
    completeAt: (uptime) => {
      put(join(api, 'complete-at'), `${uptime}\n`);
    },
    killAtObject: (file) => {
      put(join(api, 'kill'), file);
    },
    applied: () => lines('applied'),
    published: () => lines('published').map((line) => JSON.parse(line) as Readonly<Record<string, string>>),
    requestedPaths: () => lines('asked'),
  };
}

/** The stub's clock runs a thousand times as fast in sleep. */
export const scaledLimits = {
  SNO_POST_INSTALL_CLUSTER_LIMIT: '50000',
  SNO_POST_INSTALL_REFUSAL_LIMIT: '50000',
  SNO_POST_INSTALL_REPORT_INTERVAL: '60000',
};

/** The files of the list, as the node's Ignition config has them, with the links of systemd. */
export function layNodeFiles(machine: Machine, objects: readonly ListedObject[]): void {
  for (const row of postInstallFileRows) {
    if (row.mode === 'unit' || row.mode === '0555') {
      machine.write(row.path, readFileSync(templateOf(row), 'utf8'), row.mode === 'unit' ? 0o644 : 0o555);
    }
  }
  const list = readFileSync('templates/post-install/node-files.list', 'utf8');
  machine.write(`${home}/node-files.list`, `keep - - /var/lib/etcd/\nremove - - /etc/hostname\n${list}`);
  machine.write(`${home}/settings.env`, "SNO_POST_INSTALL_TIMEOUT='100000'\n");
  machine.write(`${home}/objects.tsv`, listText(objects));
  for (const [index, object] of objects.entries())
    machine.write(`${home}/objects/${fileOf(index, object)}`, object.text ?? `kind: ${object.kind}\n`);
  const wants = join(machine.root, 'etc/systemd/system/multi-user.target.wants');
  mkdirSync(wants, { recursive: true });
  symlinkSync('/etc/systemd/system/sno-post-install.service', join(wants, 'sno-post-install.service'));
  machine.write(
    'etc/systemd/system-preset/20-ignition.preset',
    'enable kubelet.service\nenable sno-post-install.service\n',
  );
}

function templateOf({ source, path }: NodeFileRow): string {
  const name = basename(path);
  const candidates = [
    `templates/post-install/installed/${name}`,
    `templates/post-install/usr/local/bin/${name}`,
    `templates/live/usr/local/bin/${name}`,
    `templates/live/opt/${source}`,
  ];
  const found = candidates.find((candidate) => existsSync(candidate));
  if (found === undefined) throw new Error(`no template of ${source}`);
  return found;
}
