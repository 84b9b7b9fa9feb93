import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { snapshot } from '../support/command.js';
import { snoInProcess } from '../support/in-process.js';
import { scratchFolder } from '../support/scratch.js';
import { throwawayState } from '../support/throwaway-state.js';

const config = readFileSync('fixtures/configs/minimal/install-config.yaml', 'utf8');
/** Another machine network changes the Ignition config of the same cluster. */
const otherConfig = config.replace('192.168.126.0/24', '192.168.127.0/24');
const create = ['create', 'single-node-ignition-config'];

let state = '';
beforeAll(async () => {
  state = await throwawayState({ 'install-config.yaml': config });
});

/** A directory with the config; the state file next to it makes runs fast. */
function site(): { readonly dir: string; readonly statePath: string } {
  const scratch = scratchFolder();
  const dir = join(scratch, 'site');
  const statePath = join(scratch, 'state.json');
  mkdirSync(dir);
  writeFileSync(join(dir, 'install-config.yaml'), config);
  writeFileSync(statePath, state);
  return { dir, statePath };
}

describe('the same inputs', () => {
  it('give the same bytes: again, in another directory with --state, and after reverted edits', async () => {
    const { dir, statePath } = site();
    const first = await snoInProcess([...create, '--dir', dir, '--state', statePath]);
    const once = snapshot(dir);

    const second = await snoInProcess([...create, '--dir', dir]);
    const twice = snapshot(dir);
    const other = join(dir, '../other');
    mkdirSync(other);
    writeFileSync(join(other, 'install-config.yaml'), config);
    await snoInProcess([...create, '--dir', other, '--state', join(dir, '.sno-install-state.json')]);
    writeFileSync(join(dir, 'install-config.yaml'), otherConfig);
    const changed = await snoInProcess([...create, '--dir', dir]);
    writeFileSync(join(dir, 'install-config.yaml'), config);
    await snoInProcess([...create, '--dir', dir]);

    expect([first.code, first.stderr, second.code, second.stderr, changed.code]).toEqual([0, '', 0, '', 0]);
    expect(second.stdout.match(/ unchanged$/gm)?.length).toBe(first.stdout.match(/ written$/gm)?.length);
    expect(twice).toEqual(once);
    expect(snapshot(other)).toEqual(once);
    expect(withoutGeneratedValues(snapshot(dir))).toEqual(withoutGeneratedValues(once));
  });

  it('include environment variables, with a warning if one is missing', async () => {
    const { dir, statePath } = site();
    const variables = {
      OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE: 'registry.example.com/ocp/release:4.18.3-x86_64',
    };
    await snoInProcess([...create, '--dir', dir, '--state', statePath], { variables });
    const once = snapshot(dir);

    const { code, stderr } = await snoInProcess([...create, '--dir', dir]);

    expect(code).toBe(0);
    expect(stderr).toBe(
      'warning[usage/environment-changed]: OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE was set in the last run but is not set now\n' +
        '   = hint: set OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE again to get the same outputs\n',
    );
    expect(snapshot(dir)).not.toEqual(once);
    await snoInProcess([...create, '--dir', dir], { variables });
    expect(withoutGeneratedValues(snapshot(dir))).toEqual(withoutGeneratedValues(once));
  });

  it('include the arguments of coreos-installer, and reject faults', async () => {
    const { dir, statePath } = site();
    const name = 'OPENSHIFT_INSTALL_EXPERIMENTAL_BOOTSTRAP_IN_PLACE_COREOS_INSTALLER_ARGS';
    const args = [...create, '--dir', dir, '--state', statePath];
    const variables = { [name]: '--save-partlabel data* -n' };
    await snoInProcess(args, { variables });
    const same = await snoInProcess(args, { variables });
    expect([
      same.code,
      same.stderr,
      / unchanged$/m.test(same.stdout),
      / written$/m.test(same.stdout),
    ]).toEqual([0, '', true, false]);

    const unset = await snoInProcess(args);
    expect(unset.stderr).toContain(`${name} was set in the last run but is not set now\n`);
    expect(unset.stdout).toMatch(/bootstrap-in-place-for-live-iso\.ign .*(?:written|updated)/);

    const before = snapshot(dir);
    const disk = await snoInProcess(args, { variables: { [name]: '/dev/vda1' } });
    expect([disk.code, disk.stderr.split('\n')[0]]).toEqual([
      2,
      `error[usage/environment]: ${name}: the disk /dev/vda1 is a partition; the node needs a whole disk`,
    ]);
    expect(snapshot(dir)).toEqual(before);
  });

  it('with SOURCE_DATE_EPOCH are issued at that second', async () => {
    const { dir, statePath } = site();

    const { code, stdout } = await snoInProcess(
      [...create, '--dir', dir, '--state', statePath, '--output', 'json'],
      {
        variables: { SOURCE_DATE_EPOCH: '1767225600' },
      },
    );

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, bootableUntil: '2026-01-31T00:00:00Z' });
  });
});

it('a kubeconfig of another kind of cluster is not replaced unless it was moved away', async () => {
  const { dir, statePath } = site();
  const run = (target: string): Promise<{ readonly code: number; readonly stderr: string }> =>
    snoInProcess(['create', target, '--dir', dir]);
  await snoInProcess([...create, '--dir', dir, '--state', statePath]);
  const first = snapshot(dir)['auth/kubeconfig'];
  const before = snapshot(dir);
  for (const args of [
    ['create', 'aio-ignition'],
    ['validate', '--target', 'aio-ignition'],
  ]) {
    const { code, stderr } = await snoInProcess([...args, '--dir', dir]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(
        'error[dir/kubeconfig-replaced]: auth/kubeconfig, metadata.json of bootstrap-in-place-for-live-iso.ign would be replaced by those of another cluster',
      ),
    ]);
  }
  expect(snapshot(dir)).toEqual(before);
  for (const path of ['auth/kubeconfig', 'metadata.json']) rmSync(join(dir, path));
  for (const target of ['aio-ignition', 'aio-ignition'])
    expect(await run(target)).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining('dir/') as string,
    });
  for (const path of ['auth/kubeconfig', 'metadata.json']) rmSync(join(dir, path));
  for (const target of ['single-node-ignition-config', 'single-node-ignition-config'])
    expect(await run(target)).toMatchObject({ code: 0 });
  expect(snapshot(dir)['auth/kubeconfig']).toBe(first);
});

describe('a directory that is not as it should be', () => {
  const cases: readonly {
    readonly name: string;
    readonly given: (dir: string, statePath: string) => void;
    readonly args?: readonly string[];
    readonly code: number;
    readonly stderr: (dir: string) => string;
  }[] = [
    {
      name: 'a lock of an earlier version is there',
      given: (dir) => {
        writeFileSync(join(dir, '.sno-install.lock'), '{}');
      },
      code: 1,
      stderr: (dir) =>
        `error[dir/locked]: ${dir}/.sno-install.lock exists, a lock file of an earlier version\n` +
        '   = hint: if no other run uses the directory, delete it\n',
    },
    {
      name: 'the state file is damaged',
      given: (dir) => {
        writeFileSync(join(dir, '.sno-install-state.json'), '{"version":1,', { mode: 0o600 });
      },
      code: 1,
      stderr: (dir) =>
        'error[dir/state-unreadable]: the state file .sno-install-state.json is not valid: it is not JSON\n' +
        `  --> ${dir}/.sno-install-state.json\n   = hint: restore it from a backup; moving it away creates a new cluster with new keys\n`,
    },
    {
      name: 'the state file is of a later version',
      given: (dir) => {
        writeFileSync(join(dir, '.sno-install-state.json'), '{"version":9}');
      },
      code: 1,
      stderr: (dir) =>
        'error[dir/state-version]: .sno-install-state.json has state version 9, expected version 2\n' +
        `  --> ${dir}/.sno-install-state.json\n`,
    },
    {
      name: 'an output was there before',
      given: (dir) => {
        writeFileSync(join(dir, 'worker.ign'), '{"made by":"somebody else"}');
      },
      code: 1,
      stderr: (dir) =>
        'error[dir/output-edited]: worker.ign already exists and was not written by sno-install\n' +
        `  --> ${dir}/worker.ign\n   = hint: move worker.ign away and run the command again\n`,
    },
    {
      name: '--state names no file',
      given: (_dir, statePath) => {
        rmSync(statePath);
      },
      code: 1,
      stderr: (dir) =>
        `error[dir/state-unreadable]: state file not found: ${join(dir, '../state.json')}\n` +
        '   = hint: name the state file of an earlier run\n',
    },
    {
      name: '--state differs from the state that is there',
      given: (dir, statePath) => {
        const own = readFileSync(statePath, 'utf8').replace(/"uuid\/[^"]*": "[^"]*"/, (draw) =>
          draw.replace(/.{4}"$/, '0000"'),
        );
        writeFileSync(join(dir, '.sno-install-state.json'), own, { mode: 0o600 });
      },
      code: 1,
      stderr: (dir) =>
        `error[dir/state-conflict]: this directory already has a state file, which differs from ${join(dir, '../state.json')} in "uuid/cluster"\n` +
        '   = hint: use an empty directory with --dir\n',
    },
  ];
  it.each(cases)('$name', async ({ given, code, stderr }) => {
    const { dir, statePath } = site();
    given(dir, statePath);
    const before = snapshot(dir);

    const result = await snoInProcess([...create, '--dir', dir, '--state', statePath]);

    expect(result.stderr).toBe(`${stderr(dir)}\n1 error; nothing was written\n`);
    expect([result.code, result.stdout]).toEqual([code, '']);
    expect(snapshot(dir)).toEqual(before);
  });

  it('an output was edited after it was written', async () => {
    const { dir, statePath } = site();
    await snoInProcess([...create, '--dir', dir, '--state', statePath]);
    writeFileSync(join(dir, 'install-config.yaml'), otherConfig);
    writeFileSync(join(dir, 'worker.ign'), 'edited by hand');

    const { code, stderr } = await snoInProcess([...create, '--dir', dir]);

    expect(code).toBe(1);
    expect(stderr).toContain('worker.ign was edited after it was written; the change would be lost');
    expect(readFileSync(join(dir, 'worker.ign'), 'utf8')).toBe('edited by hand');
  });

  it('does not create a missing directory without outputs', async () => {
    const scratch = scratchFolder();

    const { code, stderr } = await snoInProcess([...create, '--dir', join(scratch, 'a/b')]);

    expect(code).toBe(1);
    expect(stderr).toContain('error[config/file-missing]: install-config.yaml does not exist');
    expect(readdirSync(scratch)).toEqual([]);
  });

  it('a place that cannot be written to ends with exit code 3', async () => {
    const { dir } = site();
    writeFileSync(join(dir, 'file'), '');

    const { code, stderr } = await snoInProcess([...create, '--dir', join(dir, 'file/site')]);

    expect(code).toBe(3);
    expect(stderr).toBe(
      `error[dir/not-writable]: cannot create the directory ${dir}/file/site: a component of its path is not a folder\n` +
        '   = hint: name another directory with --dir\n\n1 error; nothing was written\n',
    );
  });
});

it('issues certificates again from the same keys when they are about to expire, with a warning', async () => {
  const { dir, statePath } = site();
  const old = { ...process.env, SOURCE_DATE_EPOCH: '1500000000' };
  await snoInProcess([...create, '--dir', dir, '--state', statePath], {
    variables: { SOURCE_DATE_EPOCH: old.SOURCE_DATE_EPOCH },
  });
  const stateFile = join(dir, '.sno-install-state.json');
  const before = JSON.parse(readFileSync(stateFile, 'utf8')) as {
    generatedValues: Record<string, string>;
    environment: object;
  };
  // The previous run got its clock from the environment; this one generates it.
  writeFileSync(stateFile, JSON.stringify({ ...before, environment: {} }));

  const { code, stderr } = await snoInProcess([...create, '--dir', dir]);

  const after = JSON.parse(readFileSync(stateFile, 'utf8')) as { generatedValues: Record<string, string> };
  expect(code).toBe(0);
  expect(stderr).toContain('warning[dir/reissued]: the certificates of this directory expired at 2017-');
  const keys = (generatedValues: Record<string, string>): object =>
    Object.fromEntries(Object.entries(generatedValues).filter(([label]) => label.startsWith('key/')));
  expect(keys(after.generatedValues)).toEqual(keys(before.generatedValues));
});

/** All files except the state, which keeps values generated for other configs. */
function withoutGeneratedValues(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).filter(([path]) => path !== '.sno-install-state.json'));
}
