import type { Agent } from 'node:http';

import { faultOf, isTurnedAway } from './answer-fault.js';
import { BmcFault } from './bmc-fault.js';
import { connectionsTo, type BmcTrust } from './bmc-connection.js';
import { ask, urlBelow, type Answer, type Asking, type Question } from './bmc-request.js';
import { enter, type BmcUser, type Entry } from './entry.js';
import { pause, tries, waitBefore, type Pacing } from './pacing.js';
import { textAt, type JsonObject, type Resource } from './resource.js';
import { followTask } from './task.js';

/** A BMC that was entered. All of it throws BmcFault. */
export interface BmcClient {
  readonly get: (path: string) => Promise<Resource>;
  /** Asks for an action, and waits until it is done. */
  readonly post: (path: string, body: JsonObject) => Promise<void>;
  /** Changes a resource that is as it was read, and waits until it is done. */
  readonly patch: (resource: Resource, body: JsonObject) => Promise<void>;
  /** Ends the session, if there is one, and the connections. */
  readonly leave: () => Promise<void>;
  readonly pacing: Pacing;
}

/** Who enters which BMC, and how. */
export interface BmcVisit {
  /** `https://host:port`. */
  readonly origin: string;
  readonly user: BmcUser;
  readonly trust: BmcTrust;
  readonly pacing: Pacing;
  /** What an answer may repeat and nobody is to see. */
  readonly hidden: readonly string[];
}

/** A session that is not ended ends by itself after a while. */
const partingMs = 5000;

/** An action may fetch an image's beginning before it answers. */
const actionFactor = 4;

/** Enters a BMC: by a session where it has them, else by name and password with each question. Throws BmcFault. */
export async function openBmc(visit: BmcVisit): Promise<BmcClient> {
  const { origin, trust, pacing } = visit;
  const agent = connectionsTo(new URL(origin), trust, pacing.questionMs);
  const hidden = [...visit.hidden, visit.user.password.reveal(), visit.user.name];
  const asking = askingWith(visit, { agent, hidden });
  // A session is ended also when the user ended all else.
  const parting: Asking = (question) =>
    ask(origin, question, { agent, pacing: { ...pacing, signal: AbortSignal.timeout(partingMs) } });
  try {
    return clientOf(visit, { agent, hidden, asking, entry: await enter(visit.user, { asking, parting }) });
  } catch (error) {
    agent.destroy();
    throw error;
  }
}

function askingWith(
  { origin, pacing }: BmcVisit,
  { agent, hidden }: { readonly agent: Agent; readonly hidden: readonly string[] },
): Asking {
  return async (question) => {
    for (let attempt = 0; ; attempt += 1) {
      let retryAfter: string | undefined;
      try {
        const answer = await ask(origin, question, { agent, pacing });
        const fault = answer.status < 400 ? undefined : faultOf(answer, hidden);
        const isRepeatable = question.method === 'GET' || isTurnedAway(answer.status);
        if (fault?.mayPass !== true || !isRepeatable || attempt + 1 >= tries) return answer;
        retryAfter = answer.headers['retry-after'];
      } catch (error) {
        const isOver =
          !(error instanceof BmcFault) || !error.mayPass || attempt + 1 >= (error.isLate ? 2 : tries);
        // A write may have been done before the connection ended: who asks for it looks first.
        if (isOver || question.method !== 'GET') throw error;
      }
      await pause(waitBefore(attempt, retryAfter, pacing), pacing);
    }
  };
}

interface Means {
  readonly agent: Agent;
  readonly hidden: readonly string[];
  readonly asking: Asking;
  readonly entry: Entry;
}

function clientOf({ origin, pacing }: BmcVisit, { agent, hidden, asking, entry }: Means): BmcClient {
  /** A session may end by itself; it is begun again once. */
  const entered = async (question: Question): Promise<Answer> => {
    const first = await asking({ ...question, headers: { ...question.headers, ...entry.headers() } });
    if (first.status !== 401 || !(await entry.renew())) return checked(first);
    return checked(await asking({ ...question, headers: { ...question.headers, ...entry.headers() } }));
  };
  const checked = (answer: Answer): Answer => {
    if (answer.status >= 400) throw faultOf(answer, hidden);
    return answer;
  };
  const get = async (path: string): Promise<Resource> => {
    const { data, headers } = await followed(entered, origin, path);
    const etag = headers.etag ?? textAt(data, '@odata.etag');
    return { path, data, ...(etag !== undefined && { etag }) };
  };
  const finished = (answer: Answer): Promise<void> =>
    followTask(answer, { ask: (path) => entered({ method: 'GET', path }), pacing, hidden });
  const questionMs = pacing.questionMs * actionFactor;
  return {
    get,
    post: async (path, body) => finished(await entered({ method: 'POST', path, body, questionMs })),
    patch: async (resource, body) => finished(await patched(resource, body, { get, entered, questionMs })),
    leave: async () => {
      await entry.leave();
      agent.destroy();
    },
    pacing,
  };
}

/** Follows redirections within the BMC. Source: DSP0266, "HTTP status codes" */
async function followed(entered: Asking, origin: string, path: string, left = 3): Promise<Answer> {
  const answer = await entered({ method: 'GET', path });
  const { location } = answer.headers;
  if (answer.status < 300 || location === undefined) return answer;
  if (left === 0) throw new BmcFault('refused', 'it sends elsewhere without end');
  const { pathname, search } = urlBelow(origin, location, path);
  return followed(entered, origin, `${pathname}${search}`, left - 1);
}

/**
 * Changes only what is as it was read (If-Match). A state that has changed is read anew; a weak mark is given as a strong one to those who
 * compare by letters. Source: DSP0266, "ETags"; RFC 9110 §13.1.1
 */
async function patched(
  resource: Resource,
  body: JsonObject,
  {
    get,
    entered,
    questionMs,
  }: {
    readonly get: (path: string) => Promise<Resource>;
    readonly entered: Asking;
    readonly questionMs: number;
  },
): Promise<Answer> {
  const change = (etag: string | undefined): Promise<Answer> =>
    entered({
      method: 'PATCH',
      path: resource.path,
      body,
      questionMs,
      ...(etag !== undefined && { headers: { 'if-match': etag } }),
    });
  try {
    return await change(resource.etag);
  } catch (error) {
    if (!isPrecondition(error)) throw error;
  }
  const { etag } = await get(resource.path);
  try {
    return await change(etag);
  } catch (error) {
    if (!isPrecondition(error) || etag?.startsWith('W/') !== true) throw error;
    return change(etag.slice(2));
  }
}

/** Source: RFC 9110 §15.5.13; RFC 6585 §3 */
function isPrecondition(error: unknown): boolean {
  return error instanceof BmcFault && (error.status === 412 || error.status === 428);
}
