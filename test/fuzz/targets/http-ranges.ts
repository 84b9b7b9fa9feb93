import { rangeResponse } from '../../../src/serve/answers/range-response.js';
import { servedBytes } from '../../../src/serve/answers/served-file.js';
import type { Target } from '../driver/target.js';
import { keptInputs } from './fixture-texts.js';

const file = servedBytes(Buffer.alloc(1000, 'a'));

/** HTTP range and conditional headers of a medium request, one per line. */
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
    const answer = rangeResponse({ method: 'GET', headers }, file);
    return { isAccepted: answer.status === 206, shown: JSON.stringify(answer), fault: faultOf(answer) };
  },
};

/** Checks that status, headers and body agree and that the body is within the file (RFC 9110 §15.3.7). */
function faultOf({ status, headers, body }: ReturnType<typeof rangeResponse>): string | undefined {
  const { offset, length } = body ?? { offset: 0, length: 0 };
  if ((status === 200 || status === 206) !== (body !== undefined)) return `${status} with the wrong body`;
  if (body && !isWithin(offset, length)) return 'the body is not within the file';
  if (status !== 304 && Number(headers['content-length']) !== length)
    return `content-length is not ${length}`;
  if (status === 200 && length !== file.bytes) return 'the whole file is not given';
  if (status === 206 && headers['content-range'] !== `bytes ${offset}-${offset + length - 1}/${file.bytes}`)
    return 'content-range is not that of the body';
  const isFolded = Object.values(headers).some((value) => /[\r\n]/.test(value));
  return isFolded ? 'a header has a line break' : undefined;
}

function isWithin(offset: number, length: number): boolean {
  const numbers = [offset, length];
  return numbers.every(Number.isSafeInteger) && offset >= 0 && length > 0 && offset + length <= file.bytes;
}
