import { shownWords } from './answer-fault.js';
import { BmcFault } from './bmc-fault.js';
import type { Answer } from './bmc-request.js';
import { pause, waitBefore, type Pacing } from './pacing.js';
import { objectsAt, textAt } from './resource.js';

/** Parameters of `followTask`. */
interface Following {
  readonly ask: (path: string) => Promise<Answer>;
  readonly pacing: Pacing;
  readonly hidden: readonly string[];
}

/** Source: DSP2046, Task, TaskState */
const going: ReadonlySet<string> = new Set([
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
const failed: ReadonlySet<string> = new Set(['Exception', 'Killed', 'Cancelled']);

/**
 * Waits for an asynchronous operation: the task monitor returns 202 until it is done, then the result. Some BMCs link to the task
 * instead of a monitor. Source: DSP0266, "Asynchronous operations". Throws BmcFault.
 */
export async function followTask(first: Answer, following: Following): Promise<void> {
  const monitor = first.headers.location;
  if (first.status !== 202 || monitor === undefined) return;
  let answer = first;
  while (isGoing(answer)) {
    const retryAfter = answer.headers['retry-after'];
    const { pacing } = following;
    await pause(retryAfter === undefined ? pacing.lookMs : waitBefore(0, retryAfter, pacing), pacing);
    answer = await monitored(pathIn(monitor), following);
  }
  const state = textAt(answer.data, 'TaskState');
  if (state === undefined || !failed.has(state)) return;
  const [message] = objectsAt(answer.data, 'Messages').flatMap((each) => textAt(each, 'Message') ?? []);
  const said = shownWords(message ?? '', following.hidden);
  throw new BmcFault('refused', `its task failed (${state})${said === '' ? '' : `: ${said}`}`);
}

/** Some BMCs return a complete URL with their own host name. */
function pathIn(monitor: string): string {
  if (!URL.canParse(monitor, 'https://bmc'))
    throw new BmcFault('refused', 'it does not say where its task can be seen');
  const { pathname, search } = new URL(monitor, 'https://bmc');
  return `${pathname}${search}`;
}

/** A task monitor disappears after its result was read. The caller then checks the effect of the operation. */
async function monitored(path: string, { ask }: Following): Promise<Answer> {
  try {
    return await ask(path);
  } catch (error) {
    if (error instanceof BmcFault && [404, 410].includes(error.status ?? 0))
      return { status: 204, headers: {}, data: {} };
    throw error;
  }
}

function isGoing({ status, data }: Answer): boolean {
  const state = textAt(data, 'TaskState');
  return status === 202 || (state !== undefined && going.has(state));
}
