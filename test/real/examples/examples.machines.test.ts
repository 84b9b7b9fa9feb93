import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { beforeAll, describe, expect, it, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

import { fleetFiles } from '../../fleet/files.js';
import { sno } from '../../support/command.js';
import { testNode } from '../../support/control-plane.js';
import { loopbackNetworkPrograms, readyTimeoutMs } from '../../support/loopback-network.js';
import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';
import { apiserverNode } from '../control-plane/support/apiserver-node.js';
import { buildTimeoutMs, toolFolder } from '../control-plane/support/tools.js';

interface Shown {
  readonly code: number | null;
  readonly stdout: string;
}

/** Runs a pipeline script in its shell, with the built command as sno-install. */
function inShell(cwd: string, script: string, variables: Readonly<Record<string, string>> = {}): Shown {
  const bin = scratchFolder();
  const command = `#!/bin/sh\nexec '${process.execPath}' '${resolve('dist/cli.js')}' "$@"\n`;
  writeFileSync(join(bin, 'sno-install'), command, { mode: 0o755 });
  const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: '/nonexistent', ...variables };
  // The command line of a step with `shell: bash`. Source: docs.github.com, workflow syntax, jobs.<job_id>.steps[*].shell
  const words = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script];
  const { status, stdout } = spawnSync('bash', words, { cwd, env, encoding: 'utf8' });
  return { code: status, stdout };
}

/** A repository of one site, with its golden tree. */
function repository(): string {
  const folder = scratchFolder();
  mkdirSync(join(folder, 'sites'));
  cpSync('fixtures/configs/minimal', join(folder, 'sites/site1'), { recursive: true });
  expect(sno(['golden', 'sites/site1', '--out', 'golden'], { cwd: folder })).toMatchObject({ code: 0 });
  return folder;
}

function breakSite(folder: string): void {
  const path = join(folder, 'sites/site1/install-config.yaml');
  writeFileSync(path, readFileSync(path, 'utf8').replace('replicas: 1', 'replicas: 3'));
}

function makeStale(folder: string): void {
  writeFileSync(join(folder, 'golden/more.txt'), 'by hand\n');
  const path = join(folder, 'sites/site1/install-config.yaml');
  writeFileSync(path, readFileSync(path, 'utf8').replace('192.168.126.0/24', '192.168.127.0/24'));
}

function example(path: string): unknown {
  return parse(readFileSync(join('examples', path), 'utf8'), { merge: true });
}

describe('the examples that a shell runs', () => {
  interface Action {
    readonly inputs: Readonly<Record<string, { readonly default: string }>>;
    readonly runs: {
      readonly steps: readonly { readonly run: string; readonly env: Readonly<Record<string, string>> }[];
    };
  }

  /** The steps of the action, with the defaults of its inputs. */
  function action(folder: string): readonly Shown[] {
    const { inputs, runs } = example('github/action.yml') as Action;
    return runs.steps.map(({ run, env }) => {
      const given = Object.entries(env).map(([name, value]) => {
        const [, input = ''] = /^\$\{\{ inputs\.(\w+) \}\}$/.exec(value) ?? [];
        return [name, inputs[input]?.default ?? ''];
      });
      return inShell(folder, run, Object.fromEntries(given) as Record<string, string>);
    });
  }

  it('GitHub: passes a valid repository, annotates the line of a problem, reports a stale tree', () => {
    const folder = repository();
    expect(action(folder).map(({ code }) => code)).toEqual([0, 0]);

    makeStale(folder);
    const [sound, stale] = action(folder);
    expect(sound).toMatchObject({ code: 0 });
    expect(stale?.code).toBe(1);
    expect(stale?.stdout).toContain('::error title=golden::golden is not what is made of the sites');

    breakSite(folder);
    const [unsound] = action(folder);
    expect(unsound?.code).toBe(1);
    expect(unsound?.stdout).toMatch(/^::error file=sites\/site1\/install-config\.yaml,line=11,/m);
  });

  it('GitLab: the report is there whether there are problems or not', () => {
    const { 'sno-install': job } = example('gitlab/.gitlab-ci.yml') as Record<
      string,
      {
        readonly script: readonly string[];
        readonly artifacts: { readonly reports: { readonly junit: string } };
      }
    >;
    const [validate = '', golden = ''] = job?.script ?? [];
    const report = job?.artifacts.reports.junit ?? '';
    const folder = repository();
    expect([validate, golden].map((line) => inShell(folder, line).code)).toEqual([0, 0]);
    expect(readFileSync(join(folder, report), 'utf8')).toContain('failures="0"');
    breakSite(folder);
    expect(inShell(folder, validate).code).toBe(1);
    expect(readFileSync(join(folder, report), 'utf8')).toContain('<failure');
  });

  it('pre-commit: each hook passes valid and fails invalid files', () => {
    const { repos } = example('pre-commit/.pre-commit-config.yaml') as {
      readonly repos: readonly [{ readonly hooks: readonly { readonly entry: string }[] }];
    };
    const entries = repos[0].hooks.map(({ entry }) => entry);
    const folder = repository();
    expect(entries.map((entry) => inShell(folder, entry).code)).toEqual([0, 0]);
    makeStale(folder);
    expect(entries.map((entry) => inShell(folder, entry).code)).toEqual([0, 1]);
    breakSite(folder);
    expect(inShell(folder, entries[0] ?? '').code).toBe(1);
  });
});

interface Step {
  readonly command?: readonly string[];
  readonly args: readonly string[];
}

test('Tekton: its steps, with the defaults of its parameters, pass on a fleet with its tree', () => {
  const folder = scratchFolder();
  for (const [path, text] of Object.entries(fleetFiles)) {
    mkdirSync(join(folder, 'fleet', path, '..'), { recursive: true });
    writeFileSync(join(folder, 'fleet', path), text);
  }
  expect(sno(['fleet', 'golden', '--dir', 'fleet', '--out', 'golden'], { cwd: folder })).toMatchObject({
    code: 0,
  });
  const { spec } = example('tekton/task.yaml') as {
    readonly spec: {
      readonly params: readonly { readonly name: string; readonly default?: string }[];
      readonly steps: readonly Step[];
    };
  };
  const filled = (word: string): string =>
    word.replace(
      /\$\(params\.(\w+)\)/g,
      (_, name) => spec.params.find((each) => each.name === name)?.default ?? '',
    );
  expect(spec.steps.map(({ command }) => command)).toEqual([['sno-install'], ['sno-install']]);
  for (const { args } of spec.steps)
    expect(sno(args.map(filled), { cwd: folder })).toMatchObject({ code: 0 });

  writeFileSync(join(folder, 'fleet/sites.csv'), 'name,ip\nnorth-1,192.168.126.12\n');
  const [, golden] = spec.steps;
  expect(sno((golden?.args ?? []).map(filled), { cwd: folder })).toMatchObject({ code: 1 });
});

interface Templated {
  readonly spec?: { readonly template?: { readonly spec: object } };
}

describeWith(
  ['go', 'etcd', 'etcdctl', 'kubectl', ...loopbackNetworkPrograms],
  'the examples for clusters on the real kube-apiserver',
  () => {
    let programs: string;
    beforeAll(async () => {
      programs = await toolFolder('kubernetes');
    }, buildTimeoutMs);

    test(
      'are accepted, and their pods run at the restricted level of Pod Security',
      async () => {
        const node = await apiserverNode(join(programs, 'kube-apiserver'), {
          nodeIp: testNode.ip,
          networks: {},
        });
        node.admin('create', 'namespace', 'sites');
        const level = 'pod-security.kubernetes.io/enforce=restricted';
        node.admin('label', 'namespace', 'sites', level);
        // No controller creates it here.
        node.admin('create', 'serviceaccount', 'default', '--namespace=sites');
        const written = (name: string, text: string): string => {
          const file = join(node.root, name);
          writeFileSync(file, text);
          return node.admin(
            'create',
            '--dry-run=server',
            '--validate=strict',
            '--namespace=sites',
            '--filename',
            file,
          );
        };
        let pods = 0;
        for (const path of ['kubernetes/serve.yaml', 'argo-cd/golden-check.yaml']) {
          const text = readFileSync(join('examples', path), 'utf8').replace(
            /\b(?:GIT_)?IMAGE\b/g,
            'sno-install.test/image:1',
          );
          written('example.yaml', text);
          for (const document of parseAllDocuments(text)) {
            const pod = (document.toJS() as Templated).spec?.template?.spec;
            if (pod === undefined) continue;
            pods += 1;
            const made = {
              apiVersion: 'v1',
              kind: 'Pod',
              metadata: { name: 'one' },
              spec: { ...pod, restartPolicy: 'Never' },
            };
            written('pod.json', JSON.stringify(made));
            expect(() =>
              written('pod.json', JSON.stringify({ ...made, spec: { ...pod, hostNetwork: true } })),
            ).toThrow('violates PodSecurity "restricted');
          }
        }
        expect(pods).toBe(2);
      },
      4 * readyTimeoutMs,
    );
  },
);
