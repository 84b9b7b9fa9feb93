import { join } from 'node:path';

import { beforeAll, expect, it, test } from 'vitest';

import { openRevision } from '../../../src/disk/git/git-revision.js';
import { revisionInputs } from '../../../src/disk/git/revision-inputs.js';
import { noStandardInput } from '../../../src/disk/external-files/standard-input.js';
import { sha256 } from '../../../src/formats/sha256.js';
import type { Inputs, InputRead, Reference } from '../../../src/graph/context.js';
import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';
import { expectOk } from '../../support/sound-value.js';
import { commitAll, git, lay } from './laid-repository.js';

describeWith(['git'], 'files of a user in a revision', () => {
  let root = '';
  beforeAll(() => {
    root = scratchFolder();
    lay(root, {
      'repo/site/config.yaml': 'then',
      'repo/shared.yaml': 'shared then',
      'repo/site/loop.yaml': { to: 'loop.yaml' },
      'repo/site/out.yaml': { to: '../../elsewhere/file' },
      'elsewhere/file': 'elsewhere',
    });
    git(join(root, 'repo'), 'init', '-q');
    commitAll(join(root, 'repo'));
    lay(root, {
      'repo/site/config.yaml': 'now',
      'repo/site/secret': 'now',
      'repo/shared.yaml': 'shared now',
    });
  });

  function inputs(): Inputs {
    const dir = join(root, 'repo/site');
    const outside = { variables: { TOKEN: 'of the environment' }, stdin: noStandardInput };
    return revisionInputs(expectOk(openRevision(dir, 'HEAD')), dir, outside);
  }

  const textOf = (read: InputRead): string =>
    read.kind === 'file' ? Buffer.from(read.bytes).toString() : read.kind;
  const file = (path: string): Reference => ({ field: 'pullSecretFile', place: { kind: 'file', path } });

  test.each([
    { path: 'config.yaml', want: 'then', named: 'then' },
    { path: '../shared.yaml', want: 'shared then', named: 'shared then' },
    { path: 'secret', want: 'absent', named: 'now' },
    { path: 'nothing', want: 'absent', named: 'absent' },
    { path: 'loop.yaml', want: 'unreadable', named: 'unreadable' },
    { path: 'out.yaml', want: 'unreadable', named: 'unreadable' },
    { path: '.', want: 'unreadable', named: 'unreadable' },
    { path: '../../elsewhere/file', want: 'elsewhere', named: 'elsewhere' },
    { path: '../../elsewhere/nothing', want: 'absent', named: 'absent' },
    { path: '../../elsewhere', want: 'unreadable', named: 'unreadable' },
  ])('$path is $want, and $named if a field names it', ({ path, want, named }) => {
    const given = inputs();
    for (const each of [path, join(root, 'repo/site', path)]) {
      expect(textOf(given.read(each))).toBe(want);
      expect(textOf(given.readReference(file(each)))).toBe(named);
      const found = given.digest(each);
      expect(found.kind === 'file' ? found.sha256 : found.kind).toBe(
        /then|where/.test(want) ? sha256(want) : want,
      );
    }
  });

  it('reads other file types from the disk', () => {
    const given = inputs();
    const variable = (name: string): Reference => ({ field: 'x', place: { kind: 'variable', name } });
    expect(textOf(given.readReference(variable('TOKEN')))).toBe('of the environment');
    expect(textOf(given.readReference(variable('NONE')))).toBe('absent');
  });

  it('reads external files once per run', () => {
    const given = inputs();
    lay(root, { 'elsewhere/changing': 'one' });
    const path = '../../elsewhere/changing';
    const one = textOf(given.read(path));
    lay(root, { 'elsewhere/changing': 'two' });
    expect([one, textOf(given.read(path)), textOf(inputs().read(path))]).toEqual(['one', 'one', 'two']);
  });

  it('lists folders of the revision, and writes no files', () => {
    const given = inputs();
    const listed = ['.', '..', 'nothing'].map((folder) => given.list(folder));
    expect(listed).toEqual([['config.yaml', 'loop.yaml', 'out.yaml'], ['shared.yaml', 'site/'], undefined]);
    expect([given.written('config.yaml'), given.writtenPaths()]).toEqual([undefined, []]);
  });
});
