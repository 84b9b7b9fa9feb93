import { answerTo } from '../../../src/serving/answers/answer.js';
import { servedBytes } from '../../../src/serving/answers/served-file.js';
import type { Target } from '../driver/target.js';
import { keptInputs } from './fixture-texts.js';

const file = servedBytes(Buffer.alloc(1000, 'a'));

/** The headers that say which part of a medium is wanted, and under which condition; an input is one header a line. */
export const httpRanges: Target = {
  name: 'http-ranges',
  form: 'lines',
  maxBytes: 16 * 1024,
  seeds: () => [
    'range: bytes=0-9',
    'range: bytes=-5',
    'range: bytes=990-',
    'range: bytes=0-0,10-19, 30-39',
    `range: bytes=0-9\nif-range: ${file.etag}`,
    `if-match: ${file.etag}\nrange: bytes=1-2`,
    `if-none-match: W/${file.etag}, "a"`,
    'if-none-match: *',
    `range: bytes=${Array.from({ length: 20 }, (_each, index) => `${index * 2}-${index * 2}`).join(',')}`,
    ...keptInputs('http-ranges'),
  ],
  words: [
    'range: ',
    'bytes=',
    'if-range: ',
    'if-match: ',
    'if-none-match: ',
    '"',
    'W/',
    '*',
    '-',
    ',',
    file.etag,
    '999',
    '1000',
  ],
  run: (input) => {
    const lines = input.toString('latin1').split('\n');
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, Math.max(0, line.indexOf(':'))),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    );
    const answer = answerTo({ method: 'GET', headers }, file);
    return { isAccepted: answer.status === 206, shown: JSON.stringify(answer), fault: faultOf(answer) };
  },
};

/** What is said of the body and what is in it must agree, and lie within the file (RFC 9110 §15.3.7). */
function faultOf({ status, headers, parts }: ReturnType<typeof answerTo>): string | undefined {
  const lengths = parts.map((part) => (typeof part === 'string' ? Buffer.byteLength(part) : part.length));
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const stretches = parts.filter((part) => typeof part !== 'string');
  if (stretches.some(({ offset, length }) => !isWithin(offset, length)))
    return 'a stretch is not within the file';
  if (status !== 304 && Number(headers['content-length']) !== total) return `content-length is not ${total}`;
  if (status === 200 && total !== file.bytes) return 'the whole file is not given';
  if (stretches.reduce((sum, { length }) => sum + length, 0) > file.bytes) return 'bytes are given twice';
  if (status === 206 && stretches.length === 0) return 'no stretch is given';
  const isFolded = Object.values(headers).some((value) => /[\r\n]/.test(value));
  return isFolded ? 'a header has a line break' : undefined;
}

function isWithin(offset: number, length: number): boolean {
  const numbers = [offset, length];
  return numbers.every(Number.isSafeInteger) && offset >= 0 && length > 0 && offset + length <= file.bytes;
}
