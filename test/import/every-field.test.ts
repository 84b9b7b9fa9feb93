import { describe, expect, test } from 'vitest';

import { agentFields, hostFields } from '../../src/import/agent-config/agent-fields.js';
import {
  clusterFields,
  metadataFields,
  nodeFields,
} from '../../src/import/cluster-instance/instance-fields.js';
import type { FieldRow } from '../../src/import/field-rows.js';
import type { Problem } from '../../src/core/problem.js';
import { problemsOf } from '../../src/core/result.js';
import { agentFiles, imported } from './files.js';

/** Source: stolostron/siteconfig api/v1alpha1 clusterinstance_types.go, ClusterInstanceSpec */
const ofClusterInstance =
  'clusterName pullSecretRef clusterImageSetNameRef sshPublicKey baseDomain apiVIPs ingressVIPs holdInstallation additionalNTPSources machineNetwork clusterNetwork serviceNetwork networkType platformType extraAnnotations extraLabels installConfigOverrides ignitionConfigOverride diskEncryption proxy extraManifestsRefs suppressedManifests pruneManifests cpuPartitioningMode cpuArchitecture clusterType templateRefs caBundleRef nodes reinstall';

/** Source: the same, NodeSpec */
const ofClusterInstanceNode =
  'bmcAddress bmcCredentialsName bootMACAddress automatedCleaningMode rootDeviceHints nodeNetwork nodeLabels hostName hostRef cpuArchitecture bootMode installerArgs ignitionConfigOverride role extraAnnotations extraLabels suppressedManifests pruneManifests ironicInspect templateRefs';

/** Source: openshift-kni/cnf-features-deploy ztp/siteconfig-generator/siteConfig/siteConfig.go, Spec and Clusters */
const ofSiteConfig =
  'pullSecretRef clusterImageSetNameRef sshPublicKey sshPrivateKeySecretRef clusters baseDomain crTemplates biosConfigRef apiVIP ingressVIP clusterName additionalNTPSources nodes machineNetwork serviceNetwork clusterLabels networkType clusterNetwork ignitionConfigOverride diskEncryption proxy extraManifestPath extraManifests extraManifestOnly numMasters numWorkers clusterType legacyConfig';

/** Source: the same, Nodes */
const ofSiteConfigNode =
  'bmcAddress bootMACAddress rootDeviceHints cpuset nodeNetwork hostName bmcCredentialsName bootMode userData installerArgs ignitionConfigOverride role crTemplates biosConfigRef diskPartition';

/** Source: openshift/installer pkg/types/agent/agent_config_type.go */
const ofAgentConfig =
  'apiVersion kind metadata additionalNTPSources rendezvousIP bootArtifactsBaseURL ipxeBaseURL minimalISO hosts';

/** Source: the same, Host */
const ofAgentHost = 'hostname role rootDeviceHints interfaces networkConfig bmc fencing';

test.each([
  ['a ClusterInstance', ofClusterInstance, clusterFields],
  ['a SiteConfig', ofSiteConfig, clusterFields],
  ['a node of a ClusterInstance', ofClusterInstanceNode, nodeFields],
  ['a node of a SiteConfig', ofSiteConfigNode, nodeFields],
  ['agent-config.yaml', ofAgentConfig, agentFields],
  ['a host of agent-config.yaml', ofAgentHost, hostFields],
])('the tables contain every published field of %s', (_name, published, rows) => {
  const known = new Set(rows.map(({ field }) => field.split('.')[0]));
  expect(published.split(' ').filter((field) => !known.has(field))).toEqual([]);
});

type Values = Readonly<Record<string, unknown>>;

/** `a.b` of a map, set to a value. */
function withField(map: Values, [name = '', ...rest]: readonly string[], value: unknown): Values {
  const own = map[name];
  const below = typeof own === 'object' && own !== null ? (own as Values) : {};
  return { ...map, [name]: rest.length === 0 ? value : withField(below, rest, value) };
}

const node: Values = { hostName: 'node-1', rootDeviceHints: { deviceName: '/dev/sda' } };
const spec: Values = { clusterName: 'site1', baseDomain: 'example.com', nodes: [node] };
const besides = {
  'extra.yaml': JSON.stringify({
    kind: 'List',
    items: [
      { kind: 'ConfigMap', metadata: { name: 'cm' }, data: { 'a.yaml': '-----BEGIN CERTIFICATE-----' } },
      { kind: 'Secret', metadata: { name: 'pull' }, stringData: { '.dockerconfigjson': '{}' } },
      { kind: 'ClusterImageSet', metadata: { name: 'img' }, spec: { releaseImage: 'a/b:1' } },
    ],
  }),
  'dir/a.yaml': 'a: 1\n',
};

/** The place changes with every edit of the source. */
function withoutPlace({ code, message }: Problem): string {
  return `${code}: ${message}`;
}

/** Everything that an import of a cluster gives: files, problems and whether it is on hold. */
function resultOf(given: { readonly spec: Values; readonly metadata?: Values }): string {
  const resource = {
    apiVersion: 'siteconfig.open-cluster-management.io/v1alpha1',
    kind: 'ClusterInstance',
    metadata: { name: 'site1', ...given.metadata },
    spec: given.spec,
  };
  const made = imported('cluster-instance', { 'site.yaml': JSON.stringify(resource), ...besides });
  const files = made.ok ? made.value.files.map(({ path, text }) => [path, text]) : [];
  const problems = made.ok ? made.value.problems : problemsOf(made);
  return JSON.stringify([files, problems.map(withoutPlace)]);
}

/** Values of fields for which a text is not enough. */
const samples: Values = {
  clusters: [{ clusterName: 'other' }],
  machineNetwork: [{ cidr: '192.0.2.0/24' }],
  clusterNetwork: [{ cidr: '10.128.0.0/14', hostPrefix: 23 }],
  serviceNetwork: [{ cidr: '172.30.0.0/16' }],
  additionalNTPSources: ['ntp.example.com'],
  nodes: [{ hostName: 'node-2' }],
  installConfigOverrides: '{"networking": {"networkType": "Calico"}}',
  ignitionConfigOverride: '{"ignition": {"version": "3.2.0"}}',
  caBundleRef: { name: 'cm' },
  clusterImageSetNameRef: 'img',
  pullSecretRef: { name: 'pull' },
  extraManifestsRefs: [{ name: 'cm' }],
  manifestsConfigMapRefs: [{ name: 'cm' }],
  extraManifestPath: 'dir',
  'extraManifests.searchPaths': ['dir'],
  diskEncryption: { type: 'nbde', tang: [{ url: 'http://a', thumbprint: 'b' }] },
  holdInstallation: true,
  cpuArchitecture: 'aarch64',
  nodeLabels: { 'example.com/site': 'paris' },
  installerArgs: '["--append-karg", "nosmt"]',
  'nodeNetwork.config': { interfaces: [{ name: 'eno1' }] },
  'nodeNetwork.interfaces': [{ name: 'eno1', macAddress: '52:54:00:00:01:01' }],
};

function isReported(row: FieldRow): boolean {
  return !('needless' in row);
}

describe('a field is imported or reported unless the page says that it is not needed', () => {
  const plain = resultOf({ spec });
  const sampleOf = (field: string): unknown => samples[field] ?? 'value';

  test.each(clusterFields.filter(isReported))('$field of a cluster', ({ field }) => {
    expect(resultOf({ spec: withField(spec, field.split('.'), sampleOf(field)) })).not.toBe(plain);
  });

  test.each(nodeFields.filter(isReported))('$field of a node', ({ field }) => {
    const changed = withField(node, field.split('.'), sampleOf(field));
    expect(resultOf({ spec: { ...spec, nodes: [changed] } })).not.toBe(plain);
  });

  test.each(metadataFields.filter(isReported))('metadata.$field', ({ field }) => {
    const unnamed = { ...spec, clusterName: null };
    const value = field === 'name' ? 'site2' : { a: 'b' };
    const changed = resultOf({ spec: unnamed, metadata: { [field]: value } });
    expect(changed).not.toBe(resultOf({ spec: unnamed }));
  });

  test.each([
    ['platformType', 'VSphere'],
    ['cpuArchitecture', 'multi'],
    ['clusterType', 'HighlyAvailable'],
  ])('%s: %s', (field, value) => {
    expect(resultOf({ spec: { ...spec, [field]: value } })).not.toBe(plain);
  });

  test.each([
    ['platformType', 'None'],
    ['platformType', 'BareMetal'],
    ['clusterType', 'SNO'],
    ['holdInstallation', false],
  ])('%s: %s is not reported', (field, value) => {
    expect(resultOf({ spec: { ...spec, [field]: value } })).toBe(plain);
  });
});

describe('a field of agent-config.yaml is imported or reported', () => {
  const config: Values = { apiVersion: 'v1beta1', kind: 'AgentConfig', hosts: [{ hostname: 'a' }] };
  const result = (text: Values): string => {
    const made = imported('agent-config', { ...agentFiles, 'agent-config.yaml': JSON.stringify(text) });
    const problems = made.ok ? made.value.problems : problemsOf(made);
    const files = made.ok ? made.value.files.map(({ path, text: own }) => [path, own]) : [];
    return JSON.stringify([files, problems.map(withoutPlace)]);
  };
  const values: Values = {
    additionalNTPSources: ['ntp.example.com'],
    hosts: [{ hostname: 'b' }],
    interfaces: [{ name: 'eno1', macAddress: '52:54:00:00:01:01' }],
    networkConfig: { interfaces: [{ name: 'eno1' }] },
  };

  test.each(agentFields.filter(isReported))('$field', ({ field }) => {
    expect(result({ ...config, [field]: values[field] ?? 'value' })).not.toBe(result(config));
  });

  test.each(hostFields.filter(isReported))('hosts[].$field', ({ field }) => {
    const host = withField({ hostname: 'a' }, field.split('.'), values[field] ?? 'value');
    expect(result({ ...config, hosts: [host] })).not.toBe(result(config));
  });
});
