import { isMainThread, workerData } from 'node:worker_threads';

import { exitCodes } from './cli/output/exit-codes.js';
import { runCommandLine } from './cli/main.js';
import type { TaskOrder } from './run/threads/workers.js';

let task: Promise<(item: unknown) => Promise<unknown>> | undefined;

/** What a thread does that loads the program: its task, with one item after the other. */
export async function inThread(item: unknown): Promise<unknown> {
  return (await (task ??= begun()))(item);
}

async function begun(): Promise<(item: unknown) => Promise<unknown>> {
  const { threadTask } = await import('./cli/thread-task.js');
  // tinypool gives a thread what it was given for it behind something of its own.
  const [, order] = workerData as readonly [unknown, TaskOrder];
  return threadTask(order);
}

if (isMainThread) {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that goes away early, such as `head`, is no error of ours; what was found out is still the answer.
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? exitCodes.done);
    process.stderr.write(
      `sno-install: the results cannot be written to stdout: ${error.code ?? error.message}\n`,
    );
    process.exit(exitCodes.notWritten);
  });

  // The bundle is CommonJS, which cannot wait here; nothing comes after.
  void runCommandLine(process.argv.slice(2));
}
