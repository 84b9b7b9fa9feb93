import { BmcFault } from './bmc-fault.js';
import type { BmcResponse } from './bmc-request.js';
import { messageText, responseMessages } from './response-messages.js';

/** Temporary statuses: a retry may succeed. Source: RFC 9110 §15; RFC 6585 §4 */
const temporaryStatuses: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** Whether a write was rejected before it was processed, so that it can be repeated safely. Source: RFC 9110 §15.6.4; RFC 6585 §4 */
export function isRejectedUnprocessed(status: number): boolean {
  return status === 429 || status === 503;
}

/** Maps an error response. `hidden` lists secrets that the BMC may repeat in it. */
export function responseFault(answer: BmcResponse, hidden: readonly string[]): BmcFault {
  const { status } = answer;
  const messages = responseMessages(answer.data);
  const said = messageText(messages, hidden);
  const withText = (words: string): string => (said === '' ? words : `${words}: ${said}`);
  if (status === 401)
    return new BmcFault('credentials', withText('invalid user name or password'), { status, messages });
  const keys = [...new Set(messages.map(({ key }) => key))].filter((key) => /^\w{1,60}$/.test(key));
  const specific = keys.filter((key) => key !== 'GeneralError');
  const head = [`HTTP ${status}`, ...(specific.length > 0 ? specific : keys).slice(0, 3)].join(', ');
  const words = withText(`request failed (${head})`);
  if (status === 403) return new BmcFault('credentials', `permission denied: ${words}`, { status, messages });
  return new BmcFault('refused', words, {
    status,
    messages,
    mayPass: temporaryStatuses.has(status),
  });
}

/** A login that the BMC refused. */
export function loginFault({ status, data }: BmcResponse, hidden: readonly string[]): BmcFault {
  const said = messageText(responseMessages(data), hidden);
  const words = 'invalid user name or password';
  return new BmcFault('credentials', said === '' ? words : `${words} (HTTP ${status}): ${said}`, { status });
}
