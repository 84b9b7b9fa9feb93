import { isMainThread, workerData } from 'node:worker_threads';

import { exitCodes } from './cli/output/exit-codes.js';
import { runCommandLine } from './cli/main.js';
import type { TaskFunction, TaskName, TaskOptions, ThreadTasks } from './fleet/threads/tasks.js';

let task: Promise<TaskFunction<TaskName>> | undefined;

/** The entry point of a worker thread. Loads the task once, then runs it for each item. */
export async function runThreadTask(item: ThreadTasks[TaskName]['item']): Promise<unknown> {
  return (await (task ??= startThread()))(item);
}

async function startThread(): Promise<TaskFunction<TaskName>> {
  const { threadTask } = await import('./fleet/threads/thread-task.js');
  // tinypool passes `[its own data, the workerData of the pool]` to the thread.
  const [, order] = workerData as readonly [unknown, TaskOptions<TaskName>];
  return threadTask(order);
}

if (isMainThread) {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // EPIPE means that the reader, such as `head`, closed the pipe early. This is not an error; the exit code stays that of the
    // command.
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? exitCodes.done);
    process.stderr.write(`sno-install: cannot write to stdout: ${error.code ?? error.message}\n`);
    process.exit(exitCodes.notWritten);
  });

  // The bundle is CommonJS, which has no top-level await. This is the last statement.
  void runCommandLine(process.argv.slice(2));
}
