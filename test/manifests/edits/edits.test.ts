import { describe, expect, it } from 'vitest';

import { problemsOf } from '../../../src/core/result.js';
import { applyEdit } from '../../../src/manifests/edits/edits.js';
import { filesInFolders } from '../../../src/manifests/edits/find-files.js';
import {
  allManifests,
  installConfigText,
  manifests,
  made,
  problemsWith,
  textsOf,
  type Given,
} from '../../assets/manifests/generate.js';
import { testContext } from '../../support/context.js';
import { showProblem } from '../../support/show-problem.js';

const dns = 'manifests/cluster-dns-02-config.yml';
const network = 'manifests/cluster-network-02-config.yml';
const proxyFile = 'manifests/cluster-proxy-01-config.yaml';
const gate = 'openshift/99_feature-gate.yaml';
const root = 'manifests/kube-system-configmap-root-ca.yaml';

/** A directory after `create manifests` with some files changed; undefined deletes a file. */
async function edited(
  changes: Readonly<Record<string, string | undefined>>,
  given: Given = {},
): Promise<Given> {
  const written = await textsOf(given);
  const files = Object.entries({ ...written, ...given.files, ...changes }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return { ...given, files: Object.fromEntries(files), written };
}

describe('a file as it was written', () => {
  it('is generated again from the current inputs', async () => {
    const { files, written } = await edited({});
    const renamed = installConfigText().replace('name: edge', 'name: other');
    const given = { files: { ...files, 'install-config.yaml': renamed }, ...(written && { written }) };
    expect(await problemsWith(given)).toEqual([]);
    expect((await textsOf(given))[dns]).toContain('baseDomain: other.example.com');
  });

  it('is generated again after a run without outputs', async () => {
    const files = await textsOf();
    expect(await problemsWith({ files })).toEqual([]);
    expect(await textsOf({ files })).toEqual(await textsOf());
  });

  it('is removed if the inputs no longer require it', async () => {
    const { files, written } = await edited({}, { install: 'fips: true\n' });
    const given = { ...(files && { files }), ...(written && { written }) };
    expect(Object.keys(written ?? {})).toContain('openshift/99_openshift-machineconfig_99-master-fips.yaml');
    expect(await textsOf(given)).toEqual(await textsOf());
  });
});

/** The schema of the object may have a fault at the same field. */
function otherThanSchema(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => !line.startsWith('error[manifest/schema]'));
}

describe('a changed file', () => {
  const mine = `# mine\nkind: DNS\napiVersion: config.openshift.io/v1\nmetadata: {name: cluster}\nspec: {baseDomain: edge.example.com, publicZone: {id: mine}}\n`;

  it('is used unchanged, and is not written', async () => {
    const given = await edited({ [dns]: mine });
    expect(await problemsWith(given)).toEqual([]);
    const [found] = (await allManifests(given)).filter(({ path }) => path === dns);
    expect({ text: found?.text, origin: found?.origin, spec: found?.object['spec'] }).toEqual({
      text: mine,
      origin: 'edited',
      spec: { baseDomain: 'edge.example.com', publicZone: { id: 'mine' } },
    });
    expect(manifests.files(await allManifests(given)).map(({ path }) => path)).not.toContain(dns);
  });

  it('changes the outputs that depend on it', async () => {
    const install =
      'proxy:\n  httpProxy: http://proxy.example.com:3128\nnetworking:\n  ovnKubernetesConfig: {ipv4: {internalJoinSubnet: 100.70.0.0/16}}\n';
    const { [network]: text = '' } = await textsOf({ install });
    const changed = text.replace('10.128.0.0/14', '10.64.0.0/14').replace('172.30.0.0/16', '172.31.0.0/16');
    const texts = await textsOf(await edited({ [network]: changed }, { install }));
    expect(texts[network]).toBe(changed);
    expect(texts[proxyFile]).toContain(
      'noProxy: .cluster.local,.svc,10.0.0.0/16,10.64.0.0/14,127.0.0.1,172.31.0.0/16,api-int.edge.example.com,localhost',
    );
    expect(texts['manifests/cluster-network-03-config.yml']).toContain('cidr: 10.64.0.0/14');
  });

  it('warns when the inputs have changed since', async () => {
    const changed = ((await textsOf())[network] ?? '').replace('172.30.0.0/16', '172.31.0.0/16');
    const { files, written } = await edited({ [network]: changed });
    const other = installConfigText('networking: {serviceNetwork: [172.29.0.0/16]}\n');
    const given = { files: { ...files, 'install-config.yaml': other }, ...(written && { written }) };
    expect(await problemsWith(given)).toEqual([
      `warning[manifest/edit-outlives-inputs] ${network}: ${network} was edited, so it is not updated although other inputs have changed`,
    ]);
    expect((await textsOf(given))[network]).toBe(changed);
  });

  it('stays secret', async () => {
    const path = 'openshift/99_kubeadmin-password-secret.yaml';
    const { [path]: text = '' } = await textsOf();
    const all = await allManifests(await edited({ [path]: `# mine\n${text}` }));
    expect(all.find((each) => each.path === path)?.isSecret).toBe(true);
  });

  it('keeps its name for its first document; the others get separate names', async () => {
    const second = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: second, namespace: default}\n';
    const all = await allManifests(await edited({ [dns]: `${mine}---\n${second}` }));
    const found = all.filter(({ path }) => path.includes('cluster-dns'));
    expect(found.map(({ path, text, origin }) => ({ path, text, origin }))).toEqual([
      { path: 'manifests/cluster-dns-02-config-2.yml', text: second, origin: 'added' },
      { path: dns, text: mine, origin: 'edited' },
    ]);
  });

  it.each([
    {
      name: 'broken',
      text: 'kind:\n\tDNS\n',
      want: `error[manifest/syntax] ${dns}:2:1: tabs are not allowed as indentation`,
    },
    {
      name: 'another object, where the node looks for this one',
      text: mine.replace('kind: DNS', 'kind: Ingress'),
      want: `error[manifest/needed-object-changed] ${dns}:4:18 (metadata.name): the node reads DNS cluster from this file, and it holds Ingress cluster`,
    },
  ])('is a problem when it is $name', async ({ text, want }) => {
    expect(otherThanSchema(await problemsWith(await edited({ [dns]: text })))).toEqual([want]);
  });

  it.each([
    {
      path: network,
      from: 'serviceNetwork:\n    - 172.30.0.0/16',
      to: 'serviceNetwork: 172.30.0.0/16',
      want: `${network}:12:19 (spec.serviceNetwork): spec.serviceNetwork is not what the installation reads there, expected a list of networks such as 172.30.0.0/16`,
    },
    {
      path: network,
      from: 'hostPrefix: 23',
      to: 'hostPrefix: "23"',
      want: `${network}:6:3 (spec.clusterNetwork): spec.clusterNetwork is not what the installation reads there, expected a list of networks, each with cidr and hostPrefix`,
    },
    {
      path: proxyFile,
      from: 'spec: {}',
      to: 'spec: {}\nstatus: {noProxy: "a\\nb"}',
      want: `${proxyFile}:6:19 (status.noProxy): status.noProxy is not what the installation reads there, expected a text on one line, or nothing`,
    },
    {
      path: 'manifests/cvo-overrides.yaml',
      from: 'spec:\n',
      to: 'spec:\n  overrides: {}\n',
      want: 'manifests/cvo-overrides.yaml:7:3 (spec.overrides): spec.overrides is not what the installation reads there, expected a list, or nothing',
    },
    {
      path: 'manifests/cluster-config.yaml',
      from: 'replicas: 1',
      to: 'replicas: 3',
      want: 'manifests/cluster-config.yaml:3:19 (data.install-config): data.install-config is not what the installation reads there, expected an install-config with controlPlane.replicas 1 and its bootstrapInPlace',
    },
    {
      path: 'manifests/cluster-config.yaml',
      from: 'bootstrapInPlace:',
      to: 'bootstrapNowhere:',
      want: 'manifests/cluster-config.yaml:3:19 (data.install-config): data.install-config is not what the installation reads there, expected an install-config with controlPlane.replicas 1 and its bootstrapInPlace',
    },
  ])('is a problem with $to at $path', async ({ path, from, to, want }) => {
    const { [path]: text = '' } = await textsOf();
    expect(text).toContain(from);
    const given = await edited({ [path]: text.replace(from, to) });
    expect(otherThanSchema(await problemsWith(given))).toEqual([`error[manifest/edited-value] ${want}`]);
  });

  it('may contain another object if no step reads the file by name', async () => {
    const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: mine, namespace: kube-system}\n';
    const given = await edited({ [root]: text });
    expect(await problemsWith(given)).toEqual([]);
    expect((await textsOf(given))[root]).toBe(text);
  });

  it('becomes its author’s own when it is not generated any more', async () => {
    const path = 'openshift/99_openshift-machineconfig_99-master-fips.yaml';
    const { files, written } = await edited({}, { install: 'fips: true\n' });
    const text = `# mine\n${files?.[path]?.toString() ?? ''}`;
    const given = { files: { ...files, [path]: text }, ...(written && { written }) };
    expect((await textsOf(given))[path]).toBe(text);
    expect(await problemsWith({ ...given, files: { ...files, [path]: 'kind:\n\tDNS\n' } })).toEqual([
      `error[manifest/syntax] ${path}:2:1: tabs are not allowed as indentation`,
    ]);
  });
});

describe('a deleted file', () => {
  it('is omitted with a warning', async () => {
    const given = await edited({ [root]: undefined });
    expect(await problemsWith(given)).toEqual([
      `warning[manifest/deleted] ${root}: ${root} was deleted and is left out of the installation`,
    ]);
    const want = await textsOf();
    expect(await textsOf(given)).toEqual(
      Object.fromEntries(Object.entries(want).filter(([path]) => path !== root)),
    );
  });

  it.each([
    [
      'manifests/cluster-config.yaml',
      'etcd, the machine config operator and cluster-bootstrap read it by name',
    ],
    [dns, 'the machine config operator reads the domain from it'],
    [
      'manifests/cluster-infrastructure-02-config.yml',
      'the config, etcd and API server operators read it by name',
    ],
    [network, 'the etcd, API server and controller manager operators read it by name'],
    [proxyFile, 'the machine config operator reads the proxy from it'],
    ['manifests/cluster-scheduler-02-config.yml', 'without it no pod may run on the only node'],
    ['manifests/cvo-overrides.yaml', 'the cluster version operator reads it by name'],
    [
      'manifests/openshift-config-secret-pull-secret.yaml',
      'the machine config operator reads the pull secret from it',
    ],
    [gate, 'the cluster version operator reads it by name'],
  ])('is a problem when the installation needs it: %s', async (path, why) => {
    expect(await problemsWith(await edited({ [path]: undefined }))).toEqual([
      `error[manifest/deleted-needed] ${path}: ${path} was deleted, and the installation needs it: ${why}`,
    ]);
  });

  it('comes back with its folder', async () => {
    const { files = {}, written } = await edited({});
    const others = Object.fromEntries(
      Object.entries(files).filter(([path]) => !path.startsWith('openshift/')),
    );
    const given = { files: others, ...(written && { written }) };
    expect(await problemsWith(given)).toEqual([
      'warning[manifest/folder-gone] openshift: the folder openshift/ was deleted, so all its files are generated again',
    ]);
    expect(await textsOf(given)).toEqual(await textsOf());
  });
});

describe('a user file with the name of a generated one', () => {
  it('is refused', async () => {
    const text = 'apiVersion: config.openshift.io/v1\nkind: DNS\nmetadata: {name: cluster}\nspec: {}\n';
    expect(await problemsWith({ files: { [dns]: text } })).toEqual([
      `error[manifest/reserved-name] ${dns}: ${dns} has the name of a generated manifest, but was not generated in this directory`,
    ]);
  });
});

describe('a file that cannot be read', () => {
  it('is a problem', () => {
    const inputs = {
      ...testContext().inputs,
      read: () => ({ kind: 'unreadable' as const, reason: 'permission denied' }),
    };
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
    expect(problemsOf(applyEdit({ path: dns, object }, inputs)).map(showProblem)).toEqual([
      `error[manifest/unreadable] ${dns}: ${dns} cannot be read: permission denied`,
    ]);
    const listed = { ...inputs, list: (folder: string) => (folder === 'manifests' ? ['a.yaml'] : undefined) };
    expect(filesInFolders(listed).problems.map(showProblem)).toEqual([
      'error[manifest/unreadable] manifests/a.yaml: manifests/a.yaml cannot be read: permission denied',
    ]);
  });
});

describe('written manifests', () => {
  it('is every generated manifest that was not deleted, readable by all unless it is a Secret', async () => {
    const result = await made(manifests, await edited({ [root]: undefined }));
    if (!result.ok) throw new Error('there are problems');
    const generated = (await allManifests()).filter(({ path }) => path !== root);
    expect(manifests.files(result.value).map(({ path, mode }) => ({ path, mode }))).toEqual(
      generated.map(({ path, object }) => ({ path, mode: object.kind === 'Secret' ? 0o600 : 0o644 })),
    );
    expect(generated.map(({ object }) => object.kind)).toEqual(expect.arrayContaining(['Secret', 'DNS']));
  });
});
