import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { templatesFrom } from '../../src/disk/program-files/templates.js';
import { problemsOf } from '../../src/core/result.js';
import { run, type RunOptions } from '../../src/run/run.js';
import { snapshot } from '../support/command.js';
import { snoInProcess, type CommandOutput } from '../support/in-process.js';
import { minimalInstallConfig } from '../support/minimal-config.js';
import { scratchFolder } from '../support/scratch.js';
import { seededEcKey, seededRsaKey } from '../support/seeded-keys.js';
import { throwawayState } from '../support/throwaway-state.js';

const stateName = '.sno-install-state.json';

let state = '';
beforeAll(async () => {
  state = await throwawayState({ 'install-config.yaml': minimalInstallConfig });
});

function site(text: string = state): string {
  const dir = join(scratchFolder(), 'site');
  mkdirSync(dir);
  writeFileSync(join(dir, 'install-config.yaml'), minimalInstallConfig);
  writeFileSync(join(dir, stateName), text, { mode: 0o600 });
  return dir;
}

function requestFor(dir: string, present: string, more: Partial<RunOptions> = {}): RunOptions {
  return {
    dir,
    target: 'single-node-ignition-config',
    command: 'test',
    variables: {},
    present: new Date(present),
    templates: templatesFrom('templates'),
    program: 'build 1',
    ...more,
  };
}

/** Whether a run succeeded, and the codes of its problems. */
async function outcomeOf(request: RunOptions): Promise<readonly (string | boolean)[]> {
  const result = await run(request);
  return [result.ok, ...problemsOf(result).map(({ code }) => code)];
}

function valuesIn(dir: string): Readonly<Record<string, string>> {
  const { generatedValues } = JSON.parse(readFileSync(join(dir, stateName), 'utf8')) as {
    generatedValues: Record<string, string>;
  };
  return generatedValues;
}

function edit(dir: string, file: string, change: (text: string) => string): void {
  const path = join(dir, file);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

describe('the state of one cluster', () => {
  it.each([
    { field: 'name: site1', other: 'name: site2', at: '4:9 (metadata.name)', domain: 'site2.example.com' },
    {
      field: 'baseDomain: example.com',
      other: 'baseDomain: example.net',
      at: '3:13 (baseDomain)',
      domain: 'site1.example.net',
    },
  ])('does not serve another, copied with `cp -r`: $other', async ({ field, other, at, domain }) => {
    const dir = site();
    const target = ['create', 'manifests', '--dir'];
    await snoInProcess([...target, dir]);
    const copy = join(dir, '../copy');
    cpSync(dir, copy, { recursive: true });
    edit(copy, 'install-config.yaml', (text) => text.replace(field, other));
    const before = snapshot(copy);

    const { code, stderr } = await snoInProcess([...target, copy]);

    expect(stderr).toContain(
      `error[dir/other-cluster]: the keys and passwords of this directory are those of site1.example.com, and the config names ${domain}`,
    );
    expect(
      stderr.replace(/install-config.yaml:\d+/, `install-config.yaml:${at.split(':')[0] ?? ''}`),
    ).toContain(at.slice(at.indexOf('(')));
    expect([code, snapshot(copy)]).toEqual([1, before]);
    expect((await snoInProcess(['validate', '--dir', copy])).code).toBe(1);
  });

  it('is adopted when it is of an earlier version, or when the user took the name out', async () => {
    const dir = site();
    await snoInProcess(['create', 'manifests', '--dir', dir]);
    edit(dir, 'install-config.yaml', (text) => text.replace('name: site1', 'name: site2'));
    edit(dir, stateName, (text) => {
      const { cluster, ...rest } = JSON.parse(text) as Record<string, unknown>;
      expect(cluster).toEqual({ name: 'site1', baseDomain: 'example.com' });
      return JSON.stringify(rest);
    });

    expect(await snoInProcess(['create', 'manifests', '--dir', dir])).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(readFileSync(join(dir, stateName), 'utf8'))).toMatchObject({
      cluster: { name: 'site2' },
    });
  });

  it('is not changed by the second run', async () => {
    const dir = site();
    await snoInProcess(['create', 'manifests', '--dir', dir]);
    const once = snapshot(dir);

    await snoInProcess(['create', 'manifests', '--dir', dir]);

    expect(snapshot(dir)).toEqual(once);
  });

  it('gives the same outputs every time with --state and SOURCE_DATE_EPOCH', async () => {
    const dir = site();
    const other = join(dir, '../other.json');
    writeFileSync(other, state, { mode: 0o600 });
    rmSync(join(dir, stateName));
    const at = (epoch: string): Promise<CommandOutput> =>
      snoInProcess(['create', 'manifests', '--dir', dir, '--state', other], {
        variables: { SOURCE_DATE_EPOCH: epoch },
      });

    expect(await at('1767225600')).toMatchObject({ code: 0, stderr: '' });
    cpSync(join(dir, stateName), other);
    expect(await at('1767225600')).toMatchObject({ code: 0, stderr: '' });
    expect(await at('1767225700')).toMatchObject({ code: 0, stderr: '' });
    expect(await at('1767225600')).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('a draw that does not do is a problem at its place in the state', () => {
  const label = 'key/rsa-2048/tls/root-ca';
  const cases = [
    { name: 'a broken key', kept: 'MIIB', want: 'it is not a private key in PEM' },
    { name: 'a key of another type', kept: seededEcKey('x', 'P-256'), want: 'it is not an RSA key' },
  ];
  it.each(cases)('$name', async ({ kept, want }) => {
    const dir = site();
    edit(dir, stateName, (text) => {
      const value = JSON.parse(text) as { generatedValues: Record<string, string> };
      expect(value.generatedValues[label]).toBe(seededRsaKey('tls/root-ca', 2048));
      return JSON.stringify({ ...value, generatedValues: { ...value.generatedValues, [label]: kept } });
    });
    const before = snapshot(dir);

    const { code, stderr } = await snoInProcess(['create', 'single-node-ignition-config', '--dir', dir]);

    expect(stderr).toBe(
      `error[dir/state-draw]: \`${label}\` of the state file cannot be used: ${want}\n` +
        `  --> ${join(dir, stateName)} (generatedValues.${label})\n` +
        '   = hint: restore the file from a backup; moving it away creates a new cluster with new keys\n\n' +
        '1 error; nothing was written\n',
    );
    expect([code, snapshot(dir)]).toEqual([1, before]);
  });

  it('with the name of the field in a state of version 1', async () => {
    const dir = site();
    edit(dir, stateName, (text) =>
      text
        .replace('"version": 2', '"version": 1')
        .replace('"generatedValues"', '"draws"')
        .replace('"generatedValuesDigest"', '"drawsDigest"')
        .replace(/"key\/rsa-2048\/tls\/root-ca": "[^"]*"/, '"key/rsa-2048/tls/root-ca": "MIIB"'),
    );

    const { stderr } = await snoInProcess(['create', 'single-node-ignition-config', '--dir', dir]);

    expect(stderr).toContain(`  --> ${join(dir, stateName)} (draws.${label})\n`);
  });

  it('also without other changes since the last run', async () => {
    const dir = site();
    await outcomeOf(requestFor(dir, '2026-01-02T00:00:00Z'));
    edit(dir, stateName, (text) => text.replace(/"uuid\/cluster": "[^"]*"/, '"uuid/cluster": "none"'));

    expect(await outcomeOf(requestFor(dir, '2026-01-02T00:00:00Z'))).toEqual([false, 'dir/state-draw']);
  });
});

describe('certificates that do not serve now', () => {
  it('are never passed over as unchanged', async () => {
    const dir = site();

    const first = await outcomeOf(requestFor(dir, '2036-01-01T00:00:00Z'));
    const afterTheClockWasSetRight = await outcomeOf(requestFor(dir, '2026-01-01T00:00:00Z'));
    const before = valuesIn(dir);
    const renewed = await outcomeOf(requestFor(dir, '2026-01-01T00:00:00Z', { renewal: 'always' }));
    const weekLeft = await outcomeOf(requestFor(dir, '2026-01-25T00:00:00Z'));
    const inTime = await outcomeOf(
      requestFor(dir, '2026-01-25T00:00:00Z', { renewal: { beforeSeconds: 10 * 24 * 60 * 60 } }),
    );

    expect(first).toEqual([true]);
    expect(afterTheClockWasSetRight).toEqual([false, 'dir/clock-ahead']);
    expect(renewed).toEqual([true]);
    expect(weekLeft).toEqual([true, 'dir/certificates-ending']);
    expect(inTime).toEqual([true]);
    const lasting = (generatedValues: Readonly<Record<string, string>>): object =>
      Object.fromEntries(
        Object.entries(generatedValues).filter(([label]) => /^(key|uuid|text|bcrypt)\//.test(label)),
      );
    expect(lasting(valuesIn(dir))).toEqual(lasting(before));
    expect(valuesIn(dir)['clock']).toBe('2026-01-25T00:00:00.000Z');
  });

  it('are reported at every run with a SOURCE_DATE_EPOCH in the past or future', async () => {
    const dir = site();
    const at = (epoch: string): Promise<readonly (string | boolean)[]> =>
      outcomeOf(requestFor(dir, '2026-01-01T00:00:00Z', { variables: { SOURCE_DATE_EPOCH: epoch } }));

    expect(await at('0')).toEqual([true, 'dir/certificates-outside']);
    expect(await at('0')).toEqual([true, 'dir/certificates-outside']);
    expect(await at('2082758400')).toEqual([true, 'dir/certificates-outside']);
  });

  it('are renewed by `create --renew`, and `--renew-before` accepts a duration', async () => {
    const dir = site();
    const create = ['create', 'single-node-ignition-config', '--dir', dir];

    const first = await snoInProcess([...create, '--renew-before', '10d']);
    const soon = await snoInProcess([...create, '--renew-before', 'soon']);
    const again = await snoInProcess([...create, '--renew']);

    expect([first.code, again.code, again.stderr]).toEqual([0, 0, '']);
    expect(soon).toMatchObject({ code: 2, stdout: '' });
    expect(soon.stderr).toContain('--renew-before is "soon", expected a duration');
    expect(readdirSync(dir)).not.toContain('.sno-install-pending');
  });
});
