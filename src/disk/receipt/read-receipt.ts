import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { parseJson, whyNotJson } from '../../formats/json.js';
import { decodeUtf8 } from '../../formats/utf8.js';
import type { FieldPath } from '../../formats/yaml/yaml-tree.js';
import { jsonPlaces, type TextPlace } from '../../formats/yaml/yaml.js';
import { serializeReceipt, type Receipt } from './receipt.js';
import { dirname } from 'node:path';
import { shellWord } from '../../formats/shell-word.js';
import { whyUntrusted } from '../trust.js';
import { unreadableFile } from '../named-file.js';
import { readRegularFile } from '../regular-file.js';
import { isReceipt, receiptFault } from './receipt-shape.js';

/** A parsed receipt and its source text. */
export interface ReadReceipt {
  /** Path as the user wrote it. */
  readonly file: string;
  readonly bytes: Buffer;
  readonly receipt: Receipt;
  /** Position of a field in the file. */
  readonly placeOf: (path: FieldPath) => TextPlace | undefined;
}

/** A receipt has a few lines per file; one of a thousand files uses a fifth of this. */
const maxReceiptBytes = 1024 * 1024;

/**
 * Reads an untrusted receipt. Its text must be exactly the canonical serialization of its contents, so that there are no duplicate keys
 * and all parsers agree. Problems: usage/unreadable-file, receipt/unreadable.
 */
export function readReceipt(file: string): Result<ReadReceipt> {
  const read = readRegularFile(file, maxReceiptBytes);
  if (read.kind !== 'file')
    return unreadableFile('the receipt', file, read.kind === 'absent' ? 'it does not exist' : read.reason);
  const odd = whyUntrusted(read.stats, dirname(file));
  if (odd !== undefined)
    return unreadable(file, odd, {
      hint: `correct it with \`chmod go-w ${shellWord(file)}\` or \`chown\`, or copy the receipt again`,
    });
  const text = decodeUtf8(read.bytes);
  const value = text === undefined ? undefined : parseJson(text);
  if (text === undefined || value === undefined)
    return unreadable(file, `it ${text === undefined ? 'is not JSON' : whyNotJson(text)}`);
  const placeOf = jsonPlaces(text);
  if (!isReceipt(value)) {
    const { path = '', expected = 'a receipt' } = receiptFault(value) ?? {};
    const place = placeOf(pathSteps(path));
    return unreadable(file, `expected ${expected} at ${path === '' ? 'its top' : path}`, place);
  }
  const differing = firstDifference(text, serializeReceipt(value));
  return differing === undefined
    ? success({ file, bytes: read.bytes, receipt: value, placeOf })
    : unreadable(file, 'it is not in the format of sno-install', { line: differing, col: 1 });
}

function unreadable(
  file: string,
  reason: string,
  {
    hint = 'name a receipt written by `create`, or copy it again',
    ...place
  }: Partial<TextPlace> & { readonly hint?: string } = {},
): Result<never> {
  return failure(
    problem('receipt/unreadable', `the receipt cannot be used: ${reason}`, {
      at: { file, ...place },
      hint,
    }),
  );
}

/** Splits a path such as `outputs[0].sha256`. */
function pathSteps(path: string): FieldPath {
  return [...path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, name, index]) => name ?? Number(index));
}

/** First line that differs between two texts, counted from 1. */
function firstDifference(left: string, right: string): number | undefined {
  if (left === right) return undefined;
  const [ours, theirs] = [left.split('\n'), right.split('\n')];
  return ours.findIndex((line, index) => line !== theirs[index]) + 1 || ours.length;
}
