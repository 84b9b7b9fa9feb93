import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { describeWith, isRoot } from '../../support/programs.js';
import { callsOf } from './support/calls.js';

const localImage = 'localhost/lab:1';

/** The distinct options of all containers in our scripts. */
const runs = new Map(
  callsOf('templates')
    .filter(({ program, args }) => program === 'podman' && args[0] === 'run')
    .map(({ args, script, line }) => {
      const image = args.findIndex((word, index) => index > 0 && !word.startsWith('-'));
      const options = args.slice(1, image);
      return [options.join(' '), { options, place: `${script}:${line}` }] as const;
    }),
);

const suite = isRoot() || process.env['CI'] !== undefined ? describeWith : skipped;

suite(['podman', 'tar'], 'the real podman', () => {
  let folder: string;
  const podman = (...args: readonly string[]) => {
    const own = [
      `--root=${folder}/root`,
      `--runroot=${folder}/run`,
      '--storage-driver=vfs',
      '--cgroup-manager=cgroupfs',
    ];
    return spawnSync('podman', [...own, ...args], {
      encoding: 'utf8',
      // This system's limits may not be raised: containers.conf(5), default_ulimits.
      env: { ...process.env, CONTAINERS_CONF: join(folder, 'containers.conf') },
    });
  };

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sno-podman-'));
    mkdirSync(join(folder, 'tree'));
    mkdirSync(join(folder, 'volume'));
    writeFileSync(join(folder, 'tree/program'), '');
    writeFileSync(join(folder, 'containers.conf'), '[containers]\ndefault_ulimits = []\n');
    spawnSync('tar', ['--create', '--file', `${folder}/image.tar`, '--directory', `${folder}/tree`, '.']);
    const { status, stderr } = podman('import', '--quiet', `${folder}/image.tar`, localImage);
    if (status !== 0) throw new Error(stderr);
  });

  afterAll(() => {
    podman('rm', '--all', '--force');
    rmSync(folder, { recursive: true, force: true });
  });

  test.each([...runs])('makes a container with %s', (_text, { options, place }) => {
    const given = options.map((option) =>
      option.replace(/^(--volume=)[^:]*/, `$1${folder}/volume`).replaceAll(/@(\w+)@/g, '$1'),
    );
    const { status, stderr } = podman('create', ...given, localImage, '/program');
    expect(`${status} ${stderr}`, place).toBe('0 ');
  });

  test('rejects an unknown value of an option', () => {
    expect(podman('create', `--volume=${folder}/volume:/x:zz`, localImage, '/program').stderr).toContain(
      'invalid option type "zz"',
    );
    expect(podman('create', '--log-driver=k8s-files', localImage, '/program').status).not.toBe(0);
  });
});

function skipped(_programs: readonly string[], title: string, body: () => void): void {
  describe.skip(`${title} (needs root: run the tests with sudo)`, body);
}
