import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';

import { rangeResponse } from '../../src/serve/answers/range-response.js';
import { FileChanged, readPieces, servedBytes } from '../../src/serve/answers/served-file.js';

const bytes = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 251));
const file = servedBytes(bytes);

const onFault = (error: unknown): void => expect.unreachable(String(error));

async function bodyFor(headers: Readonly<Record<string, string>>, method: 'GET' | 'HEAD' = 'GET') {
  const answer = rangeResponse({ method, headers }, file);
  const pieces: Buffer[] = [];
  if (answer.body)
    for await (const piece of readPieces(file, answer.body, { onFault })) pieces.push(Buffer.from(piece));
  return { ...answer, body: Buffer.concat(pieces) };
}

describe('a request for a file', () => {
  const whole = { status: 200, length: '1000', range: undefined };
  const cases: readonly {
    name: string;
    range: string;
    want: { readonly status: number; readonly length: string; readonly range: string | undefined };
  }[] = [
    {
      name: 'a stretch',
      range: 'bytes=10-19',
      want: { status: 206, length: '10', range: 'bytes 10-19/1000' },
    },
    { name: 'one byte', range: 'bytes=0-0', want: { status: 206, length: '1', range: 'bytes 0-0/1000' } },
    {
      name: 'the rest',
      range: 'bytes=990-',
      want: { status: 206, length: '10', range: 'bytes 990-999/1000' },
    },
    { name: 'the end', range: 'bytes=-10', want: { status: 206, length: '10', range: 'bytes 990-999/1000' } },
    {
      name: 'a suffix as long as the file',
      range: 'bytes=-1000',
      want: { status: 206, length: '1000', range: 'bytes 0-999/1000' },
    },
    {
      name: 'a stretch that goes on behind the end',
      range: 'bytes=995-5000',
      want: { status: 206, length: '5', range: 'bytes 995-999/1000' },
    },
    {
      name: 'nothing that there is',
      range: 'bytes=1000-',
      want: { status: 416, length: '0', range: 'bytes */1000' },
    },
    {
      name: 'an end of nothing',
      range: 'bytes=-0',
      want: { status: 416, length: '0', range: 'bytes */1000' },
    },
    { name: 'another unit', range: 'lines=1-2', want: whole },
    { name: 'another unit beyond the end', range: 'lines=5000-', want: whole },
    {
      name: 'the unit in capitals',
      range: 'Bytes=0-0',
      want: { status: 206, length: '1', range: 'bytes 0-0/1000' },
    },
    {
      name: 'an end before its beginning',
      range: 'bytes=5-4',
      want: { status: 416, length: '0', range: 'bytes */1000' },
    },
    { name: 'no number', range: 'bytes=a-b', want: whole },
    { name: 'a number and more', range: 'bytes=0x1-5', want: whole },
    { name: 'no range', range: 'bytes=', want: whole },
    {
      name: 'a stretch to a number beyond all files',
      range: 'bytes=10-9223372036854775807',
      want: { status: 206, length: '990', range: 'bytes 10-999/1000' },
    },
    {
      name: 'a number beyond all files',
      range: 'bytes=99999999999999999-',
      want: { status: 416, length: '0', range: 'bytes */1000' },
    },
    { name: 'no digits', range: 'bytes=-', want: whole },
    { name: 'a suffix longer than the file', range: 'bytes=-5000', want: whole },
    { name: 'several stretches', range: 'bytes=0-3, 500-502,-1', want: whole },
    { name: 'the same bytes twice', range: 'bytes=0-10,5-20', want: whole },
    {
      name: 'several stretches of which the file has one',
      range: 'bytes=5000-,10-19',
      want: { status: 206, length: '10', range: 'bytes 10-19/1000' },
    },
  ];
  test.each(cases)('of $name', async ({ range, want }) => {
    const { status, headers, body } = await bodyFor({ range });
    expect({ status, length: headers['content-length'], range: headers['content-range'] }).toEqual(want);
    expect(body.length).toBe(Number(want.length));
  });

  it('of any range returns the bytes in it', async () => {
    const place = fc.integer({ min: 0, max: 1100 });
    await fc.assert(
      fc.asyncProperty(place, place, async (from, to) => {
        const { status, body } = await bodyFor({ range: `bytes=${from}-${to}` });
        if (to < from || from >= bytes.length) expect(status).toBe(416);
        else expect(body.equals(bytes.subarray(from, to + 1))).toBe(true);
      }),
    );
  });

  it('by HEAD gets the headers of the whole file, and no body', async () => {
    const { status, headers, body } = await bodyFor({ range: 'bytes=0-3' }, 'HEAD');
    expect({ status, length: headers['content-length'], body: body.length }).toEqual({
      status: 200,
      length: '1000',
      body: 0,
    });
  });

  const { etag } = file;
  const range = 'bytes=0-3';
  test.each([
    { name: 'If-None-Match of this file', headers: { 'if-none-match': `"a", W/${etag}` }, status: 304 },
    { name: 'If-None-Match of any', headers: { 'if-none-match': '*' }, status: 304 },
    { name: 'If-None-Match of another', headers: { 'if-none-match': '"a"' }, status: 200 },
    { name: 'If-Match of this file', headers: { 'if-match': etag, range }, status: 206 },
    { name: 'If-Match of several', headers: { 'if-match': `"a", ${etag}`, range }, status: 206 },
    { name: 'If-Match of any', headers: { 'if-match': '*', range }, status: 206 },
    { name: 'If-Match of another', headers: { 'if-match': '"a"', range }, status: 412 },
    { name: 'a weak If-Match', headers: { 'if-match': `W/${etag}`, range }, status: 412 },
    { name: 'If-Range of this file', headers: { 'if-range': etag, range }, status: 206 },
    { name: 'If-Range of another', headers: { 'if-range': '"a"', range }, status: 200 },
    { name: 'a weak If-Range', headers: { 'if-range': `W/${etag}`, range }, status: 200 },
    {
      name: 'If-Modified-Since',
      headers: { 'if-modified-since': 'Sun, 22 Nov 2026 00:00:00 GMT' },
      status: 200,
    },
    {
      name: 'If-Range of a time',
      headers: { 'if-range': 'Sun, 22 Nov 2026 00:00:00 GMT', range },
      status: 200,
    },
  ])('with $name', async ({ headers, status }) => {
    expect((await bodyFor(headers)).status).toBe(status);
  });

  it('has the same tag for the same bytes alone', () => {
    expect(servedBytes(Buffer.from(bytes)).etag).toBe(etag);
    expect(servedBytes(bytes.subarray(1)).etag).not.toBe(etag);
    expect(etag).toMatch(/^"[0-9a-f]{40}"$/);
  });
});

it('a file that changes in the middle of a body ends it as an error', async () => {
  let left = 2;
  const changing = {
    ...servedBytes(Buffer.alloc(3 * 256 * 1024)),
    read: (_offset: number, length: number) => Promise.resolve(left-- > 0 ? Buffer.alloc(length) : undefined),
  };
  const [sent, faults]: [number[], unknown[]] = [[], []];
  const watch = { onFault: (error: unknown) => faults.push(error) };
  await expect(
    (async () => {
      for await (const piece of readPieces(changing, { offset: 0, length: changing.bytes }, watch))
        sent.push(piece.length);
    })(),
  ).rejects.toBeInstanceOf(FileChanged);
  expect(sent).toEqual([256 * 1024, 256 * 1024]);
  expect(faults).toEqual([expect.any(FileChanged)]);
});
