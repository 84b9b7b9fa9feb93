import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, test } from 'vitest';

import { problemsOf } from '../../src/core/result.js';
import { importOneSite } from '../../src/import/sources.js';
import { sourceFolder } from '../../src/run/sources/source-folder.js';
import { scratchFolder } from '../support/scratch.js';
import { clusterInstance, siteOf, textOf, problemLine } from './files.js';

const kustomization = (generator: string): string => `kind: Kustomization
configMapGenerator:
  - name: extra-manifests
${generator}`;

/** Problems that the ClusterInstance of the fixture always has. */
const codesOfOthers = ['import/no-place', 'import/no-pull-secret'];

function saidOf(files: Readonly<Record<string, string>>): readonly string[] {
  const { problems } = siteOf('cluster-instance', { 'site1.yaml': clusterInstance, ...files });
  return problems
    .filter(({ code }) => !codesOfOthers.includes(code))
    .map(problemLine)
    .filter((each) => !each.startsWith('site1.yaml:9:27'));
}

function manifestsOf(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const site = siteOf('cluster-instance', files);
  const found = site.files.filter(({ path }) => path.startsWith('manifests/'));
  return Object.fromEntries(found.map(({ path, text }) => [path.slice(10), text]));
}

describe('a ConfigMap of manifests', () => {
  test.each([
    [
      'a file above the folder',
      kustomization('    files: [../host.yaml]\n'),
      'k.yaml:4:13 import/missing: the file is not imported: it is outside the named folder',
    ],
    [
      'a file that is not there',
      kustomization('    files: [a.yaml=none.yaml]\n'),
      'k.yaml:4:13 import/missing: the file is not imported: it does not exist',
    ],
    [
      'literals',
      kustomization('    literals: [a.yaml=text]\n'),
      'k.yaml:4:5 import/left-out: only files of a generator are imported, not literals',
    ],
    [
      'environments',
      kustomization('    envs: [a.env]\n'),
      'k.yaml:4:5 import/left-out: only files of a generator are imported, not envs',
    ],
    [
      'a key that leads elsewhere',
      'kind: ConfigMap\nmetadata: {name: extra-manifests}\ndata:\n  ../../evil.yaml: "a: 1"\n',
      'k.yaml:4:3 import/malformed: not a valid ConfigMap key',
    ],
    [
      'a key of a file that leads elsewhere',
      kustomization('    files: [../x=site1.yaml]\n'),
      'k.yaml:4:13 import/malformed: not a valid ConfigMap key',
    ],
    [
      'a map under a key',
      'kind: ConfigMap\nmetadata: {name: extra-manifests}\ndata:\n  a.yaml: {a: 1}\n',
      'k.yaml:4:3 import/malformed: the value is not a string',
    ],
    [
      'bytes that are no text',
      'kind: ConfigMap\nmetadata: {name: extra-manifests}\nbinaryData:\n  a.yaml: /w==\n',
      'k.yaml:4:3 import/left-out: the value of this key is not UTF-8 text and is not imported',
    ],
  ])('with %s', (_name, text, want) => {
    expect(saidOf({ 'k.yaml': text })).toEqual([want]);
  });

  it('reads other files of the folder, and base64 texts', () => {
    const inside = {
      'sites/a/site1.yaml': clusterInstance,
      'sites/a/k.yaml': kustomization('    files: [../../common/a.yaml]\n'),
      'common/a.yaml': 'a: 1\n',
    };
    expect(manifestsOf(inside)).toEqual({ 'a.yaml': 'a: 1\n' });
    const map = 'kind: ConfigMap\nmetadata: {name: extra-manifests}\nbinaryData:\n  b.yaml: YjogMQo=\n';
    expect(manifestsOf({ 'site1.yaml': clusterInstance, 'k.yaml': map })).toEqual({ 'b.yaml': 'b: 1\n' });
  });
});

describe('folders of manifests', () => {
  const siteConfig = (own: string): string => `apiVersion: ran.openshift.io/v1
kind: SiteConfig
metadata: {name: north}
spec:
  clusters:
    - clusterName: site7
${own}
      nodes: [{hostName: node7}]
`;

  it('with the same names are all kept', () => {
    const own =
      '      extraManifestPath: one\n      extraManifests: {searchPaths: [..x/two, more/two, one/]}';
    const found = manifestsOf({
      'north.yaml': siteConfig(own),
      'one/a.yaml': 'of: one\n',
      '..x/two/a.yaml': 'of: two\n',
      'more/two/a.yaml': 'of: more\n',
    });
    expect(found).toEqual({
      'a.yaml': 'of: one\n',
      'two-a.yaml': 'of: two\n',
      'two-2-a.yaml': 'of: more\n',
    });
  });

  it('report files that are not manifests', () => {
    const site = siteOf('cluster-instance', {
      'north.yaml': siteConfig('      extraManifestPath: one'),
      'one/a.yaml': 'a: 1\n',
      'one/README': 'none\n',
      'one/below/b.yaml': 'b: 1\n',
    });
    expect(textOf(site, 'manifests/a.yaml')).toBe('a: 1\n');
    expect(site.problems.filter(({ code }) => code === 'import/left-out').map(problemLine)).toEqual([
      'one/README import/left-out: the file is not imported: it is not a manifest',
      'one/below import/left-out: the file is not imported: it is not a manifest',
    ]);
  });

  it('are not read where a link leads out of the folder that is named', () => {
    const folder = scratchFolder();
    const named = join(folder, 'named');
    for (const each of ['outside', 'named/in']) mkdirSync(join(folder, each), { recursive: true });
    writeFileSync(join(folder, 'outside/secret.yaml'), 'secret: 1\n');
    writeFileSync(join(named, 'in/a.yaml'), 'a: 1\n');
    symlinkSync('../outside', join(named, 'ex'));
    symlinkSync('in', join(named, 'link'));
    symlinkSync('../../outside/secret.yaml', join(named, 'in/s.yaml'));
    const own = '      extraManifests: {searchPaths: [ex, ../outside, link]}';
    writeFileSync(join(named, 'north.yaml'), siteConfig(own));

    const source = sourceFolder(join(named, 'north.yaml'), 'any');
    const site = source.ok ? importOneSite('cluster-instance', source.value, {}) : source;
    const paths = site.ok ? site.value.files.map(({ path }) => path) : [];
    expect(paths.filter((path) => path.startsWith('manifests/'))).toEqual(['manifests/a.yaml']);
    const said = site.ok ? site.value.problems : problemsOf(site);
    const why = 'it is outside the named folder';
    expect(said.filter(({ message }) => message.includes('outside')).map(problemLine)).toEqual([
      `north.yaml:7:38 import/missing: the manifest directory is not imported: ${why}`,
      `north.yaml:7:42 import/missing: the manifest directory is not imported: ${why}`,
      `link/s.yaml import/left-out: the file is not imported: ${why}`,
    ]);
  });
});
