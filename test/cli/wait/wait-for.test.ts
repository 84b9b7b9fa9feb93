import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

import { decryptAge, encryptAge } from '../../../src/formats/age.js';
import {
  clusterVersion,
  condition,
  configured,
  pool,
  settledOperator,
} from '../../remote/kubernetes/fake-cluster.js';
import {
  apiCertificates,
  apiName,
  kubeconfigText,
  throwawayAuthority,
} from '../../remote/kubernetes/throwaway-tls.js';
import { ageKeys } from '../../support/age-keys.js';
import type { CommandResult } from '../../support/command.js';
import { snoInProcess, type CommandOutput } from '../../support/in-process.js';
import { snoConfigText } from '../../support/minimal-config.js';
import { listeningPort } from '../../support/ports.js';
import { scratchFolder } from '../../support/scratch.js';

const password = 'canary-of-the-kubeadmin-password';

const { authority, serving, admin } = await apiCertificates();

type Objects = Readonly<Record<string, object>>;

/** Starts an API server with these objects, keyed by path, and returns its address. */
async function serve(objects: Objects): Promise<string> {
  const server = createServer({ cert: serving.certPem, key: serving.keyPem }, (request, response) => {
    const found = objects[request.url ?? ''];
    const status = { kind: 'Status', details: { name: 'it' } };
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? status));
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `https://127.0.0.1:${await listeningPort(server)}`;
}

/** A folder with the outputs of `site1`. */
function site(server: string, caPem = authority.certPem): string {
  const folder = scratchFolder();
  mkdirSync(join(folder, 'site1/auth'), { recursive: true });
  const text = kubeconfigText({ server, caPem, client: admin, cluster: { 'tls-server-name': apiName } });
  writeFileSync(join(folder, 'site1/auth/kubeconfig'), text);
  writeFileSync(join(folder, 'site1/auth/kubeadmin-password'), password);
  return folder;
}

/** A signal to send once stderr contains `at`. */
interface Signal {
  readonly name: NodeJS.Signals;
  readonly at: string;
}

/** Runs `wait-for` on `site1`. */
async function waitFor(cwd: string, args: readonly string[]): Promise<CommandOutput> {
  const { code, stdout, stderr } = await snoInProcess(['wait-for', ...args, '--dir', 'site1'], { cwd });
  return { code, stdout: withoutTimes(stdout), stderr: withoutTimes(stderr) };
}

/** Runs `wait-for` in a separate process and sends it the signal. */
async function stoppedWaitFor(cwd: string, args: readonly string[], signal: Signal): Promise<CommandResult> {
  const command = spawn(process.execPath, [resolve('dist/cli.js'), 'wait-for', ...args, '--dir', 'site1'], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: '/nonexistent' },
  });
  let [stdout, stderr] = ['', ''];
  command.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  command.stderr.setEncoding('utf8').on('data', (text: string) => {
    const before = stderr;
    stderr += text;
    if (stderr.includes(signal.at) && !before.includes(signal.at)) command.kill(signal.name);
  });
  const code = await new Promise<number | null>((resolve) => command.on('close', resolve));
  return { code, signal: command.signalCode, stdout: withoutTimes(stdout), stderr: withoutTimes(stderr) };
}

/** Replaces durations, which differ from run to run. */
function withoutTimes(text: string): string {
  return text
    .replace(/\b\d+ s\b/g, 'N s')
    .replace(/("seconds": ?)\d+/g, '$1N')
    .replace(/127\.0\.0\.1:\d+/g, 'API');
}

const path = {
  bootstrap: '/api/v1/namespaces/kube-system/configmaps/bootstrap',
  nodes: '/api/v1/nodes',
  version: '/apis/config.openshift.io/v1/clusterversions/version',
  operators: '/apis/config.openshift.io/v1/clusteroperators',
  pools: '/apis/machineconfiguration.openshift.io/v1/machineconfigpools',
  console: '/apis/config.openshift.io/v1/consoles/cluster',
  router: '/api/v1/namespaces/openshift-config-managed/configmaps/default-ingress-cert',
};

const bootstrapped = { [path.bootstrap]: { data: { status: 'complete' } } };
const installed = {
  [path.version]: clusterVersion(condition('Available', 'True'), condition('Progressing', 'False')),
  [path.operators]: { items: [settledOperator('insights')] },
  [path.pools]: { items: [pool('master')] },
  [path.nodes]: { items: [configured('sno1', 'Done')] },
  [path.console]: { status: { consoleURL: 'https://console.apps.site1.example.com' } },
};

describe('wait-for', () => {
  it('bootstrap-complete prints the next step', async () => {
    expect(await waitFor(site(await serve(bootstrapped)), ['bootstrap-complete'])).toEqual({
      code: 0,
      stdout:
        'bootstrap complete: the node has rebooted from its disk and runs its own control plane (after N s)\n\n' +
        'Next: `sno-install wait-for install-complete --dir site1`.\n',
      stderr: 'waiting up to 1 h 5 min for bootstrap-complete of https://API\n',
    });
  });

  it('install-complete prints the URL of the console and the file of the password, not the password', async () => {
    expect(await waitFor(site(await serve(installed)), ['install-complete'])).toEqual({
      code: 0,
      stdout:
        'install complete: the cluster runs 4.18.3 (after N s)\n' +
        'Console:   https://console.apps.site1.example.com\n' +
        'Log in as: kubeadmin, with the password in site1/auth/kubeadmin-password\n\n' +
        'Next: `export KUBECONFIG=site1/auth/kubeconfig; oc get clusteroperators`.\n',
      stderr: 'waiting up to 1 h 30 min for install-complete of https://API\n',
    });
  });

  it('install-complete adds the router authority to the kubeconfig, once', async () => {
    const router = await throwawayAuthority('ingress-operator');
    const served = { ...installed, [path.router]: { data: { 'ca-bundle.crt': router.certPem } } };
    const folder = site(await serve(served));
    const kubeconfig = join(folder, 'site1/auth/kubeconfig');

    const first = await waitFor(folder, ['install-complete']);
    expect(first).toMatchObject({ code: 0 });
    expect(first.stdout).toContain('\nAdded the CA of the router to site1/auth/kubeconfig.\n');
    const after = readFileSync(kubeconfig, 'utf8');
    const data = /certificate-authority-data: (\S+)/.exec(after)?.[1] ?? '';
    expect(Buffer.from(data, 'base64').toString()).toBe(
      `${authority.certPem.trimEnd()}\n${router.certPem.trimEnd()}\n`,
    );
    expect(statSync(kubeconfig).mode & 0o777).toBe(0o600);

    expect((await waitFor(folder, ['install-complete'])).stdout).not.toContain('authority');
    expect(readFileSync(kubeconfig, 'utf8')).toBe(after);
  });

  describe('of an encrypted kubeconfig', () => {
    const { ours, others } = ageKeys;
    const opening = ['--identity', 'ours.key'];

    /** The same folder with an encrypted kubeconfig, and an API server with a router CA that the kubeconfig does not contain yet. */
    async function sealedSite(files: Readonly<Record<string, string>>): Promise<string> {
      const router = await throwawayAuthority('ingress-operator');
      const served = { ...installed, [path.router]: { data: { 'ca-bundle.crt': router.certPem } } };
      const folder = site(await serve(served));
      const plain = join(folder, 'site1/auth/kubeconfig');
      const sealed = await encryptAge(readFileSync(plain), { recipients: [ours.recipient] });
      rmSync(plain);
      const all = { 'site1/auth/kubeconfig.age': sealed, 'ours.key': `${ours.identity}\n`, ...files };
      for (const [name, text] of Object.entries(all))
        writeFileSync(join(folder, name), text, { mode: 0o600 });
      return folder;
    }
    const clustersOf = async (
      folder: string,
      { identity }: { readonly identity: string },
    ): Promise<number> => {
      const sealed = readFileSync(join(folder, 'site1/auth/kubeconfig.age'));
      const opened = await decryptAge(sealed, { identities: [identity], passphrases: [] });
      const text = 'bytes' in opened ? Buffer.from(opened.bytes).toString('utf8') : '';
      const data = /certificate-authority-data"?: ?"?([A-Za-z0-9+/=]+)/.exec(text)?.[1] ?? '';
      return Buffer.from(data, 'base64').toString().split('-----BEGIN CERTIFICATE-----').length - 1;
    };

    it('install-complete encrypts it to the recipients of sno-config.yaml, without a plain copy', async () => {
      const recipients = `state: { recipients: [${ours.recipient}, ${others.recipient}] }\n`;
      const folder = await sealedSite({ 'site1/sno-config.yaml': snoConfigText(recipients) });
      expect(await clustersOf(folder, ours)).toBe(1);

      const { code, stdout } = await waitFor(folder, ['install-complete', ...opening]);
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: expect.stringContaining(
          'Added the CA of the router to site1/auth/kubeconfig.age.\n',
        ) as string,
      });
      expect([await clustersOf(folder, ours), await clustersOf(folder, others)]).toEqual([2, 2]);
      expect(readdirSync(join(folder, 'site1/auth'))).toEqual(['kubeadmin-password', 'kubeconfig.age']);
      expect((await waitFor(folder, ['install-complete', ...opening])).stdout).not.toContain('now trusted');
    });

    it('install-complete warns and keeps it without recipients', async () => {
      const folder = await sealedSite({});
      const { code, stderr } = await waitFor(folder, ['install-complete', ...opening]);
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr: expect.stringContaining(
          'warning[cluster/router-authority]: cannot add the CA of the router to site1/auth/kubeconfig.age: the file is encrypted, but no recipient or passphrase is known to encrypt it again',
        ) as string,
      });
      expect(await clustersOf(folder, ours)).toBe(1);
    });
  });

  it('install-complete leaves a kubeconfig alone that the user named', async () => {
    const router = await throwawayAuthority('ingress-operator');
    const served = { ...installed, [path.router]: { data: { 'ca-bundle.crt': router.certPem } } };
    const folder = site(await serve(served));
    const before = readFileSync(join(folder, 'site1/auth/kubeconfig'), 'utf8');

    const result = await waitFor(folder, ['install-complete', '--kubeconfig', 'site1/auth/kubeconfig']);
    expect(result).toMatchObject({ code: 0 });
    expect(result.stdout).not.toContain('authority');
    expect(readFileSync(join(folder, 'site1/auth/kubeconfig'), 'utf8')).toBe(before);
  });

  it('install-complete gives programs one object, without the password', async () => {
    const result = await waitFor(site(await serve(installed)), ['install-complete', '--output', 'json']);

    expect([result.code, result.stderr]).toEqual([0, '']);
    expect(result.stdout).not.toContain(password);
    expect(JSON.parse(result.stdout.replace('"seconds": N', '"seconds": 0'))).toEqual({
      ok: true,
      problems: [],
      condition: 'install-complete',
      state: 'reached',
      seconds: 0,
      kubeconfig: 'site1/auth/kubeconfig',
      version: '4.18.3',
      consoleUrl: 'https://console.apps.site1.example.com',
      kubeadminPasswordFile: 'site1/auth/kubeadmin-password',
    });
  });

  it('node-ready names the nodes', async () => {
    const ready = { metadata: { name: 'sno1' }, status: { conditions: [{ type: 'Ready', status: 'True' }] } };
    const folder = site(await serve({ [path.nodes]: { items: [ready] } }));

    expect(await waitFor(folder, ['node-ready', '--kubeconfig', 'site1/auth/kubeconfig'])).toEqual({
      code: 0,
      stdout:
        'ready: sno1 (after N s)\n\nNext: `export KUBECONFIG=site1/auth/kubeconfig; kubectl get pods --all-namespaces`.\n',
      stderr: 'waiting up to 30 min for node-ready of https://API\n',
    });
  });

  it('exits with 1 at the timeout, with the last status', async () => {
    expect(await waitFor(site(await serve({})), ['bootstrap-complete', '--timeout', '0s'])).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'waiting up to N s for bootstrap-complete of https://API\n' +
        'after N s: the API answers, but the bootstrap is not complete\n' +
        'error[cluster/bootstrap-incomplete]: timed out: the API answers, but the bootstrap is not complete\n' +
        '   = hint: check the console of the node and `journalctl --unit=bootkube` on it, then run the command again\n\n' +
        'bootstrap-complete: not reached (after N s)\n',
    });
  });

  it('exits with 1 immediately when another cluster answers', async () => {
    const other = await throwawayAuthority('another-signer');
    const { code, stderr } = await waitFor(site(await serve({}), other.certPem), ['install-complete']);

    expect(code).toBe(1);
    expect(stderr).toBe(
      'waiting up to 1 h 30 min for install-complete of https://API\n' +
        'error[cluster/wrong-authority]: the certificate of https://API is signed by an unknown authority: either site1/auth/kubeconfig belongs to another cluster, or another machine has this address\n' +
        '   = hint: use the kubeconfig of this cluster, and check which machine 127.0.0.1 is\n\n' +
        'install-complete: not reached (after N s)\n',
    );
  });

  it('prints JSON for a failed wait, with a line for each change', async () => {
    const args = ['install-complete', '--timeout', '0s', '--output', 'json'];
    const { code, stdout, stderr } = await waitFor(site(await serve({})), args);

    expect(code).toBe(1);
    expect(stderr).toBe('{"seconds":N,"message":"the API answers, but ClusterVersion does not exist yet"}\n');
    expect(JSON.parse(stdout.replace('"seconds": N', '"seconds": 0'))).toMatchObject({
      ok: false,
      problems: [{ code: 'cluster/install-incomplete' }],
      condition: 'install-complete',
      state: 'not-reached',
    });
  });

  it.each([
    { signal: 'SIGINT', code: 130 },
    { signal: 'SIGTERM', code: 143 },
  ] as const)('ends with $code on $signal', async ({ signal, code }) => {
    const at = 'the API answers, but the bootstrap is not complete\n';
    const result = await stoppedWaitFor(site(await serve({})), ['bootstrap-complete'], { name: signal, at });

    expect(result).toEqual({
      code,
      signal: null,
      stdout: '',
      stderr: `waiting up to 1 h 5 min for bootstrap-complete of https://API\nafter N s: ${at}stopped after N s; the installation continues, run the same command to wait again\n`,
    });
  });

  it('prints only errors with --log-level error', async () => {
    const folder = site(await serve({ ...bootstrapped, ...installed }));
    expect(await waitFor(folder, ['install-complete', '--log-level', 'error'])).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
  });
});

describe('wait-for fails before it starts', () => {
  it('with a missing kubeconfig', async () => {
    const cwd = scratchFolder();
    expect(await snoInProcess(['wait-for', 'node-ready', '--dir', 'site1'], { cwd })).toMatchObject({
      code: 2,
      stdout: '',
      stderr:
        'error[usage/unreadable-file]: the kubeconfig site1/auth/kubeconfig cannot be read: it does not exist\n' +
        '  --> site1/auth/kubeconfig\n' +
        '   = hint: set the cluster directory with --dir (now site1), or a file with --kubeconfig\n',
    });
  });

  it('with an invalid kubeconfig', async () => {
    const cwd = scratchFolder();
    writeFileSync(join(cwd, 'config'), 'users: [');
    expect(await snoInProcess(['wait-for', 'node-ready', '--kubeconfig', 'config'], { cwd })).toMatchObject({
      code: 1,
      stdout: '',
      stderr:
        'error[cluster/kubeconfig]: config is not a valid kubeconfig\n' +
        '  --> config:1:1\n' +
        '  |\n' +
        '1 | users: [\n' +
        '  | ^^^^^^^^\n' +
        '   = hint: use the auth/kubeconfig that sno-install wrote, or name another file with --kubeconfig\n',
    });
  });

  it.each(['90', 'soon', '', '30m1h'])('with the invalid duration %j', async (timeout) => {
    expect(await snoInProcess(['wait-for', 'install-complete', '--timeout', timeout])).toMatchObject({
      code: 2,
      stderr:
        `error[usage/unknown-argument]: --timeout is ${JSON.stringify(timeout)}, expected a duration\n` +
        '   = hint: use larger units first, such as 90m or 1h30m\n',
    });
  });

  it('points to the help for an unknown condition', async () => {
    const { code, stderr } = await snoInProcess(['wait-for', 'instal-complete']);
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean install-complete?');
    expect(stderr).toContain('(run `sno-install wait-for --help` for usage)');
  });
});
