import { printable } from '../../core/printable.js';
import { redactSecrets } from '../../core/secrets.js';
import { BmcFault, type BmcMessage } from './bmc-fault.js';
import type { BmcResponse } from './bmc-request.js';
import { objectsAt, textAt, textsAt, type JsonObject } from './resource.js';

/** Temporary statuses: a retry may succeed. Source: RFC 9110 §15; RFC 6585 §4 */
const temporaryStatuses: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** Whether a write was rejected before it was processed, so that it can be repeated safely. Source: RFC 9110 §15.6.4; RFC 6585 §4 */
export function isRejectedUnprocessed(status: number): boolean {
  return status === 429 || status === 503;
}

/** Maps an error response. `hidden` lists secrets that the BMC may repeat in it. */
export function responseFault(answer: BmcResponse, hidden: readonly string[]): BmcFault {
  const { status, data } = answer;
  const messages = messagesOf(data);
  if (status === 401) return new BmcFault('credentials', 'invalid user name or password', { status });
  const keys = [...new Set(messages.map(({ key }) => key))].filter((key) => /^\w{1,60}$/.test(key));
  const said = redactedText(wordsOf(data), hidden);
  const head = [`HTTP ${status}`, ...keys.slice(0, 3)].join(', ');
  const words = `request failed (${head})${said === '' ? '' : `: ${said}`}`;
  if (status === 403) return new BmcFault('credentials', `permission denied: ${words}`, { status });
  return new BmcFault('refused', words, {
    status,
    messages,
    mayPass: temporaryStatuses.has(status),
  });
}

/** Messages of an error response. Source: DSP0266, "Error responses" */
function messagesOf(data: JsonObject): readonly BmcMessage[] {
  return extendedInfo(data).map((each) => ({
    key: (textAt(each, 'MessageId') ?? '').split('.').at(-1) ?? '',
    args: textsAt(each, 'MessageArgs') ?? [],
  }));
}

function extendedInfo(data: JsonObject): readonly JsonObject[] {
  return objectsAt(data, 'error', '@Message.ExtendedInfo');
}

function wordsOf(data: JsonObject): string {
  const [first] = extendedInfo(data).flatMap((each) => textAt(each, 'Message') ?? []);
  return first ?? textAt(data, 'error', 'message') ?? '';
}

/** Text of a BMC on one line with secrets removed, such as the token in the image's URL. */
export function redactedText(words: string, hidden: readonly string[]): string {
  const known = hidden
    .flatMap((each) => [each, ...each.split(/[/?&=]/).filter((part) => part.length >= 8)])
    .filter((each) => each !== '')
    .toSorted((left, right) => right.length - left.length)
    .reduce(withoutText, words);
  const plain = redactSecrets(printable(known).replace(/\b\w+:\\?\/\\?\/\S+/g, '…'));
  return plain.length > 160 ? `${plain.slice(0, 160)}…` : plain;
}

/** Removes a short text only as a whole word, since its letters occur in many words. */
function withoutText(words: string, text: string): string {
  return /^\w{1,3}$/.test(text)
    ? words.replace(/\w+/g, (word) => (word === text ? '…' : word))
    : words.replaceAll(text, '…');
}
