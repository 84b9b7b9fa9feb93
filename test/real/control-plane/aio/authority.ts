import { expect, test } from 'vitest';

import { issueCertificate, type IssuedCertificate } from '../../../support/made-authority.js';
import { describeWith } from '../../../support/programs.js';
import { componentIdentity, type Identity, type NodeUnderTest } from './node.js';
import type { SiteConfig } from './site.js';

/** A CA above the node's signers, with its root, and other certificates below the same root. */
export interface OrganisationsAuthority {
  readonly root: IssuedCertificate;
  /** A client with a `system:masters` certificate from another CA of the same organization. */
  readonly stranger: IssuedCertificate;
  readonly config: { readonly sno: SiteConfig['sno']; readonly files: NonNullable<SiteConfig['files']> };
}

/** Issues the certificates with openssl on first use. */
export function organisationsAuthority(): () => OrganisationsAuthority {
  let issued: OrganisationsAuthority | undefined;
  return () => (issued ??= issueOrganisation());
}

function issueOrganisation(): OrganisationsAuthority {
  const root = issueCertificate({ subject: '/O=Example Corp/CN=Root' });
  const own = issueCertificate({ by: root, subject: '/O=Example Corp/CN=Clusters' });
  const mail = issueCertificate({ by: root, subject: '/O=Example Corp/CN=Mail' });
  const stranger = issueCertificate({
    by: mail,
    subject: '/O=system:masters/CN=system:admin',
    extensions: ['basicConstraints = CA:FALSE', 'extendedKeyUsage = clientAuth, serverAuth'],
  });
  return {
    root,
    stranger: { ...stranger, certPem: `${stranger.certPem}${mail.certPem}` },
    config: {
      sno: { authority: { certificate: 'chain.pem', key: 'authority.key' } },
      files: { 'chain.pem': `${own.certPem}${root.certPem}`, 'authority.key': own.keyPem },
    },
  };
}

const folder = '/var/tmp/organisation';

/** Tests that clients with the root trust the node's servers, and that other certificates below the root get no access. */
export function authorityTests(
  node: NodeUnderTest,
  organisation: () => OrganisationsAuthority,
  apiName: string,
): void {
  const { machine, kubectl, kubectlAs } = node;
  const identity: Identity = { certFile: `${folder}/stranger.crt`, keyFile: `${folder}/stranger.key` };

  async function lay(): Promise<void> {
    const { root, stranger } = organisation();
    const files = {
      'root.crt': root.certPem,
      'stranger.crt': stranger.certPem,
      'stranger.key': stranger.keyPem,
    };
    await machine().exec(['mkdir', '--parents', folder]);
    for (const [name, text] of Object.entries(files))
      await machine().exec(['sh', '-c', 'cat >"$1"', 'sh', `${folder}/${name}`], text);
  }

  /**
   * The status and body of a response. Uses HTTP/1.1: over HTTP/2 the API server closes connections of unauthenticated clients at
   * once, and about one response in thirteen reaches curl without its body (18, a partial file).
   */
  async function answer(url: string, ...more: readonly string[]): Promise<string> {
    const wire = ['--silent', '--insecure', '--globoff', '--http1.1'];
    const options = [...wire, '--write-out', ' %{http_code}', ...more];
    return (await machine().run(['curl', ...options, url])).stdout;
  }

  test('serves certificates that clients with the root CA accept', async () => {
    await lay();
    for (const name of [apiName, 'kubernetes.default.svc', 'localhost']) {
      const options = ['-servername', name, '-verify_hostname', name];
      const { stdout } = await machine().run([
        ...['openssl', 's_client', '-connect', '[::1]:6443', '-CAfile', `${folder}/root.crt`, ...options],
      ]);
      expect(`${name}: ${/Verify return code: .*/.exec(stdout)?.[0] ?? stdout}`).toBe(
        `${name}: Verify return code: 0 (ok)`,
      );
    }
    const curl = ['curl', '--silent', '--cacert', `${folder}/root.crt`, 'https://localhost:6443/readyz'];
    expect(await machine().exec(curl)).toBe('ok');
  });

  describeWith(['gnutls-cli'], 'asked by GnuTLS', () => {
    test('is trusted with the root CA, and not with only the signer, as in docs/authority.md', async () => {
      await lay();
      const statusBy = async (trusted: string): Promise<string> => {
        const options = ['--port=6443', `--x509cafile=${trusted}`, '--sni-hostname=localhost'];
        const { stdout, stderr } = await machine().run([
          ...['gnutls-cli', ...options, '--verify-hostname=localhost', '::1'],
        ]);
        return /^- Status: The certificate is (.*?)\./m.exec(`${stdout}${stderr}`)?.[1] ?? stderr;
      };
      expect(await statusBy(`${folder}/root.crt`)).toBe('trusted');
      expect(await statusBy('/etc/kubernetes/pki/api-server-ca.crt')).toBe('NOT trusted');
    });
  });

  test('accepts the administrator, and connects to the kubelet with a trusted certificate', async () => {
    expect(await kubectl(['auth', 'whoami', '--output=jsonpath={.status.userInfo.groups}'])).toContain(
      'system:masters',
    );
    const [name = ''] = (await kubectl(['get', 'nodes', '--output=name'])).trim().split('\n');
    expect(await kubectl(['get', '--raw', `/api/v1/${name.replace('node/', 'nodes/')}/proxy/healthz`])).toBe(
      'ok',
    );
  });

  test('rejects an administrator certificate of another authority below the same root', async () => {
    await lay();
    const { code, stderr } = await kubectlAs(identity, ['get', 'namespaces']);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('logged in') as string,
    });
    const kubelet = 'https://[::1]:10250/pods';
    const { certFile, keyFile } = identity;
    expect(await answer(kubelet, '--cert', certFile, '--key', keyFile)).toMatch(/^Unauthorized 401$/);
  });

  test('accepts user headers only from the aggregator', async () => {
    const says = ['--header', 'X-Remote-User: somebody', '--header', 'X-Remote-Group: system:masters'];
    const review = '{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}';
    const url = 'https://localhost:6443/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const answerTo = async ({ certFile, keyFile }: Identity): Promise<string> =>
      answer(
        url,
        ...['--cert', certFile, '--key', keyFile, ...says],
        ...['--header', 'Content-Type: application/json', '--data', review],
      );
    expect(await answerTo(await componentIdentity(node, 'aggregator-client'))).toMatch(
      /"username":\s*"somebody"[^]* 201$/,
    );
    expect(await answerTo(identity)).toMatch(/"Unauthorized"[^]* 401$/);
  });
}
