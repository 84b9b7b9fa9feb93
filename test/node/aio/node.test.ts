import { beforeAll, describe, expect, test } from 'vitest';

import { isError } from '../../../src/core/problem.js';
import { problemsOf } from '../../../src/core/result.js';
import { toData } from '../../../src/formats/yaml/yaml-tree.js';
import { readYaml } from '../../../src/formats/yaml/yaml.js';
import { fieldAt, listAt, textAt } from '../../../src/kube/fields.js';
import { apiClients } from '../../../src/node/aio/api-client-files.js';
import { knownKubernetesMinors } from '../../../src/release/kubernetes.js';
import { snoConfigText } from '../../support/minimal-config.js';
import { make, made, type Made } from './made.js';

let minimal: Made;
let dual: Made;
beforeAll(async () => {
  [minimal, dual] = await Promise.all([made('aio-minimal'), made('aio-dual-stack')]);
});

function dataOf({ texts }: Made, path: string): unknown {
  const [root] = readYaml(texts[path] ?? '').documents;
  return root && toData(root);
}

/** Command and arguments of the main container of a static pod. */
function wordsOf(node: Made, pod: string): readonly string[] {
  const [container] = listAt(dataOf(node, `/etc/kubernetes/manifests/${pod}-pod.yaml`), [
    'spec',
    'containers',
  ]);
  return [...listAt(container, ['command']), ...listAt(container, ['args'])].map(String);
}

function objectsOf({ texts }: Made): readonly unknown[] {
  const files = Object.entries(texts).filter(([path]) => path.startsWith('/etc/sno-install/objects/'));
  return files.flatMap(([, text]) => readYaml(text).documents.map(toData));
}

function objectNamed(node: Made, kind: string, name: string): unknown {
  return objectsOf(node).find(
    (each) => textAt(each, ['kind']) === kind && textAt(each, ['metadata', 'name']) === name,
  );
}

describe('no file on the node', () => {
  const everyText = ({ texts }: Made): readonly (readonly [string, string])[] => Object.entries(texts);

  test('has a hole or a placeholder left in it', () => {
    expect(
      everyText(minimal)
        .filter(([, text]) => /@@[a-zA-Z-]+@@|NODE_NAME|REVISION\b/.test(text))
        .map(([path]) => path),
    ).toEqual([]);
  });

  test('reaches the API by a name that needs DNS', () => {
    const kubeconfigs = everyText(minimal).filter(([, text]) => /^kind: Config$/m.test(text));
    const servers = kubeconfigs.map(([path, text]) => [path, /server: '?([^\s',]*)/.exec(text)?.[1]]);
    expect(servers.filter(([, server]) => server !== 'https://localhost:6443')).toEqual([]);
    // The other three are the controller manager, the scheduler, and the kubeconfig that sno-kubelet-identity.sh writes.
    expect(servers).toHaveLength(apiClients.length + 3);
  });

  test('names a certificate by its contents where it could name the file', () => {
    expect(
      everyText(minimal).filter(([, text]) =>
        /client-certificate-data|certificate-authority-data/.test(text),
      ),
    ).toEqual([]);
  });

  test('has etcd listen beyond loopback', () => {
    for (const node of [minimal, dual]) {
      const listening = wordsOf(node, 'etcd').filter((arg) =>
        /^--(listen|advertise|initial-advertise)-/.test(arg),
      );
      expect(listening.length).toBeGreaterThan(2);
      expect(listening.filter((arg) => !/=https?:\/\/(127\.0\.0\.1|localhost|\[::1\])/.test(arg))).toEqual(
        [],
      );
    }
  });
});

test('every file that a kubeconfig of the node names is there', () => {
  const named = Object.entries(minimal.texts)
    .filter(
      ([path]) =>
        path.startsWith('/etc/sno-install/') ||
        path.startsWith('/etc/kubernetes/kube-proxy') ||
        path.endsWith('bootstrap-kubeconfig'),
    )
    .flatMap(([, text]) =>
      [...text.matchAll(/(?:certificate-authority|client-certificate|client-key): (\S+)/g)].map(
        ([, path = '']) => path,
      ),
    );
  // CA, certificate and key.
  expect(named).toHaveLength(3 * apiClients.length);
  expect(named.filter((path) => !(path in minimal.texts))).toEqual([]);
});

describe('the kubelet', () => {
  const path = '/etc/kubernetes/kubelet-config.yaml';

  test('rejects clients without a certificate or a token', () => {
    expect(fieldAt(dataOf(minimal, path), ['authentication'])).toEqual({
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: '/etc/kubernetes/pki/kubelet-client-ca.crt' },
    });
    expect(textAt(dataOf(minimal, path), ['authorization', 'mode'])).toBe('Webhook');
  });

  test('renews its certificates, runs static pods, and configures cluster DNS in pods', () => {
    const config = dataOf(dual, path);
    const fields = [
      'rotateCertificates',
      'serverTLSBootstrap',
      'registerWithTaints',
      'clusterDNS',
      'shutdownGracePeriod',
      'featureGates',
    ];
    expect(fields.map((field) => fieldAt(config, [field]))).toEqual([
      true,
      true,
      [],
      ['172.30.0.10', 'fd02::a'],
      '300s',
      { KubeletInUserNamespace: true },
    ]);
  });

  test.each([
    {
      fixture: 'aio-minimal',
      want: ['unix:///run/containerd/containerd.sock', '/run/systemd/resolve/resolv.conf'],
    },
    { fixture: 'aio-openshift', want: ['unix:///var/run/crio/crio.sock', '/etc/resolv.conf'] },
  ])('of $fixture has its container runtime and name servers', async ({ fixture, want }) => {
    const config = dataOf(await made(fixture), path);
    expect([textAt(config, ['containerRuntimeEndpoint']), textAt(config, ['resolvConf'])]).toEqual(want);
  });

  test('gets arguments that systemd would split, or take for its own, in one piece', async () => {
    const sno = `aio: { operatingSystem: RHCOS }\ncontrolPlane:\n  extraArguments:\n    kubelet:\n      node-labels: ['a=b c', 'x="$y"%z']\n`;
    const { config } = await made('aio-minimal', { 'sno-config.yaml': snoConfigText(sno) });
    const unit = config.systemd?.units?.find(({ name }) => name === 'kubelet.service')?.contents ?? '';
    expect(unit.split('\n').filter((line) => line.includes('node-labels'))).toEqual([
      '  "--node-labels=a=b c" \\',
      String.raw`  "--node-labels=x=\"$$y\"%%z"`,
    ]);
  });
});

describe('the pod network', () => {
  test('is the first subnet of each family, the one that kube-controller-manager gives this node', () => {
    const list = JSON.parse(dual.texts['/etc/kubernetes/cni/net.d/10-sno-install.conflist'] ?? '') as {
      plugins: { ipam?: { ranges: unknown; routes: unknown } }[];
    };
    expect(list.plugins[0]?.ipam).toEqual({
      type: 'host-local',
      ranges: [[{ subnet: '10.128.0.0/23' }], [{ subnet: 'fd01::/64' }]],
      routes: [{ dst: '0.0.0.0/0' }, { dst: '::/0' }],
    });
  });

  test.each([
    { fixture: 'aio-minimal', want: ['nftables', '10.128.0.0/14', '0.0.0.0', '127.0.0.1:10256'] },
    { fixture: 'aio-ipv6', want: ['iptables', 'fd01::/48', '::', '[::1]:10256'] },
  ])('of $fixture has a kube-proxy of its version and family', async ({ fixture, want }) => {
    const config = dataOf(await made(fixture), '/etc/kubernetes/kube-proxy/config.yaml');
    expect(
      ['mode', 'clusterCIDR', 'bindAddress', 'healthzBindAddress'].map((field) => textAt(config, [field])),
    ).toEqual(want);
  });
});

describe('the objects of the first boot', () => {
  test('bind no group or user to more than they need', () => {
    const bindings = objectsOf(minimal).filter((each) => textAt(each, ['kind']) === 'ClusterRoleBinding');
    const subjects = bindings.map((each) => {
      const subject = listAt(each, ['subjects'])[0];
      return `${textAt(subject, ['kind'])} ${textAt(subject, ['name'])} is ${textAt(each, ['roleRef', 'name'])}`;
    });
    expect(subjects).toEqual([
      'User sno-install:csr-approver is sno-install:csr-approver',
      'User system:kube-apiserver is system:kubelet-api-admin',
      'Group system:bootstrappers:sno-install is system:node-bootstrapper',
      'ServiceAccount coredns is system:coredns',
    ]);
  });

  test('do not approve client certificates automatically', () => {
    expect(JSON.stringify(objectsOf(minimal))).not.toContain('nodeclient');
  });

  test('give cluster DNS the addresses in the kubelet config', () => {
    const service = objectNamed(dual, 'Service', 'kube-dns');
    expect(fieldAt(service, ['spec', 'clusterIPs'])).toEqual(['172.30.0.10', 'fd02::a']);
    expect(textAt(service, ['spec', 'ipFamilyPolicy'])).toBe('RequireDualStack');
  });
});

describe('arguments of the user', () => {
  const sno = (body: string): Readonly<Record<string, string>> => ({
    'sno-config.yaml': snoConfigText(`aio: { operatingSystem: RHCOS }\n${body}`),
  });
  test('replace the default arguments', () => {
    expect(wordsOf(dual, 'kube-apiserver').filter((arg) => arg.startsWith('--audit-log-maxage'))).toEqual([
      '--audit-log-maxage=7',
    ]);
    expect(wordsOf(dual, 'kube-proxy')).toContain('--v=4');
  });

  test.each([
    ['secretbox', ['secretbox', 'identity']],
    ['aescbc', ['aescbc', 'identity']],
    ['aesgcm', ['aesgcm', 'identity']],
  ])('encrypts Secrets with %s', async (encryption, want) => {
    const node = await made('aio-minimal', sno(`controlPlane: { encryption: ${encryption} }\n`));
    const [path = ''] = Object.keys(node.texts).filter((each) => each.endsWith('/encryption-config'));
    const config = JSON.parse(node.texts[path] ?? '') as { resources: { providers: object[] }[] };
    expect(config.resources[0]?.providers.flatMap((each) => Object.keys(each))).toEqual(want);
  });

  test('disable encryption with None', async () => {
    const node = await made('aio-minimal', sno('controlPlane: { encryption: None }\n'));
    expect(wordsOf(node, 'kube-apiserver').filter((arg) => arg.includes('encryption'))).toEqual([]);
  });

  test('are rejected if no program of the version has them', async () => {
    const text =
      'controlPlane:\n  extraArguments:\n    kube-scheduler: { port: ["0"] }\n  featureGates: { NoSuchGate: true }\n';
    const problems = problemsOf(await make('aio-minimal', sno(text)));
    expect(problems.map(({ code, at }) => `${code} ${String(at?.line)} ${at?.path ?? ''}`)).toEqual([
      'control-plane/unknown-flag 6 controlPlane.extraArguments.kube-scheduler.port',
      'control-plane/unknown-feature-gate 7 controlPlane.featureGates.NoSuchGate',
    ]);
    expect(problems.every(isError)).toBe(true);
  });
});

test('every version gets only flags that its programs have', async () => {
  const { flagProblems } = await import('../../../src/release/flags/check-flags.js');
  const { programSources } = await import('../../../src/release/flags/program-sources.js');
  for (const minor of knownKubernetesMinors) {
    const body = `aio: { operatingSystem: RHCOS }\ncontrolPlane: { kubernetesVersion: 1.${minor}.0 }\n`;
    const node = await made('aio-minimal', { 'sno-config.yaml': snoConfigText(body) });
    for (const program of [
      'etcd',
      'kube-apiserver',
      'kube-controller-manager',
      'kube-scheduler',
      'kube-proxy',
    ] as const) {
      const words = wordsOf(node, program);
      const flags = words.flatMap((word) => /^--([^=]+)/.exec(word)?.[1] ?? []);
      expect(flags.length).toBeGreaterThan(0);
      const etcd = minor >= 34 ? '3.6' : '3.5';
      expect([
        minor,
        flagProblems(program, { kubernetesMinor: minor, etcd }, flags, programSources.Kubernetes),
      ]).toEqual([minor, []]);
    }
  }
});
