import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { sno, snapshot, type CommandResult } from '../support/command.js';
import { scratchFolder } from '../support/scratch.js';
import { throwawayState } from '../support/throwaway-state.js';
import { scaledMs } from '../support/time-scale.js';

const config = readFileSync('fixtures/configs/minimal/install-config.yaml', 'utf8');
/** Changes every certificate. */
const later = 'apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\ncertificates: { backdate: 2h }\n';
const preload = (name: string): readonly string[] => ['--import', resolve(`test/support/${name}.mjs`)];
const killer = preload('kill-at');

/** A kill must not lose more where links, sockets, permissions and fsync of folders are missing. */
const places: readonly { readonly name: string; readonly missing: readonly string[] }[] = [
  { name: 'a kill at any moment', missing: [] },
  { name: 'a kill at any moment on a file system of memory sticks', missing: preload('lacking-calls') },
];

/** All files except those that sno-install keeps for itself. */
function userFiles(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(snapshot(folder)).filter(([path]) => !path.startsWith('.sno-install')),
  );
}

describe.each(places)('$name', ({ missing }) => {
  let state = '';
  beforeAll(async () => {
    state = await throwawayState({ 'install-config.yaml': config });
  });

  it('leaves the directory as before or as after', { timeout: scaledMs(600_000) }, () => {
    const scratch = scratchFolder();
    const finished = join(scratch, 'finished');
    mkdirSync(finished);
    writeFileSync(join(finished, 'install-config.yaml'), config);
    writeFileSync(join(scratch, 'state.json'), state, { mode: 0o600 });
    const create = ['create', 'single-node-ignition-config', '--dir'];
    const run = (dir: string, ...more: readonly string[]): CommandResult =>
      sno([...create, dir, ...more], { nodeArguments: missing });
    expect(run(finished, '--state', join(scratch, 'state.json'))).toMatchObject({ code: 0, stderr: '' });

    // The second run, whose certificates begin earlier, is the one that gets killed.
    writeFileSync(join(finished, 'sno-config.yaml'), later);
    const before = userFiles(finished);
    const complete = join(scratch, 'complete');
    cpSync(finished, complete, { recursive: true });
    const counter = join(scratch, 'count');
    const counted = sno([...create, complete], {
      nodeArguments: [...missing, ...killer],
      variables: { KILL_COUNT_FILE: counter },
    });
    expect(counted).toMatchObject({ code: 0 });
    const after = userFiles(complete);
    const changes = Number(readFileSync(counter, 'utf8'));
    expect(changes).toBeGreaterThan(20);
    expect(after['worker.ign']).not.toEqual(before['worker.ign']);

    for (let killAt = 1; killAt <= changes; killAt += 1) {
      const dir = join(scratch, 'killed');
      rmSync(dir, { recursive: true, force: true });
      cpSync(finished, dir, { recursive: true });

      const killed = sno([...create, dir], {
        nodeArguments: [...missing, ...killer],
        variables: { KILL_AT: String(killAt) },
      });
      expect(killed.signal, `kill at change ${killAt}`).toBe('SIGKILL');
      const left = userFiles(dir);
      const isDecided = existsSync(join(dir, '.sno-install-pending/plan.json'));
      if (isDecided) expectMixOf(left, before, after);
      else expect([before, after], `after a kill at change ${killAt}`).toContainEqual(left);

      expect(run(dir)).toMatchObject({ code: 0, stderr: '' });
      expect(userFiles(dir), `the run after a kill at change ${killAt}`).toEqual(after);
      expect(snapshot(dir), 'and nothing of the killed run stays').toEqual(snapshot(complete));
      expect(readdirSync(dir), 'its lock among it').toEqual(readdirSync(complete));
    }
  });
});

/** After the decision each file is complete: either the old or the new one. */
function expectMixOf(
  left: Readonly<Record<string, string>>,
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): void {
  for (const [path, contents] of Object.entries(left))
    expect([before[path], after[path]]).toContain(contents);
  expect(Object.keys(left).toSorted()).toEqual(Object.keys(after).toSorted());
}
