import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { failure } from '../../../src/core/result.js';
import { readReceipt } from '../../../src/disk/receipt/read-receipt.js';
import { findReceipts } from '../../../src/disk/receipt/find-receipts.js';
import { serializeReceipt } from '../../../src/disk/receipt/receipt.js';
import { listedFile } from '../../support/laid-receipt.js';
import { scratchFolder } from '../../support/scratch.js';
import { unreadableFailure } from '../../support/unreadable-file.js';
import { soundReceipt } from '../../support/sound-receipt.js';
import { expectOk } from '../../support/sound-value.js';

const receipt = { ...soundReceipt, outputs: [{ ...listedFile('worker.ign', '{}'), mode: '0600' }] };
const text = serializeReceipt(receipt);
const lines = text.split('\n');

let [folder, file] = ['', ''];
beforeEach(() => {
  folder = scratchFolder();
  file = join(folder, 'receipt.json');
});

function readAs(contents: string | Buffer): unknown {
  writeFileSync(file, contents);
  return readReceipt(file);
}

function unusable(reason: string, place: object = {}): object {
  const hint = 'name a receipt written by `create`, or copy it again';
  const message = `the receipt cannot be used: ${reason}`;
  return failure({ code: 'receipt/unreadable', severity: 'error', message, at: { file, ...place }, hint });
}

describe('a receipt', () => {
  it('contains its fields and their locations', () => {
    writeFileSync(file, text);
    const { placeOf, ...read } = expectOk(readReceipt(file));
    expect(read).toEqual({ file, bytes: Buffer.from(text), receipt: JSON.parse(text) as unknown });
    const line = lines.findIndex((each) => each.includes('"mode": "0600"'));
    expect(placeOf(['outputs', 0, 'mode'])).toEqual({ line: line + 1, col: '      "mode": '.length + 1 });
  });

  it('reports a missing file and other file types', () => {
    const unreadable = (reason: string): object => unreadableFailure('the receipt', file, reason);
    expect(readReceipt(file)).toEqual(unreadable('it does not exist'));
    mkdirSync(file);
    expect(readReceipt(file)).toEqual(unreadable('it is a folder, not a file'));
  });

  it('is rejected above 1 MiB', () => {
    const most = 1024 * 1024;
    expect(readAs(text.padEnd(most + 1))).toMatchObject({
      problems: [{ message: `the receipt ${file} cannot be read: it is larger than 1048576 bytes` }],
    });
    const place = { line: lines.length, col: 1 };
    expect(readAs(text.padEnd(most))).toEqual(unusable('it is not in the format of sno-install', place));
  });

  it.each([
    { name: 'nothing', contents: '' },
    { name: 'truncated', contents: text.slice(0, -3) },
    { name: 'not UTF-8', contents: Buffer.from([0x22, 0xff, 0x22]) },
  ])('is rejected if it is $name', ({ contents }) => {
    expect(readAs(contents)).toEqual(unusable('it is not JSON'));
  });

  it.each([
    { contents: '\n []', reason: 'expected an object at its top', place: { line: 2, col: 2 } },
    {
      contents: '{}',
      reason: 'expected "sno-install/v1alpha1" at apiVersion',
      place: { line: 1, col: 1 },
    },
    {
      contents: text.replace('"0600"', '600'),
      reason: 'expected four octal digits at outputs[0].mode',
      place: { line: lines.findIndex((line) => line.includes('"mode"')) + 1, col: 15 },
    },
    {
      contents: text.replace('"example.com"', 'null'),
      reason: 'expected a short text that is not a secret at cluster.baseDomain',
      place: { line: lines.findIndex((line) => line.includes('"baseDomain"')) + 1, col: 19 },
    },
  ])('is rejected with another shape: $reason', ({ contents, reason, place }) => {
    expect(readAs(contents)).toEqual(unusable(reason, place));
  });

  it.each([
    { name: 'with an extra space', contents: text.replace('"kind": ', '"kind":  '), line: 3 },
    { name: 'with a duplicate member', contents: text.replace('{', '{\n  "kind": "Receipt",'), line: 2 },
    { name: 'with an unknown member', contents: text.replace('{', '{\n  "later": 1,'), line: 2 },
    { name: 'on one line', contents: JSON.stringify(JSON.parse(text)), line: 1 },
    { name: 'without the final newline', contents: text.slice(0, -1), line: lines.length - 1 },
    { name: 'with an extra line', contents: `${text}\n`, line: lines.length + 1 },
  ])('must have the written bytes; is rejected $name', ({ contents, line }) => {
    const place = { line, col: 1 };
    expect(readAs(contents)).toEqual(unusable('it is not in the format of sno-install', place));
  });
});

describe('the receipts at a path', () => {
  it('are the file itself, even if it is missing', () => {
    expect(expectOk(findReceipts(file))).toEqual([{ file }]);
    writeFileSync(file, '');
    expect(expectOk(findReceipts(file))).toEqual([{ file }]);
  });

  it('are those in a folder, in order', () => {
    const names = ['site.iso.receipt.json', 'receipt.json', 'a.receipt.json'];
    const others = ['xreceipt.json', 'receipt.json.sig', 'receipt.jsonx', 'receipt'];
    for (const name of [...names, ...others]) writeFileSync(join(folder, name), '');
    mkdirSync(join(folder, 'b.receipt.json'));
    expect(expectOk(findReceipts(folder))).toEqual(
      names.toSorted().map((name) => ({ file: join(folder, name) })),
    );
  });

  it('are none in a folder without receipts', () => {
    const message = `${folder} has no receipt.json`;
    const hint = 'name the output directory of `create`';
    expect(findReceipts(folder)).toEqual(failure({ code: 'receipt/none', severity: 'error', message, hint }));
  });

  it('are reported if a folder has the name of the receipt', () => {
    mkdirSync(file);
    writeFileSync(join(folder, 'site.iso.receipt.json'), '');
    expect(findReceipts(folder)).toMatchObject({
      problems: [{ message: `the receipt ${file} cannot be read: it is a folder, not a file` }],
    });
  });
});
