import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

import { writeYaml } from '../../../src/formats/yaml/write-yaml.js';
import { connect } from '../../../src/remote/kubernetes/kubernetes-client.js';
import type { Problem } from '../../../src/core/problem.js';
import { listeningPort } from '../../support/ports.js';
import { scratchFolder } from '../../support/scratch.js';
import { expectOk } from '../../support/sound-value.js';
import { apiCertificates, apiName, kubeconfigText } from './throwaway-tls.js';

const { authority, serving, admin } = await apiCertificates();

const present = (): Date => new Date();
const stop = new AbortController().signal;
const data = (text: string): string => Buffer.from(text).toString('base64');

/** Port of an API on loopback, and the credentials of each request. */
async function api(): Promise<{ readonly port: number; readonly seen: readonly unknown[] }> {
  const seen: unknown[] = [];
  const tls = { cert: serving.certPem, key: serving.keyPem, ca: authority.certPem, requestCert: true };
  const server = createServer({ ...tls, rejectUnauthorized: false }, (request, response) => {
    const socket = request.socket as { getPeerCertificate?: () => { subject?: { CN?: string } } };
    const { authorization, 'impersonate-user': as } = request.headers;
    seen.push({ authorization, as, certificate: socket.getPeerCertificate?.().subject?.CN });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"items":[]}');
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: await listeningPort(server), seen };
}

/** One request for the nodes. */
async function ask(path: string, text: string, isTrusted = false): Promise<string> {
  const client = expectOk(await connect({ path, text, isTrusted, present, stop }));
  return (await client.nodes()).kind;
}

describe('a usable kubeconfig', () => {
  const other = {
    name: 'old',
    cluster: { server: 'https://old.example.com', 'certificate-authority': '/dev/zero' },
  };

  it('of `oc login` sends the token of the current context, whatever other contexts contain', async () => {
    const { port, seen } = await api();
    // Names and order as `oc login` writes them: cluster/user per server, and contexts of earlier logins.
    const text = writeYaml({
      apiVersion: 'v1',
      kind: 'Config',
      preferences: {},
      clusters: [
        other,
        {
          name: 'api-site1-example-com:6443',
          cluster: {
            server: `https://127.0.0.1:${port}`,
            'certificate-authority-data': data(authority.certPem),
            'tls-server-name': apiName,
          },
        },
      ],
      contexts: [
        { name: 'old', context: { cluster: 'old', user: 'old' } },
        {
          name: 'default/api-site1-example-com:6443/kube:admin',
          context: {
            cluster: 'api-site1-example-com:6443',
            namespace: 'default',
            user: 'kube:admin/api-site1-example-com:6443',
          },
        },
      ],
      'current-context': 'default/api-site1-example-com:6443/kube:admin',
      users: [
        { name: 'old', user: { tokenFile: '/dev/zero', exec: { command: 'false' } } },
        { name: 'kube:admin/api-site1-example-com:6443', user: { token: 'sha256~dGVzdA' } },
      ],
    });

    expect(await ask('config', text)).toBe('found');
    expect(seen).toEqual([{ authorization: 'Bearer sha256~dGVzdA' }]);
  });

  it('of `create` presents its client certificate', async () => {
    const { port, seen } = await api();
    const cluster = { 'tls-server-name': apiName, extensions: [], 'disable-compression': true };
    const server = `https://127.0.0.1:${port}/`;
    const text = kubeconfigText({ server, caPem: authority.certPem, client: admin, cluster });

    expect(await ask('auth/kubeconfig', text)).toBe('found');
    expect(seen).toEqual([{ certificate: 'system:admin' }]);
  });

  it('may name certificates in its own folder', async () => {
    const { port, seen } = await api();
    const dir = scratchFolder();
    mkdirSync(join(dir, 'pki'));
    writeFileSync(join(dir, 'pki/ca.crt'), authority.certPem);
    writeFileSync(join(dir, 'pki/admin.crt'), admin.certPem);
    writeFileSync(join(dir, 'pki/admin.key'), admin.keyPem);
    const text = kubeconfigText({
      server: `https://127.0.0.1:${port}`,
      cluster: { 'certificate-authority': 'pki/ca.crt', 'tls-server-name': apiName },
      user: { 'client-certificate': 'pki/admin.crt', 'client-key': join(dir, 'pki/admin.key') },
    });

    expect(await ask(join(dir, 'config'), text)).toBe('found');
    expect(seen).toEqual([{ certificate: 'system:admin' }]);
  });

  it.each(['tokenFile', 'token-file'])('that is trusted sends the file in %s', async (field) => {
    const { port, seen } = await api();
    const [dir, outside] = [scratchFolder(), scratchFolder()];
    writeFileSync(join(outside, 'token'), 'from-a-file\n');
    const text = kubeconfigText({
      server: `https://127.0.0.1:${port}`,
      caPem: authority.certPem,
      cluster: { 'tls-server-name': apiName },
      user: { [field]: join(outside, 'token'), as: 'system:reader' },
    });

    expect(await ask(join(dir, 'config'), text, true)).toBe('found');
    expect(seen).toEqual([{ authorization: 'Bearer from-a-file', as: 'system:reader' }]);
  });

  it('that is trusted runs its plugin without private keys of the environment', async () => {
    const { port, seen } = await api();
    process.env['TEST_AUTHORITY_KEY'] = '-----BEGIN PRIVATE KEY-----\nabc';
    onTestFinished(() => {
      delete process.env['TEST_AUTHORITY_KEY'];
    });
    const script =
      'process.stdout.write(JSON.stringify({ status: { token: `${process.env.TEST_AUTHORITY_KEY}-${process.env.GIVEN}` } }))';
    const exec = { command: process.execPath, args: ['-e', script], env: [{ name: 'GIVEN', value: 'x' }] };
    const text = kubeconfigText({
      server: `https://127.0.0.1:${port}`,
      caPem: authority.certPem,
      cluster: { 'tls-server-name': apiName },
      user: { exec },
    });

    expect(await ask('config', text, true)).toBe('found');
    expect(seen).toEqual([{ authorization: 'Bearer undefined-x' }]);
  });
});

describe('a kubeconfig is refused', () => {
  const server = 'https://api.site1.example.com:6443';
  const path = 'site1/auth/kubeconfig';
  const never = 'which kubeconfigs of sno-install never do';

  const shown = ({ code, message, at }: Problem): string =>
    `${code} ${at?.file ?? ''}:${at?.line ?? ''}:${at?.col ?? ''}: ${message}`;

  async function refusal(text: string, file = path, isTrusted = false): Promise<readonly string[]> {
    const result = await connect({ path: file, text, isTrusted, stop, present });
    return result.ok ? [] : result.problems.map(shown);
  }

  /** One field per line, so that lines and columns can be compared. */
  const yaml = (cluster: readonly string[], user: readonly string[]): string =>
    [
      'apiVersion: v1',
      'clusters:',
      '- name: site1',
      '  cluster:',
      ...cluster.map((line) => `    ${line}`),
      'contexts:',
      '- name: admin',
      '  context: {cluster: site1, user: admin}',
      'current-context: admin',
      'users:',
      '- name: admin',
      '  user:',
      ...user.map((line) => `    ${line}`),
    ].join('\n');
  const line = `server: ${server}`;

  const cases: readonly { name: string; text: string; want: string; isTrusted?: true }[] = [
    { name: 'empty', text: '', want: `::: ${path} is not a valid kubeconfig` },
    {
      name: 'with broken YAML',
      text: 'users: [{token: "canary',
      want: `:1:17: ${path} is not a valid kubeconfig`,
    },
    {
      name: 'with a field twice',
      text: yaml([line], ['token: a', 'token: b']),
      want: `:14:5: ${path} is not a valid kubeconfig`,
    },
    {
      name: 'with two documents',
      text: 'a: 1\n---\nb: 1\n',
      want: `:3:1: ${path} is not a valid kubeconfig`,
    },
    {
      name: 'without a context',
      text: 'apiVersion: v1\nkind: Config\n',
      want: `::: current-context is missing in ${path}`,
    },
    {
      name: 'with an unknown context',
      text: 'current-context: x\ncontexts: []\n',
      want: ':1:18: current-context names no entry of contexts',
    },
    {
      name: 'with an unknown user',
      text: yaml([line], ['token: a']).replace('user: admin}', 'user: other}'),
      want: ':8:35: contexts[0].context.user names no entry of users',
    },
    {
      name: 'with two users of one name',
      text: `${yaml([line], ['token: a'])}\n- name: admin\n  user: {token: b}\n`,
      want: ':14:9: users[1].name has the name of users[0]',
    },
    {
      name: 'with a token file',
      text: yaml([line], ['tokenFile: /etc/shadow']),
      want: `:13:5: users[0].user.tokenFile sends the contents of a file to the server, ${never}`,
    },
    {
      name: 'with a token file in the spelling of the package',
      text: yaml([line], ['token: a', 'token-file: /etc/shadow']),
      want: `:14:5: users[0].user.token-file sends the contents of a file to the server, ${never}`,
    },
    {
      name: 'with a program',
      text: yaml([line], ['exec: {command: canary}']),
      want: `:13:5: users[0].user.exec runs a program, ${never}`,
    },
    {
      name: 'with an auth-provider',
      text: yaml([line], ['auth-provider: {name: gcp}']),
      want: `:13:5: users[0].user.auth-provider may run a program or read a file, ${never}`,
    },
    {
      name: 'with a file with a token in its auth-provider, even if it is trusted',
      text: yaml([line], ['auth-provider: {name: tokenFile, config: {tokenFile: /dev/zero}}']),
      isTrusted: true,
      want: ':13:5: users[0].user.auth-provider names a file with a token',
    },
    {
      name: 'without the check of the certificate',
      text: yaml([line, 'insecure-skip-tls-verify: true'], ['token: a']),
      want: `:6:5: clusters[0].cluster.insecure-skip-tls-verify disables the check of the server's certificate, ${never}`,
    },
    {
      name: 'with a proxy',
      text: yaml([line, 'proxy-url: http://proxy.example.com'], ['token: a']),
      want: `:6:5: clusters[0].cluster.proxy-url sends requests through a proxy, ${never}`,
    },
    {
      name: 'with a proxy of an unknown kind, even if it is trusted',
      text: yaml([line, 'proxy-url: file:///etc/shadow'], ['token: a']),
      isTrusted: true,
      want: ':6:5: clusters[0].cluster.proxy-url is not an http://, https:// or socks5:// URL',
    },
    {
      name: 'with a CA outside its folder',
      text: yaml([line, 'certificate-authority: /etc/shadow'], ['token: a']),
      want: ':6:5: clusters[0].cluster.certificate-authority names a file outside the folder of the kubeconfig',
    },
    {
      name: 'with a key outside its folder',
      text: yaml([line], [`client-certificate-data: ${data(admin.certPem)}`, 'client-key: ../../key']),
      want: ':14:5: users[0].user.client-key names a file outside the folder of the kubeconfig',
    },
    {
      name: 'with a device, even if it is trusted',
      text: yaml([line, 'certificate-authority: /dev/zero'], ['token: a']),
      isTrusted: true,
      want: ':6:5: clusters[0].cluster.certificate-authority names a file that cannot be read: it is not a regular file',
    },
    {
      name: 'with a missing file',
      text: yaml([line, 'certificate-authority: missing.crt'], ['token: a']),
      want: ':6:5: clusters[0].cluster.certificate-authority names a file that cannot be read: it does not exist',
    },
    {
      name: 'with a field that kubectl does not have',
      text: yaml([line], ['tokenfile: /etc/shadow']),
      want: ':13:5: users[0].user: unknown field "tokenfile"',
    },
    {
      name: 'with a password as field name',
      text: yaml([line], ['Xk29fjQpL0aa83jdMnqT81bz: x']),
      want: ':13:5: users[0].user: unknown field "…"',
    },
    {
      name: 'with groups',
      text: yaml([line], ['as: me', 'as-groups: [system:masters]']),
      want: ':14:5: users[0].user: unknown field "as-groups"',
    },
    {
      name: 'with a token of another type',
      text: yaml([line], ['token: {a: b}']),
      want: ':13:5: users[0].user: token must be a string, not a map of fields',
    },
    {
      name: 'with a token of two lines',
      text: yaml([line], ['token: "a\\nb"']),
      want: ':13:5: users[0].user.token contains blanks or characters that no token has',
    },
    {
      name: 'without TLS',
      text: yaml(['server: http://127.0.0.1:8080'], ['token: a']),
      want: ':5:5: clusters[0].cluster.server is not an https:// URL',
    },
    {
      name: 'without a server',
      text: yaml(['tls-server-name: a'], ['token: a']),
      want: ':4:3: clusters[0].cluster: server is missing',
    },
    {
      name: 'with an invalid CA',
      text: yaml([line, `certificate-authority-data: ${data('none')}`], ['token: a']),
      want: ':6:5: clusters[0].cluster.certificate-authority-data is not a certificate',
    },
    {
      name: 'with an invalid client certificate',
      text: yaml([line], [`client-certificate-data: ${data('none')}`, 'client-key-data: bm9uZQ==']),
      want: ':13:5: users[0].user.client-certificate-data is not a certificate',
    },
    {
      name: 'with an invalid key',
      text: yaml([line], [`client-certificate-data: ${data(admin.certPem)}`, 'client-key-data: bm9uZQ==']),
      want: ':14:5: users[0].user.client-key-data is not a private key',
    },
    {
      name: 'without a key',
      text: yaml([line], [`client-certificate-data: ${data(admin.certPem)}`]),
      want: ':12:3: users[0].user.client-key is not a private key',
    },
    {
      name: 'with another key',
      text: yaml(
        [line],
        [`client-certificate-data: ${data(admin.certPem)}`, `client-key-data: ${data(serving.keyPem)}`],
      ),
      want: ':14:5: users[0].user.client-key-data does not match client-certificate',
    },
  ];
  it.each(cases)('$name', async ({ text, want, isTrusted = false }) => {
    expect(await refusal(text, path, isTrusted)).toEqual([`cluster/kubeconfig ${path}${want}`]);
  });

  it.each([false, true])(
    'with a FIFO or a link out of its folder, without waiting (trusted: %s)',
    async (isTrusted) => {
      const [dir, outside] = [scratchFolder(), scratchFolder()];
      execFileSync('mkfifo', [join(dir, 'pipe')]);
      writeFileSync(join(outside, 'secret'), 'x');
      symlinkSync(join(outside, 'secret'), join(dir, 'link'));
      const message = async (user: readonly string[]): Promise<string> =>
        (await refusal(yaml([line], user), join(dir, 'config'), isTrusted))
          .join()
          .replace(/^.*users/, 'users');

      expect(await message(['client-certificate: pipe'])).toBe(
        'users[0].user.client-certificate names a file that cannot be read: it is not a regular file',
      );
      expect(await message(['client-certificate: link'])).toBe(
        isTrusted
          ? 'users[0].user.client-certificate is not a certificate'
          : 'users[0].user.client-certificate names a file that cannot be read: it is behind a symbolic link to a place outside its folder',
      );
      expect(await message(['tokenFile: pipe'])).toBe(
        isTrusted
          ? 'users[0].user.tokenFile names a file that cannot be read: it is not a regular file'
          : `users[0].user.tokenFile sends the contents of a file to the server, ${never}`,
      );
    },
  );
});
