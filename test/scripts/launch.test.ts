import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { beforeEach, describe, expect, test } from 'vitest';

import { madeBundle } from '../analysis/support/made-bundle.js';
import { sno, snapshot } from '../support/command.js';
import { scratchFolder } from '../support/scratch.js';

/** The built program in a folder of its own, and a directory whose config has a fault. */
let folder = '';
const at = (path: string): string => join(folder, path);

beforeEach(() => {
  folder = scratchFolder();
  cpSync('dist', at('dist'), { recursive: true });
  for (const path of ['templates', 'node_modules']) symlinkSync(resolve(path), at(path));
  cpSync('fixtures/configs/minimal', at('site'), { recursive: true });
  const config = at('site/install-config.yaml');
  writeFileSync(config, readFileSync(config, 'utf8').replace(/baseDomain: .*/, 'baseDomain: example_com'));
  writeFileSync(
    at('watch.cjs'),
    `const vm = require('node:vm'), path = require('node:path');
vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options);
    const code = options.cachedData && (this.cachedDataRejected ? 'refused' : 'taken');
    console.error(path.basename(options.filename).replace(/-.*/, '') + ' ' + (code ?? 'compiled'));
  }
};`,
  );
});

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a command ends that runs from another folder: each file of the bundle with what became of its code is on stderr. */
function watched(command: readonly string[] = ['validate'], preload = 'watch.cjs'): Ended {
  return ended(process.execPath, '-r', at(preload), at('dist/cli.js'), ...command, '--dir', at('site'));
}

function ended(program: string, ...args: readonly string[]): Ended {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: '/', encoding: 'utf8' });
  return { status, stdout, stderr };
}

const outcome = /^(\S+ (?:taken|refused|compiled))\n/gm;

function loadedIn(stderr: string): readonly string[] {
  return [...stderr.matchAll(outcome)].map(([, line = '']) => line);
}

/** What a user reads, on either stream. */
function saidBy({ stdout, stderr }: Ended): string {
  return stdout + stderr.replace(outcome, '');
}

function keptCode(name: string): string {
  const [file] = readdirSync(at('dist')).filter((each) => each.startsWith(name) && each.endsWith('.code'));
  return at(`dist/${file ?? 'none'}`);
}

function flip(path: string, place: number): void {
  const bytes = readFileSync(path);
  bytes[place] = (bytes[place] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

test.each([{ command: ['validate'] }, { command: ['create', 'single-node-ignition-config'] }])(
  '$command.0 reads two files of the bundle to tell of a fault in a config, whose code is kept',
  ({ command }) => {
    const { status, stdout, stderr } = watched(command);

    expect([status, loadedIn(stderr)]).toEqual([1, ['program.js taken', 'rolldown taken', 'judge taken']]);
    expect(stdout + stderr).toContain('config/base-domain');
  },
);

test('a sound config is validated by three, whose code is kept', () => {
  cpSync('fixtures/configs/minimal', at('site'), { recursive: true });
  const { status, stderr } = watched();

  expect([status, loadedIn(stderr)]).toEqual([
    0,
    ['program.js taken', 'rolldown taken', 'judge taken', 'make taken'],
  ]);
});

describe('kept code that is of no use is compiled anew', () => {
  test.each([
    {
      name: 'missing',
      spoil: () => {
        rmSync(keptCode('judge'));
      },
    },
    {
      name: 'empty',
      spoil: () => {
        writeFileSync(keptCode('judge'), '');
      },
    },
    {
      name: 'damaged',
      spoil: () => {
        flip(keptCode('judge'), 100_000);
      },
    },
    {
      name: 'of another Node.js or file',
      spoil: () => {
        flip(keptCode('judge'), 0);
      },
    },
  ])('$name', ({ spoil }) => {
    const usual = watched();
    spoil();
    const spoilt = watched();

    expect(loadedIn(spoilt.stderr)).toEqual(['program.js taken', 'rolldown taken', 'judge compiled']);
    expect([spoilt.status, saidBy(spoilt)]).toEqual([usual.status, saidBy(usual)]);
  });

  test('of a file that has changed, to one as long', () => {
    const program = readFileSync(at('dist/program.js'), 'utf8');
    writeFileSync(
      at('dist/program.js'),
      program.replace('Turns an install-config', 'TURNS an install-config'),
    );
    const help = spawnSync(process.execPath, [at('dist/cli.js'), '--help'], { encoding: 'utf8' });

    expect(help.stdout).toContain('TURNS an install-config');
  });
});

test.each([
  {
    name: 'by Node.js',
    run: (path: string) => ended(process.execPath, path, 'validate', '--dir', at('site')),
  },
  { name: 'as a program', run: (path: string) => ended(path, 'validate', '--dir', at('site')) },
])('it is called $name by a link, from another folder, and writes nothing into its own', ({ run }) => {
  const before = snapshot(at('dist'));
  const usual = saidBy(watched());
  mkdirSync(at('bin'));
  symlinkSync('../dist/cli.js', at('bin/sno-install'));

  expect(saidBy(run(at('bin/sno-install')))).toBe(usual);
  expect(snapshot(at('dist'))).toEqual(before);
});

describe('packages are imported without a warning', () => {
  test('the reader of archives', async () => {
    writeFileSync(at('bundle.tar.gz'), await madeBundle({ 'b/bootstrap/services/bootkube.json': '[]' }));

    expect(sno(['analyze', at('bundle.tar.gz')])).toMatchObject({ code: 0, stderr: '' });
  });

  test('the packer', () => {
    cpSync('fixtures/configs/minimal', at('sound'), { recursive: true });
    const settings = 'kind: SingleNodeConfig\ncertificates: { keyAlgorithm: ECDSA-P256 }\n';
    writeFileSync(at('sound/sno-config.yaml'), `apiVersion: sno-install/v1alpha1\n${settings}`);
    const create = ['create', 'single-node-ignition-config', '--dir', at('sound')];

    expect(sno(create)).toMatchObject({ code: 0, stderr: '' });
  });

  test('the client of clusters', () => {
    mkdirSync(at('auth'));
    writeFileSync(at('auth/kubeconfig'), 'apiVersion: v1\nkind: Config\n');

    expect(sno(['wait-for', 'bootstrap-complete', '--dir', '.'], { cwd: folder })).toMatchObject({
      code: 1,
      stderr: `error[cluster/kubeconfig]: the current context of auth/kubeconfig does not name a cluster and a user of it
   = hint: take the auth/kubeconfig that sno-install wrote, or another with --kubeconfig
`,
    });
  });
});

test('a bug is reported with the files and lines of the program', () => {
  writeFileSync(
    at('fail.cjs'),
    `const { write } = process.stderr;
process.stderr.write = function (text, ...rest) {
  if (text.includes('config/base-domain')) throw new Error('no luck');
  return write.call(this, text, ...rest);
};`,
  );
  const { status, stderr } = watched(['validate'], 'fail.cjs');

  expect(status).toBe(70);
  expect(stderr).toMatch(/no luck\n.*dist\/(?:program|judge-[\w-]+)\.js:\d+:\d+/s);
});
