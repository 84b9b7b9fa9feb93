import { describe, expect, test } from 'vitest';

import { upstreamFiles, upstreamFlags } from '../../../src/control-plane/kube-apiserver/upstream.js';
import { kubeApiserverPod } from '../../support/dialects.js';
import type { ControlPlaneInputs } from '../../../src/control-plane/loops/loop-inputs.js';
import { controlPlaneInputs } from '../../support/control-plane.js';
import { apiserverConfigOf } from '../../support/settled-apiserver.js';

type Given = Partial<Pick<ControlPlaneInputs, 'versions' | 'featureGates' | 'extraArguments'>>;

const none = { etcd: {}, 'kube-apiserver': {}, 'kube-controller-manager': {}, 'kube-scheduler': {} };

/** Settings of kube-apiserver for anonymous requests, and the kubelet's health probe of it. */
async function lettingIn(given: Given): Promise<object> {
  const config = await apiserverConfigOf({ profile: 'Kubernetes', ...given });
  const inputs = { ...(await controlPlaneInputs({ profile: 'Kubernetes' })), ...given };
  const flags = upstreamFlags(config);
  const [container] = kubeApiserverPod(inputs, config).spec.containers;
  const probes = [container?.startupProbe, container?.readinessProbe, container?.livenessProbe];
  return {
    flag: flags['anonymous-auth']?.join(','),
    file: flags['authentication-config']?.map((path) => path.slice(path.lastIndexOf('/') + 1)).join(','),
    version: /apiserver\.config\.k8s\.io\/(\w+)/.exec(
      upstreamFiles(config)['authentication.yaml'] ?? '',
    )?.[1],
    probes: [...new Set(probes.map((probe) => (probe?.httpGet ? 'answers' : probe?.tcpSocket?.host)))].join(),
  };
}

const byFile = { flag: undefined, file: 'authentication.yaml', probes: 'answers' };
const nobody = { flag: 'false', file: undefined, version: undefined, probes: '127.0.0.1' };

describe('clients without a certificate', () => {
  test.each<{ readonly name: string; readonly given: Given; readonly want: object }>([
    { name: 'the default', given: {}, want: { ...byFile, version: 'v1' } },
    {
      name: 'Kubernetes 1.33',
      given: { versions: { kubernetesMinor: 33, etcd: '3.5' } },
      want: { ...byFile, version: 'v1beta1' },
    },
    {
      name: 'Kubernetes 1.32',
      given: { versions: { kubernetesMinor: 32, etcd: '3.5' } },
      want: { ...byFile, version: 'v1beta1' },
    },
    { name: 'Kubernetes 1.31', given: { versions: { kubernetesMinor: 31, etcd: '3.5' } }, want: nobody },
    {
      name: 'a gate turned off',
      given: {
        versions: { kubernetesMinor: 33, etcd: '3.5' },
        featureGates: { AnonymousAuthConfigurableEndpoints: false },
      },
      want: nobody,
    },
    {
      name: 'gates turned off that are no longer needed',
      given: { featureGates: { AllBeta: false } },
      want: { ...byFile, version: 'v1' },
    },
    {
      name: 'a flag of the user that lets in',
      given: { extraArguments: { ...none, 'kube-apiserver': { 'anonymous-auth': ['true'] } } },
      want: { flag: 'true', file: undefined, version: undefined, probes: 'answers' },
    },
    {
      name: 'a flag of the user that does not',
      given: { extraArguments: { ...none, 'kube-apiserver': { 'anonymous-auth': ['false'] } } },
      want: nobody,
    },
    {
      name: 'an issuer of the user',
      given: {
        extraArguments: { ...none, 'kube-apiserver': { 'oidc-issuer-url': ['https://id.example.com'] } },
      },
      want: nobody,
    },
    {
      name: 'a file of the user',
      given: {
        extraArguments: {
          ...none,
          'kube-apiserver': { 'authentication-config': ['/etc/kubernetes/own.yaml'] },
        },
      },
      want: { flag: undefined, file: 'own.yaml', version: undefined, probes: '127.0.0.1' },
    },
  ])('with $name', async ({ given, want }) => {
    expect(await lettingIn(given)).toEqual(want);
  });

  test('may read only health paths, with a configuration file', async () => {
    const config = await apiserverConfigOf({ profile: 'Kubernetes' });
    expect(config.authentication).toEqual({
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'AuthenticationConfiguration',
      jwt: [],
      anonymous: {
        enabled: true,
        conditions: [{ path: '/healthz' }, { path: '/livez' }, { path: '/readyz' }],
      },
    });
  });
});
