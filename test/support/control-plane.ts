import { namings } from '../../src/pki/hostnames.js';
import { issueRotators } from '../../src/pki/issue-rotators.js';
import { rotatorNames, type RotatorName } from '../../src/pki/rotators.js';
import { seedObjects } from '../../src/control-plane/shared/seeds.js';
import {
  versionsOf,
  type ControlPlaneInputs,
  type ImageKey,
  type NodeIdentity,
} from '../../src/control-plane/loops/loop-inputs.js';
import { issuePair } from '../../src/pki/issue-pair.js';
import { keyPairPem, type KeyPairPem } from '../../src/formats/keys/private-key.js';
import type { ValueSource } from '../../src/graph/context.js';
import type { OpenShiftRelease } from '../../src/release/openshift-release.js';
import { releaseVersion } from '../../src/release/release-version.js';
import { releases } from '../../src/release/releases.js';
import { testContext, testNow } from './context.js';

export interface ControlPlaneCase extends Partial<ControlPlaneInputs> {
  readonly profile: ControlPlaneInputs['profile'];
  /** Certificate and key pairs that only the node issues. */
  readonly withoutPairs?: readonly RotatorName[];
}

export const testNode: NodeIdentity = {
  name: 'sno',
  environmentName: 'sno',
  ip: '192.168.126.10',
  urlHost: '192.168.126.10',
  endpointKey: 'MTkyLjE2OC4xMjYuMTA',
};

const testPayload = releases.like(releaseVersion(4, 21));

/** A release runs its own Kubernetes and etcd. */
function ofRelease(payload: OpenShiftRelease): Pick<ControlPlaneInputs, 'payload' | 'versions'> {
  return { payload, versions: versionsOf(payload) };
}

/** The notAfter of every test certificate is ten years after the clock of the tests. */
const tenYearsMs = 3650 * 24 * 60 * 60 * 1000;

/** Inputs of the control plane loops, with throwaway keys that depend only on their labels. */
export async function controlPlaneInputs(given: ControlPlaneCase): Promise<ControlPlaneInputs> {
  const { withoutPairs = [], ...overrides } = given;
  const { valueSource } = testContext();
  const settled = {
    ...(await defaultInputs(given.profile, valueSource)),
    ...(given.profile === 'OpenShift' && ofRelease(given.payload ?? testPayload)),
    ...overrides,
  };
  const issued = await issueRotators(
    {
      facts: { ...settled, naming: namings[settled.profile] },
      wanted: rotatorNames.filter((name) => !withoutPairs.includes(name)),
      given: {},
      labelPrefix: 'control-plane/',
      keyAlgorithm: 'ECDSA-P256',
      notBefore: testNow,
      notAfter: () => new Date(testNow.getTime() + tenYearsMs),
    },
    valueSource,
  );
  return { ...settled, issued: given.issued ?? issued };
}

async function defaultInputs(
  profile: ControlPlaneInputs['profile'],
  valueSource: ValueSource,
): Promise<ControlPlaneInputs> {
  const serviceAccountKeys = {
    legacy: await keyPair('test/service-account', valueSource),
    bound: await keyPair('test/bound-service-account', valueSource),
  };
  return {
    profile,
    versions: { kubernetesMinor: 36, etcd: '3.4' },
    node: testNode,
    images: testImages,
    networks: {
      clusterNetwork: [{ cidr: '10.128.0.0/14', hostPrefix: 23 }],
      serviceNetwork: ['172.30.0.0/16'],
      machineNetwork: ['192.168.126.0/24'],
      family: 'IPv4',
      isDualStack: false,
    },
    apiServer: {
      externalHost: 'api.site1.example.com',
      internalHost: 'api-int.site1.example.com',
      clusterName: 'site1',
      clusterDomain: 'site1.example.com',
      infraId: 'site1-abcde',
      extraNames: ['sno', '192.168.126.10'],
    },
    issued: {},
    serviceAccountKeys,
    seeds: seedObjects({
      adminCaPem: await authorityPem('test/admin-signer', valueSource),
      kubeletBootstrapCaPem: await authorityPem('test/kubelet-bootstrap-signer', valueSource),
      kubeletCaPem: await authorityPem('test/kubelet-signer', valueSource),
      serviceAccountKeys,
    }),
    clusterSigningSeconds: 365 * 24 * 60 * 60,
    featureGates: {},
    extraArguments: {
      etcd: {},
      'kube-apiserver': {},
      'kube-controller-manager': {},
      'kube-scheduler': {},
    },
    now: testNow,
  };
}

const testImages: Readonly<Record<ImageKey, string>> = {
  'cluster-policy-controller': 'registry.example.com/ocp/cluster-policy-controller:1',
  etcd: 'registry.example.com/etcd:1',
  hyperkube: 'registry.example.com/ocp/hyperkube:1',
  'cluster-etcd-operator': 'registry.example.com/ocp/cluster-etcd-operator:1',
  'cluster-kube-apiserver-operator': 'registry.example.com/ocp/cluster-kube-apiserver-operator:1',
  'kube-apiserver': 'registry.example.com/kube-apiserver:1',
  'kube-controller-manager': 'registry.example.com/kube-controller-manager:1',
  'kube-scheduler': 'registry.example.com/kube-scheduler:1',
};

async function keyPair(label: string, valueSource: ValueSource): Promise<KeyPairPem> {
  return keyPairPem(await valueSource.rsaKey(label, 2048));
}

async function authorityPem(label: string, valueSource: ValueSource): Promise<string> {
  const notAfter = new Date(testNow.getTime() + tenYearsMs);
  const pair = await issuePair(
    { label, subject: { commonName: label }, notBefore: testNow, notAfter, isCa: true },
    { keyAlgorithm: 'ECDSA-P256', valueSource },
  );
  return pair.certPem;
}
