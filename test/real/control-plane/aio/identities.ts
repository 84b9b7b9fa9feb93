import { expect, test } from 'vitest';

import { componentIdentity, kubeletIdentity, type Identity, type NodeUnderTest } from './node.js';
import { rightsIn, rulesReview } from './rights.js';
import { contentsOf } from './ignition-contents.js';

/** Tests that each identity has exactly its rights. */
export function identityTests(node: NodeUnderTest, hostname: string): void {
  const { machine, kubectl, kubectlAs } = node;

  test('is ready in every part, as the administrator sees it', async () => {
    const lines = (await kubectl(['get', '--raw=/readyz?verbose'])).trim().split('\n');
    expect(lines.at(-1)).toBe('readyz check passed');
    expect(lines.slice(0, -1).filter((line) => !/^\[\+\].* ok$/.test(line))).toEqual([]);
    expect(lines.filter((line) => line === '[+]etcd ok')).toHaveLength(1);
    expect(await kubectl(['auth', 'can-i', '*', '*', '--all-namespaces'])).toBe('yes\n');
  });

  test('grants no permissions beyond the defaults of Kubernetes', async () => {
    const bindings = JSON.parse(
      await kubectl(['get', 'clusterrolebindings,rolebindings', '--all-namespaces', '--output=json']),
    ) as { items: Binding[] };
    const own = bindings.items.filter(
      ({ metadata }) => metadata.labels?.['kubernetes.io/bootstrapping'] !== 'rbac-defaults',
    );
    expect(
      own
        .map(({ roleRef, subjects }) => `${roleRef.name}: ${subjects.map(({ name }) => name).join(', ')}`)
        .toSorted(),
    ).toEqual([
      'sno-install:csr-approver: sno-install:csr-approver',
      'system:coredns: coredns',
      'system:kubelet-api-admin: system:kube-apiserver',
    ]);
  });

  test('allows the approver only to approve requests of kubelets', async () => {
    expect(await rightsOf(await componentIdentity(node, 'csr-approver-client'))).toEqual([
      'approve signers.certificates.k8s.io/kubernetes.io/kube-apiserver-client-kubelet',
      'approve signers.certificates.k8s.io/kubernetes.io/kubelet-serving',
      'get certificatesigningrequests.certificates.k8s.io',
      'list certificatesigningrequests.certificates.k8s.io',
      'update certificatesigningrequests/approval.certificates.k8s.io',
      'watch certificatesigningrequests.certificates.k8s.io',
    ]);
  });

  test('lets kube-proxy read Services and where they lead, and write events', async () => {
    const rights = await rightsOf(await componentIdentity(node, 'kube-proxy-client'));
    const written = rights.filter((right) => !/^(?:get|list|watch) /.test(right));
    expect(written.filter((right) => !/ events(?:\.events\.k8s\.io)?$/.test(right))).toEqual([]);
    const read = rights.filter((right) => !written.includes(right)).map((right) => right.split(' ')[1]);
    expect([...new Set(read)].toSorted()).toEqual([
      'endpoints',
      'endpointslices.discovery.k8s.io',
      'nodes',
      'servicecidrs.networking.k8s.io',
      'services',
    ]);
  });

  test.each([
    {
      name: 'kube-scheduler-client-cert-key',
      allowed: [
        'create pods/binding',
        'watch pods',
        'update leases.coordination.k8s.io --namespace=kube-system',
      ],
      refused: ['get secrets', 'create pods', 'delete nodes', 'create clusterrolebindings'],
    },
    {
      name: 'kube-controller-manager-client-cert-key',
      allowed: ['create serviceaccounts/token', 'update leases.coordination.k8s.io --namespace=kube-system'],
      refused: ['create pods', 'create clusterrolebindings', 'get nodes/proxy'],
    },
    {
      name: 'kubelet-client',
      allowed: ['get nodes/proxy', 'create nodes/proxy'],
      refused: ['get secrets', 'list pods', 'create clusterrolebindings'],
    },
  ])('lets the holder of $name do its work, and no more', async ({ name, allowed, refused }) => {
    const identity = await componentIdentity(node, name);
    expect(await answersTo(identity, allowed)).toEqual(allowed.map((right) => `${right}: yes`));
    expect(await answersTo(identity, refused)).toEqual(refused.map((right) => `${right}: no`));
  });

  test('lets the kubelet act for its own node only', async () => {
    expect(
      await answersTo(kubeletIdentity, [`get nodes/${hostname}`, 'create certificatesigningrequests']),
    ).toEqual([`get nodes/${hostname}: yes`, 'create certificatesigningrequests: yes']);
    const refused = [
      'list secrets',
      'get secrets/any',
      'create deployments.apps',
      'update certificatesigningrequests/approval',
      'create clusterrolebindings',
    ];
    expect(await answersTo(kubeletIdentity, refused)).toEqual(refused.map((right) => `${right}: no`));
    const own = await kubectlAs(kubeletIdentity, [
      'label',
      'node',
      hostname,
      'node-role.kubernetes.io/other=',
    ]);
    expect(own.stderr).toContain('is not allowed to modify labels: node-role.kubernetes.io/other');
    const other = await kubectlAs(kubeletIdentity, ['create', '--filename=-'], {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'other' },
    });
    expect(other.stderr).toContain(`node "${hostname}" is not allowed to modify node "other"`);
  });

  test('allowed the first-boot identity to request certificates, and removed the permission', async () => {
    const { files } = contentsOf(node.laid().site.ignition);
    const identity = { certFile: '/run/bootstrap.crt', keyFile: '/run/bootstrap.key' };
    for (const [path, source] of [
      [identity.certFile, 'crt'],
      [identity.keyFile, 'key'],
    ] as const)
      await machine().exec(
        ['sh', '-c', `umask 077; cat >${path}`],
        files.get(`/etc/kubernetes/pki/kubelet-bootstrap.${source}`),
      );
    expect(await rightsOf(identity)).toEqual([]);

    const binding = files.get('/etc/sno-install/objects/20-node-bootstrapper.yaml');
    await machine().kubectl(node.laid().site.kubeconfig, ['create', '--filename=-'], binding);
    expect(await rightsOf(identity)).toEqual(
      ['create', 'get', 'list', 'watch'].map(
        (verb) => `${verb} certificatesigningrequests.certificates.k8s.io`,
      ),
    );
    await kubectl(['delete', 'clusterrolebinding', 'sno-install:node-bootstrapper']);
    await machine().exec(['rm', identity.certFile, identity.keyFile]);
  });

  test('rejects clients without a certificate: kube-apiserver, kubelet and etcd', async () => {
    const status = async (url: string): Promise<string> => {
      const { stdout } = await machine().run([
        'curl',
        '--silent',
        '--insecure',
        '--globoff',
        '--output',
        '/dev/null',
        '--write-out',
        '%{http_code}',
        url,
      ]);
      return stdout;
    };
    for (const path of ['/livez', '/readyz', '/healthz'])
      expect(await status(`https://localhost:6443${path}`), path).toBe('200');
    for (const path of ['/api/v1/namespaces', '/version', '/readyz/etcd', '/openid/v1/jwks', '/debug/pprof/'])
      expect(await status(`https://localhost:6443${path}`), path).toBe('401');
    expect(await status('https://localhost:10250/pods')).toBe('401');
    // The handshake fails.
    expect(await status('https://localhost:2379/version')).toBe('000');
    const sockets = await machine().exec(['ss', '--tcp', '--listening', '--numeric', '--no-header']);
    const open = sockets
      .trim()
      .split('\n')
      .map((line) => line.split(/ +/)[3] ?? '')
      .filter((socket) => !/^(?:127\.0\.0\.1|\[::1\]):/.test(socket));
    expect(open.toSorted()).toEqual(['*:10250', '*:6443']);
  });

  /** Rights of an identity beyond those of every authenticated user: verb and resource. */
  async function rightsOf(identity: Identity): Promise<readonly string[]> {
    // For validation, kubectl would read more than the identity may.
    const review = ['create', '--validate=false', '--filename=-', '--output=json'];
    const own = await kubectlAs(identity, review, rulesReview);
    expect(own.stderr).toBe('');
    const anybody = rightsIn(
      await kubectl([...review, '--as=anybody', '--as-group=system:authenticated'], rulesReview),
    );
    return rightsIn(own.stdout).filter((right) => !anybody.includes(right));
  }

  async function answersTo(identity: Identity, rights: readonly string[]): Promise<readonly string[]> {
    const answers: string[] = [];
    for (const right of rights) {
      const { stdout } = await kubectlAs(identity, [
        'auth',
        'can-i',
        ...right
          .replace(/^(\S+) (\w+)\/(token|binding|approval|proxy)\b/, '$1 $2 --subresource=$3')
          .split(' '),
      ]);
      // After a `no`, kubectl may print the reason.
      answers.push(`${right}: ${stdout.split(/\s/)[0] ?? ''}`);
    }
    return answers;
  }
}

interface Binding {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> };
  readonly roleRef: { readonly name: string };
  readonly subjects: readonly { readonly name: string }[];
}
