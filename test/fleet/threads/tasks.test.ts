import { expect, test } from 'vitest';

import type { TaskOptions, ThreadTasks } from '../../../src/fleet/threads/tasks.js';
import { threads, workersFor } from '../../../src/fleet/threads/workers.js';

const keys = { identities: [], passphrases: [] };
const amount = { items: 1, jobs: 1 };
const certificates = (): TaskOptions<'certificates'> => ({ task: 'certificates', order: { keys } });
const none: ThreadTasks['certificates']['done'] = { problems: [], certificates: [] };

test('few items are processed here, one after another', async () => {
  const read: string[] = [];
  const { run, atOnce } = workersFor(amount, certificates, () => (dir) => {
    read.push(dir);
    return Promise.resolve(none);
  });
  expect([await run('north-1'), atOnce, read]).toEqual([none, 1, ['north-1']]);
});

test('the name of a task determines the types of its data', async () => {
  const { close } = threads(certificates(), 1);
  // @ts-expect-error -- the keys are missing
  const unkeyed = threads({ task: 'certificates', order: {} }, 1);
  // @ts-expect-error -- an item of certificates is a folder, not a row
  const row = (): Promise<unknown> => threads(certificates(), 1).run({ name: 'north-1' });
  // @ts-expect-error -- a task that nothing implements
  const unknown: TaskOptions<'unknown'>[] = [];
  await Promise.all([close(), unkeyed.close()]);
  expect([typeof row, unknown]).toEqual(['function', []]);
});
