import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, test } from 'vitest';

import { entry, failingRecord, madeBundle } from '../analysis/support/made-bundle.js';
import { snoInProcess, type CommandOutput } from '../support/in-process.js';
import { scratchFolder } from '../support/scratch.js';
import { seededRsaKey } from '../support/seeded-keys.js';

const record = failingRecord('stop-etcd', 'etcd does not stop');

async function analyze(
  entries: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<CommandOutput> {
  const path = join(scratchFolder(), 'log-bundle-1.tar.gz');
  writeFileSync(path, await madeBundle(entries));
  return await snoInProcess(['analyze', path, ...args]);
}

describe('analyze', () => {
  it('exits with 1 and prints the fault on stdout', async () => {
    const result = await analyze({ 'b/bootstrap/services/bootkube.json': record });

    expect(result).toMatchObject({ code: 1, stderr: '' });
    expect(result.stdout).toContain('likely cause: etcd does not stop [etcd-does-not-stop]\n');
  });

  it.each([
    { name: 'with a folder', root: "it's b/" },
    { name: 'without a folder', root: '' },
  ])(
    'prints a command and paths to read next that a shell accepts, for an archive $name',
    async ({ root }) => {
      const dir = scratchFolder();
      const path = join(dir, "it's a bundle.tar.gz");
      writeFileSync(
        path,
        await madeBundle({
          [`${root}bootstrap/services/bootkube.json`]: record,
          [`${root}gather.log`]: 'gathered',
        }),
      );
      const archive = (await snoInProcess(['analyze', path])).stdout;
      const [, unpack = '', file = ''] = /^read next, after `(.*)`:\n {2}(.*)$/m.exec(archive) ?? [];

      expect(execFileSync('sh', ['-c', `${unpack} && cat ${file}`], { cwd: dir, encoding: 'utf8' })).toBe(
        'gathered',
      );

      const folder = (await snoInProcess(['analyze', dir])).stdout;
      const [, inFolder = ''] = /^read next:\n {2}(.*)$/m.exec(folder) ?? [];
      expect(execFileSync('sh', ['-c', `cat ${inFolder}`], { encoding: 'utf8' })).toBe('gathered');
    },
  );

  it('exits with 1 for a stage that is still running and blocked by a known fault', async () => {
    const pulling =
      'pulling quay.io/ocp/release:4.21 failed after 5 s of 3600 s, next try in 5 s: unauthorized';
    const entries = {
      'b/bootstrap/services/release-image.json': JSON.stringify([
        entry(1, 'service start'),
        entry(2, 'stage start', { stage: 'pull-release-image' }),
      ]),
      'b/bootstrap/journals/release-image.log': `2026-01-02T03:04:03+0000 sno1 release-image-download.sh[1]: ${pulling}\n`,
    };
    const [text, data] = [await analyze(entries), await analyze(entries, '--output', 'json')];

    expect([text.code, data.code, text.stderr, data.stderr]).toEqual([1, 1, '', '']);
    expect(text.stdout).toMatch(
      /^log-bundle-1\.tar\.gz: the installation is still running .* blocks the stage/,
    );
    expect(text.stdout).toContain(
      'likely cause: the registry refuses the pull secret [image-not-authorised]\n',
    );
    expect(JSON.parse(data.stdout)).toMatchObject({
      ok: false,
      verdict: 'blocked',
      stage: { service: 'release-image', state: 'running' },
      faults: [{ id: 'image-not-authorised' }],
    });
  });

  it('gives the same to programs', async () => {
    const result = await analyze({ 'b/bootstrap/services/bootkube.json': record }, '--output', 'json');

    expect(result).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(result.stdout)).toMatchObject({
      ok: false,
      problems: [],
      verdict: 'failed',
      phase: 'live',
      stage: {
        service: 'bootkube',
        stage: 'stop-etcd',
        state: 'failed',
        since: '2026-01-02T03:04:03Z',
        failures: 1,
        location: '59 fail bootkube.sh',
        lastError: 'etcd does not stop',
      },
      faults: [{ id: 'etcd-does-not-stop', unit: 'bootkube', line: 'etcd does not stop' }],
    });
  });

  const started = { 'b/bootstrap/services/bootkube.json': '[]' };
  test.each([
    {
      name: 'whole',
      files: { ...started, 'b/bootstrap/journals/bootkube.log': '' },
      want: 'the installation is running in the live system; no fault found',
    },
    {
      name: 'incomplete',
      files: started,
      want: 'no fault found in the live system, in the parts of the bundle that were read',
    },
  ])('exits with 0 without a failure in a bundle that is $name', async ({ files, want }) => {
    const result = await analyze(files);

    expect([result.code, result.stderr]).toEqual([0, '']);
    expect(result.stdout).toContain(want);
  });

  test.each([
    { name: 'nothing', entry: undefined, code: 'support/bundle-unreadable' },
    { name: 'an empty file', entry: '', code: 'support/bundle-unreadable' },
    { name: 'a text', entry: 'hello', code: 'support/bundle-unreadable' },
  ])('ends with 1 and a problem: $name', async ({ entry, code }) => {
    const path = join(scratchFolder(), 'bundle.tar.gz');
    if (entry !== undefined) writeFileSync(path, entry);
    const result = await snoInProcess(['analyze', path]);

    expect([result.code, result.stdout]).toEqual([1, '']);
    expect(result.stderr).toContain(`error[${code}]`);
    expect((await snoInProcess(['analyze', path, '--output', 'json'])).stdout).toContain(code);
  });

  it('names the image of a failed pull in the remedy', async () => {
    const reason = 'timed out after 3600 s pulling quay.io/ocp/release:4.21: Error: unknown reason';
    const { stdout } = await analyze({
      'b/bootstrap/services/release-image.json': failingRecord('pull-release-image', reason),
      'b/bootstrap/journals/release-image.log': `2026-01-02T03:04:03+0000 sno1 release-image-download.sh[1]: ${reason}\n`,
    });

    expect(stdout).toContain(
      [
        'likely cause: an image cannot be pulled [image-not-pulled]',
        '  log of release-image at 2026-01-02T03:04:03Z: the last error above',
        '  cause: See the message after the colon for the reason.',
        '  to do: On the node: `sudo podman pull --authfile /root/.docker/config.json quay.io/ocp/release:4.21`. The pull is repeated automatically: `sudo journalctl --follow --unit release-image` on the node shows it.',
        '',
      ].join('\n'),
    );
  });

  it('asks for the whole bundle instead of one journal', async () => {
    const path = join(scratchFolder(), 'bootkube.log');
    writeFileSync(path, 'a line\n');

    expect((await snoInProcess(['analyze', path])).stderr).toBe(
      `error[support/not-a-bundle]: ${path} is a single file of a log bundle\n   = hint: name the whole bundle: the .tar.gz that \`gather\` wrote, or the folder that it was unpacked to\n\n1 error\n`,
    );
  });

  it('rejects a folder that is not a bundle', async () => {
    const folder = join(scratchFolder(), 'folder');
    mkdirSync(folder);

    expect((await snoInProcess(['analyze', folder])).stderr).toContain('error[support/not-a-bundle]');
  });

  it('never prints a secret of a bundle that was not redacted', async () => {
    const key = seededRsaKey('unredacted canary', 2048);
    const auth = Buffer.from('user:canary-pull-secret').toString('base64');
    const lines = [
      ...key.split('\n'),
      `{"auths":{"quay.io":{"auth":"${auth}"}}}`,
      'token: canary-token-7d1f',
    ];
    const entries = {
      'b/bootstrap/services/bootkube.json': failingRecord('cvo-bootstrap', lines.slice(-3).join('\n')),
      'b/bootstrap/journals/bootkube.log': ['stage cvo-bootstrap', ...lines]
        .map((line) => `2026-01-02T03:04:02+0000 sno1 bootkube.sh[1]: ${line}\n`)
        .join(''),
    };
    for (const form of ['text', 'json']) {
      const { code, stdout } = await analyze(entries, '--output', form);

      expect(code).toBe(1);
      for (const secret of [...key.split('\n').slice(1, -2), auth, 'canary-token'])
        expect(stdout.includes(secret), secret).toBe(false);
      expect(stdout).toContain('cvo-bootstrap');
    }
  });
});
