import { describe, expect, it } from 'vitest';

import {
  filesInFolders,
  extraManifestFiles,
  type FoundFiles,
} from '../../../src/manifests/edits/find-files.js';
import { testContext, type TestInputs } from '../../support/context.js';
import { showProblem } from '../../support/show-problem.js';

function shown({ files, problems }: FoundFiles): unknown {
  return {
    files: files.map(({ file, path }) => `${file} -> ${path}`),
    problems: problems.map(showProblem),
  };
}

const wrongSuffix = 'manifests end in .yaml, .yml or .json and do not start with a dot';

describe('filesInFolders', () => {
  it.each([
    { name: 'no folders', given: {}, files: [], problems: [] },
    {
      name: 'added files of every ending',
      given: {
        files: {
          'manifests/a.yaml': 'a',
          'manifests/b.yml': 'b',
          'openshift/c.json': 'c',
          'other/d.yaml': 'd',
        },
      },
      files: [
        'manifests/a.yaml -> manifests/a.yaml',
        'manifests/b.yml -> manifests/b.yml',
        'openshift/c.json -> openshift/c.json',
      ],
      problems: [],
    },
    {
      name: 'files as we wrote them, and changed ones',
      given: {
        files: { 'manifests/a.yaml': 'ours', 'manifests/b.yaml': 'mine' },
        written: { 'manifests/a.yaml': 'ours', 'manifests/b.yaml': 'ours' },
      },
      files: ['manifests/b.yaml -> manifests/b.yaml'],
      problems: [],
    },
    {
      name: 'what is not read',
      given: {
        files: {
          'manifests/deep/a.yaml': 'a',
          'manifests/.hidden.yaml': 'a',
          'manifests/README.md': 'a',
          'openshift/\u001b[2J.txt': 'a',
          'openshift/UPPER.YAML': 'a',
          'openshift/a.yaml~': 'a',
        },
      },
      files: [],
      problems: [
        `warning[manifest/ignored-file] manifests/.hidden.yaml: "manifests/.hidden.yaml" is ignored: ${wrongSuffix}`,
        `warning[manifest/ignored-file] manifests/README.md: "manifests/README.md" is ignored: ${wrongSuffix}`,
        'warning[manifest/ignored-file] manifests/deep: "manifests/deep/" is ignored: manifests are read from the folder itself, not from folders in it',
        `warning[manifest/ignored-file] openshift/\u001b[2J.txt: "openshift/\\u001b[2J.txt" is ignored: ${wrongSuffix}`,
        `warning[manifest/ignored-file] openshift/UPPER.YAML: "openshift/UPPER.YAML" is ignored: ${wrongSuffix}`,
        `warning[manifest/ignored-file] openshift/a.yaml~: "openshift/a.yaml~" is ignored: ${wrongSuffix}`,
      ],
    },
    {
      name: 'a folder that is gone',
      given: {
        files: { 'openshift/a.yaml': 'ours' },
        written: { 'manifests/a.yaml': 'ours', 'openshift/a.yaml': 'ours' },
      },
      files: [],
      problems: [
        'warning[manifest/folder-gone] manifests: the folder manifests/ was deleted, so all its files are generated again',
      ],
    },
  ] satisfies readonly { name: string; given: TestInputs; files: string[]; problems: string[] }[])(
    '$name',
    ({ given, files, problems }) => {
      expect(shown(filesInFolders(testContext(given).inputs))).toEqual({ files, problems });
    },
  );
});

describe('filesNamed', () => {
  const files = {
    'extra/a.yaml': 'a',
    'extra/notes.txt': 'n',
    'one.json': '{}',
    'text.txt': 't',
    'empty/notes.txt': 'n',
  };

  it.each([
    { name: 'a file', given: ['one.json'], files: ['one.json -> manifests/one.json'], problems: [] },
    {
      name: 'a folder',
      given: ['extra/'],
      files: ['extra/a.yaml -> manifests/a.yaml'],
      problems: [
        `warning[manifest/ignored-file] extra/notes.txt: "extra/notes.txt" is ignored: ${wrongSuffix}`,
      ],
    },
    {
      name: 'nothing that is there',
      given: ['one.json', 'absent.yaml'],
      files: ['one.json -> manifests/one.json'],
      problems: [
        'error[manifest/extra-missing] sno-config.yaml:5:5: extraManifests names "absent.yaml", which does not exist',
      ],
    },
    {
      name: 'a folder without manifests',
      given: ['empty'],
      files: [],
      problems: [
        `warning[manifest/ignored-file] empty/notes.txt: "empty/notes.txt" is ignored: ${wrongSuffix}`,
        'error[manifest/extra-missing] sno-config.yaml:4:5: extraManifests names the folder "empty", which contains no manifest',
      ],
    },
    {
      name: 'a file of another kind',
      given: ['text.txt'],
      files: [],
      problems: [
        `warning[manifest/ignored-file] text.txt: "text.txt" is ignored: ${wrongSuffix}`,
        'error[manifest/extra-missing] sno-config.yaml:4:5: extraManifests names "text.txt", which is not a manifest',
      ],
    },
  ])('$name', ({ given, files: want, problems }) => {
    const named = given.map((path, index) => ({
      path,
      at: { file: 'sno-config.yaml', line: index + 4, col: 5 },
    }));
    expect(shown(extraManifestFiles(named, testContext({ files }).inputs))).toEqual({
      files: want,
      problems,
    });
  });
});
