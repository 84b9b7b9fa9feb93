import { expect, it } from 'vitest';

import { problemsOf } from '../../src/core/result.js';
import { clusterInstance, importedClusters, problemLine } from './files.js';

function site(name: string): string {
  return clusterInstance.replaceAll('site1', name);
}

const siteA = { 'sites/a/a.yaml': site('a') };
const sites = { ...siteA, 'sites/b/b.yaml': site('b') };
const lists = (entries: string): string => `kind: Kustomization\n${entries}\n`;
const own = {
  'sites/a/kustomization.yaml': lists('resources: [a.yaml]'),
  'sites/b/kustomization.yaml': lists('generators: [./b.yaml]'),
};

it.each([
  [
    'a folder of a parent',
    { ...sites, ...own, 'kustomization.yaml': lists('resources: [sites/a/, sites/b]') },
    [],
  ],
  ['folders without a parent', { ...sites, ...own }, []],
  [
    'a folder that the parent leaves out',
    { ...sites, ...own, 'kustomization.yaml': lists('resources: [sites/a]') },
    ['sites/b/b.yaml import/unlisted: kustomization.yaml does not list the file of "b"'],
  ],
  [
    'a folder without a kustomization below one that lists sites',
    { ...sites, 'sites/Kustomization': lists('components: [a/a.yaml]') },
    ['sites/b/b.yaml import/unlisted: sites/Kustomization does not list the file of "b"'],
  ],
  [
    'a parent that lists no site',
    {
      ...sites,
      ...own,
      'kustomization.yaml': lists('resources: [policies.yaml]'),
      'policies.yaml': 'a: b\n',
    },
    [],
  ],
  [
    'kustomizations that list each other',
    {
      ...siteA,
      'kustomization.yaml': lists('resources: [sites]'),
      'sites/kustomization.yaml': lists('resources: [a/a.yaml, ..]'),
    },
    [],
  ],
  [
    'missing files',
    {
      ...siteA,
      'empty/values.yaml': 'a: b\n',
      'kustomization.yaml': lists(
        [
          'resources: [sites/a/a.yaml, sites/c.yaml, empty, gone/, https://example.com/x.yaml, ../other]',
          'generators: ["kind: Inline\\nname: a\\n", policies.yaml]',
          'components: [extra]',
          'patches: [{path: patch.yaml}, {patch: "a: b"}]',
          'patchesStrategicMerge: [merge.yaml]',
        ].join('\n'),
      ),
    },
    [
      ['2:29', 'resources[1] names a file that does not exist'],
      ['2:43', 'resources[2] names a folder without a kustomization.yaml'],
      ['2:50', 'resources[3] names a file that does not exist'],
      ['3:41', 'generators[1] names a file that does not exist'],
      ['4:14', 'components[0] names a file that does not exist'],
      ['6:25', 'patchesStrategicMerge[0] names a file that does not exist'],
      ['5:18', 'patches[0].path names a file that does not exist'],
    ].map(
      ([place = '', text = '']) =>
        `kustomization.yaml:${place} import/missing: ${text}: kustomize stops, and a site in it is not read`,
    ),
  ],
])('%s', (_name, files, want) => {
  const lines = problemsOf(importedClusters(files)).map(problemLine);
  expect(
    lines.filter((line) => / import\/(?:unlisted|missing): /.test(line) && !line.includes('hub')),
  ).toEqual(want);
});
