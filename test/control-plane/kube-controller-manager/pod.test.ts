import { describe, expect, test } from 'vitest';

import { dialects } from '../../../src/control-plane/dialects.js';
import type { ControllerManagerConfig } from '../../../src/control-plane/kube-controller-manager/config-model.js';
import { configObservation } from '../../../src/control-plane/kube-controller-manager/kube-controller-manager-loops.js';
import { placeholderNode } from '../../../src/control-plane/shared/placeholders.js';
import type { Container, Pod } from '../../../src/kube/pod-object.js';
import type { ControlPlaneInputs } from '../../../src/control-plane/loops/loop-inputs.js';
import { createStore } from '../../../src/control-plane/loops/store.js';
import { flagProblems } from '../../../src/release/flags/check-flags.js';
import { programSources } from '../../../src/release/flags/program-sources.js';
import { controlPlaneInputs, type ControlPlaneCase } from '../../support/control-plane.js';
import { controllerManagerConfigIn } from '../../support/dialects.js';

const certs = '/etc/kubernetes/static-pod-certs';
const resources = '/etc/kubernetes/static-pod-resources';
const kubeconfig = `${resources}/configmaps/controller-manager-kubeconfig/kubeconfig`;

async function inputsFor(given: ControlPlaneCase): Promise<ControlPlaneInputs> {
  return controlPlaneInputs({ ...given, issued: {} });
}

function configFor(inputs: ControlPlaneInputs): ControllerManagerConfig {
  const observation = configObservation(dialects[inputs.profile].controllerManager);
  return controllerManagerConfigIn(inputs, observation.run(createStore([]), inputs));
}

function podFor(inputs: ControlPlaneInputs): Pod {
  return dialects[inputs.profile].controllerManager.pod(inputs, configFor(inputs));
}

describe('with upstream flags', () => {
  test('it is alone in its pod, on loopback, and signs with the keys of the cluster', async () => {
    const pod = podFor(await inputsFor({ profile: 'Kubernetes' }));
    expect(pod.spec.containers.map(({ name, command }) => ({ name, command }))).toEqual([
      { name: 'kube-controller-manager', command: ['kube-controller-manager'] },
    ]);
    expect(argumentsOf(pod.spec.containers[0])).toMatchObject({
      'authentication-kubeconfig': [kubeconfig],
      'authorization-kubeconfig': [kubeconfig],
      'bind-address': ['127.0.0.1'],
      'client-ca-file': [`${certs}/configmaps/client-ca/ca-bundle.crt`],
      'cluster-signing-cert-file': [`${certs}/secrets/csr-signer/tls.crt`],
      'cluster-signing-key-file': [`${certs}/secrets/csr-signer/tls.key`],
      controllers: ['*', '-csrapproving'],
      kubeconfig: [kubeconfig],
      'leader-elect': ['false'],
      'requestheader-client-ca-file': [`${certs}/configmaps/aggregator-client-ca/ca-bundle.crt`],
      'root-ca-file': [`${resources}/configmaps/serviceaccount-ca/ca-bundle.crt`],
      'service-account-private-key-file': [
        `${resources}/secrets/service-account-private-key/service-account.key`,
      ],
      'use-service-account-credentials': ['true'],
    });
  });

  test('does not depend on the node', async () => {
    const inputs = await inputsFor({ profile: 'Kubernetes' });
    expect(podFor({ ...inputs, node: placeholderNode })).toEqual(podFor(inputs));
  });

  const v4 = { cidr: '10.128.0.0/14', hostPrefix: 23 };
  const v6 = { cidr: 'fd01::/48', hostPrefix: 64 };
  test.each([
    {
      name: 'IPv6',
      given: { clusterNetwork: [v6], serviceNetwork: ['fd02::/112'], family: 'IPv6' },
      want: {
        'bind-address': ['::1'],
        'cluster-cidr': ['fd01::/48'],
        'node-cidr-mask-size-ipv6': ['64'],
        'service-cluster-ip-range': ['fd02::/112'],
      },
    },
    {
      name: 'both families',
      given: {
        clusterNetwork: [v4, v6],
        serviceNetwork: ['172.30.0.0/16', 'fd02::/112'],
        isDualStack: true,
      },
      want: {
        'bind-address': ['127.0.0.1'],
        'cluster-cidr': ['10.128.0.0/14,fd01::/48'],
        'node-cidr-mask-size-ipv4': ['23'],
        'node-cidr-mask-size-ipv6': ['64'],
        'service-cluster-ip-range': ['172.30.0.0/16,fd02::/112'],
      },
    },
    {
      name: 'both families, IPv6 first',
      given: { clusterNetwork: [v6, v4], isDualStack: true },
      want: { 'cluster-cidr': ['fd01::/48,10.128.0.0/14'] },
    },
    {
      name: 'two networks of a family, of which it takes one',
      given: { clusterNetwork: [v4, { cidr: '10.64.0.0/14', hostPrefix: 22 }] },
      want: { 'cluster-cidr': ['10.128.0.0/14'], 'node-cidr-mask-size-ipv4': ['23'] },
    },
  ] as const)('cuts pod networks out of those of the cluster: $name', async ({ given, want }) => {
    const inputs = await inputsFor({ profile: 'Kubernetes' });
    const pod = podFor({ ...inputs, networks: { ...inputs.networks, ...given } });
    expect(argumentsOf(pod.spec.containers[0])).toMatchObject(want);
  });
});

describe('with the names of its operator', () => {
  test('the pod is the one that the operator looks for', async () => {
    const { metadata, spec } = podFor(await inputsFor({ profile: 'OpenShift' }));
    expect(metadata).toMatchObject({
      name: 'kube-controller-manager',
      namespace: 'openshift-kube-controller-manager',
      labels: { app: 'kube-controller-manager', 'kube-controller-manager': 'true', revision: 'REVISION' },
    });
    expect(spec.containers.map(({ name, command }) => ({ name, command }))).toEqual([
      { name: 'kube-controller-manager', command: ['hyperkube', 'kube-controller-manager'] },
      { name: 'cluster-policy-controller', command: ['cluster-policy-controller', 'start'] },
    ]);
  });

  test('its flags leave networks of pods to their operator, and take part in the election', async () => {
    const given = argumentsOf(podFor(await inputsFor({ profile: 'OpenShift' })).spec.containers[0]);
    expect(given).toMatchObject({
      'allocate-node-cidrs': ['false'],
      'cluster-name': ['site1-abcde'],
      controllers: ['*', '-ttl', '-bootstrapsigner', '-tokencleaner', 'selinux-warning-controller'],
      'leader-elect': ['true'],
      'openshift-config': [`${resources}/configmaps/config/config.yaml`],
    });
    expect(given).not.toHaveProperty('bind-address');
    expect(given).not.toHaveProperty('node-cidr-mask-size-ipv4');
  });
});

describe.each(['OpenShift', 'Kubernetes'] as const)('with the profile %s', (profile) => {
  test.each([32, 33, 34, 35, 36])('every flag is one of Kubernetes 1.%i', async (kubernetesMinor) => {
    const inputs = await inputsFor({ profile, versions: { kubernetesMinor, etcd: '3.6' } });
    const flags = Object.keys(argumentsOf(podFor(inputs).spec.containers[0]));
    expect(flagProblems('kube-controller-manager', inputs.versions, flags, programSources[profile])).toEqual(
      [],
    );
  });

  test('arguments of the user take the place of ours, and feature gates are those of the user', async () => {
    const inputs = await inputsFor({ profile, featureGates: { B: false, A: true } });
    const mine = { 'cluster-signing-duration': ['1h'], 'concurrent-gc-syncs': ['5'] };
    const extraArguments = { ...inputs.extraArguments, 'kube-controller-manager': mine };
    const given = argumentsOf(podFor({ ...inputs, extraArguments }).spec.containers[0]);
    expect(given).toMatchObject({ ...mine, 'feature-gates': ['A=true,B=false'] });
    expect(argumentsOf(podFor({ ...inputs, featureGates: {} }).spec.containers[0])).not.toHaveProperty(
      'feature-gates',
    );
  });
});

function argumentsOf(container: Container | undefined): Readonly<Record<string, readonly string[]>> {
  const given: Record<string, string[]> = {};
  for (const argument of container?.args ?? []) {
    const equals = argument.indexOf('=');
    (given[argument.slice(2, equals)] ??= []).push(argument.slice(equals + 1));
  }
  return given;
}
