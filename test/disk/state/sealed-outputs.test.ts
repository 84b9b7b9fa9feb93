import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { publicFile, secretFile, type OutputFile } from '../../../src/core/output-file.js';
import {
  haveWantedForm,
  isSealedName,
  plainName,
  sealedName,
  sealOutputs,
} from '../../../src/disk/state/sealed-outputs.js';
import { sha256 } from '../../../src/formats/sha256.js';
import { scratchFolder } from '../../support/scratch.js';

describe('the name of an output', () => {
  it.each([
    ['worker.ign.age', 'worker.ign'],
    ['sites/north-1/worker.ign.age', 'sites/north-1/worker.ign'],
    ['auth/kubeconfig.age', 'auth/kubeconfig'],
    ['sites/north-1/auth/kubeconfig.age', 'sites/north-1/auth/kubeconfig'],
    ['C:\\sites\\auth\\kubeconfig.age', 'C:\\sites\\auth\\kubeconfig'],
  ])('%s is encrypted', (path, plain) => {
    expect([isSealedName(path), plainName(path), sealedName(plain)]).toEqual([true, plain, path]);
  });

  it.each([
    'worker.ign',
    'auth/kubeconfig',
    'notes.age',
    'worker.ign.age.txt',
    'auth/kubeconfig.age/file',
    'worker-ign.age',
    'worker.ignXage',
    'worker.ign.agenda',
    'myauth/kubeconfig.age',
    'auth/.age',
    'auth/deep/file.age',
    'auth/deep\\file.age',
    'auth.age',
  ])('%s is plain', (path) => {
    expect([isSealedName(path), plainName(path)]).toEqual([false, path]);
  });
});

const files: readonly OutputFile[] = [
  secretFile('worker.ign', 'one'),
  publicFile('index.txt', 'two'),
  secretFile('auth/kubeconfig', Buffer.from('three')),
  secretFile('manifests/secret.yaml', 'four'),
  publicFile('shown.ign', 'five'),
  secretFile('old/auth/token', 'six'),
];
const sealable = ['worker.ign', 'auth/kubeconfig'];

/** A stand-in for encryption; `encrypted` records the contents in order. */
function encrypting() {
  const encrypted: string[] = [];
  const encrypt = (contents: OutputFile['contents']): Promise<string> => {
    encrypted.push(Buffer.from(contents).toString('utf8'));
    return Promise.resolve(`sealed: ${Buffer.from(contents).toString('utf8')}`);
  };
  return { encrypted, encrypt };
}

let dir = '';
beforeEach(() => {
  dir = scratchFolder();
});

function lay(path: string, text: string): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), text);
}

describe('outputs are written', () => {
  const none = { written: {}, sealed: {} };

  it('in plain text without encryption, replacing encrypted ones', async () => {
    const earlier = { written: {}, sealed: { 'worker.ign.age': sha256('one') } };
    expect(await sealOutputs(files, { dir, earlier })).toEqual({
      files,
      sealed: {},
      replaced: ['worker.ign.age', 'auth/kubeconfig.age'],
      plain: new Map(),
    });
  });

  it('encrypted if they grant access, replacing plain ones', async () => {
    const { encrypt } = encrypting();
    const [worker, index, kubeconfig, ...others] = files;
    expect(await sealOutputs(files, { dir, encrypt, earlier: none })).toEqual({
      files: [
        secretFile('worker.ign.age', 'sealed: one'),
        index,
        secretFile('auth/kubeconfig.age', 'sealed: three'),
        ...others,
      ],
      sealed: { 'worker.ign.age': sha256('one'), 'auth/kubeconfig.age': sha256('three') },
      replaced: sealable,
      plain: new Map([
        ['worker.ign', worker?.contents],
        ['auth/kubeconfig', kubeconfig?.contents],
      ]),
    });
  });

  it('unchanged if the encrypted file has the same content', async () => {
    lay('worker.ign.age', 'from before');
    lay('auth/kubeconfig.age', 'other bytes than were written');
    const written = { 'worker.ign.age': sha256('from before'), 'auth/kubeconfig.age': sha256('what was') };
    const sealed = { 'worker.ign.age': sha256('one'), 'auth/kubeconfig.age': sha256('three') };
    const { encrypt, encrypted } = encrypting();
    const made = await sealOutputs(files, { dir, encrypt, earlier: { written, sealed } });
    expect(made.files[0]).toEqual(secretFile('worker.ign.age', Buffer.from('from before')));
    expect(made.files[2]).toEqual(secretFile('auth/kubeconfig.age', 'sealed: three'));
    expect([encrypted, made.sealed, made.replaced]).toEqual([['three'], sealed, sealable]);
  });

  it.each([
    ['has changed', { 'worker.ign.age': sha256('other') }],
    ['is marked for encryption', { 'worker.ign.age': '' }],
    ['is not known', {}],
  ])('encrypted again if the content of the encrypted file %s', async (_name, sealed) => {
    lay('worker.ign.age', 'from before');
    const earlier = { written: { 'worker.ign.age': sha256('from before') }, sealed };
    const made = await sealOutputs(files.slice(0, 1), { dir, encrypt: encrypting().encrypt, earlier });
    expect(made.files).toEqual([secretFile('worker.ign.age', 'sealed: one')]);
  });

  it('encrypted again if the encrypted file is missing or unreadable', async () => {
    const earlier = { written: {}, sealed: { 'worker.ign.age': sha256('one') } };
    const order = { dir, encrypt: encrypting().encrypt, earlier };
    const want = [secretFile('worker.ign.age', 'sealed: one')];
    expect((await sealOutputs(files.slice(0, 1), order)).files).toEqual(want);
    mkdirSync(join(dir, 'worker.ign.age'));
    expect((await sealOutputs(files.slice(0, 1), order)).files).toEqual(want);
  });
});

describe('outputs have the requested form', () => {
  const sealed = { 'worker.ign.age': 'ab', 'auth/kubeconfig.age': '' };
  const isWritten = (path: string, isSealed: boolean, mode = 0o600): boolean =>
    haveWantedForm(
      [
        { path: 'index.txt', mode: 0o644 },
        { path, mode },
      ],
      { isSealed, sealed },
    );

  it.each([
    { path: 'worker.ign.age', plain: false, encrypted: true },
    { path: 'auth/kubeconfig.age', plain: false, encrypted: false },
    { path: 'master.ign.age', plain: false, encrypted: false },
    { path: 'worker.ign', plain: true, encrypted: false },
    { path: 'auth/kubeconfig', plain: true, encrypted: false },
    { path: 'manifests/secret.yaml', plain: true, encrypted: true },
  ])('$path', ({ path, plain, encrypted }) => {
    expect([isWritten(path, false), isWritten(path, true)]).toEqual([plain, encrypted]);
  });

  it('always if they are public or there are none', () => {
    expect(isWritten('shown.ign', true, 0o644)).toBe(true);
    expect([true, false].map((isSealed) => haveWantedForm([], { isSealed, sealed }))).toEqual([true, true]);
  });
});
