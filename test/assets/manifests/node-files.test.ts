import { describe, expect, it } from 'vitest';

import { listAt } from '../../../src/kube/fields.js';
import type { Manifest } from '../../../src/kube/manifest.js';
import { parseYamlObject } from './parse.js';
import { allManifests, made, manifestNodeFiles, manifests, textsOf, type Given } from './generate.js';

async function nodeFiles(
  given: Given = {},
): Promise<Readonly<Record<string, { mode: number; contents: string }>>> {
  const result = await made(manifestNodeFiles, given);
  if (!result.ok) throw new Error('there are problems');
  return Object.fromEntries(
    result.value.map(({ path, mode, contents }) => [path, { mode, contents: contents.toString() }]),
  );
}

const versionPath = 'manifests/cvo-overrides.yaml';

function overridesIn(files: Awaited<ReturnType<typeof nodeFiles>>): readonly unknown[] {
  const found = parseYamlObject(files[`/opt/openshift/${versionPath}`]?.contents ?? '');
  return listAt(found, ['spec', 'overrides']);
}

/** Objects that the version operator must ignore: all except ClusterVersion and those for machines. */
function isUnmanaged({ object: { apiVersion, kind, metadata } }: Manifest): boolean {
  if (apiVersion.startsWith('machineconfiguration.openshift.io/')) return false;
  return metadata.namespace !== 'openshift-machine-api' && kind !== 'ClusterVersion';
}

const patchPath = '/opt/openshift/original_cvo_overrides.patch';

describe('the manifests on the node', () => {
  it('are those of the folders, with a complete ClusterVersion and its patch', async () => {
    const given = { install: 'fips: true\n', sno: 'nodeIP: 10.0.0.5\ndns: {local: true}\n' };
    const [files, texts, all] = [await nodeFiles(given), await textsOf(given), await made(manifests, given)];
    if (!all.ok) throw new Error('there are problems');
    const secrets = new Set(all.value.filter(({ isSecret }) => isSecret).map(({ path }) => path));
    const want = Object.entries(texts).map(([path, contents]) => [
      `/opt/openshift/${path}`,
      { mode: secrets.has(path) ? 0o600 : 0o644, contents },
    ]);
    const ready = files[`/opt/openshift/${versionPath}`];
    expect(files).toEqual({
      ...Object.fromEntries(want),
      [`/opt/openshift/${versionPath}`]: { mode: 0o644, contents: ready?.contents },
      [patchPath]: { mode: 0o644, contents: '{"spec":{"overrides":null}}' },
    });
  });

  it('leave every object but those of machines alone', async () => {
    const given = {
      install: 'fips: true\n',
      files: {
        'openshift/mine.yaml':
          'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a, namespace: default}\nspec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: d}]}}}\n',
      },
    };
    const { [`/opt/openshift/${versionPath}`]: found } = await nodeFiles(given);
    const all = await allManifests(given);
    const overrides = all.filter(isUnmanaged).map(({ object: { apiVersion, kind, metadata } }) => ({
      group: apiVersion.includes('/') ? apiVersion.replace(/\/.*/, '') : '',
      kind,
      namespace: metadata.namespace ?? '',
      name: metadata.name,
      unmanaged: true,
    }));
    const literal = [
      { group: 'apps', kind: 'Deployment', namespace: 'default', name: 'a', unmanaged: true },
      { group: 'config.openshift.io', kind: 'DNS', namespace: '', name: 'cluster', unmanaged: true },
      { group: '', kind: 'Secret', namespace: 'kube-system', name: 'kubeadmin', unmanaged: true },
    ];
    expect(overrides).toEqual(expect.arrayContaining(literal));
    expect(parseYamlObject(found?.contents ?? '')).toEqual({
      apiVersion: 'config.openshift.io/v1',
      kind: 'ClusterVersion',
      metadata: { name: 'version', namespace: 'openshift-cluster-version' },
      spec: {
        channel: 'stable-4.21',
        clusterID: 'fb5256a7-f017-4f59-ae3e-8b3bb222a4da',
        overrides,
      },
    });
  });

  it('keep the overrides that the user wrote, for the bootstrap and after it', async () => {
    const written = await textsOf();
    const own =
      '{group: apps, kind: Deployment, namespace: openshift-insights, name: insights-operator, unmanaged: true}';
    const text = `${written[versionPath] ?? ''}  overrides: [${own}]\n`;
    const files = await nodeFiles({ files: { ...written, [versionPath]: text }, written });
    const overrides = overridesIn(files);
    const override = {
      group: 'apps',
      kind: 'Deployment',
      namespace: 'openshift-insights',
      name: 'insights-operator',
      unmanaged: true,
    };
    expect(overrides.at(-1)).toEqual(override);
    expect(overrides.slice(0, -1)).toEqual(overridesIn(await nodeFiles()));
    expect(JSON.parse(files[patchPath]?.contents ?? '')).toEqual({ spec: { overrides: [override] } });
  });
});
