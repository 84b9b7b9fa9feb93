import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { beforeAll, expect, it, test } from 'vitest';

import { commitAll, git, lay } from '../disk/git/laid-repository.js';
import { snoInProcess } from '../support/in-process.js';
import { minimalInstallConfig } from '../support/minimal-config.js';
import { describeWith } from '../support/programs.js';
import { scratchFolder } from '../support/scratch.js';

/** Remotes of a partial clone. Each starts a program in another way when Git fetches a missing object. */
const promisors: Readonly<
  Record<string, (run: (name: string) => string) => Readonly<Record<string, string>>>
> = {
  'core.sshCommand': () => ({ url: 'ssh://x/y' }),
  'the remote helper ext': (run) => ({ url: `ext::${run('ext')}` }),
  'the upload pack of a local repository': (run) => ({ url: '/', uploadpack: run('uploadpack') }),
  'a proxy of the git protocol': () => ({ url: 'git://x/y' }),
  'a credential helper': () => ({ url: 'https://127.0.0.1:1/y' }),
  'a remote helper by name': (run) => ({ url: 'x', vcs: run('vcs') }),
};

/** Settings that make Git run a program. Source: git-config(1), gitattributes(5), githooks(5) */
function configThatRuns(run: (name: string) => string): Readonly<Record<string, string>> {
  const programs = [
    ...['alternateRefsCommand', 'askPass', 'editor', 'fsmonitor', 'gitProxy', 'pager', 'sshCommand'].map(
      (key) => `core.${key}`,
    ),
    ...['rev-parse', 'ls-tree', 'cat-file', 'fetch'].flatMap((name) => [`pager.${name}`, `alias.${name}`]),
    ...['clean', 'smudge', 'process'].map((key) => `filter.x.${key}`),
    ...['textconv', 'command'].map((key) => `diff.x.${key}`),
    ...['diff.external', 'gpg.program', 'gpg.ssh.program', 'gpg.x509.program', 'merge.x.driver'],
    ...['credential.helper', 'interactive.diffFilter', 'sequence.editor', 'uploadpack.packObjectsHook'],
    ...['trailer.x.command', 'submodule.x.update', 'gpg.ssh.defaultKeyCommand', 'man.x.cmd'],
  ];
  return {
    ...Object.fromEntries(programs.map((key) => [key, run(key)])),
    'alias.ls-tree': `!${run('alias')}`,
    'credential.helper': `!${run('credential')}`,
    'submodule.x.update': `!${run('submodule')}`,
    'protocol.allow': 'always',
    'protocol.ext.allow': 'always',
    'log.showSignature': 'true',
    'fetch.recurseSubmodules': 'true',
    'gc.auto': '1',
  };
}

const hooks = [
  'post-index-change',
  'reference-transaction',
  'pre-auto-gc',
  'post-checkout',
  'fsmonitor-watchman',
];
const attributes = '* filter=x diff=x merge=x\n';

describeWith(['git'], 'a repository that somebody else prepared', () => {
  let committed = '';
  beforeAll(() => {
    committed = scratchFolder();
    git(committed, 'init', '-q', '-b', 'main');
    lay(committed, { '.gitattributes': attributes, 'site/install-config.yaml': minimalInstallConfig });
    cpSync(resolve('fixtures/fleet'), join(committed, 'fleet'), { recursive: true });
    commitAll(committed);
  });

  /** The repository with every setting that runs a program, and without some objects. */
  function prepared(promisor: string): { readonly top: string; readonly ran: string } {
    const [top, ran] = [scratchFolder(), scratchFolder()];
    cpSync(committed, top, { recursive: true });
    const script = join(scratchFolder(), 'run.sh');
    writeFileSync(script, `#!/bin/sh\necho "$@" > "${ran}/ran.$$"\n`, { mode: 0o755 });
    const run = (name: string): string => `${script} ${name}`;
    for (const path of ['site/install-config.yaml', 'fleet/base/install-config.yaml', 'fleet/sites.csv']) {
      const id = git(top, 'rev-parse', `HEAD:${path}`);
      rmSync(join(top, '.git/objects', id.slice(0, 2), id.slice(2)), { force: true });
    }
    mkdirSync(join(top, '.git/hooks'), { recursive: true });
    for (const name of hooks) cpSync(script, join(top, '.git/hooks', name));
    lay(top, {
      '.git/info/attributes': attributes,
      '.git/objects/info/alternates': join(committed, 'none\n'),
    });
    const included = join(top, '.git/more');
    for (const [key, value] of Object.entries(configThatRuns(run)))
      git(top, 'config', '-f', included, key, value);
    for (const [key, value] of Object.entries(promisors[promisor]?.(run) ?? {}))
      git(top, 'config', '-f', included, `remote.origin.${key}`, value);
    git(top, 'config', '-f', included, 'remote.origin.promisor', 'true');
    git(top, 'config', 'core.repositoryFormatVersion', '1');
    git(top, 'config', 'extensions.partialClone', 'origin');
    git(top, 'config', 'include.path', included);
    return { top, ran };
  }

  test.each(Object.keys(promisors))('runs no program to fetch missing objects: %s', async (promisor) => {
    const { top, ran } = prepared(promisor);

    const runs = [
      await snoInProcess(['diff', '--dir', join(top, 'site'), '--against', 'HEAD']),
      await snoInProcess(['fleet', 'diff', '--dir', join(top, 'fleet'), '--against', 'HEAD']),
    ];

    expect(readdirSync(ran)).toEqual([]);
    for (const { code, stderr } of runs) {
      expect(code).toBe(1);
      expect(stderr).toContain('it is missing in this partial clone; run `git fetch --refetch --no-filter`');
    }
  });

  it('runs no program in commands that read the folder directly', async () => {
    const { top, ran } = prepared('core.sshCommand');
    const [site, fleet] = [join(top, 'site'), join(top, 'fleet')];

    const runs = [
      await snoInProcess(['golden', '--dir', site, '--out', join(top, 'tree')]),
      await snoInProcess(['why', '/etc/motd', '--dir', site]),
      await snoInProcess(['fleet', 'validate', '--dir', fleet]),
      await snoInProcess(['fleet', 'golden', '--dir', fleet, '--out', join(top, 'trees')]),
    ];

    expect(readdirSync(ran)).toEqual([]);
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  });

  test.each(['core.sshCommand', 'the remote helper ext', 'the upload pack of a local repository'])(
    'has settings that run programs where git is used without care: %s',
    (promisor) => {
      const { top, ran } = prepared(promisor);

      expect(() => git(top, 'cat-file', '-p', 'HEAD:site/install-config.yaml')).toThrow();
      expect(readdirSync(ran)).not.toEqual([]);
    },
  );
});
