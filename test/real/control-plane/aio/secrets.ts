import { expect, test } from 'vitest';

import type { NodeUnderTest } from './node.js';

/** Tests that service account tokens are valid and Secrets are encrypted in etcd. */
export function secretTests({ machine, kubectl }: NodeUnderTest, hostname: string): void {
  test('issues service account tokens and rejects modified ones', async () => {
    await kubectl(['create', 'serviceaccount', 'robot']);
    await kubectl(['create', 'rolebinding', 'robot', '--clusterrole=view', '--serviceaccount=default:robot']);
    const request = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: 600 },
    };
    const issued = await kubectl(
      ['create', '--raw=/api/v1/namespaces/default/serviceaccounts/robot/token', '--filename=-'],
      request,
    );
    const { token } = (JSON.parse(issued) as { status: { token: string } }).status;

    expect(await reviewOf(token)).toMatchObject({
      authenticated: true,
      user: { username: 'system:serviceaccount:default:robot' },
    });
    expect(await statusWith(token)).toBe('200');
    for (const altered of alterations(token)) {
      expect((await reviewOf(altered)).authenticated).toBeUndefined();
      expect(await statusWith(altered)).toBe('401');
    }
  });

  test('stores Secrets encrypted, and other objects in plain text', async () => {
    await kubectl(['create', 'secret', 'generic', 'canary', '--from-literal=word=nightingale']);
    await kubectl(['create', 'configmap', 'canary', '--from-literal=word=nightingale']);
    const secret = await stored('/registry/secrets/default/canary');
    expect(secret).toMatch(/^k8s:enc:secretbox:v1:/);
    expect(secret).not.toContain('nightingale');
    expect(await stored('/registry/configmaps/default/canary')).toContain('nightingale');
    const read = await kubectl(['get', 'secret', 'canary', '--output=jsonpath={.data.word}']);
    expect(Buffer.from(read, 'base64').toString()).toBe('nightingale');
  });

  interface Review {
    readonly authenticated?: boolean;
  }

  async function reviewOf(token: string): Promise<Review> {
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } };
    const answer = await kubectl(['create', '--filename=-', '--output=json'], review);
    return (JSON.parse(answer) as { status: Review }).status;
  }

  /** The API's response status for a read with this token that the service account may do. */
  async function statusWith(token: string): Promise<string> {
    return machine().exec([
      ...['curl', '--silent', '--cacert', '/etc/kubernetes/pki/api-server-ca.crt', '--output', '/dev/null'],
      ...['--write-out', '%{http_code}', '--header', `Authorization: Bearer ${token}`],
      'https://localhost:6443/api/v1/namespaces/default/configmaps',
    ]);
  }

  /** The stored value of an etcd key. */
  async function stored(key: string): Promise<string> {
    const folder = '/etc/kubernetes/static-pod-certs';
    const pair = `${folder}/secrets/etcd-all-certs/etcd-serving-${hostname}`;
    const loopback = (await machine().exec(['cat', '/etc/kubernetes/manifests/etcd-pod.yaml'])).match(
      /--advertise-client-urls=(\S+)/,
    )?.[1];
    const etcdctl = [
      'etcdctl',
      `--endpoints=${loopback ?? ''}`,
      `--cacert=${folder}/configmaps/etcd-all-bundles/server-ca-bundle.crt`,
      `--cert=${pair}.crt`,
      `--key=${pair}.key`,
    ];
    return kubectl([
      'exec',
      '--namespace=kube-system',
      `etcd-${hostname}`,
      '--',
      ...etcdctl,
      'get',
      key,
      '--print-value-only',
    ]);
  }
}

/** The token with a changed end, and with changed claims and the old signature. */
function alterations(token: string): readonly string[] {
  const [header = '', claims = '', signature = ''] = token.split('.');
  const other = Buffer.from(
    Buffer.from(claims, 'base64url').toString().replace('default:robot', 'kube-system:robot'),
  ).toString('base64url');
  const turned = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
  return [`${header}.${claims}.${turned}`, `${header}.${other}.${signature}`];
}
