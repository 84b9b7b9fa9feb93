import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { buildProgram } from '../../src/cli/program.js';
import { fleetFiles } from '../fleet/files.js';
import { liveFiles, liveIso } from '../media/support/live-iso.js';
import { ageKeys } from '../support/age-keys.js';
import { leafCommands, wordsOf } from '../support/leaf-commands.js';
import { minimalInstallConfig } from '../support/minimal-config.js';
import { scratchFolder } from '../support/scratch.js';
import { trackedFiles } from '../support/tracked-files.js';
import { scaledMs } from '../support/time-scale.js';

/** Runs the install line of the README in a fresh clone. */
function installByReadme(prefix: string): void {
  const [line = ''] = /^npm install --global .*$/m.exec(readFileSync('README.md', 'utf8')) ?? [];
  expect(readFileSync('docs/install.md', 'utf8')).toContain(`\`\`\`sh\n${line}\n\`\`\``);
  const clone = join(scratchFolder(), 'clone');
  for (const path of trackedFiles('.')) {
    mkdirSync(dirname(join(clone, path)), { recursive: true });
    copyFileSync(path, join(clone, path));
  }
  const { status, stderr } = spawnSync('bash', ['-c', line], {
    cwd: clone,
    encoding: 'utf8',
    env: { ...process.env, npm_config_prefix: prefix, npm_config_prefer_offline: 'true' },
  });
  expect([status, stderr.includes('npm error')], stderr).toEqual([0, false]);
}

function filesBelow(folder: string): readonly string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return paths.filter((path) => statSync(join(folder, path)).isFile());
}

/**
 * Command lines for a folder with a site and a fleet, in this order; together they reach most of each command. Other commands run
 * without arguments, which they may reject. Commands that need a network or a node exit with 1.
 */
const commandLines: readonly { readonly args: string; readonly code: number }[] = [
  { args: 'create sno-config --dir new --node-ip 192.0.2.1', code: 0 },
  { args: 'validate --dir site', code: 0 },
  { args: 'validate --dir site --output sarif', code: 0 },
  { args: 'create manifests --dir site', code: 0 },
  { args: 'create single-node-ignition-config --dir site', code: 0 },
  { args: 'create aio-ignition --dir aio', code: 0 },
  { args: 'create single-node-iso --dir site --iso live.iso --out site.iso', code: 0 },
  { args: 'inspect site.iso', code: 0 },
  { args: 'render control-plane --dir aio --for aio', code: 0 },
  { args: 'render ignition --dir site --out tree', code: 0 },
  { args: 'diff tree site', code: 0 },
  { args: 'certs site', code: 0 },
  { args: 'why /etc/motd --dir site', code: 0 },
  { args: 'verify --dir site', code: 0 },
  { args: 'images --dir site', code: 0 },
  { args: 'graph', code: 0 },
  { args: 'explain pullSecret', code: 0 },
  { args: 'version', code: 0 },
  { args: 'completion bash', code: 0 },
  { args: 'golden plain --out golden', code: 0 },
  { args: 'analyze bundle', code: 0 },
  { args: 'fleet validate --dir fleet', code: 0 },
  { args: 'fleet create --dir fleet', code: 0 },
  { args: 'fleet status --dir fleet', code: 0 },
  { args: 'fleet golden --dir fleet --out sites', code: 0 },
  { args: 'fleet golden --dir fleet --out sites --check', code: 0 },
  { args: 'fleet diff fleet fleet', code: 0 },
  { args: 'fleet certs --dir fleet', code: 0 },
  { args: 'fleet render inputs --dir fleet --out inputs', code: 0 },
  { args: 'import agent-config import/agent --dir agent-site', code: 0 },
  { args: 'import cluster-instance import/ztp --fleet --dir ztp-fleet', code: 0 },
  { args: 'import install-dir site --dir again', code: 0 },
  { args: `state encrypt --dir site --recipient ${ageKeys.ours.recipient}`, code: 0 },
  { args: 'wait-for node-ready --dir site --timeout 0s', code: 1 },
  { args: 'gather --bootstrap 127.0.0.1:1 --dir site', code: 1 },
  { args: 'preflight --dir site --timeout 1s --dns-server 127.0.0.1:1', code: 1 },
];

function layInputs(folder: string): void {
  const ecdsa =
    'apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\ncertificates:\n  keyAlgorithm: ECDSA-P256\n';
  const files = {
    ...Object.fromEntries(Object.entries(fleetFiles).map(([path, text]) => [`fleet/${path}`, text])),
    'fleet/base/sno-config.yaml': `${ecdsa}hostname: \${name}\nnodeIP: \${ip}\n`,
    'site/install-config.yaml': minimalInstallConfig,
    'site/sno-config.yaml': ecdsa,
    'aio/install-config.yaml': minimalInstallConfig,
    'plain/install-config.yaml': minimalInstallConfig,
    'bundle/bootstrap/journals/bootkube.log': 'Jan 02 03:04:05 sno1 bootkube.sh[1]: Waiting\n',
    'live.iso': liveIso(liveFiles),
  };
  for (const [path, contents] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), contents);
  }
}

describe('the package', () => {
  let prefix = '';
  let folder = '';
  let installed = '';
  beforeAll(() => {
    [prefix, folder] = [scratchFolder(), scratchFolder()];
    installByReadme(prefix);
    installed = join(prefix, 'lib/node_modules');
    layInputs(folder);
    cpSync('fixtures/import', join(folder, 'import'), { recursive: true });
  });

  const run = (args: readonly string[]): { readonly code: number | null; readonly stderr: string } => {
    const { status, stderr } = spawnSync(join(prefix, 'bin/sno-install'), args, {
      cwd: folder,
      encoding: 'utf8',
      input: '',
      env: { PATH: process.env['PATH'], HOME: '/nonexistent' },
      timeout: scaledMs(60_000),
    });
    return { code: status, stderr };
  };

  it('is small, brings no program that runs while it is installed, and no machine code', () => {
    const files = filesBelow(installed);
    const bytes = files.reduce((sum, path) => sum + statSync(join(installed, path)).size, 0);
    const packages = files
      .filter((path) => /^(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+\/package\.json$/.test(path))
      .map(
        (path) => JSON.parse(readFileSync(join(installed, path), 'utf8')) as { readonly scripts?: object },
      );

    expect(packages.length).toBeGreaterThan(0);
    expect(packages.length).toBeLessThanOrEqual(25);
    expect(bytes).toBeLessThanOrEqual(30 * 1024 * 1024);
    const whileInstalling = ['preinstall', 'install', 'postinstall'];
    expect(
      packages
        .flatMap(({ scripts = {} }) => Object.keys(scripts))
        .filter((name) => whileInstalling.includes(name)),
    ).toEqual([]);
    expect(files.filter((path) => /\.node$|\/binding\.gyp$|\.map$/.test(path))).toEqual([]);
  });

  it('has all fields for npm publish, its license and those of its dependencies', () => {
    const at = (path: string): string => join(installed, 'sno-install', path);
    const { private: isPrivate, dependencies = {} } = JSON.parse(
      readFileSync(at('package.json'), 'utf8'),
    ) as {
      readonly private?: boolean;
      readonly dependencies?: Readonly<Record<string, string>>;
    };
    expect(isPrivate).toBeUndefined();
    // Dependencies have exact versions and no further dependencies.
    expect(Object.values(dependencies).filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
    expect(
      filesBelow(installed).filter(
        (path) => path.endsWith('/package.json') && path.split('node_modules').length > 2,
      ),
    ).toHaveLength(Object.keys(dependencies).length);
    expect(
      ['LICENSE', 'README.md', 'dist/THIRD-PARTY.txt', 'templates', 'docs'].filter(
        (path) => !existsSync(at(path)),
      ),
    ).toEqual([]);
    const notices = readFileSync(at('dist/THIRD-PARTY.txt'), 'utf8');
    for (const name of [
      '@kubernetes/client-node',
      'age-encryption',
      'commander',
      'hash-wasm',
      'node-liblzma',
      'yaml',
    ])
      expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\([\\w.-]+\\)$`, 'm'));
    expect(notices).toContain('GNU LESSER GENERAL PUBLIC LICENSE');
  });

  it.each(commandLines)('runs from another folder: $args', ({ args, code }) => {
    const result = run(args.split(' '));
    expect(result.code, result.stderr).toBe(code);
    expect(result.stderr).not.toMatch(/Warning: |is a bug of/);
  });

  const others = leafCommands(buildProgram(() => undefined))
    .map((each) => wordsOf(each).join(' '))
    .filter((name) => !commandLines.some(({ args }) => args === name || args.startsWith(`${name} `)));
  it.each(others)('contains all files that it needs to start: %s', (name) => {
    const result = run([...name.split(' '), '--dir', resolve(folder, 'nothing')]);
    expect([0, 1, 2, 3], result.stderr).toContain(result.code);
    expect(result.stderr).not.toMatch(/Warning: |is a bug of/);
  });
});
