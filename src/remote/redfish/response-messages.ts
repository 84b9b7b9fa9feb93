import { isRecord } from '../../core/is-record.js';
import { redactSecrets } from '../../core/secrets.js';
import { printable } from '../../core/printable.js';
import type { BmcMessage } from './bmc-fault.js';
import { objectOf, textAt, textsAt, type JsonObject } from './resource.js';

/** Deepest annotation: that of a property of an object in the request, such as Boot/BootSourceOverrideTarget. */
const maxDepth = 3;
const maxMessages = 20;

/** Longer texts are cut before their secrets are removed. */
const maxRead = 16 * 1024;

const annotation = '@Message.ExtendedInfo';

/**
 * Messages of a response, in the forms that BMCs use: below `error` or at the top, as annotation of a property, as list or single
 * object, and `Messages` of old services. The text of `error` itself comes last. Source: DSP0266, "Error responses", "Object and property
 * annotations"
 */
export function responseMessages(data: JsonObject): readonly BmcMessage[] {
  const found: BmcMessage[] = [];
  collect(data, found, 0);
  if (found.length === 0) for (const each of entriesOf(data['Messages'])) found.push(messageOf(each));
  const code = textAt(data, 'error', 'code');
  const text = textAt(data, 'error', 'message');
  if (code !== undefined || text !== undefined)
    found.push(messageOf({ MessageId: code ?? '', Message: text ?? '' }));
  return found.slice(0, maxMessages);
}

function collect(data: JsonObject, found: BmcMessage[], depth: number): void {
  if (depth === maxDepth) return;
  for (const [name, value] of Object.entries(data)) {
    if (found.length >= maxMessages) return;
    if (name.endsWith(annotation)) {
      const property = name.slice(0, -annotation.length);
      for (const each of entriesOf(value)) found.push(messageOf(each, property));
    } else if (isRecord(value)) collect(value, found, depth + 1);
  }
}

function entriesOf(value: unknown): readonly JsonObject[] {
  if (typeof value === 'string') return [{ Message: value }];
  return (Array.isArray(value) ? value.slice(0, maxMessages) : [value]).filter(isRecord);
}

/** `property`: name of the annotated property; empty for an object. Old services write MessageID. */
function messageOf(entry: JsonObject, property = ''): BmcMessage {
  const id = textAt(entry, 'MessageId') ?? textAt(entry, 'MessageID') ?? '';
  const related = textsAt(objectOf(entry), 'RelatedProperties') ?? [];
  return {
    key: id.split('.').at(-1) ?? '',
    args: (textsAt(entry, 'MessageArgs') ?? []).slice(0, maxMessages),
    properties: [property, ...related.slice(0, maxMessages)].map(lastPart).filter((each) => each !== ''),
    text: (textAt(entry, 'Message') ?? '').slice(0, maxRead),
  };
}

/** Name of a property in a JSON pointer such as `#/TransferProtocolType`. */
function lastPart(pointer: string): string {
  return pointer.split(/[#/]/).at(-1) ?? '';
}

/** Messages without information: "a general error has occurred". Source: DSP2065, Base registry */
const generalKeys: ReadonlySet<string> = new Set(['GeneralError', 'ExtendedInfo', 'ExtendedError']);

/** The first two specific messages as one text, with secrets removed; empty without any. */
export function messageText(messages: readonly BmcMessage[], hidden: readonly string[]): string {
  const texts = messages.filter(({ text }) => text.trim() !== '');
  const specific = texts.filter(({ key }) => !generalKeys.has(key));
  const chosen = (specific.length > 0 ? specific : texts).map(({ text }) => text);
  return redactedText([...new Set(chosen)].slice(0, 2).join(' '), hidden);
}

const maxShown = 240;
/** Text of a BMC on one line with secrets removed, such as the token in the image's URL. */
export function redactedText(words: string, hidden: readonly string[]): string {
  // The last word may be the first part of a secret.
  const read = words.length >= maxRead ? words.slice(0, maxRead).replace(/\S*$/, '…') : words;
  const known = hidden
    .flatMap((each) => [each, ...each.split(/[/?&=]/).filter((part) => part.length >= 8)])
    .filter((each) => each !== '')
    .toSorted((left, right) => right.length - left.length)
    .reduce(withoutText, read);
  const plain = redactSecrets(printable(known).replace(/\b\w+:\\?\/\\?\/\S+/g, '…'));
  return plain.length > maxShown ? `${plain.slice(0, maxShown)}…` : plain;
}

/** Removes a short text only as a whole word, since its letters occur in many words. */
function withoutText(words: string, text: string): string {
  return /^\w{1,3}$/.test(text)
    ? words.replace(/\w+/g, (word) => (word === text ? '…' : word))
    : words.replaceAll(text, '…');
}
