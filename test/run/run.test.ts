import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { run, type RunReport, type RunOptions } from '../../src/run/run.js';
import { snapshot } from '../support/command.js';
import { minimalInstallConfig } from '../support/minimal-config.js';
import { runRequest } from '../support/run-request.js';
import { scratchFolder } from '../support/scratch.js';
import { throwawayState } from '../support/throwaway-state.js';

let state = '';
beforeAll(async () => {
  state = await throwawayState(
    { 'install-config.yaml': minimalInstallConfig },
    { clock: '2026-01-02T03:04:05.000Z' },
  );
});

function requestFor(dir: string, more: Partial<RunOptions> = {}): RunOptions {
  return { ...runRequest(dir), program: 'build 1', ...more };
}

/** Removes the record of earlier runs, so that the next run does not skip its work. */
function forgetRuns(dir: string): void {
  edit(dir, '.sno-install-record.json', (text) =>
    JSON.stringify({ ...(JSON.parse(text) as object), lastRuns: {} }),
  );
}

async function finishedSite(): Promise<string> {
  const dir = join(scratchFolder(), 'site');
  mkdirSync(join(dir, 'extra'), { recursive: true });
  writeFileSync(join(dir, 'install-config.yaml'), minimalInstallConfig);
  writeFileSync(
    join(dir, 'sno-config.yaml'),
    'apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\nextraManifests: [extra]\n',
  );
  writeFileSync(join(dir, 'extra/a.yaml'), manifest('a'));
  writeFileSync(join(dir, '.sno-install-state.json'), state);
  expect(await run(requestFor(dir))).toMatchObject({ ok: true });
  return dir;
}

function manifest(name: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: kube-system }\n`;
}

async function changesOf(request: RunOptions): Promise<readonly string[]> {
  const result = await run(request);
  const report: RunReport | undefined = result.ok ? result.value : undefined;
  return report?.outputs.filter(({ change }) => change !== 'unchanged').map(({ path }) => path) ?? ['failed'];
}

const ignition = 'bootstrap-in-place-for-live-iso.ign';

describe('the progress of a run', () => {
  it('counts up to a total that is known from its first word', async () => {
    const dir = join(scratchFolder(), 'site');
    mkdirSync(dir);
    writeFileSync(join(dir, 'install-config.yaml'), minimalInstallConfig);
    const seen: (readonly [number, number])[] = [];

    const result = await run(requestFor(dir, { onProgress: (done, total) => seen.push([done, total]) }));

    const [, total = 0] = seen[0] ?? [];
    expect(result).toMatchObject({ ok: true });
    expect(total).toBeGreaterThan(50);
    expect(seen).toEqual(Array.from({ length: total }, (_, index) => [index + 1, total]));
  });
});

describe('a run without changes', () => {
  it('gives the same report and the same bytes as one that makes everything again', async () => {
    const dir = await finishedSite();
    const first = snapshot(dir);

    const short = await run(requestFor(dir));
    const afterShort = snapshot(dir);
    forgetRuns(dir);
    const long = await run(requestFor(dir));

    expect(short).toEqual(long);
    expect(short.ok && short.value.outputs.every(({ change }) => change === 'unchanged')).toBe(true);
    expect([afterShort, snapshot(dir)]).toEqual([first, first]);
  });

  const touches: readonly {
    readonly name: string;
    readonly touch: (dir: string) => Partial<RunOptions>;
    readonly want: readonly string[];
  }[] = [
    {
      name: 'an edited config',
      touch: (dir) => (edit(dir, 'install-config.yaml', (text) => text.replace('.126.0', '.127.0')), {}),
      want: [ignition, 'receipt.json'],
    },
    {
      name: 'a changed extra manifest',
      touch: (dir) => (edit(dir, 'extra/a.yaml', () => manifest('b')), {}),
      want: [ignition, 'receipt.json'],
    },
    {
      name: 'a further extra manifest',
      touch: (dir) => (writeFileSync(join(dir, 'extra/b.yaml'), manifest('b')), {}),
      want: [ignition, 'receipt.json'],
    },
    {
      name: 'a config that was not there',
      touch: (dir) => (edit(dir, 'sno-config.yaml', (text) => `${text}hostname: node1\n`), {}),
      want: [ignition, 'receipt.json'],
    },
    {
      name: 'another invoker',
      touch: () => ({ variables: { OPENSHIFT_INSTALL_INVOKER: 'fleet' } }),
      want: [ignition, 'receipt.json'],
    },
    {
      name: 'an output that is gone',
      touch: (dir) => (rmSync(join(dir, 'worker.ign')), {}),
      want: ['worker.ign'],
    },
    {
      name: 'an output that others may read',
      touch: (dir) => (chmodSync(join(dir, 'auth/kubeconfig'), 0o644), {}),
      want: ['auth/kubeconfig'],
    },
    {
      name: 'another build, whose outputs are the same',
      touch: () => ({ program: 'build 2' }),
      want: ['receipt.json'],
    },
  ];
  it.each(touches)('notices $name', async ({ touch, want }) => {
    const dir = await finishedSite();

    const more = touch(dir);

    expect(await changesOf(requestFor(dir, more))).toEqual(want);
  });

  it('still issues certificates again when their window is nearly over', async () => {
    const dir = await finishedSite();

    const result = await run(requestFor(dir, { present: new Date('2026-01-31T12:00:00Z') }));

    expect(result.ok && result.warnings.map(({ code }) => code)).toEqual(['dir/reissued']);
    expect(result.ok && result.value.bootableUntil).toEqual(new Date('2026-03-02T12:00:00Z'));
  });
});

function edit(dir: string, path: string, change: (text: string) => string): void {
  writeFileSync(join(dir, path), change(readFileSync(join(dir, path), 'utf8')));
}
