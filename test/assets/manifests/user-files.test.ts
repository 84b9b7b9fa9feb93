import { describe, expect, it } from 'vitest';

import { allManifests, manifests, problemsWith, textsOf } from './generate.js';

function configMap(name: string, namespace = 'default'): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: ${namespace}}\n`;
}

async function addedBy(given: Parameters<typeof textsOf>[0]): Promise<Readonly<Record<string, string>>> {
  const usual = await textsOf();
  return Object.fromEntries(
    Object.entries(await textsOf(given)).filter(([path]) => usual[path] === undefined),
  );
}

describe('added files', () => {
  it('are copied unchanged from every source', async () => {
    const given = {
      sno: 'extraManifests: [mine, one.json]\n',
      files: {
        'manifests/a.yaml': `# a\n${configMap('a')}`,
        'openshift/b.yml': `---\n${configMap('b')}`,
        'mine/c.yaml': configMap('c'),
        'one.json': '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"d","namespace":"default"}}',
      },
    };
    expect(await problemsWith(given)).toEqual([]);
    expect(await addedBy(given)).toEqual({
      'manifests/a.yaml': given.files['manifests/a.yaml'],
      'openshift/b.yml': given.files['openshift/b.yml'],
      'manifests/c.yaml': given.files['mine/c.yaml'],
      'manifests/one.json': given.files['one.json'],
    });
    const all = await allManifests(given);
    expect(all.filter(({ path, isSecret }) => path === 'manifests/one.json' && isSecret)).toHaveLength(1);
    const outputs = manifests.files(all).map(({ path }) => path);
    expect(outputs.filter((path) => /\/(?:[abc]\.ya?ml|one\.json)$/.test(path))).toEqual([]);
  });

  it('with several documents become several files', async () => {
    const given = { files: { 'manifests/a.yaml': `${configMap('a')}---\n# b\n${configMap('b')}` } };
    expect(await addedBy(given)).toEqual({
      'manifests/a-1.yaml': configMap('a'),
      'manifests/a-2.yaml': `# b\n${configMap('b')}`,
    });
  });

  it('count once if named twice', async () => {
    const given = { sno: 'extraManifests: [manifests]\n', files: { 'manifests/a.yaml': configMap('a') } };
    expect(await problemsWith(given)).toEqual([]);
    expect(Object.keys(await addedBy(given))).toEqual(['manifests/a.yaml']);
  });

  it('may bring the default ingress controller', async () => {
    const path = 'manifests/cluster-ingress-default-ingresscontroller.yaml';
    const text =
      'apiVersion: operator.openshift.io/v1\nkind: IngressController\nmetadata: {name: default, namespace: openshift-ingress-operator}\n';
    expect(await problemsWith({ files: { [path]: text } })).toEqual([]);
  });
});

describe('problems of added files', () => {
  it('are all reported in one run', async () => {
    const given = {
      sno: 'extraManifests: [nowhere.yaml]\n',
      files: {
        'manifests/broken.yaml': 'a:\n\tb: 1\n',
        'manifests/route.yaml':
          'apiVersion: route.openshift.io/v1\nkind: Route\nmetadata: {name: a, namespace: default}\nspec: {to: {kind: Service, name: b}}\n',
        'manifests/place.yaml': configMap('a', 'nowhere'),
        'manifests/readme.txt': 'hello',
        'openshift/mc.yaml':
          'apiVersion: machineconfiguration.openshift.io/v1\nkind: MachineConfig\nmetadata: {name: a, labels: {machineconfiguration.openshift.io/role: master}}\nspec: {config: {ignition: {version: 2.4.0}}}\n',
      },
    };
    expect(await problemsWith(given)).toEqual([
      'warning[manifest/ignored-file] manifests/readme.txt: "manifests/readme.txt" is ignored: manifests end in .yaml, .yml or .json and do not start with a dot',
      'error[manifest/extra-missing] sno-config.yaml:3:18 (extraManifests[0]): extraManifests names "nowhere.yaml", which does not exist',
      'error[manifest/syntax] manifests/broken.yaml:2:1: tabs are not allowed as indentation',
      'error[manifest/kind-absent] manifests/route.yaml:2:7 (kind): Route default/a cannot be created during the bootstrap, because its API server runs in a pod, and no pod runs during the bootstrap',
      'error[manifest/namespace-missing] manifests/place.yaml:3:32 (metadata.namespace): ConfigMap nowhere/a cannot be created: no manifest creates the namespace nowhere',
      'error[manifest/ignition-version] openshift/mc.yaml:4:37 (spec.config.ignition.version): the Ignition spec is "2.4.0", expected 2.2.0, or 3.0.0 to 3.5.0',
    ]);
  });

  it('of fields are warnings with manifestChecks: warn', async () => {
    const files = {
      'manifests/a.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\nspec: {x: 1}\n',
    };
    const fault = '[manifest/schema] manifests/a.yaml:4:8 (spec.x): unknown field "x" in spec';
    expect(await problemsWith({ files })).toEqual([`error${fault}`]);
    expect(await problemsWith({ files, sno: 'manifestChecks: warn\n' })).toEqual([`warning${fault}`]);
  });

  it('include conflicts with generated files and each other', async () => {
    const given = {
      sno: 'extraManifests: [mine]\n',
      files: {
        'manifests/a.yaml':
          'apiVersion: config.openshift.io/v1\nkind: DNS\nmetadata:\n  name: cluster\nspec: {}\n',
        'openshift/99_mine.yaml': configMap('a'),
        'mine/99_mine.yaml': configMap('b'),
        'mine/99_feature-gate.yaml': configMap('c'),
        'mine/twice.yaml': configMap('a'),
      },
    };
    expect(await problemsWith(given)).toEqual([
      'error[manifest/name-collision] mine/99_feature-gate.yaml: mine/99_feature-gate.yaml and openshift/99_feature-gate.yaml both become 99_feature-gate.yaml on the node, where one would replace the other',
      'error[manifest/name-collision] mine/99_mine.yaml: mine/99_mine.yaml and openshift/99_mine.yaml both become 99_mine.yaml on the node, where one would replace the other',
      'error[manifest/duplicate] manifests/a.yaml:4:9 (metadata.name): DNS cluster is in manifests/a.yaml and in manifests/cluster-dns-02-config.yml',
      'error[manifest/duplicate] mine/twice.yaml:3:18 (metadata.name): ConfigMap default/a is in mine/twice.yaml and in openshift/99_mine.yaml',
    ]);
  });

  it('never contain the data of a Secret', async () => {
    const text = `apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: nowhere, labels: {b: 1}}\nstringData: {password: throwaway-secret}\n`;
    const found = await problemsWith({ files: { 'manifests/a.yaml': text, 'manifests/b.yaml': `${text}x` } });
    expect(found.length).toBeGreaterThan(0);
    expect(found.join('\n')).not.toContain('throwaway-secret');
  });
});
