/** A stub payload of a release: its images, and their tools with the flags that each supports. */

import type { LateStage, OpenShiftRelease, RenderTool } from '../../../src/release/openshift-release.js';
import { releaseVersion } from '../../../src/release/release-version.js';
import { releases } from '../../../src/release/releases.js';

/** A tool of the payload. Its name is its image key and its first arguments, joined by `-`. */
export interface PayloadTool {
  readonly name: string;
  readonly flags: readonly string[];
  /** Go's own flag package prints one dash and exits with 2; pflag prints two and exits with 0. */
  readonly style: 'pflag' | 'go';
  /** Files that the tool writes to its output folder, by path. */
  readonly output: Readonly<Record<string, string>>;
}

/**
 * The FeatureGate after the stage api-bootstrap: its status contains the payload's gates, as indented JSON.
 * Source: openshift/api payload-command/render/config.go, writeFeatureGateV1OrDie
 */
export function filledFeatureGate(
  version: string,
  { enabled, disabled }: Readonly<Record<'enabled' | 'disabled', readonly string[]>>,
): string {
  const named = (names: readonly string[]) => names.map((name) => ({ name }));
  const gates = { disabled: named(disabled), enabled: named(enabled), version };
  const object = {
    apiVersion: 'config.openshift.io/v1',
    kind: 'FeatureGate',
    metadata: { name: 'cluster' },
    spec: {},
    status: { featureGates: [gates] },
  };
  return JSON.stringify(object, null, 4);
}

/** Images of every payload, by key. */
export function payloadImages(minor: number): readonly string[] {
  const all = [
    'cloud-credential-operator',
    'cluster-authentication-operator',
    'cluster-bootstrap',
    'cluster-config-operator',
    'cluster-etcd-operator',
    'cluster-ingress-operator',
    'cluster-kube-apiserver-operator',
    'cluster-kube-controller-manager-operator',
    'cluster-kube-scheduler-operator',
    'cluster-node-tuning-operator',
    'cluster-policy-controller',
    'etcd',
    'hyperkube',
    'machine-config-operator',
    'pod',
    'rhel-coreos',
  ];
  return releaseOf(minor).stages.includes('api-bootstrap') ? [...all, 'cluster-config-api'] : all;
}

/** The row of 4.x. */
export function releaseOf(minor: number): OpenShiftRelease {
  return releases.like(releaseVersion(4, minor));
}

/** The tools of a release. Source of the flags: the branches release-4.14 to release-4.22 of each operator's repository. */
export function payloadTools(minor: number): readonly PayloadTool[] {
  const { stages, renderFlags } = releaseOf(minor);
  return tools.flatMap(({ stage, addsTo, style = 'pflag', flags, ...tool }) => {
    const added = addsTo === undefined ? [] : (renderFlags[addsTo] ?? []);
    const isThere = stage === undefined || stages.includes(stage);
    return isThere ? [{ ...tool, style, flags: [...flags, ...added] }] : [];
  });
}

interface ToolHistory extends Omit<PayloadTool, 'style'> {
  readonly style?: PayloadTool['style'];
  /** The stage that introduced the tool. Absent if every release has it. */
  readonly stage?: LateStage;
  /** The entry of the release table that lists the flags added later. */
  readonly addsTo?: RenderTool;
}

const rendering = [
  'asset-input-dir',
  'asset-output-dir',
  'config-output-file',
  'config-override-files',
  'payload-version',
  'rendered-manifest-files',
  'templates-input-dir',
];

const staticPods = [
  ...rendering,
  'manifest-cloud-provider-host-path',
  'manifest-config-file-name',
  'manifest-config-host-path',
  'manifest-image',
  'manifest-image-pull-policy',
  'manifest-namespace',
  'manifest-operator-image',
  'manifest-secrets-host-path',
];

const tools: readonly ToolHistory[] = [
  {
    name: 'cluster-config-api-render',
    stage: 'api-bootstrap',
    style: 'go',
    flags: [
      'asset-output-dir',
      'cluster-profile',
      'image-manifests',
      'payload-version',
      'rendered-manifest-dir',
    ],
    output: { 'manifests/0000_10_crd.yaml': 'api-crd' },
  },
  {
    name: 'cluster-authentication-operator-render',
    stage: 'auth-api-bootstrap',
    flags: ['asset-output-dir', 'cluster-profile', 'payload-version', 'rendered-manifest-dir'],
    output: { 'rolebindingrestrictions.yaml': 'auth-crd' },
  },
  {
    name: 'cluster-config-operator-cluster-config-operator-render',
    flags: [
      ...rendering,
      'cloud-provider-config-input-file',
      'cloud-provider-config-output-file',
      'cluster-config-file',
      'cluster-infrastructure-input-file',
    ],
    addsTo: 'cluster-config-operator',
    output: { config: 'config', 'manifests/0000_10_old-crd.yaml': 'config-crd' },
  },
  {
    name: 'release-render',
    flags: ['output-dir', 'release-image'],
    addsTo: 'cluster-version-operator',
    output: { 'bootstrap/bootstrap-pod.yaml': 'cvo-pod', 'manifests/cvo-namespace.yaml': 'cvo-namespace' },
  },
  {
    name: 'cluster-etcd-operator-cluster-etcd-operator-render',
    flags: [
      'asset-output-dir',
      'cluster-configmap-file',
      'delayed-ha-bootstrap-scaling-marker-file',
      'etcd-image',
      'infra-config-file',
      'network-config-file',
    ],
    addsTo: 'cluster-etcd-operator',
    output: {
      'etc-kubernetes/manifests/etcd-member-pod.yaml': 'etcd-pod',
      'etc-kubernetes/static-pod-resources/etcd-member/ca.crt': 'etcd-ca',
      'manifests/etcd-namespace.yaml': 'etcd-namespace',
      'tls/etcd-ca-bundle.crt': 'etcd-ca',
      'tls/etcd-client.crt': 'etcd-client',
      'tls/etcd-client.key': 'etcd-client-key',
    },
  },
  {
    name: 'cluster-kube-apiserver-operator-cluster-kube-apiserver-operator-render',
    flags: [
      ...staticPods,
      'cluster-auth-file',
      'cluster-config-file',
      'infra-config-file',
      'manifest-etcd-server-urls',
      'manifest-etcd-serving-ca',
      'manifest-lock-host-path',
    ],
    addsTo: 'cluster-kube-apiserver-operator',
    output: componentOutput('kube-apiserver'),
  },
  {
    name: 'cluster-kube-controller-manager-operator-cluster-kube-controller-manager-operator-render',
    flags: [
      ...staticPods,
      'cluster-config-file',
      'cluster-policy-controller-image',
      'cpc-config-output-file',
      'disable-phase-2',
    ],
    output: {
      ...componentOutput('kube-controller-manager'),
      'cpc-config': 'cluster-policy-controller-config',
    },
  },
  {
    name: 'cluster-kube-scheduler-operator-cluster-kube-scheduler-operator-render',
    flags: staticPods,
    output: componentOutput('kube-scheduler'),
  },
  {
    name: 'cluster-ingress-operator-render',
    flags: ['output-dir', 'prefix'],
    output: { 'cluster-ingress-00-namespace.yaml': 'ingress-namespace' },
  },
  {
    name: 'cluster-node-tuning-operator-render',
    flags: ['asset-input-dir', 'asset-output-dir', 'owner-ref'],
    output: {},
  },
  {
    name: 'cluster-node-tuning-operator-render-bootcmd-mc',
    stage: 'cmdbootline-nto-bootstrap',
    flags: ['asset-input-dir', 'asset-output-dir', 'mcp-name'],
    output: { '50-nto-master-kernelargs.yaml': 'kernel-arguments' },
  },
  {
    name: 'machine-config-operator-bootstrap',
    flags: [
      'additional-trust-bundle-config-file',
      'baremetal-runtimecfg-image',
      'baseos-extensions-image',
      'baseos-image',
      'cloud-config-file',
      'cloud-provider-ca-file',
      'config-file',
      'coredns-image',
      'dest-dir',
      'dns-config-file',
      'haproxy-image',
      'image-references',
      'infra-config-file',
      'infra-image',
      'keepalived-image',
      'kube-ca',
      'kube-rbac-proxy-image',
      'machine-config-operator-image',
      'machine-config-oscontent-image',
      'network-config-file',
      'oauth-proxy-image',
      'payload-version',
      'proxy-config-file',
      'pull-secret',
      'release-image',
      'root-ca',
    ],
    addsTo: 'machine-config-operator',
    output: {
      'bootstrap/machineconfigoperator-bootstrap-pod.yaml': 'mco-pod',
      'bootstrap/manifests/machineconfigcontroller-controllerconfig.yaml': 'controller-config',
      'manifests/master.machineconfigpool.yaml': 'master-pool',
    },
  },
  {
    name: 'cloud-credential-operator-render',
    flags: ['cloud-credential-operator-image', 'dest-dir', 'log-level', 'manifests-dir'],
    output: { 'manifests/cco-crd.yaml': 'cco-crd' },
  },
  {
    name: 'cluster-bootstrap-start',
    flags: [
      'asset-dir',
      'assets-create-timeout',
      'pod-manifest-path',
      'required-pods',
      'strict',
      'tear-down-delay',
      'tear-down-early',
      'tear-down-event',
      'tear-down-termination-timeout',
    ],
    output: {},
  },
];

function componentOutput(name: string): Readonly<Record<string, string>> {
  return {
    config: `${name}-config`,
    [`bootstrap-manifests/${name}-pod.yaml`]: `${name}-pod`,
    [`manifests/${name}-namespace.yaml`]: `${name}-namespace`,
  };
}
