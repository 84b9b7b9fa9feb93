import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { geteuid } from 'node:process';

import { beforeAll, describe, expect, it } from 'vitest';

import { sha256 } from '../../src/formats/sha256.js';
import { kubeconfigText } from '../remote/kubernetes/throwaway-tls.js';
import { sno, snapshot } from '../support/command.js';
import { snoInProcess } from '../support/in-process.js';
import { minimalInstallConfig } from '../support/minimal-config.js';
import { scratchFolder } from '../support/scratch.js';
import { throwawayState } from '../support/throwaway-state.js';

const create = ['create', 'single-node-ignition-config'];
const stateName = '.sno-install-state.json';
const isRoot = geteuid?.() === 0;

let state = '';
beforeAll(async () => {
  state = await throwawayState({ 'install-config.yaml': minimalInstallConfig });
});

/** A directory to run in, and a folder outside it that no run may change. */
function site(): { readonly dir: string; readonly victim: string } {
  const scratch = scratchFolder();
  const [dir, victim] = [join(scratch, 'site'), join(scratch, 'victim')];
  mkdirSync(dir);
  mkdirSync(victim);
  writeFileSync(join(victim, 'precious'), 'precious');
  writeFileSync(join(dir, 'install-config.yaml'), minimalInstallConfig);
  writeFileSync(join(dir, stateName), state, { mode: 0o600 });
  return { dir, victim };
}

function pending(dir: string, steps: unknown, mode = 0o600): void {
  mkdirSync(join(dir, '.sno-install-pending'), { mode: 0o700 });
  writeFileSync(join(dir, '.sno-install-pending/plan.json'), JSON.stringify(steps), { mode });
  chmodSync(join(dir, '.sno-install-pending/plan.json'), mode);
  writeFileSync(join(dir, '.sno-install-pending/0'), 'from the plan', { mode: 0o600 });
}

function stateWith(more: object): string {
  return JSON.stringify({ ...(JSON.parse(state) as object), ...more });
}

describe('a directory that another user prepared', () => {
  const cases: readonly {
    readonly name: string;
    readonly given: (dir: string, victim: string) => void;
    readonly want: readonly [code: number, problem: string, says: string];
    readonly needsRoot?: true;
  }[] = [
    {
      name: 'a plan that writes outside',
      given: (dir) => {
        pending(dir, [{ path: '../victim/precious', staged: '0' }]);
      },
      want: [1, 'dir/untrusted', '"../victim/precious" is not a path below the directory'],
    },
    {
      name: 'a plan that removes outside',
      given: (dir, victim) => {
        pending(dir, [{ path: join(victim, 'precious') }]);
      },
      want: [1, 'dir/untrusted', 'is not a path below the directory'],
    },
    {
      name: 'a plan that takes what was not staged',
      given: (dir) => {
        pending(dir, [{ path: 'worker.ign', staged: '../../victim/precious' }]);
      },
      want: [1, 'dir/untrusted', 'it is not a plan of sno-install'],
    },
    {
      name: 'a plan below a link that leads out',
      given: (dir, victim) => {
        symlinkSync(victim, join(dir, 'auth'));
        pending(dir, [{ path: 'auth/precious', staged: '0' }]);
      },
      want: [3, 'dir/unfinished', 'auth is a symbolic link to a place outside the directory'],
    },
    {
      name: 'a plan that everybody can write',
      given: (dir) => {
        pending(dir, [{ path: 'worker.ign', staged: '0' }], 0o666);
      },
      want: [1, 'dir/untrusted', 'other users can write to it (mode 0666)'],
    },
    {
      name: "somebody else's plan",
      given: (dir) => {
        pending(dir, [{ path: 'worker.ign', staged: '0' }]);
        chownSync(join(dir, '.sno-install-pending/plan.json'), 4711, 4711);
      },
      want: [1, 'dir/untrusted', 'it belongs to user 4711, neither you nor the owner of its folder'],
      needsRoot: true,
    },
    {
      name: "somebody else's staged file",
      given: (dir) => {
        pending(dir, [{ path: 'worker.ign', staged: '0' }]);
        chownSync(join(dir, '.sno-install-pending/0'), 4711, 4711);
      },
      want: [1, 'dir/untrusted', '.sno-install-pending/0, apparently left by an interrupted run'],
      needsRoot: true,
    },
    {
      name: 'a state that says we wrote something outside',
      given: (dir, victim) => {
        const written = { 'manifests/../../victim/precious': sha256(readFileSync(join(victim, 'precious'))) };
        writeFileSync(join(dir, stateName), stateWith({ written }), { mode: 0o600 });
      },
      want: [1, 'dir/state-unreadable', 'expected a path below the directory at written.manifests/../../'],
    },
    {
      name: 'a state that everybody can write',
      given: (dir) => {
        chmodSync(join(dir, stateName), 0o666);
      },
      want: [1, 'dir/untrusted', 'other users can write to it (mode 0666)'],
    },
    {
      name: "somebody else's state",
      given: (dir) => {
        chownSync(join(dir, stateName), 4711, 4711);
      },
      want: [1, 'dir/untrusted', 'it belongs to user 4711'],
      needsRoot: true,
    },
    {
      name: 'an output folder that leads out',
      given: (dir, victim) => {
        symlinkSync(victim, join(dir, 'auth'));
      },
      want: [3, 'dir/not-writable', 'auth is a symbolic link to a place outside the directory'],
    },
  ];
  it.for(cases)('fails without changes: $name', async ({ given, want, needsRoot }, { skip }) => {
    if (needsRoot === true && !isRoot) skip('only root gives files away');
    const { dir, victim } = site();
    given(dir, victim);
    const before = [snapshot(dir), snapshot(victim)];

    const { code, stderr } = await snoInProcess([...create, '--dir', dir]);

    expect(stderr).toContain(want[1]);
    expect(stderr).toContain(want[2]);
    expect(code).toBe(want[0]);
    expect([snapshot(dir), snapshot(victim)]).toEqual(before);
    expect(readdirSync(victim)).toEqual(['precious']);
  });

  const inputs = ['install-config.yaml', 'sno-config.yaml', 'openshift', 'manifests', 'openshift/a.yaml'];
  it.each(inputs)('reads no input behind a link that leads out: %s', async (path) => {
    const { dir, victim } = site();
    const target = path.includes('.') ? join(victim, 'precious') : victim;
    writeFileSync(join(victim, 'b.yaml'), 'precious');
    mkdirSync(join(dir, path, '..'), { recursive: true });
    rmSync(join(dir, path), { force: true });
    symlinkSync(target, join(dir, path));

    const { code, stderr } = await snoInProcess(['validate', '--dir', dir]);

    expect(stderr).toContain('it is behind a symbolic link to a place outside the directory');
    expect(code).toBe(1);
  });

  it('is used by root when all of it belongs to the owner of the folder', async ({ skip }) => {
    if (!isRoot) skip('only root works in the folders of others');
    const { dir } = site();
    pending(dir, [{ path: 'auth/from-the-plan', staged: '0' }]);
    execFileSync('chown', ['-R', '4711:4711', dir]);

    const { code, stderr } = await snoInProcess([...create, '--dir', dir]);

    expect([code, stderr]).toEqual([0, '']);
    expect(readFileSync(join(dir, 'auth/from-the-plan'), 'utf8')).toBe('from the plan');
  });

  it('may keep a folder of outputs behind a link that stays in it', async () => {
    const { dir } = site();
    mkdirSync(join(dir, 'secrets/of/site'), { recursive: true });
    symlinkSync('secrets/of/site', join(dir, 'auth'));

    expect(await snoInProcess([...create, '--dir', dir])).toMatchObject({ code: 0 });
    expect(readdirSync(join(dir, 'secrets/of/site'))).toEqual(['kubeadmin-password', 'kubeconfig']);
  });

  it('restricts the mode of its state, also in a run without changes', async () => {
    const { dir } = site();
    await snoInProcess([...create, '--dir', dir]);
    chmodSync(join(dir, stateName), 0o644);

    const { code, stdout } = await snoInProcess([...create, '--dir', dir]);

    expect([code, / written$/m.test(stdout)]).toEqual([0, false]);
    expect(statSync(join(dir, stateName)).mode & 0o777).toBe(0o600);
  });
});

describe('a target that cannot be written ends the run before it is decided', () => {
  const cases: readonly {
    readonly name: string;
    readonly given: (dir: string) => void;
    readonly says: string;
  }[] = [
    {
      name: 'auth is a dangling link',
      given: (dir) => {
        symlinkSync('nowhere', join(dir, 'auth'));
      },
      says: 'cannot write auth/kubeconfig: auth is a symbolic link that leads nowhere',
    },
    {
      name: 'auth is another file system',
      given: (dir) => {
        const isOther = (path: string) => existsSync(path) && statSync(path).dev !== statSync(dir).dev;
        symlinkSync(['/dev/shm', '/proc'].find(isOther) ?? '/', join(dir, 'auth'));
      },
      says: 'auth is a symbolic link to a place outside the directory',
    },
  ];
  it.each(cases)('$name', async ({ given, says }) => {
    const { dir } = site();
    given(dir);
    const before = readdirSync(dir);

    const { code, stderr } = await snoInProcess([...create, '--dir', dir]);

    expect(stderr).toContain(says);
    expect([code, readdirSync(dir)]).toEqual([3, before]);
  });

  it('if auth is another mount', ({ skip }) => {
    const { dir } = site();
    mkdirSync(join(dir, 'auth'));
    const script =
      'mount -t tmpfs none "$1/auth" && exec "$2" "$3" create single-node-ignition-config --dir "$1"';
    const args = ['--mount', 'sh', '-c', script, 'sh', dir, process.execPath, resolve('dist/cli.js')];
    const before = readdirSync(dir);
    const { status, stderr } = spawnSync('unshare', args, { encoding: 'utf8' });
    if (/unshare|mount:/.test(stderr)) skip('this machine mounts nothing for us');

    expect(stderr).toContain('auth/kubeconfig: its folder is on a different file system');
    expect([status, readdirSync(dir)]).toEqual([3, before]);
  });

  it('auth cannot be written to by this user', ({ skip }) => {
    if (!isRoot) skip('only root becomes another user');
    const { dir } = site();
    mkdirSync(join(dir, 'auth'), { mode: 0o555 });
    execFileSync('chown', ['-R', '4711:4711', dir]);
    chmodSync(join(dir, '..'), 0o755);
    const before = readdirSync(dir);
    const asUser = ['--reuid', '4711', '--regid', '4711', '--clear-groups', process.execPath];
    const { status, stderr } = spawnSync(
      'setpriv',
      [...asUser, resolve('dist/cli.js'), ...create, '--dir', dir],
      {
        encoding: 'utf8',
      },
    );

    expect(stderr).toContain('auth/kubeconfig: its folder is not writable: permission denied');
    expect([status, readdirSync(dir)]).toEqual([3, before]);
  });
});

it('waits with the kubeconfig of a stranger without running its programs', async () => {
  const { dir, victim } = site();
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: 'touch',
    args: [join(victim, 'ran')],
    interactiveMode: 'Never',
  };
  mkdirSync(join(dir, 'auth'));
  const text = kubeconfigText({ server: 'https://127.0.0.1:1', user: { exec } });
  writeFileSync(join(dir, 'auth/kubeconfig'), text);

  const untold = await snoInProcess(['wait-for', 'node-ready', '--dir', dir, '--timeout', '0s']);
  const ranUntold = existsSync(join(victim, 'ran'));
  await snoInProcess(['wait-for', 'node-ready', '--dir', dir, '--timeout', '0s', '--trust-kubeconfig']);

  expect(untold.stderr).toBe(
    'error[cluster/kubeconfig]: users[0].user.exec runs a program, which kubeconfigs of sno-install never do\n' +
      `  --> ${dir}/auth/kubeconfig:1:142 (users[0].user.exec)\n` +
      '  |\n1 | (not shown: may contain a secret)\n' +
      '   = hint: if you trust this file, add --trust-kubeconfig\n',
  );
  expect([untold.code, ranUntold, existsSync(join(victim, 'ran'))]).toEqual([1, false, true]);
});

it('reports the written files and the next step if writing fails after the decision', async () => {
  const { dir } = site();
  // The renames are: the lock, the plan (the decision), then one for each file.
  const failing = ['--import', resolve('test/support/fail-at.mjs')];

  const first = sno([...create, '--dir', dir], { nodeArguments: failing, variables: { FAIL_RENAME: '5' } });

  expect(first.code).toBe(3);
  expect(first.stderr).toContain(
    'error[dir/unfinished]: not all outputs were written: permission denied; ' +
      'written: .sno-install-state.json, bootstrap-in-place-for-live-iso.ign; missing: worker.ign,',
  );
  expect(first.stderr).not.toContain('nothing was written');
  expect(await snoInProcess([...create, '--dir', dir])).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(dir)).not.toContain('.sno-install-pending');
});

describe('a path that is not a regular file', () => {
  const fifo = (path: string): void => {
    rmSync(path, { force: true });
    execFileSync('mkfifo', [path]);
  };
  const cases: readonly {
    readonly name: string;
    readonly given: (dir: string) => void;
    readonly args?: (dir: string) => readonly string[];
    readonly says: string;
  }[] = [
    ...['install-config.yaml', 'sno-config.yaml', stateName, 'worker.ign'].map((path) => ({
      name: `a FIFO as ${path}`,
      given: (dir: string) => {
        fifo(join(dir, path));
      },
      says: 'it is not a regular file',
    })),
    ...['install-config.yaml', 'sno-config.yaml', stateName, 'worker.ign'].map((path) => ({
      name: `a device as ${path}`,
      given: (dir: string) => {
        rmSync(join(dir, path), { force: true });
        symlinkSync('/dev/zero', join(dir, path));
      },
      says: 'it is not a regular file',
    })),
    ...['install-config.yaml', stateName, 'worker.ign'].map((path) => ({
      name: `a folder as ${path}`,
      given: (dir: string) => {
        rmSync(join(dir, path), { force: true });
        mkdirSync(join(dir, path));
      },
      says: 'it is a folder, not a file',
    })),
    {
      name: 'a FIFO as plan',
      given: (dir) => {
        pending(dir, []);
        fifo(join(dir, '.sno-install-pending/plan.json'));
      },
      says: 'it is not a regular file',
    },
    {
      name: 'a FIFO as the file that --state names',
      given: (dir) => {
        fifo(join(dir, 'other.json'));
      },
      args: (dir) => ['--state', join(dir, 'other.json')],
      says: 'it is not a regular file',
    },
  ];
  it.each(cases)('fails immediately: $name', async ({ given, args, says }) => {
    const { dir } = site();
    given(dir);
    const before = readdirSync(dir);

    const { code, stderr } = await snoInProcess([...create, '--dir', dir, ...(args?.(dir) ?? [])]);

    expect(stderr).toContain(says);
    expect([code, readdirSync(dir)]).toEqual([1, before]);
  });

  it('is not opened as a kubeconfig, a pull secret or a log bundle either', async () => {
    const { dir } = site();
    const path = join(dir, 'fifo');
    fifo(path);

    const commands = [
      ['wait-for', 'node-ready', '--kubeconfig', path],
      ['create', 'install-config', '--dir', join(dir, 'new'), '--pull-secret-file', path],
      ['analyze', path],
    ];
    for (const args of commands)
      expect((await snoInProcess(args)).stderr).toMatch(/it is not a regular file/);
  });
});

it('keeps records in its own folder, not where a link leads', async () => {
  const { victim } = site();
  const fleet = scratchFolder();
  cpSync(resolve('fixtures/fleet'), fleet, { recursive: true });
  mkdirSync(join(fleet, 'out'));
  symlinkSync(join(victim, 'precious'), join(fleet, 'out/wait.json'));

  await snoInProcess(['fleet', 'wait-for', 'node-ready', '--dir', fleet, '--timeout', '0s']);

  expect(readFileSync(join(victim, 'precious'), 'utf8')).toBe('precious');
});

/** The example fleet with a link to a folder outside it. */
function fleetBeside(link: string): { readonly fleet: string; readonly victim: string } {
  const { victim } = site();
  const fleet = scratchFolder();
  cpSync(resolve('fixtures/fleet'), fleet, { recursive: true });
  mkdirSync(resolve(fleet, link, '..'), { recursive: true });
  symlinkSync(victim, join(fleet, link));
  return { fleet, victim };
}

it.each([
  ['fleet create', ['create']],
  ['fleet wait-for', ['wait-for', 'node-ready', '--timeout', '0s']],
])('%s does not write where a link in the place of the outputs leads', async (_name, args) => {
  const { fleet, victim } = fleetBeside('out');
  const before = snapshot(victim);

  const { code, stderr } = await snoInProcess(['fleet', ...args, '--dir', fleet]);

  expect([code, stderr]).toEqual([
    expect.toSatisfy((status: number) => status !== 0),
    expect.stringMatching(/cannot write to \S+\/out: it is behind a symbolic link to a place outside/),
  ]);
  expect(snapshot(victim)).toEqual(before);
});

it('fleet create makes no site where a link in the place of its folder leads', async () => {
  const { fleet, victim } = fleetBeside('out/north-1');
  const before = snapshot(victim);
  const { code, stderr } = await snoInProcess(['fleet', 'create', '--dir', fleet, '--only', 'north-1']);
  expect([code, stderr]).toEqual([3, expect.stringContaining('out/north-1: it is behind a symbolic link')]);
  expect(snapshot(victim)).toEqual(before);
});
