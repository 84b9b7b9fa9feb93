import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { decodeDataUrl } from '../../../src/formats/data-url.js';
import type { IgnitionConfig } from '../../../src/ignition/types.js';
import { pageBlocks } from '../../support/page-commands.js';
import type { Machine } from './support/machine.js';
import { buildTimeoutMs, describeWithMachine, machineTimeoutMs } from './support/tools.js';
import { waitUntil } from './support/wait-until.js';
import { startControlPlane } from './worker/control-plane.js';
import { createObjects, startMachineConfigServer, type Kubectl } from './worker/machine-config-server.js';
import { administrator, requestNames, untilShown } from './worker/page.js';
import { clusterDomain, createSite, workerName, type Site } from './worker/site.js';
import { layWorker, podImage, startWorker } from './worker/worker-machine.js';

/** The page with the name of this worker. */
const page = readFileSync('docs/how-to/workers.md', 'utf8').replaceAll('worker1', workerName);

/** The blocks of the page that need the cluster, in page order. */
const steps = pageBlocks(page).filter(({ mark }) => mark === 'not run: it needs the cluster');

const serverUrl = `https://api-int.${clusterDomain}:22623`;

describeWithMachine('a worker that joins with worker.ign', () => {
  let scratch: string;
  let site: Site;
  let controlPlane: Machine;
  let root: string;
  let worker: Machine | undefined;
  let type: (commands: string) => string;

  const kubectl: Kubectl = async (argv, input) => {
    const kubeconfig = readFileSync(join(site.folder, 'site1/auth/kubeconfig'), 'utf8');
    const { code, stdout, stderr } = await controlPlane.kubectl(kubeconfig, argv, input);
    if (code !== 0) throw new Error(`kubectl ${argv.join(' ')}: ${stderr}`);
    return stdout;
  };

  beforeAll(async () => {
    scratch = mkdtempSync(join(tmpdir(), 'sno-install-worker-'));
    // Ignition switches to the user whose SSH keys it writes.
    chmodSync(scratch, 0o711);
    site = createSite(join(scratch, 'user'));
    controlPlane = await startControlPlane(site, join(scratch, 'control-plane'));
    await waitUntil('the API', () => kubectl(['get', '--raw=/readyz']));
    await createObjects(kubectl, site);
    await startMachineConfigServer(controlPlane, kubectl, site);
    type = administrator(site, controlPlane, scratch);
  }, buildTimeoutMs);

  afterAll(async () => {
    await worker?.stop();
    await controlPlane.stop();
    rmSync(scratch, { recursive: true });
  });

  test(
    'the machine-config server has a certificate of the authority in worker.ign',
    async () => {
      await controlPlane.exec(['sh', '-c', 'cat >/run/worker-ca.crt'], authorityOf(site.workerIgn));
      await waitUntil('the machine-config server', () => status([`${serverUrl}/healthz`]));
    },
    machineTimeoutMs,
  );

  // Source of the statuses and versions: openshift/machine-config-operator pkg/server/api.go
  test.each([
    {
      given: [
        '/config/worker',
        '--header',
        'Accept: application/vnd.coreos.ignition+json;version=3.2.0, */*;q=0.1',
      ],
      want: '200 3.2.0',
    },
    {
      given: ['/config/worker', '--header', 'Accept: application/vnd.coreos.ignition+json;version=3.9.0'],
      want: '200 3.5.0',
    },
    { given: ['/config/worker'], want: '200 2.2.0' },
    {
      given: ['/config/worker', '--header', 'Accept: application/vnd.coreos.ignition+json;version=4.0.0'],
      want: '400 ',
    },
    { given: ['/config/worker', '--data', 'x'], want: '405 ' },
    { given: ['/config/other'], want: '500 ' },
    { given: ['/other'], want: '404 ' },
  ])('server answers $want to $given', async ({ given: [path = '', ...options], want }) => {
    expect(await status([...options, `${serverUrl}${path}`])).toBe(want);
  });

  test(
    'Ignition follows worker.ign and lays the config of the pool',
    async () => {
      root = await layWorker(site, controlPlane, join(scratch, 'worker'));
      const text = (path: string) => readFileSync(join(root, path), 'utf8');
      expect(text('etc/kubernetes/kubeconfig')).toContain(`https://api-int.${clusterDomain}:6443`);
      expect(text('etc/systemd/system-preset/20-ignition.preset')).toContain('enable kubelet.service');
      expect(text('home/core/.ssh/authorized_keys.d/ignition')).toContain('ssh-');
      expect(JSON.parse(text('etc/machine-config-daemon/node-annotations.json'))).toMatchObject({
        'machineconfiguration.openshift.io/currentConfig': 'rendered-worker-1',
      });
    },
    machineTimeoutMs,
  );

  test(
    'the commands of docs/how-to/workers.md make the worker Ready and print worker.ign',
    async () => {
      worker = await startWorker(root, controlPlane);
      for (const step of steps) await waitForStep(step);
      expect(readFileSync(join(site.folder, 'worker.ign'), 'utf8')).toBe(site.workerIgn);
      const pki = '/var/lib/kubelet/pki';
      for (const name of ['client', 'server'])
        expect(
          await worker.exec([
            'openssl',
            'x509',
            '-noout',
            '-issuer',
            '-in',
            `${pki}/kubelet-${name}-current.pem`,
          ]),
        ).toContain('CN = kube-csr-signer');
    },
    machineTimeoutMs,
  );

  test(
    'a pod is scheduled on the worker, and kubectl exec reaches it',
    async () => {
      await kubectl(['create', '--filename=-'], JSON.stringify(pod));
      await kubectl(['wait', 'pod/web', '--for=condition=Ready', '--timeout=600s']);
      expect(await kubectl(['get', 'pod', 'web', '--output=jsonpath={.spec.nodeName}'])).toBe(workerName);
      const url = 'http://localhost:8080/';
      expect(await kubectl(['exec', 'web', '--', '/http-server', 'get', url])).toBe('from the worker');
    },
    machineTimeoutMs,
  );

  test(
    'the worker is Ready again after a power failure, without another approval',
    async () => {
      const before = await requests();
      await worker?.stop();
      worker = await startWorker(root, controlPlane);
      const restarts = '--for=jsonpath={.status.containerStatuses[0].restartCount}=1';
      await kubectl(['wait', 'pod/web', restarts, '--timeout=600s']);
      for (const each of ['pod/web', `node/${workerName}`])
        await kubectl(['wait', each, '--for=condition=Ready', '--timeout=600s']);
      expect(await requests()).toBe(before);
    },
    machineTimeoutMs,
  );

  async function waitForStep(step: (typeof steps)[number]): Promise<void> {
    await waitUntil(`the requests of: ${step.title}`, async () => {
      const names = await requestNames(page, kubectl);
      const known = [...`${step.commands}${step.shown}`.matchAll(/csr-\w+/g)].every(([name]) =>
        names.has(name),
      );
      return known || undefined;
    });
    await untilShown(step, type, await requestNames(page, kubectl));
  }

  async function requests(): Promise<string> {
    return kubectl(['get', 'csr', '--output=name']);
  }

  /** The status of an answer, and the version of the config in it. */
  async function status(args: readonly string[]): Promise<string> {
    const curl = ['curl', '--silent', '--cacert', '/run/worker-ca.crt', '--write-out', '\n%{http_code}'];
    const answer = await controlPlane.exec([...curl, ...args]);
    const [, body = '', code = ''] = /^([^]*)\n(\d+)$/.exec(answer) ?? [];
    const version = body === '' ? '' : (JSON.parse(body) as IgnitionConfig).ignition.version;
    return `${code} ${version}`;
  }
});

function authorityOf(pointer: string): string {
  const { ignition } = JSON.parse(pointer) as IgnitionConfig;
  const [{ source } = { source: '' }] = ignition.security?.tls.certificateAuthorities ?? [];
  return Buffer.from(decodeDataUrl(source) ?? '').toString();
}

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: {
    containers: [
      {
        name: 'web',
        image: podImage,
        imagePullPolicy: 'IfNotPresent',
        args: ['serve', ':8080'],
        env: [{ name: 'ANSWER', value: 'from the worker' }],
        readinessProbe: { httpGet: { port: 8080, path: '/' }, periodSeconds: 1 },
      },
    ],
  },
};
