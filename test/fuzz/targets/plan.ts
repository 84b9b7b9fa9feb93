import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { problemsOf } from '../../../src/core/result.js';
import { recover } from '../../../src/disk/commit.js';
import type { Target } from '../driver/target.js';
import { keptInputs } from './fixture-texts.js';
import { canaries } from './planted.js';
import { shownProblems } from './shown-problems.js';

/** A file system in memory, if there is one. */
const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** The plan of a run that died. Recovery must not change the folders next to the directory. */
export const plan: Target = {
  name: 'plan',
  form: 'json',
  maxBytes: 8192,
  seeds: () => [
    '[{"path":"worker.ign","staged":"0"},{"path":"auth/kubeconfig","staged":"1"},{"path":"old.ign"}]',
    '[{"path":"new/folder/a.ign","staged":"0"},{"path":"link/kept","staged":"1"},{"path":"link/kept"}]',
    '[{"path":"./a","staged":"0"},{"path":"a/../b","staged":"1"},{"path":"/dev/null"},{"path":"","staged":"2"}]',
    '[{"path":".sno-install-pending/plan.json","staged":"0"},{"path":".sno-install-state.json","staged":"1"}]',
    ...keptInputs('plan'),
  ],
  words: [
    '..',
    '/',
    '.',
    'link',
    'outside',
    '../outside/kept',
    'auth',
    'worker.ign',
    '"staged":',
    '"path":',
    '\\u0000',
    '\\\\',
  ],
  canaries,
  run: (input) => {
    const scratch = mkdtempSync(join(parent, 'sno-install-fuzz-'));
    try {
      return carriedOut(scratch, input);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  },
};

function carriedOut(scratch: string, input: Buffer): ReturnType<typeof plan.run> {
  const [dir, outside] = [join(scratch, 'dir'), join(scratch, 'outside')];
  for (const folder of [dir, outside, join(dir, 'auth'), join(dir, '.sno-install-pending')])
    mkdirSync(folder, { mode: 0o700 });
  writeFileSync(join(outside, 'kept'), 'of somebody else');
  symlinkSync('../outside', join(dir, 'link'));
  for (const path of ['worker.ign', 'old.ign', 'auth/kubeconfig']) writeFileSync(join(dir, path), 'before');
  for (const staged of ['0', '1']) writeFileSync(join(dir, '.sno-install-pending', staged), 'after');
  writeFileSync(join(dir, '.sno-install-pending/plan.json'), input, { mode: 0o600 });
  const done = recover(dir);
  const isKept =
    readdirSync(outside).join() === 'kept' &&
    readFileSync(join(outside, 'kept'), 'utf8') === 'of somebody else';
  const isAlone = readdirSync(scratch).toSorted().join() === 'dir,outside';
  return {
    isAccepted: done.ok,
    shown: shownProblems(problemsOf(done)),
    fault: isKept && isAlone ? undefined : 'something outside of the directory was changed',
  };
}
