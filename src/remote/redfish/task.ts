import { BmcFault } from './bmc-fault.js';
import type { BmcResponse } from './bmc-request.js';
import { pause, pauseBeforeRetry, type Pacing } from './pacing.js';
import { textAt } from './resource.js';
import { messageText, responseMessages } from './response-messages.js';

/** Parameters of `followTask`. */
interface TaskOptions {
  readonly ask: (path: string) => Promise<BmcResponse>;
  readonly pacing: Pacing;
  readonly hidden: readonly string[];
}

/** Source: DSP2046, Task, TaskState */
const runningStates: ReadonlySet<string> = new Set([
  'New',
  'Starting',
  'Running',
  'Pending',
  'Suspended',
  'Interrupted',
  'Service',
  'Stopping',
  'Cancelling',
]);
const failedStates: ReadonlySet<string> = new Set(['Exception', 'Killed', 'Cancelled']);

/**
 * Waits for an asynchronous operation: the task monitor returns 202 until it is done, then the result. Some BMCs link to the task
 * instead of a monitor. Source: DSP0266, "Asynchronous operations". Throws BmcFault.
 */
export async function followTask(first: BmcResponse, following: TaskOptions): Promise<void> {
  const monitor = first.headers.location ?? taskIn(first);
  if (first.status !== 202 || monitor === undefined) return;
  let answer = first;
  while (isGoing(answer)) {
    const retryAfter = answer.headers['retry-after'];
    const { pacing } = following;
    if (retryAfter === undefined) await pause(pacing.lookMs, pacing);
    else await pauseBeforeRetry(0, retryAfter, pacing);
    answer = await readMonitor(pathIn(monitor), following);
  }
  const state = textAt(answer.data, 'TaskState');
  if (state === undefined || !failedStates.has(state)) return;
  const said = messageText(responseMessages(answer.data), following.hidden);
  throw new BmcFault('refused', `the task failed (${state})${said === '' ? '' : `: ${said}`}`);
}

/** The task in the body of an answer without Location. Source: DSP0266, "Asynchronous operations": the body is the task */
function taskIn({ data }: BmcResponse): string | undefined {
  return textAt(data, '@odata.type')?.startsWith('#Task.') === true ? textAt(data, '@odata.id') : undefined;
}

/** Some BMCs return a complete URL with their own host name. */
function pathIn(monitor: string): string {
  if (!URL.canParse(monitor, 'https://bmc'))
    throw new BmcFault('refused', 'the response has no task location');
  const { pathname, search } = new URL(monitor, 'https://bmc');
  return `${pathname}${search}`;
}

/** A task monitor disappears after its result was read. The caller then checks the effect of the operation. */
async function readMonitor(path: string, { ask }: TaskOptions): Promise<BmcResponse> {
  try {
    return await ask(path);
  } catch (error) {
    if (!(error instanceof BmcFault)) throw error;
    if ([404, 410].includes(error.status ?? 0)) return { status: 204, headers: {}, data: {}, bytes: 0 };
    // Without the status, which is not that of the operation.
    throw new BmcFault(error.kind, error.message, { mayPass: error.mayPass, isLate: error.isLate });
  }
}

function isGoing({ status, data }: BmcResponse): boolean {
  const state = textAt(data, 'TaskState');
  return status === 202 || (state !== undefined && runningStates.has(state));
}
