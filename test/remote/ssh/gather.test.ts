import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';

import { gatherBundle, type GatherRequest } from '../../../src/remote/ssh/gather.js';
import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';

/** Puts programs first on the PATH for the duration of the test. */
function withPrograms(programs: Readonly<Record<string, string>>): string {
  const folder = scratchFolder();
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const [name, text] of Object.entries(programs))
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const before = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
  Object.assign(process.env, { PATH: `${bin}${delimiter}${before.PATH ?? ''}`, HOME: folder });
  onTestFinished(() => {
    Object.assign(process.env, before);
  });
  return folder;
}

function request(dir: string, change: Partial<GatherRequest> = {}): GatherRequest {
  return {
    dir,
    address: { user: 'core', host: 'sno.example.com' },
    keyFiles: [],
    timeoutMs: 60_000,
    present: new Date('2026-01-02T03:04:05.678Z'),
    stop: new AbortController().signal,
    ...change,
  };
}

/** An `ssh` that runs the remote script locally. */
const here = 'for word; do last=$word; done; exec sh -c "$last"';
const node = {
  ssh: here,
  'installer-gather.sh': 'echo gathering >&2; echo "$*" | gzip >"$TAR_FILE"',
};

describeWith(['bash'], 'gathering a bundle', () => {
  it('names it after the clock it is given, and replaces no file', async () => {
    const folder = withPrograms(node);
    const dir = join(folder, 'new/site');
    const path = join(dir, 'log-bundle-20260102030405.tar.gz');

    const first = await gatherBundle(request(dir));
    const second = await gatherBundle(request(dir));

    expect(first).toMatchObject({ ok: true, value: { path } });
    expect(gunzipSync(readFileSync(path)).toString()).toBe('--id 20260102030405\n');
    expect(statSync(path).mode & 0o7777).toBe(0o600);
    expect(second).toMatchObject({ ok: false, problems: [{ code: 'dir/file-exists' }] });
    expect(readdirSync(dir)).toEqual(['log-bundle-20260102030405.tar.gz']);
    expect(readdirSync(folder).toSorted()).toEqual(['bin', 'new']);
  });

  it('of a node where the user is not root goes by sudo', async () => {
    const sudo = 'printf "%s\\n" "$*" >>"$HOME/bin/sudo.calls"; shift; exec "$@"';
    const folder = withPrograms({ ...node, id: 'echo 1000', sudo });
    const dir = join(folder, 'site');

    expect((await gatherBundle(request(dir))).ok).toBe(true);
    const calls = readFileSync(join(folder, 'bin/sudo.calls'), 'utf8').split('\n');
    expect(calls.map((call) => call.split(' ').slice(0, 3).join(' ')).slice(0, -1)).toEqual([
      '-n true',
      '-n timeout --kill-after=30',
      '-n rm -rf',
    ]);
  });

  it('stops at the timeout despite a running child of ssh', async () => {
    const folder = withPrograms({ ssh: 'sleep 3 & wait' });
    const dir = join(folder, 'site');

    const result = await gatherBundle(request(dir, { timeoutMs: 300 }));

    expect(result).toMatchObject({ ok: false, problems: [{ code: 'support/gather-timeout' }] });
    expect(readdirSync(dir)).toEqual([]);
  });

  it('stops at Ctrl-C', async () => {
    const folder = withPrograms({ ssh: 'exec sleep 600' });
    const dir = join(folder, 'site');

    const result = await gatherBundle(request(dir, { stop: AbortSignal.timeout(300) }));

    expect(result).toEqual({ ok: true, value: undefined, warnings: [] });
    expect(readdirSync(dir)).toEqual([]);
  });
});
