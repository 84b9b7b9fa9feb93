import { describe, expect, test } from 'vitest';

import { apiserverConfig } from '../../../src/control-plane/kube-apiserver/kube-apiserver-loops.js';
import { openshiftConfig } from '../../../src/control-plane/kube-apiserver/openshift.js';
import { upstreamApiserver, upstreamFlags } from '../../../src/control-plane/kube-apiserver/upstream.js';
import type { ControlPlaneInputs } from '../../../src/control-plane/loops/loop-inputs.js';
import { createStore } from '../../../src/control-plane/loops/store.js';
import { controlPlaneInputs } from '../../support/control-plane.js';
import { apiserverConfigOf as configOf } from '../../support/settled-apiserver.js';

const key = { provider: 'aesgcm', key: Buffer.alloc(32, 1).toString('base64') } as const;
const ipv6 = { clusterNetwork: [{ cidr: 'fd01::/48', hostPrefix: 64 }], serviceNetwork: ['fd02::/112'] };

test('has no configuration before the first observation', async () => {
  const inputs = await controlPlaneInputs({ profile: 'Kubernetes' });
  expect(apiserverConfig(upstreamApiserver, inputs, createStore([]))).toBeUndefined();
});

describe('the flags of upstream', () => {
  const resources = '/etc/kubernetes/static-pod-resources';
  const certs = '/etc/kubernetes/static-pod-certs';
  const pair = (name: string): string => `${certs}/secrets/${name}/tls.crt,${certs}/secrets/${name}/tls.key`;

  test('name the pair and the authority of every connection', async () => {
    expect(upstreamFlags(await configOf({ profile: 'Kubernetes' }))).toMatchObject({
      'client-ca-file': [`${certs}/configmaps/client-ca/ca-bundle.crt`],
      'etcd-cafile': [`${resources}/configmaps/etcd-serving-ca/ca-bundle.crt`],
      'etcd-certfile': [`${resources}/secrets/etcd-client/tls.crt`],
      'etcd-keyfile': [`${resources}/secrets/etcd-client/tls.key`],
      'etcd-servers': ['https://127.0.0.1:2379'],
      'kubelet-certificate-authority': [`${resources}/configmaps/kubelet-serving-ca/ca-bundle.crt`],
      'kubelet-client-certificate': [`${certs}/secrets/kubelet-client/tls.crt`],
      'kubelet-client-key': [`${certs}/secrets/kubelet-client/tls.key`],
      'proxy-client-cert-file': [`${certs}/secrets/aggregator-client/tls.crt`],
      'proxy-client-key-file': [`${certs}/secrets/aggregator-client/tls.key`],
      'requestheader-allowed-names': ['front-proxy-client'],
      'requestheader-client-ca-file': [`${certs}/configmaps/aggregator-client-ca/ca-bundle.crt`],
      'service-account-key-file': [
        `${resources}/configmaps/sa-token-signing-certs/service-account-001.pub`,
        `${resources}/configmaps/bound-sa-token-signing-certs/service-account-001.pub`,
      ],
      'service-account-signing-key-file': [
        `${certs}/secrets/bound-service-account-signing-key/service-account.key`,
      ],
      'tls-cert-file': [`${certs}/secrets/service-network-serving-certkey/tls.crt`],
      'tls-private-key-file': [`${certs}/secrets/service-network-serving-certkey/tls.key`],
      'tls-sni-cert-key': [
        `${pair('localhost-serving-cert-certkey')}:localhost,127.0.0.1,::1`,
        pair('service-network-serving-certkey'),
        pair('external-loadbalancer-serving-certkey'),
        pair('internal-loadbalancer-serving-certkey'),
      ],
    });
  });

  test('limit what nodes may do, and issue tokens for the name inside the cluster', async () => {
    expect(upstreamFlags(await configOf({ profile: 'Kubernetes' }))).toMatchObject({
      'authorization-mode': ['Node,RBAC'],
      'enable-admission-plugins': ['NodeRestriction,DenyServiceExternalIPs'],
      'service-account-issuer': ['https://kubernetes.default.svc'],
      'api-audiences': ['https://kubernetes.default.svc'],
    });
  });

  const changes: readonly {
    readonly name: string;
    readonly given: (usual: ControlPlaneInputs) => Partial<ControlPlaneInputs>;
    readonly want: Readonly<Record<string, readonly string[]>>;
  }[] = [
    {
      name: 'IPv6',
      given: ({ networks }) => ({ networks: { ...networks, ...ipv6, family: 'IPv6' } }),
      want: {
        'bind-address': ['::'],
        'etcd-servers': ['https://[::1]:2379'],
        'service-cluster-ip-range': ['fd02::/112'],
      },
    },
    {
      name: 'two families',
      given: ({ networks }) => ({
        networks: { ...networks, serviceNetwork: ['172.30.0.0/16', 'fd02::/112'], isDualStack: true },
      }),
      want: { 'bind-address': ['::'], 'service-cluster-ip-range': ['172.30.0.0/16,fd02::/112'] },
    },
    {
      name: 'encryption',
      given: () => ({ encryption: key }),
      want: { 'encryption-provider-config': [`${resources}/secrets/encryption-config/encryption-config`] },
    },
    {
      name: 'feature gates, in order',
      given: () => ({ featureGates: { WatchList: false, AllBeta: true } }),
      want: { 'feature-gates': ['AllBeta=true,WatchList=false'] },
    },
    {
      name: 'arguments of the user, over ours and over what other fields say',
      given: ({ extraArguments }) => ({
        extraArguments: {
          ...extraArguments,
          'kube-apiserver': {
            'tls-min-version': ['VersionTLS13'],
            'goaway-chance': ['0.1'],
            'event-ttl': ['2h'],
          },
        },
      }),
      want: { 'tls-min-version': ['VersionTLS13'], 'goaway-chance': ['0.1'], 'event-ttl': ['2h'] },
    },
  ];
  test.each(changes)('change with $name, and stay the same otherwise', async ({ given, want }) => {
    const usual = await controlPlaneInputs({ profile: 'Kubernetes' });
    const flags = upstreamFlags(await configOf({ ...usual, ...given(usual), profile: 'Kubernetes' }));
    expect(flags).toEqual({ ...upstreamFlags(await configOf(usual)), ...want });
  });
});

describe('the configuration file of OpenShift', () => {
  // With it kube-apiserver answers 503 to all but loopback until it was ready once. On an empty etcd it never becomes ready.
  test.each([31, 32, 34, 35])('has no delay of readiness: 1.%i', async (kubernetesMinor) => {
    const versions = { kubernetesMinor, etcd: '3.5' } as const;
    const { arguments: given } = await configOf({ profile: 'OpenShift', versions });
    expect(Object.keys(given)).not.toContain('send-retry-after-while-not-ready-once');
  });

  test('is the one that the operator would write at first', async () => {
    const config = openshiftConfig(await configOf({ profile: 'OpenShift', encryption: key }));
    expect(config).toMatchObject({
      apiVersion: 'kubecontrolplane.config.openshift.io/v1',
      kind: 'KubeAPIServerConfig',
      admission: {
        pluginConfig: {
          'network.openshift.io/RestrictedEndpointsAdmission': {
            configuration: {
              apiVersion: 'network.openshift.io/v1',
              kind: 'RestrictedEndpointsAdmissionConfig',
              restrictedCIDRs: ['10.128.0.0/14', '172.30.0.0/16'],
            },
            location: '',
          },
        },
      },
      apiServerArguments: {
        'authorization-mode': ['Scope', 'SystemMasters', 'RBAC', 'Node'],
        'encryption-provider-config': [
          '/etc/kubernetes/static-pod-resources/secrets/encryption-config/encryption-config',
        ],
        'etcd-prefix': ['kubernetes.io'],
        'etcd-servers': ['https://192.168.126.10:2379', 'https://localhost:2379'],
        'goaway-chance': ['0'],
        'service-account-jwks-uri': ['https://api.site1.example.com:6443/openid/v1/jwks'],
        'shutdown-delay-duration': ['0s'],
      },
      serviceAccountPublicKeyFiles: [
        '/etc/kubernetes/static-pod-resources/configmaps/sa-token-signing-certs',
        '/etc/kubernetes/static-pod-resources/configmaps/bound-sa-token-signing-certs',
      ],
      servicesSubnet: '172.30.0.0/16',
      servingInfo: { bindAddress: '0.0.0.0:6443', bindNetwork: 'tcp4', minTLSVersion: 'VersionTLS12' },
    });
  });

  test('names every serving certificate, the one for recovery last, and no host', async () => {
    const { serving } = await configOf({ profile: 'OpenShift' });
    expect(
      serving.namedCertificates.map(({ certFile, names }) => [certFile.split('/').at(-2), names]),
    ).toEqual([
      ['localhost-serving-cert-certkey', undefined],
      ['service-network-serving-certkey', undefined],
      ['external-loadbalancer-serving-certkey', undefined],
      ['internal-loadbalancer-serving-certkey', undefined],
      ['localhost-recovery-serving-certkey', undefined],
    ]);
  });

  test('puts an IPv6 address into brackets', async () => {
    const { networks, node } = await controlPlaneInputs({ profile: 'OpenShift' });
    const config = await configOf({
      profile: 'OpenShift',
      networks: { ...networks, ...ipv6, family: 'IPv6' },
      node: { ...node, ip: 'fd00:126::10', urlHost: '[fd00:126::10]' },
    });
    expect(config.serving).toMatchObject({ bindAddress: '[::]:6443', bindNetwork: 'tcp6' });
    expect(config.arguments['etcd-servers']).toEqual([
      'https://[fd00:126::10]:2379',
      'https://localhost:2379',
    ]);
  });
});
