import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join, resolve } from 'node:path';

import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { neighbor, workerDomain } from '../../../scripts/acceptance/machine.mjs';
import { liveIso } from '../../media/support/live-iso.js';
import { condition, configured } from '../../remote/kubernetes/fake-cluster.js';
import { apiCertificates, apiName, kubeconfigText } from '../../remote/kubernetes/throwaway-tls.js';
import { minimalInstallConfig, snoConfigText } from '../../support/minimal-config.js';
import { listeningPort } from '../../support/ports.js';
import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';
import { throwawayState } from '../../support/throwaway-state.js';
import { healthy } from './healthy-cluster.js';

const configs = {
  'install-config.yaml': minimalInstallConfig,
  'sno-config.yaml': snoConfigText('certificates: { keyAlgorithm: ECDSA-P256 }\n'),
};
const { authority, serving, admin } = await apiCertificates();
const state = { text: '' };
beforeAll(async () => {
  state.text = await throwawayState(configs);
});

/** Programs of the host. They write their arguments to `calls`; `virsh reboot` reboots the node of the stand-in API. */
const programs = {
  virsh: `echo "virsh $*" >>"$CALLS"\ncase "$*" in *' reboot '*) touch "$REBOOTED" ;; esac`,
  'qemu-img': 'echo "qemu-img $*" >>"$CALLS"',
  // gather gets an archive with one file as the bundle.
  ssh: 'cat >/dev/null; tar --create --gzip --directory "$BUNDLE" .',
} as const;

interface Host {
  readonly folder: string;
  /** Runs the script with these options after `site1 --out out`. */
  readonly accept: (
    ...args: readonly string[]
  ) => Promise<{ code: number | null; stdout: string; stderr: string }>;
  readonly calls: () => readonly string[];
}

/** A host with stand-ins for its programs, and the API of a cluster with these objects. */
async function host(cluster: Partial<typeof healthy> = {}): Promise<Host> {
  const folder = scratchFolder();
  for (const name of ['bin', 'site1', 'images', 'bundle/bootstrap'])
    mkdirSync(join(folder, name), { recursive: true });
  for (const [name, text] of Object.entries(configs)) writeFileSync(join(folder, 'site1', name), text);
  writeFileSync(join(folder, 'site1/.sno-install-state.json'), state.text, { mode: 0o600 });
  writeFileSync(join(folder, 'live.iso'), liveIso());
  writeFileSync(join(folder, 'bundle/bootstrap/journal.txt'), 'a line\n');
  for (const [name, text] of Object.entries(programs))
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const rebooted = join(folder, 'rebooted');
  const server = await serve({ ...healthy, ...cluster }, () => existsSync(rebooted));
  const text = kubeconfigText({
    server,
    caPem: authority.certPem,
    client: admin,
    cluster: { 'tls-server-name': apiName },
  });
  writeFileSync(join(folder, 'kubeconfig'), text, { mode: 0o600 });
  const calls = join(folder, 'calls');
  const env = {
    PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
    HOME: folder,
    CALLS: calls,
    REBOOTED: rebooted,
    BUNDLE: join(folder, 'bundle'),
  };
  return {
    folder,
    accept: (...args) => run(folder, env, args),
    calls: () => readFileSync(calls, 'utf8').replaceAll(folder, 'HOST').trim().split('\n'),
  };
}

async function serve(cluster: typeof healthy, hasRebooted: () => boolean): Promise<string> {
  const nodes = (): object => {
    const bootID = hasRebooted() ? 'second' : 'first';
    const status = { conditions: [condition('Ready', 'True')], nodeInfo: { bootID } };
    return { items: [{ ...configured('node', 'Done'), status }] };
  };
  const objects: Readonly<Record<string, () => object>> = {
    '/api/v1/namespaces/kube-system/configmaps/bootstrap': () => ({ data: { status: 'complete' } }),
    '/api/v1/nodes': nodes,
    '/api/v1/pods': () => cluster.pods,
    '/api/v1/secrets': () => cluster.secrets,
    '/apis/config.openshift.io/v1/clusterversions/version': () => cluster.version,
    '/apis/config.openshift.io/v1/clusteroperators': () => cluster.operators,
    '/apis/config.openshift.io/v1/consoles/cluster': () => ({
      status: { consoleURL: 'https://console.example.com' },
    }),
    '/apis/machineconfiguration.openshift.io/v1/machineconfigpools': () => cluster.pools,
    '/apis/certificates.k8s.io/v1/certificatesigningrequests': () => cluster.requests,
  };
  const server = createServer({ cert: serving.certPem, key: serving.keyPem }, (request, response) => {
    const found = objects[request.url ?? '']?.();
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? { kind: 'Status', details: { name: 'it' } }));
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `https://127.0.0.1:${await listeningPort(server)}`;
}

async function run(
  cwd: string,
  env: NodeJS.ProcessEnv,
  args: readonly string[],
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const script = resolve('scripts/acceptance.mjs');
  const fixed = [
    'site1',
    '--out',
    'out',
    '--images',
    'images',
    '--kubeconfig',
    'kubeconfig',
    '--live-iso',
    'live.iso',
  ];
  const child = spawn(process.execPath, [script, ...fixed, ...args], { cwd, env });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => (output[name] += text));
  const code = await new Promise<number | null>((done) => child.on('close', done));
  return { code, ...output };
}

/** The steps of the only report, one line each. */
function stepsOf(folder: string, name: string): readonly string[] {
  const { steps } = JSON.parse(readFileSync(join(folder, 'out', name), 'utf8')) as {
    readonly steps: readonly { name: string; state: string; findings: readonly string[] }[];
  };
  return steps.map(({ name, state, findings }) => [name, state, ...findings].join(': '));
}

describeWith(['tar'], 'an acceptance', () => {
  test('installs, checks, reboots and reports', async () => {
    const { accept, calls, folder } = await host();
    const { code, stdout, stderr } = await accept('--reboot');
    expect({ stderr, steps: stepsOf(folder, 'acceptance-4.21.0.json') }).toEqual({
      stderr: '',
      steps: [
        ...['host', 'validate', 'live-iso', 'create', 'boot'].map((name) => `${name}: passed`),
        'names: skipped',
        ...['bootstrap', 'gather', 'install'].map((name) => `${name}: passed`),
        'apply: skipped',
        ...['check', 'reboot', 'check-rebooted'].map((name) => `${name}: passed`),
        'worker: skipped',
        'check-worker: skipped',
      ],
    });
    expect([code, stdout.trim().split('\n').at(-1)]).toEqual([
      0,
      `passed: ${folder}/out/acceptance-4.21.0.json`,
    ]);
    expect(calls().filter((line) => !line.endsWith('--version'))).toEqual([
      'virsh --connect qemu:///system domcapabilities --virttype kvm',
      'qemu-img create -f qcow2 HOST/images/site1.qcow2 120G',
      'virsh --connect qemu:///system net-define HOST/out/machine/network.xml',
      'virsh --connect qemu:///system net-start site1',
      'virsh --connect qemu:///system define HOST/out/machine/domain.xml',
      'virsh --connect qemu:///system start site1',
      'virsh --connect qemu:///system reboot site1 --mode acpi',
    ]);
    expect(readFileSync(join(folder, 'out/acceptance-4.21.0.md'), 'utf8')).toContain(
      '| cluster version | 4.18.3 |',
    );
  });

  test('stops at a failed step with a report, refuses the folder, resumes, and continues after a failed check', async () => {
    const { accept, folder } = await host({ requests: { items: [{ metadata: { name: 'csr-1' } }] } });
    const liveIsoFile = join(folder, 'live.iso');
    writeFileSync(liveIsoFile, 'not an image');
    const first = await accept();
    const report = stepsOf(folder, 'acceptance-4.21.0.json');
    expect([first.code, report[2], report[3]?.replace(/: the .*/s, ''), report[4]]).toEqual([
      1,
      'live-iso: passed',
      expect.stringMatching(/^create: failed: media\/not-an-iso/),
      'boot: not run',
    ]);
    expect(await accept()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('out is not empty') as string,
    });

    writeFileSync(liveIsoFile, liveIso());
    const { code, stdout } = await accept('--resume');
    expect([code, stdout.includes('Validate the config'), stdout.includes('Create the ISO: passed')]).toEqual(
      [1, false, true],
    );
    expect(stepsOf(folder, 'acceptance-4.21.0.json').filter((line) => line.includes('failed'))).toEqual([
      'check: failed: CertificateSigningRequest csr-1 is pending',
    ]);

    writeFileSync(join(folder, 'site1/sno-config.yaml'), snoConfigText(''));
    expect(await accept('--resume')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the config has changed') as string,
    });
  });

  test.each([
    ['a missing option', ['--out'], "Option '--out <value>' argument missing"],
    ['two sites', ['other'], 'name one folder'],
  ])('rejects %s', async (_name, args, message) => {
    const { accept } = await host();
    expect(await accept(...args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message) as string,
    });
  });
});

describe('the worker of an acceptance', () => {
  test('has its own files, network card and disk', () => {
    const node = readFileSync('examples/libvirt/machine/domain.xml', 'utf8');
    const files = { iso: '/i/w.iso', disk: '/i/w.qcow2' };
    const worker = workerDomain(node, { name: 'lab-worker-0', mac: '52:54:00:00:00:09', ...files });
    const lines = new Set(node.split('\n'));
    expect(worker.split('\n').filter((line) => !lines.has(line))).toEqual([
      '  <name>lab-worker-0</name>',
      "  <memory unit='GiB'>16</memory>",
      "      <source file='/i/w.qcow2'/>",
      "      <source file='/i/w.iso'/>",
      "      <mac address='52:54:00:00:00:09'/>",
    ]);
    expect(['192.168.126.10', '192.168.126.254'].map(neighbor)).toEqual([
      '192.168.126.11',
      '192.168.126.253',
    ]);
  });
});
