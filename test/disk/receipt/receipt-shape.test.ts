import { describe, expect, it } from 'vitest';

import { isReceipt, receiptFault } from '../../../src/disk/receipt/receipt-shape.js';
import { serializeReceipt } from '../../../src/disk/receipt/receipt.js';
import { soundMediumReceipt, soundReceipt } from '../../support/sound-receipt.js';
import { edited, whole } from './whole-receipt.js';

it.each([whole, soundReceipt, soundMediumReceipt])('accepts receipt %#', (receipt) => {
  const value: unknown = JSON.parse(serializeReceipt(receipt));
  expect([receiptFault(value), isReceipt(value)]).toEqual([undefined, true]);
});

it.each(['text', null, [], 1])('rejects %j', (value) => {
  expect([receiptFault(value), isReceipt(value)]).toEqual([{ path: '', expected: 'an object' }, false]);
});

const digits = '64 hexadecimal digits';
const short = 'a short text that is not a secret';
const inside = 'a path below the folder of the receipt';
const url = 'an http or https URL without credentials and query';
const number = 'a whole number';
const time = 'an RFC 3339 time such as 2026-01-02T03:04:05Z';

/** Expected values, by path in the receipt. */
const places: Readonly<Record<string, string>> = {
  apiVersion: '"sno-install/v1alpha1"',
  kind: '"Receipt"',
  program: 'an object',
  'program.name': '"sno-install"',
  'program.version': short,
  target: short,
  cluster: 'an object',
  'cluster.name': short,
  'cluster.baseDomain': short,
  issued: time,
  environment: 'an object',
  'environment.SOURCE_DATE_EPOCH': short,
  inputs: 'a list',
  'inputs[0].path': inside,
  'inputs[0].bytes': number,
  'inputs[0].sha256': digits,
  'inputs[1].path': inside,
  'inputs[1].absent': 'true',
  'inputs[2].path': inside,
  'inputs[2].bytes': number,
  'inputs[2].hmacSha256': digits,
  'inputs[2].keyedBy': inside,
  inputFolders: 'a list',
  'inputFolders[0]': inside,
  sources: 'a list',
  'sources[0].name': short,
  'sources[0].bytes': number,
  outputs: 'a list',
  'outputs[0].path': inside,
  'outputs[0].bytes': number,
  'outputs[0].mode': 'four octal digits',
  'outputs[0].sha256': digits,
  'medium.config': 'an object',
  'medium.config.bytes': number,
  'medium.config.sha256': digits,
  'medium.urls': 'an object',
  'medium.kernelArguments': 'a list',
  'medium.kernelArguments[0]': short,
  'medium.liveIso.name': short,
  'medium.liveIso.bytes': number,
  'medium.liveIso.sha256': digits,
  'medium.keyHolder.path': inside,
  'medium.keyHolder.sha256': digits,
};

/** The optional members. */
const optional: Readonly<Record<string, string>> = {
  'program.build': digits,
  'cluster.clusterID': short,
  'cluster.infraID': short,
  'sources[1].sha256': digits,
  medium: 'an object',
  'medium.config.path': inside,
  'medium.liveIso': 'an object',
  'medium.liveIso.path': inside,
  'medium.liveIso.architecture': short,
  'medium.liveIso.release': short,
  'medium.urls.rootfs': url,
  'medium.urls.kernel': url,
  'medium.urls.initrd': url,
  'medium.urls.overlay': url,
  'medium.keyHolder': 'an object',
};

describe('in a receipt', () => {
  it.each(Object.entries(places))('%s is %s, and required', (path, expected) => {
    expect([receiptFault(edited(path, undefined)), receiptFault(edited(path, false))]).toEqual([
      { path, expected },
      { path, expected },
    ]);
  });

  it.each(Object.entries(optional))('%s is %s, and optional', (path, expected) => {
    expect([receiptFault(edited(path, undefined)), receiptFault(edited(path, false))]).toEqual([
      undefined,
      { path, expected },
    ]);
  });

  it.each([null, 'absent', 'hmacSha256'])('an input is never %j', (value) => {
    const path = 'inputs[1]';
    expect(receiptFault(edited(path, value))).toEqual({ path, expected: 'an object' });
  });

  it('other members are accepted', () => {
    expect(receiptFault(edited('outputs[0].later', 1))).toBeUndefined();
  });
});
