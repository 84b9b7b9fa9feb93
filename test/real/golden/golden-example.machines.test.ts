import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { listAt, textAt } from '../../../src/kube/fields.js';
import { scratchFolder } from '../../support/scratch.js';

/** Follows docs/golden.md in a repository with the files that the page shows. */
const page = readFileSync('docs/golden.md', 'utf8');

function fileShown(path: string): string {
  const [, text = ''] = page.split(`<!-- file ${path} -->\n\n`)[1]?.split(/^```\w*\n/m) ?? [];
  return text.split(/^```$/m)[0] ?? '';
}

/** The output of an example on the page; UPDATE_GOLDEN=1 rewrites it. */
function outputShown(name: string): string {
  return /^```\n([\s\S]*?)^```$/m.exec(page.split(`<!-- run: ${name} -->\n`)[1] ?? '')?.[1] ?? '';
}

function showsAs(name: string, text: string): void {
  if (process.env['UPDATE_GOLDEN'] !== undefined) {
    const current = readFileSync('docs/golden.md', 'utf8');
    const [before = '', after = ''] = current.split(`<!-- run: ${name} -->\n`);
    const written = after.replace(/^```\n[\s\S]*?^```$/m, () => `\`\`\`\n${text}\`\`\``);
    writeFileSync('docs/golden.md', `${before}<!-- run: ${name} -->\n${written}`);
  }
  expect.soft(text, `docs/golden.md; UPDATE_GOLDEN=1 writes it anew`).toBe(outputShown(name));
}

let repository = '';

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function shell(script: string, variables: Readonly<Record<string, string>> = {}): Ran {
  const { status, stdout, stderr } = spawnSync('bash', ['-e', '-c', script], {
    cwd: repository,
    encoding: 'utf8',
    env: {
      PATH: `${join(repository, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
      HOME: repository,
      ...Object.fromEntries(
        ['AUTHOR', 'COMMITTER'].flatMap((who) => [
          [`GIT_${who}_NAME`, 'a'],
          [`GIT_${who}_EMAIL`, 'a@example.com'],
        ]),
      ),
      ...variables,
    },
  });
  return { code: status, stdout, stderr };
}

function done(script: string): string {
  const { code, stdout, stderr } = shell(script);
  expect([code, stderr], script).toEqual([0, '']);
  return stdout;
}

interface Checked {
  /** Names of the steps that failed. */
  readonly failed: readonly string[];
  /** The output of the steps. */
  readonly said: string;
  readonly summary: string;
}

/** Runs the steps of the workflow on the page as its runner does, with the command of this build instead of the installed one. */
function workflow(): Checked {
  const steps = listAt(parse(fileShown('.github/workflows/golden.yaml')), ['jobs', 'golden', 'steps']);
  const named = steps.filter((step) => textAt(step, ['run']) !== undefined);
  expect(named.map((step) => textAt(step, ['name']))).toEqual([
    'install sno-install',
    'every site is sound',
    'the tree is what is made of the sites',
    'what changes on the nodes',
  ]);
  const summary = join(scratchFolder(), 'summary.md');
  const failed: string[] = [];
  let said = '';
  for (const step of named.slice(1)) {
    if (failed.length > 0 && textAt(step, ['if']) !== 'always()') continue;
    const ran = shell(textAt(step, ['run']) ?? '', { GITHUB_STEP_SUMMARY: summary, GITHUB_BASE_REF: 'main' });
    said += `${ran.stderr}${ran.stdout}`;
    if (ran.code !== 0) failed.push(textAt(step, ['name']) ?? '');
  }
  return { failed, said, summary: existsSync(summary) ? readFileSync(summary, 'utf8') : '' };
}

/** Makes the repository use a command. */
function install(command: string): void {
  const bin = join(repository, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  done(`ln -sfn ${command} ${join(bin, 'sno-install')}`);
}

const built = resolve('dist/cli.js');

/** A copy of the package with one changed template. */
function commandWith(template: string, change: (text: string) => string): string {
  const own = join(scratchFolder(), 'sno-install');
  for (const part of ['dist', 'templates', 'package.json'])
    cpSync(part, join(own, part), { recursive: true });
  symlinkSync(resolve('node_modules'), join(own, 'node_modules'));
  const path = join(own, 'templates', template);
  const [before, after] = [readFileSync(path, 'utf8'), change(readFileSync(path, 'utf8'))];
  expect(after).not.toBe(before);
  writeFileSync(path, after);
  return join(own, 'dist/cli.js');
}

/** The differences of a summary, without their collapsible sections. */
function shownIn(summary: string): string {
  const plain = summary
    .replaceAll(/^<details><summary><code>(.*)<\/code><\/summary>$/gm, '$1')
    .replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)));
  return plain
    .replaceAll(/^(?:`{3,}(?:diff)?|<\/details>|\*\*.*)\n/gm, '')
    .replaceAll(/ +$/gm, '')
    .replaceAll(/\n{2,}/g, '\n')
    .trimStart();
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(repository, path)), { recursive: true });
  writeFileSync(join(repository, path), text);
}

const snoConfig = 'apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\n';

/** A CA certificate from `ago` days before the fixed date of the tests, valid for `valid` days. */
function authority(days: { readonly ago: number; readonly valid: number }): string {
  const made = new Date(Date.UTC(2024, 0, 1) - days.ago * 86_400_000);
  const time = (at: Date): string => at.toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  const end = new Date(made.getTime() + days.valid * 86_400_000);
  const folder = scratchFolder();
  writeFileSync(
    join(folder, 'ca.cnf'),
    '[ca]\ndefault_ca=d\n[d]\ndatabase=index\nserial=serial\nnew_certs_dir=.\ndefault_md=sha256\npolicy=p\nrand_serial=yes\n' +
      '[p]\ncommonName=supplied\n[req]\ndistinguished_name=n\nprompt=no\n[n]\nCN=Example proxy\n[e]\nbasicConstraints=critical,CA:TRUE\nkeyUsage=keyCertSign\n',
  );
  writeFileSync(join(folder, 'index'), '');
  const ran = spawnSync(
    'bash',
    [
      '-e',
      '-c',
      `openssl ecparam -name prime256v1 -genkey -noout -out key
       openssl req -new -key key -config ca.cnf -out csr
       openssl ca -batch -config ca.cnf -selfsign -keyfile key -in csr -extensions e -startdate ${time(made)} -enddate ${time(end)} -notext -out crt`,
    ],
    { cwd: folder, encoding: 'utf8' },
  );
  expect(ran.status, ran.stderr).toBe(0);
  return readFileSync(join(folder, 'crt'), 'utf8');
}

function trusting(site: string, pem: string): void {
  const config = readFileSync('fixtures/configs/minimal/install-config.yaml', 'utf8').replace('site1', site);
  const bundle = pem.replaceAll(/^(?=.)/gm, '  ');
  write(
    `sites/${site}/install-config.yaml`,
    `${config}additionalTrustBundlePolicy: Always\nadditionalTrustBundle: |\n${bundle}`,
  );
}

/** Creates a branch for a pull request with the current tree. */
function branch(name: string): void {
  done(
    `git checkout -q -f main && git update-ref refs/remotes/origin/main main && git clean -fdq && git checkout -q -b ${name}`,
  );
}

function commitWithTree(): void {
  const { code, stderr } = shell(
    'sno-install golden sites/*/ --out golden >/dev/null && git add -A && git commit -qm change',
  );
  expect(code, stderr).toBe(0);
}

beforeAll(() => {
  repository = scratchFolder();
  for (const site of ['berlin', 'paris']) {
    const config = readFileSync('fixtures/configs/minimal/install-config.yaml', 'utf8');
    write(`sites/${site}/install-config.yaml`, config.replace('site1', site));
  }
  write('.gitignore', fileShown('.gitignore'));
  write('.github/workflows/golden.yaml', fileShown('.github/workflows/golden.yaml'));
  install(built);
  done(
    'git init -q -b main && sno-install golden sites/*/ --out golden >/dev/null && git add -A && git commit -qm first',
  );
  // The state of a checkout on the runner.
  done('git remote add origin . && git fetch -q origin 2>/dev/null');
});

describe('the repository of docs/golden.md', () => {
  test('passes its checks and has no ignored files', () => {
    expect(done('git status --porcelain')).toBe('');
    expect(workflow()).toMatchObject({
      failed: [],
      summary: expect.stringMatching(/^No difference/) as string,
    });
    expect(done('git ls-files')).not.toMatch(/node_modules|\.ign$|state/m);
  });

  test('a change of one field: the check fails until the tree is written, and that alone shows', () => {
    branch('field');
    write('sites/berlin/sno-config.yaml', `${snoConfig}ntpSources: [ntp.example.com]\n`);
    expect(workflow().failed).toEqual(['the tree is what is made of the sites']);

    commitWithTree();
    const { failed, summary } = workflow();

    expect(failed).toEqual([]);
    showsAs('field', shownIn(summary));
    expect(done('git diff --name-only main')).not.toContain('paris');
  });

  test('shows a changed script once for all sites, with its lines', () => {
    branch('upgrade');
    const another = (text: string): string =>
      text.replace(/^set -/m, '# One line of another version.\nset -');
    install(commandWith('live/usr/local/bin/approve-csr.sh', another));
    try {
      expect(workflow().failed).toEqual(['the tree is what is made of the sites']);
      commitWithTree();
      const { failed, summary } = workflow();
      expect(failed).toEqual([]);
      showsAs('upgrade', shownIn(summary));
    } finally {
      install(built);
    }
  });

  test('warns of an expired certificate without failing; its replacement changes the tree', () => {
    branch('ended');
    trusting('paris', authority({ ago: 0, valid: 30 }));
    commitWithTree();
    const finished = workflow();
    expect(finished.failed).toEqual([]);
    const warning = finished.said.split('\n').filter((line) => line.includes('review/certificate-ended'));
    showsAs('ended', `${warning.join('\n')}\n`);

    done('git fetch -q origin 2>/dev/null; git update-ref refs/remotes/origin/main HEAD');
    trusting('paris', authority({ ago: 0, valid: 36_500 }));
    commitWithTree();
    const renewed = workflow();

    expect(renewed.failed).toEqual([]);
    expect(renewed.said).not.toContain('review/certificate-ended');
    const shown = shownIn(renewed.summary).replaceAll(/(ec-prime256v1) [0-9a-f]{8}/g, '$1 …');
    showsAs('renewed', shown);
  });

  test('reports a changed secret only if both sides are generated, and not in a tree', () => {
    branch('secret');
    const path = join(repository, 'sites/berlin/install-config.yaml');
    const other = Buffer.from('throwaway:canary').toString('base64');
    writeFileSync(path, readFileSync(path, 'utf8').replace('dGhyb3dhd2F5OnRocm93YXdheQ==', other));
    const { failed, summary } = workflow();
    expect([failed, summary.startsWith('No difference')]).toEqual([[], true]);

    const { code, stdout } = shell('sno-install diff sites/berlin --against main');

    expect(code).toBe(1);
    expect(stdout).toContain('~ object Secret openshift-config/pull-secret');
    expect(stdout).toContain('differs in hidden content');
    expect(stdout).not.toContain(other);
  });
});

test('the tree of twenty sites is written by one command, and each is there', () => {
  repository = scratchFolder();
  install(built);
  for (let site = 0; site < 20; site += 1) {
    const config = readFileSync('fixtures/configs/minimal/install-config.yaml', 'utf8');
    write(`sites/s${site}/install-config.yaml`, config.replace('site1', `s${site}`));
  }
  expect(done('sno-install golden sites/*/ --out golden')).toContain(' of 20 sites to golden.');
  expect(done('ls golden/sites | wc -l').trim()).toBe('20');
  expect(done('sno-install golden sites/*/ --out golden --check')).toMatch(/^No difference/);
});
