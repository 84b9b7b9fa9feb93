import { describe, expect, it } from 'vitest';

import {
  recordOfRequests,
  recordInputs,
  parseRequestReference,
} from '../../../src/disk/state/recorded-inputs.js';
import { sha256 } from '../../../src/formats/sha256.js';
import type { Reference } from '../../../src/graph/context.js';
import { inputsIn, world, type World } from './laid-inputs.js';

const references: readonly Reference[] = [
  { field: 'pullSecretFile', place: { kind: 'file', path: 'secrets/pull secret.json' } },
  { field: 'pullSecretFile', place: { kind: 'file', path: 'gone' } },
  { field: 'pullSecretVariable', place: { kind: 'variable', name: 'PULL_SECRET' } },
  { field: 'sshKeyFrom', place: { kind: 'stdin' } },
];

/** The record of a run that read every input. */
const record = {
  'digest closed': 'unreadable: large closed is closed',
  'digest gone.iso': 'absent',
  'digest image.iso': sha256('two'),
  'file pullSecretFile gone': 'absent',
  'file pullSecretFile secrets/pull secret.json': sha256('three'),
  'list empty': sha256(''),
  'list gone': 'absent',
  'list manifests': sha256('a.yaml\ndeep/'),
  'read closed': 'unreadable: closed is closed',
  'read gone': 'absent',
  'read install-config.yaml': sha256('one'),
  'stdin sshKeyFrom': sha256('five'),
  'variable pullSecretVariable PULL_SECRET': sha256('four'),
};

describe('recorded inputs', () => {
  it('return the same as unrecorded inputs, and record the reads in order', () => {
    const plain = inputsIn(world);
    const { inputs, record: noted } = recordInputs(plain);
    expect(noted()).toEqual({});
    for (const each of references) expect(inputs.readReference(each)).toEqual(plain.readReference(each));
    for (const path of ['install-config.yaml', 'gone', 'closed'])
      expect(inputs.read(path)).toEqual(plain.read(path));
    for (const path of ['image.iso', 'gone.iso', 'closed'])
      expect(inputs.digest(path)).toEqual(plain.digest(path));
    for (const folder of ['manifests', 'gone', 'empty'])
      expect(inputs.list(folder)).toEqual(plain.list(folder));
    expect(noted()).toEqual(record);
    expect(Object.keys(noted())).toEqual(Object.keys(record));
  });

  it('return earlier outputs without a read of the directory', () => {
    const { inputs, record: noted } = recordInputs(inputsIn(world));
    expect([inputs.written('a'), inputs.writtenPaths(), noted()]).toEqual(['written a', ['a', 'b'], {}]);
  });
});

describe('a record', () => {
  it('returns the same answers again', () => {
    expect(recordOfRequests(Object.keys(record), inputsIn(world))).toEqual(record);
    expect(recordOfRequests([], inputsIn(world))).toEqual({});
  });

  it('is unchanged while all answers are the same', () => {
    const other = inputsIn({ ...world, 'nobody asked': 'for it' });
    expect(recordOfRequests(Object.keys(record), other)).toEqual(record);
  });

  it.each<readonly [string, World]>([
    ['a file says something else', { 'install-config.yaml': 'other' }],
    ['a file is there now', { gone: '' }],
    ['a file can be read now', { closed: 'one' }],
    ['a large file says something else', { 'large image.iso': 'one' }],
    ['a name is new in a folder', { 'manifests/': ['a.yaml', 'b.yaml', 'deep/'] }],
    ['a folder is there now', { 'gone/': [] }],
    ['a file that a field names says something else', { 'file secrets/pull secret.json': 'one' }],
    ['a variable says something else', { $PULL_SECRET: 'one' }],
    ['stdin says something else', { stdin: 'one' }],
  ])('is changed when %s', (_name, change) => {
    expect(recordOfRequests(Object.keys(record), inputsIn({ ...world, ...change }))).not.toEqual(record);
  });
});

describe('a question', () => {
  it.each(references)('for $field reads its reference', (reference) => {
    const { inputs, record: noted } = recordInputs(inputsIn(world));
    inputs.readReference(reference);
    expect(Object.keys(noted()).map(parseRequestReference)).toEqual([reference]);
  });

  it.each([
    'read file a b',
    'list variable a b',
    'digest stdin a',
    'files a b',
    'my file a b',
    'file',
    'stdin ',
    '',
  ])('%j reads no reference', (question) => {
    expect(parseRequestReference(question)).toBeUndefined();
  });

  it('keeps its whole path, with any characters', () => {
    const place = { kind: 'file', path: 'two  words\nand a line ' };
    expect(parseRequestReference('file field two  words\nand a line ')).toEqual({ field: 'field', place });
  });
});
