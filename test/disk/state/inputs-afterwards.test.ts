import { describe, expect, it } from 'vitest';

import { publicFile } from '../../../src/core/output-file.js';
import { recordOfRequests, recordAfter } from '../../../src/disk/state/recorded-inputs.js';
import { sha256 } from '../../../src/formats/sha256.js';
import { inputsIn, world } from './laid-inputs.js';

describe('after files were written and removed', () => {
  const writes = ['gone', 'image.iso', 'manifests/b.yaml', 'manifests/new/c.yaml', 'fresh/d'].map((path) =>
    publicFile(path, `made ${path}`),
  );
  const removals = ['install-config.yaml', 'manifests/a.yaml', 'manifests/deep/e.yaml', 'old.iso'];
  const after = (questions: readonly string[], change = { writes, removals }) =>
    recordAfter(recordOfRequests(questions, inputsIn(world)), inputsIn(world), change);

  it('files are written, absent or unchanged', () => {
    expect(
      after([
        'read gone',
        'digest image.iso',
        'digest old.iso',
        'read install-config.yaml',
        'read closed',
        'digest closed',
      ]),
    ).toEqual({
      'read gone': sha256('made gone'),
      'digest image.iso': sha256('made image.iso'),
      'digest old.iso': 'absent',
      'read install-config.yaml': 'absent',
      'read closed': 'unreadable: closed is closed',
      'digest closed': 'unreadable: large closed is closed',
    });
  });

  it('folders contain written files, and no removed ones', () => {
    expect(after(['list manifests', 'list manifests/new', 'list fresh', 'list empty', 'list gone'])).toEqual({
      'list manifests': sha256('b.yaml\ndeep/\nnew/'),
      'list manifests/new': sha256('c.yaml'),
      'list fresh': sha256('d'),
      'list empty': sha256(''),
      'list gone': 'absent',
    });
  });

  it('a folder is the same with a trailing slash, unlike another folder', () => {
    const slashed = { 'list manifests/': 'before', 'list man': 'absent', 'list a/manifests': 'absent' };
    expect(recordAfter(slashed, inputsIn({ 'manifests//': ['b.yaml'] }), { writes, removals })).toEqual({
      ...slashed,
      'list manifests/': sha256('b.yaml\nnew/'),
    });
  });

  it('names are unique and sorted', () => {
    const paths = ['manifests/z', 'manifests/deep/f', 'manifests/A', 'manifests/deep/g'];
    const change = { writes: paths.map((path) => publicFile(path, '')), removals: [] };
    expect(after(['list manifests'], change)).toEqual({ 'list manifests': sha256('A\na.yaml\ndeep/\nz') });
  });

  it('references are unchanged, under any name', () => {
    const questions = [
      'file pullSecretFile gone',
      'variable pullSecretVariable PULL_SECRET',
      'stdin sshKeyFrom',
    ];
    const paths = [
      'gone',
      'pullSecretFile gone',
      'PULL_SECRET',
      'sshKeyFrom',
      'pullSecretVariable PULL_SECRET',
    ];
    const change = { writes: paths.map((path) => publicFile(path, '')), removals: [] };
    expect(after(questions, change)).toEqual(recordOfRequests(questions, inputsIn(world)));
  });
});
