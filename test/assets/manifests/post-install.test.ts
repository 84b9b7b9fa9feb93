import { describe, expect, it } from 'vitest';

import { postInstall, postInstallNodeFiles } from '../../../src/assets/manifests/post-install.js';
import { problemsOf } from '../../../src/core/result.js';
import { expectOk } from '../../support/sound-value.js';
import { showProblem } from '../../support/show-problem.js';
import { made, type Given } from './generate.js';

const release = 'releaseImage: quay.io/openshift-release-dev/ocp-release:4.21.0-x86_64\n';
const subscription = (name: string, namespace = 'openshift-operators'): string =>
  `apiVersion: operators.coreos.com/v1alpha1\nkind: Subscription\nmetadata: {name: ${name}, namespace: ${namespace}}\nspec: {name: ${name}, source: redhat-operators, sourceNamespace: openshift-marketplace}\n`;
const object = (apiVersion: string, kind: string, metadata = '{name: a}'): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: ${metadata}\n`;
const ptpConfig = `${object('ptp.openshift.io/v1', 'PtpConfig', '{name: slave, namespace: openshift-ptp}')}spec: {profile: [], recommend: []}\n`;
const ptpNamespace = object('v1', 'Namespace', '{name: openshift-ptp}');
const definition = (group: string, kind: string): string =>
  `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${kind.toLowerCase()}s.${group}}
spec: {group: ${group}, scope: Cluster, names: {kind: ${kind}, plural: ${kind.toLowerCase()}s}, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]}
`;

async function problemsIn(
  files: Readonly<Record<string, string>>,
  more: Given = {},
): Promise<readonly string[]> {
  return problemsOf(await made(postInstall, { sno: release, ...more, files })).map(showProblem);
}

const ptp = { 'manifests/ptp.yaml': `${ptpNamespace}---\n${subscription('ptp-operator', 'openshift-ptp')}` };

describe('objects that wait for an operator', () => {
  it('pass if the site subscribes to it', async () => {
    expect(await problemsIn({ ...ptp, 'post-install/10-ptp.yaml': ptpConfig })).toEqual([]);
  });

  it('pass with an operator of OLM v1', async () => {
    const extension = `${object('olm.operatorframework.io/v1', 'ClusterExtension')}spec: {source: {catalog: {packageName: lvms-operator}}}\n`;
    expect(
      await problemsIn({
        'post-install/10-olm.yaml': extension,
        'post-install/20-lvm.yaml': object(
          'lvm.topolvm.io/v1alpha1',
          'LVMCluster',
          '{name: a, namespace: default}',
        ),
      }),
    ).toEqual([]);
  });

  it.each([
    {
      name: 'known operator',
      want: [
        'warning[post-install/kind-unknown] post-install/10-a.yaml:1:13 (apiVersion): no manifest subscribes to ptp-operator, which brings the kind PtpConfig of ptp.openshift.io',
      ],
      files: {},
      given: ptpConfig.replace('openshift-ptp', 'default'),
    },
    {
      name: 'known operator, another subscription',
      want: [
        'warning[post-install/kind-unknown] post-install/10-a.yaml:1:13 (apiVersion): no manifest subscribes to ptp-operator, which brings the kind PtpConfig of ptp.openshift.io',
      ],
      files: { 'manifests/a.yaml': subscription('other-operator') },
      given: ptpConfig.replace('openshift-ptp', 'default'),
    },
    {
      name: 'unknown group',
      want: [
        'warning[post-install/kind-unknown] post-install/10-a.yaml:1:13 (apiVersion): no manifest brings the kind Thing of example.com',
      ],
      files: {},
      given: object('example.com/v1', 'Thing'),
    },
    {
      name: 'unknown group, some subscription',
      want: [],
      files: { 'manifests/a.yaml': subscription('other-operator') },
      given: object('example.com/v1', 'Thing'),
    },
    {
      name: 'add-on kind in a group of OpenShift',
      want: [
        'warning[post-install/kind-unknown] post-install/10-a.yaml:1:13 (apiVersion): no manifest brings the kind CertManager of operator.openshift.io',
      ],
      files: {},
      given: `${object('operator.openshift.io/v1alpha1', 'CertManager')}spec: {}\n`,
    },
    {
      name: 'definition in manifests/',
      want: [
        'warning[post-install/served-kind] post-install/10-a.yaml:2:7 (kind): wave 10 waits for nothing: the installation already serves Thing',
      ],
      files: { 'manifests/a.yaml': definition('example.com', 'Thing') },
      given: object('example.com/v1', 'Thing'),
    },
    {
      name: 'several objects of one kind',
      want: [
        'warning[post-install/kind-unknown] post-install/10-a.yaml:1:13 (apiVersion): no manifest brings the kind Thing of example.com',
      ],
      files: {},
      given: `${object('example.com/v1', 'Thing')}---\n${object('example.com/v1', 'Thing', '{name: b}')}`,
    },
  ])('$name', async ({ files, given, want }) => {
    expect(await problemsIn({ ...files, 'post-install/10-a.yaml': given })).toEqual(want);
  });
});

describe('kinds of the release', () => {
  it.each([
    {
      name: 'served by a pod later',
      want: [],
      given: object('route.openshift.io/v1', 'Route', '{name: a, namespace: default}'),
      more: {},
    },
    {
      name: 'snapshot class',
      want: [],
      given: object('snapshot.storage.k8s.io/v1', 'VolumeSnapshotClass'),
      more: {},
    },
    {
      name: 'snapshot class without the capability',
      want: [
        'warning[post-install/kind-unknown] post-install/10-a.yaml:2:7 (kind): the kind VolumeSnapshotClass of snapshot.storage.k8s.io is never served, because install-config.yaml leaves the capability CSISnapshot out',
      ],
      given: object('snapshot.storage.k8s.io/v1', 'VolumeSnapshotClass'),
      more: {
        install:
          'capabilities: {baselineCapabilitySet: None, additionalEnabledCapabilities: [Ingress, CloudCredential, OperatorLifecycleManager]}\n',
      },
    },
    {
      name: 'never served',
      want: [
        'warning[post-install/kind-unknown] post-install/10-a.yaml:2:7 (kind): the kind ClusterNetwork of network.openshift.io is never served, because it belongs to OpenShift SDN, which single-node clusters do not run',
      ],
      given: object('network.openshift.io/v1', 'ClusterNetwork'),
      more: {},
    },
    {
      name: 'removed version',
      want: [
        'error[manifest/kind-absent] post-install/10-a.yaml:1:13 (apiVersion): PodDisruptionBudget default/a cannot be created, because OpenShift 4.21 does not serve PodDisruptionBudget in policy/v1beta1',
      ],
      given: object('policy/v1beta1', 'PodDisruptionBudget', '{name: a, namespace: default}'),
      more: {},
    },
    {
      name: 'misspelled kind',
      want: [
        'error[manifest/kind-absent] post-install/10-a.yaml:2:7 (kind): Prxy a cannot be created, because OpenShift 4.21 does not serve Prxy in config.openshift.io/v1',
      ],
      given: object('config.openshift.io/v1', 'Prxy'),
      more: {},
    },
    {
      name: 'without the capability',
      want: [
        'warning[post-install/kind-unknown] post-install/10-a.yaml:2:7 (kind): the kind PerformanceProfile of performance.openshift.io is never served, because install-config.yaml leaves the capability NodeTuning out',
        'warning[post-install/reboot] post-install/10-a.yaml:2:7 (kind): PerformanceProfile a reboots the node after the installation',
      ],
      given: object('performance.openshift.io/v2', 'PerformanceProfile'),
      more: {
        install:
          'capabilities: {baselineCapabilitySet: None, additionalEnabledCapabilities: [Ingress, CloudCredential]}\n',
      },
    },
  ])('$name', async ({ given, more, want }) => {
    expect(await problemsIn({ 'post-install/10-a.yaml': given }, more)).toEqual(want);
  });
});

describe('waves', () => {
  it('that wait for nothing belong in manifests/', async () => {
    expect(
      await problemsIn({
        'post-install/10-ptp.yaml': `${ptpNamespace}---\n${subscription('ptp-operator', 'openshift-ptp')}`,
        'post-install/20-settings.yaml': object('v1', 'ConfigMap', '{name: a, namespace: default}'),
        'post-install/30-ptp.yaml': ptpConfig,
        'post-install/40-after.yaml': object('v1', 'ConfigMap', '{name: b, namespace: default}'),
      }),
    ).toMatchInlineSnapshot(`
      [
        "warning[post-install/served-kind] post-install/10-ptp.yaml:2:7 (kind): wave 10 waits for nothing: the installation already serves Namespace, Subscription",
        "warning[post-install/served-kind] post-install/20-settings.yaml:2:7 (kind): wave 20 waits for nothing: the installation already serves ConfigMap",
      ]
    `);
  });

  it('may contain a Secret beside the object that needs it', async () => {
    const secret = object('v1', 'Secret', '{name: a, namespace: openshift-ptp}');
    expect(await problemsIn({ ...ptp, 'post-install/10-a.yaml': `${secret}---\n${ptpConfig}` })).toEqual([]);
  });

  it('do not need a namespace or a definition of a later wave', async () => {
    expect(
      await problemsIn({
        'manifests/a.yaml': subscription('ptp-operator'),
        'post-install/10-a.yaml': `${ptpConfig}---\n${object('example.com/v1', 'Thing')}`,
        'post-install/20-a.yaml': ptpNamespace,
        'post-install/a.yaml': definition('example.com', 'Thing'),
      }),
    ).toMatchInlineSnapshot(`
      [
        "error[post-install/wave-order] post-install/10-a.yaml:3:36 (metadata.namespace): PtpConfig openshift-ptp/slave is in wave 10 and needs the Namespace openshift-ptp of wave 20",
        "error[post-install/wave-order] post-install/10-a.yaml:7:7 (kind): Thing a is in wave 10 and needs the CustomResourceDefinition of Thing of wave last",
      ]
    `);
  });
});

describe('Subscriptions that an object waits for', () => {
  const late = {
    'post-install/10-a.yaml': ptpConfig,
    'post-install/20-a.yaml': subscription('ptp-operator', 'openshift-ptp'),
  };
  const wanted =
    'error[post-install/wave-order] post-install/10-a.yaml:2:7 (kind): PtpConfig openshift-ptp/slave is in wave 10 and needs the Subscription openshift-ptp/ptp-operator of wave 20';

  it.each([
    { name: 'in a later wave', files: late, want: [wanted] },
    {
      name: 'in the same wave',
      files: {
        'post-install/10-a.yaml': `${ptpConfig}---\n${subscription('ptp-operator', 'openshift-ptp')}`,
      },
      want: [],
    },
    {
      name: 'in a later wave and in manifests/',
      files: { ...late, 'openshift/b.yaml': subscription('ptp-operator', 'default') },
      want: [],
    },
    {
      name: 'to a package that may not bring the kind, in a later wave',
      files: {
        'manifests/a.yaml': subscription('acme-operator'),
        'post-install/10-a.yaml': object('acme.example.com/v1', 'Thing'),
        'post-install/20-a.yaml': subscription('other-operator'),
      },
      want: [],
    },
  ])('$name', async ({ files, want }) => {
    const found = await problemsIn({ 'manifests/ns.yaml': ptpNamespace, ...files });
    expect(found.filter((line) => line.includes('wave-order'))).toEqual(want);
  });

  it('are a column of the list on the node', async () => {
    const files = {
      'manifests/a.yaml': [
        ptpNamespace,
        subscription('ptp-operator', 'openshift-ptp'),
        subscription('acme-operator'),
      ].join('---\n'),
      'post-install/10-a.yaml': [
        ptpConfig,
        object('acme.example.com/v1', 'Thing'),
        object('v1', 'ConfigMap', '{name: a, namespace: default}'),
      ].join('---\n'),
    };
    const { files: nodeFiles } = expectOk(await made(postInstallNodeFiles, { sno: release, files }));
    const list = nodeFiles.find(({ path }) => path.endsWith('/objects.tsv'))?.contents;
    expect(
      String(list)
        .split('\n')
        .map((line) => line.split('\t').at(-1)),
    ).toEqual(['subscriptions', 'openshift-ptp/ptp-operator', 'openshift-operators/acme-operator', '-', '']);
  });
});

describe('namespaces of operators of the release', () => {
  const inNamespace = (namespace: string): string =>
    object('v1', 'ConfigMap', `{name: a, namespace: ${namespace}}`);
  const warned = (namespace: string): string =>
    `warning[post-install/namespace-unknown] post-install/20-a.yaml:3:32 (metadata.namespace): ConfigMap ${namespace}/a waits for the namespace ${namespace}, which no manifest creates`;
  const noCapabilities = {
    install:
      'capabilities: {baselineCapabilitySet: None, additionalEnabledCapabilities: [Ingress, CloudCredential, OperatorLifecycleManager, marketplace]}\n',
  };

  it.each([
    { namespace: 'openshift', more: {}, isKnown: true },
    { namespace: 'openshift-apiserver', more: {}, isKnown: true },
    { namespace: 'openshift-authentication', more: {}, isKnown: true },
    { namespace: 'openshift-dns', more: {}, isKnown: true },
    { namespace: 'openshift-ingress', more: {}, isKnown: true },
    { namespace: 'openshift-ovn-kubernetes', more: {}, isKnown: true },
    { namespace: 'openshift-network-console', more: {}, isKnown: true },
    { namespace: 'openshift-network-console', more: noCapabilities, isKnown: false },
    {
      namespace: 'openshift-network-console',
      more: { sno: release.replace('4.21', '4.16') },
      isKnown: false,
    },
    { namespace: 'openshift-logging', more: {}, isKnown: false },
  ])('$namespace: $isKnown', async ({ namespace, more, isKnown }) => {
    const files = {
      ...ptp,
      'post-install/10-ptp.yaml': ptpConfig,
      'post-install/20-a.yaml': inNamespace(namespace),
    };
    const found = await problemsIn(files, more);
    expect(found.filter((line) => line.includes('namespace-unknown'))).toEqual(
      isKnown ? [] : [warned(namespace)],
    );
  });
});

describe('objects that reboot or drain the node', () => {
  const tuned = (section: string): string =>
    `spec: {profile: [{name: a, data: "[main]\\nsummary=a\\n[${section}]\\n"}]}\n`;

  it.each([
    { api: 'performance.openshift.io/v2', kind: 'PerformanceProfile', spec: '', want: 'reboots' },
    { api: 'tuned.openshift.io/v1', kind: 'Tuned', spec: tuned('bootloader'), want: 'reboots' },
    { api: 'tuned.openshift.io/v1', kind: 'Tuned', spec: tuned('sysctl'), want: undefined },
    {
      api: 'config.openshift.io/v1',
      kind: 'Proxy',
      spec: 'spec: {httpsProxy: "http://proxy.example.com:3128"}\n',
      want: 'reboots',
    },
    {
      api: 'config.openshift.io/v1',
      kind: 'Proxy',
      spec: 'spec: {trustedCA: {name: user-ca-bundle}}\n',
      want: undefined,
    },
    { api: 'config.openshift.io/v1', kind: 'ImageTagMirrorSet', spec: '', want: 'drains' },
    { api: 'config.openshift.io/v1', kind: 'ImageDigestMirrorSet', spec: '', want: undefined },
    {
      api: 'config.openshift.io/v1',
      kind: 'Image',
      spec: 'spec: {registrySources: {containerRuntimeSearchRegistries: [example.com]}}\n',
      want: 'reboots',
    },
    {
      api: 'config.openshift.io/v1',
      kind: 'Image',
      spec: 'spec: {registrySources: {insecureRegistries: [example.com]}}\n',
      want: 'drains',
    },
    {
      api: 'config.openshift.io/v1',
      kind: 'Image',
      spec: 'spec: {additionalTrustedCA: {name: a}}\n',
      want: undefined,
    },
    { api: 'config.openshift.io/v1', kind: 'Node', spec: 'spec: {cgroupMode: v1}\n', want: 'reboots' },
    { api: 'config.openshift.io/v1', kind: 'Node', spec: 'spec: {cgroupMode: v2}\n', want: undefined },
    {
      api: 'config.openshift.io/v1',
      kind: 'FeatureGate',
      spec: 'spec: {featureSet: TechPreviewNoUpgrade}\n',
      want: 'reboots',
    },
    {
      api: 'config.openshift.io/v1',
      kind: 'APIServer',
      spec: 'spec: {tlsSecurityProfile: {type: Modern, modern: {}}}\n',
      want: 'reboots',
    },
    {
      api: 'machineconfiguration.openshift.io/v1',
      kind: 'PinnedImageSet',
      spec: '',
      want: undefined,
    },
  ])('$kind $spec', async ({ api, kind, spec, want }) => {
    const found = await problemsIn({ 'post-install/10-a.yaml': `${object(api, kind)}${spec}` });
    expect(found.filter((line) => line.includes('post-install/reboot'))).toEqual(
      want === undefined
        ? []
        : [
            `warning[post-install/reboot] post-install/10-a.yaml:2:7 (kind): ${kind} a ${want} the node after the installation`,
          ],
    );
  });
});

describe('other faults', () => {
  it('are reported like those of manifests, once, at the file', async () => {
    const pool = object('machineconfiguration.openshift.io/v1', 'MachineConfigPool', '{name: fast}');
    const machineConfig = `${object('machineconfiguration.openshift.io/v1', 'MachineConfig', '{name: 99-a, labels: {machineconfiguration.openshift.io/role: fast}}')}spec: {kernelArguments: [quiet]}\n`;
    expect(
      await problemsIn({
        ...ptp,
        'manifests/pool.yaml': `${pool}spec: {}\n`,
        'manifests/a.yaml': object('v1', 'ConfigMap', '{name: a, namespace: default}'),
        'post-install/10-a.yaml': `${ptpConfig}---\n${object('v1', 'ConfigMap', '{name: a, namespace: default}')}data: {a: 1}\n`,
        'post-install/20-a.yaml': object('v1', 'ConfigMap', '{name: b, namespace: "gitops"}'),
        'post-install/30-a.yaml': machineConfig,
        'post-install/40-a.yaml': ptpConfig,
        'post-install/50-a.yaml': `${object('ptp.openshift.io/v1', 'PtpConfig', '{name: "${SITE}", namespace: openshift-ptp}')}spec: {profile: [], recommend: [{profile: a, priority: 9007199254740993}]}\n`,
      }),
    ).toMatchInlineSnapshot(`
      [
        "error[manifest/metadata] post-install/50-a.yaml:3:18 (metadata.name): "\${SITE}" is not a name for a PtpConfig, expected lower-case letters, digits, "-" and ".", with a letter or digit at both ends of each part",
        "error[manifest/data] post-install/10-a.yaml:9:11 (data.a): data["a"] must be a string, not a number",
        "warning[manifest/template-remains] post-install/50-a.yaml:3:18 (metadata.name): "\${SITE}" is a placeholder that is not replaced",
        "error[manifest/duplicate] post-install/10-a.yaml:8:18 (metadata.name): ConfigMap default/a is in post-install/10-a.yaml and in manifests/a.yaml",
        "error[manifest/duplicate] post-install/40-a.yaml:3:18 (metadata.name): PtpConfig openshift-ptp/slave is in post-install/40-a.yaml and in post-install/10-a.yaml",
        "warning[post-install/namespace-unknown] post-install/20-a.yaml:3:32 (metadata.namespace): ConfigMap gitops/b waits for the namespace gitops, which no manifest creates",
        "warning[post-install/reboot] post-install/30-a.yaml:2:7 (kind): MachineConfig 99-a reboots the node after the installation",
        "error[post-install/number] post-install/50-a.yaml:4:56 (spec.recommend[0].priority): the number has more digits than JSON keeps",
      ]
    `);
  });

  it('include objects that are generated', async () => {
    expect(
      await problemsIn({
        ...ptp,
        'post-install/10-a.yaml': `${ptpConfig}---\n${object('config.openshift.io/v1', 'DNS', '{name: cluster}')}`,
      }),
    ).toMatchInlineSnapshot(`
      [
        "error[manifest/duplicate] post-install/10-a.yaml:8:18 (metadata.name): DNS cluster is in post-install/10-a.yaml and in manifests/cluster-dns-02-config.yml",
      ]
    `);
  });

  it('are reported even if the configs have errors', async () => {
    expect(await problemsIn({ 'post-install/10-a.yaml': 'kind: [' }, { install: 'baseDomain: 7\n' }))
      .toMatchInlineSnapshot(`
      [
        "error[manifest/syntax] post-install/10-a.yaml:1:1: a bracket of this line is not closed",
        "error[config/duplicate-field] install-config.yaml:16:1: "baseDomain" is given twice, first on line 4",
      ]
    `);
  });
});

it('files of the live system contain the limit of sno-config.yaml', async () => {
  const result = await made(postInstallNodeFiles, {
    sno: `${release}postInstallTimeout: 2h\n`,
    files: { ...ptp, 'post-install/10-ptp.yaml': ptpConfig },
  });
  const files = result.ok ? result.value.files : [];
  expect(files.find(({ path }) => path.endsWith('/settings.env'))?.contents).toContain(
    '\nSNO_POST_INSTALL_TIMEOUT=7200\n',
  );
});
