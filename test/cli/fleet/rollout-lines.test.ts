import { expect, test } from 'vitest';

import { rolloutLines } from '../../../src/cli/fleet/rollout/rollout-lines.js';
import type { ProgressForm } from '../../../src/cli/wait/progress-form.js';
import type { RolloutState } from '../../../src/fleet/rollout/rollout-state.js';
import type { RolloutNotice } from '../../../src/fleet/rollout/run-rollout.js';

const at = '2026-11-27T12:00:00Z';
const state: RolloutState = {
  operation: 'boot',
  until: 'install-complete',
  plan: '',
  state: 'running',
  startedAt: at,
  updatedAt: at,
  waves: [{ name: '1', state: 'running' }],
  sites: new Map([
    ['a', { wave: '1', state: 'waiting', attempts: 1 }],
    ['b', { wave: '1', state: 'failed', attempts: 1 }],
    ['c', { wave: '2', state: 'pending', attempts: 0 }],
  ]),
};

const notices: readonly RolloutNotice[] = [
  { event: 'wave-started', wave: '1' },
  { event: 'site-started', wave: '1', site: 'a' },
  { event: 'site-failed', wave: '1', site: 'b', cause: 'no answer' },
  { event: 'rollout-waiting', message: 'wave 2 starts later' },
];

test.each<{ form: ProgressForm; want: readonly string[] }>([
  {
    form: 'lines',
    want: [
      `${at} wave 1 starts: 1 failed, 1 waiting\n`,
      `${at} b failed: no answer\n`,
      `${at} waiting: wave 2 starts later\n`,
    ],
  },
  {
    form: 'line',
    want: [
      `\r\u001b[K${at} wave 1 starts: 1 failed, 1 waiting\n`,
      '\r\u001b[K1 failed, 1 waiting',
      '\r\u001b[K1 failed, 1 waiting',
      `\r\u001b[K${at} b failed: no answer\n`,
      '\r\u001b[K1 failed, 1 waiting',
      `\r\u001b[K${at} waiting: wave 2 starts later\n`,
      '\r\u001b[K1 failed, 1 waiting',
      '\r\u001b[K',
    ],
  },
  { form: 'json-lines', want: notices.map((notice) => `${JSON.stringify({ at, ...notice })}\n`) },
  { form: 'silent', want: [] },
])('progress as $form', ({ form, want }) => {
  const written: string[] = [];
  const lines = rolloutLines(
    form,
    { write: (text) => void written.push(text), columns: 20 },
    () => new Date(at),
  );
  for (const notice of notices) lines.onNotice(notice, state);
  lines.done();
  expect(written).toEqual(want);
});
