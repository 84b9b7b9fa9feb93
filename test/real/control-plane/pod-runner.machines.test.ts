import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, onTestFinished, test } from 'vitest';

import { scratchFolder } from '../../support/scratch.js';
import { imageOf, librariesOf, type Images } from './support/images.js';
import { runStaticPods } from './support/pod-runner/pod-runner.js';
import { runProgram } from './support/run-program.js';
import { buildTimeoutMs, describeWithMachine, machineTimeoutMs, toolPath } from './support/tools.js';
import { waitUntil } from './support/wait-until.js';

describeWithMachine('static pods without a kubelet', () => {
  let images: Images;

  beforeAll(async () => {
    const shell = ['/bin/bash', '/bin/cat', '/bin/ls', '/bin/sleep'];
    const files = Object.fromEntries(shell.map((path) => [path, path]));
    for (const program of shell) Object.assign(files, await librariesOf(program));
    images = {
      'quay.example.org/server:1': imageOf(await toolPath('programs', 'http-server'), '/http-server'),
      'quay.example.org/shell:1': { files, entrypoint: ['/bin/bash'] },
    };
  }, buildTimeoutMs);

  test(
    'get their command, variables, volumes and the network of the node, and no file of this system',
    async () => {
      const { runner, write, root } = await start();
      mkdirSync(join(root, 'etc/server'), { recursive: true });
      writeFileSync(join(root, 'etc/server/answer'), 'from the host\n');
      writeFileSync(join(root, 'etc/hosts'), '127.0.0.1 localhost\n');
      write('shell.yaml', shellPod);
      await runner.untilReady('shell');

      const { stdout } = await runner.exec('shell', 'main', ['/bin/ls', '/', '/var/lib/made', '/scratch']);
      expect(stdout.split(/\s+/).filter((name) => name !== '')).toEqual([
        '/:',
        'bin',
        'dev',
        'etc',
        'lib',
        'lib64',
        'proc',
        'scratch',
        'server',
        'sys',
        'tmp',
        'var',
        '/scratch:',
        'note',
        '/var/lib/made:',
      ]);
      expect(runner.log('shell', 'main')).toBe(
        'shell-node.example.org in kube-system on node.example.org at 127.0.0.1 says $(UNKNOWN) $X\n' +
          'from the host\n' +
          'shell-node.example.org in kube-system on node.example.org at 127.0.0.1: line 1: /server/answer: Read-only file system\n',
      );
    },
    machineTimeoutMs,
  );

  test(
    'follow their manifests',
    async () => {
      const { runner, write, remove, ask } = await start();
      write('server.yaml', serverPod('first'));
      await runner.untilReady('server');
      expect(await ask()).toBe('first');

      write('server.yaml', serverPod('second'));
      await waitUntil('the other answer', async () => ((await ask()) === 'second' ? true : undefined));
      remove('server.yaml');
      await waitUntil('the pod to go', async () => ((await ask()) === undefined ? true : undefined));
      // The server ends before the runner notices it.
      await waitUntil('its state to go', () =>
        Promise.resolve(Object.keys(runner.status()).length === 0 || undefined),
      );
    },
    machineTimeoutMs,
  );

  test(
    'restart when they exit or fail their liveness probe, after their init containers',
    async () => {
      const { runner, write, root } = await start();
      mkdirSync(join(root, 'state'));
      write('alive.yaml', alivePod);
      await waitUntil('a failed start', () => {
        const isTried = runner.log('alive', 'first').includes('not yet\nnot yet');
        return Promise.resolve(isTried ? true : undefined);
      });
      expect(runner.status()).toEqual({ alive: [{ name: 'main', isReady: false, restarts: 0 }] });

      writeFileSync(join(root, 'state/go'), '');
      writeFileSync(join(root, 'state/alive'), '');
      await runner.untilReady('alive');
      rmSync(join(root, 'state/alive'));
      await waitUntil('a restart', () =>
        Promise.resolve(runner.log('alive', 'main').includes('told to end') || undefined),
      );
      writeFileSync(join(root, 'state/alive'), '');
      await runner.untilReady('alive');
      expect(runner.status()['alive']?.[0]?.restarts).toBeGreaterThanOrEqual(1);
    },
    machineTimeoutMs,
  );

  test('are rejected with unsupported fields', async () => {
    const { runner, write } = await start();
    write('server.yaml', { ...serverPod('x'), spec: { ...serverPod('x').spec, hostNetwork: false } });
    await expect(runner.untilReady('server', { tries: 3 })).rejects.toThrow(
      'server.yaml asks for more than the pod runner knows',
    );
  });

  test('wait for an image that is not there', async () => {
    const { runner, write } = await start();
    const pod = serverPod('x');
    const containers = pod.spec.containers.map((each) => ({ ...each, image: 'quay.example.org/other:1' }));
    write('server.yaml', { ...pod, spec: { ...pod.spec, containers } });
    await expect(runner.untilReady('server', { tries: 3 })).rejects.toThrow(
      'no image quay.example.org/other:1',
    );
  });

  async function start() {
    const root = scratchFolder();
    const manifests = join(root, 'manifests');
    mkdirSync(manifests);
    const networkOf = await loopbackNetwork();
    const node = { nodeName: 'node.example.org', addresses: ['127.0.0.1'] };
    const runner = runStaticPods({ manifests, root, images, node, networkOf });
    onTestFinished(runner.stop);
    return { runner, root, ...folderOf(manifests), ask: () => answer(networkOf) };
  }
});

function folderOf(manifests: string) {
  return {
    write: (name: string, pod: object) => {
      writeFileSync(join(manifests, '.new'), JSON.stringify(pod));
      renameSync(join(manifests, '.new'), join(manifests, name));
    },
    remove: (name: string) => {
      rmSync(join(manifests, name));
    },
  };
}

async function answer(networkOf: number): Promise<string | undefined> {
  const url = 'http://127.0.0.1:8099/';
  const { code, stdout } = await runProgram([
    'nsenter',
    '--target',
    `${networkOf}`,
    '--net',
    'curl',
    '--silent',
    url,
  ]);
  return code === 0 ? stdout : undefined;
}

/** Process ID of the owner of a network namespace with loopback. */
async function loopbackNetwork(): Promise<number> {
  const holder = spawn('unshare', [
    '--net',
    'sh',
    '-c',
    'ip link set lo up && echo up && exec sleep infinity',
  ]);
  onTestFinished(() => void holder.kill('SIGKILL'));
  await once(holder.stdout, 'data');
  if (holder.pid === undefined) throw new Error('no network');
  return holder.pid;
}

const metadata = (name: string) => ({ name, namespace: 'kube-system' });

const serverPod = (text: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: metadata('server'),
  spec: {
    hostNetwork: true,
    terminationGracePeriodSeconds: 1,
    containers: [
      {
        name: 'main',
        image: 'quay.example.org/server:1',
        args: ['serve', '127.0.0.1:$(PORT)'],
        env: [
          { name: 'PORT', value: '8099' },
          { name: 'ANSWER', value: text },
        ],
        ports: [{ name: 'http', containerPort: 8099 }],
        startupProbe: {
          tcpSocket: { host: '127.0.0.1', port: 'http' },
          periodSeconds: 1,
          failureThreshold: 60,
        },
        readinessProbe: { httpGet: { host: '127.0.0.1', port: 'http', path: '/' }, periodSeconds: 1 },
      },
    ],
  },
});

const field = (name: string, fieldPath: string) => ({ name, valueFrom: { fieldRef: { fieldPath } } });

const shellPod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: metadata('shell'),
  spec: {
    hostNetwork: true,
    terminationGracePeriodSeconds: 0,
    containers: [
      {
        name: 'main',
        image: 'quay.example.org/shell:1',
        command: ['bash', '-c'],
        args: [
          'echo "$0 $SAID"; cat /server/answer; : >/scratch/note; : >/server/answer || true; exec sleep infinity',
          '$(NAME) in $(NAMESPACE) on $(NODE) at $(ADDRESS)',
        ],
        env: [
          field('NAME', 'metadata.name'),
          field('NAMESPACE', 'metadata.namespace'),
          field('NODE', 'spec.nodeName'),
          field('ADDRESS', 'status.podIP'),
          { name: 'SAID', value: 'says $(UNKNOWN) $$X' },
        ],
        volumeMounts: [
          { name: 'server', mountPath: '/server', readOnly: true },
          { name: 'made', mountPath: '/var/lib/made' },
          { name: 'scratch', mountPath: '/scratch' },
        ],
        readinessProbe: { exec: { command: ['/bin/ls', '/scratch/note'] }, periodSeconds: 1 },
      },
    ],
    volumes: [
      { name: 'server', hostPath: { path: '/etc/server', type: 'Directory' } },
      { name: 'made', hostPath: { path: '/var/lib/made', type: 'DirectoryOrCreate' } },
      { name: 'scratch', emptyDir: {} },
    ],
  },
};

const state = { name: 'state', mountPath: '/state' };
const alivePod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: metadata('alive'),
  spec: {
    hostNetwork: true,
    initContainers: [
      {
        name: 'first',
        image: 'quay.example.org/shell:1',
        args: ['-c', '[[ -e /state/go ]] || { echo not yet; exit 1; }'],
        volumeMounts: [state],
      },
    ],
    containers: [
      {
        name: 'main',
        image: 'quay.example.org/shell:1',
        args: ['-c', 'trap "echo told to end; exit" TERM; while :; do sleep 0.2; done'],
        volumeMounts: [state],
        livenessProbe: {
          exec: { command: ['/bin/ls', '/state/alive'] },
          periodSeconds: 1,
          failureThreshold: 2,
        },
        readinessProbe: { exec: { command: ['/bin/ls', '/state/alive'] }, periodSeconds: 1 },
      },
    ],
    volumes: [{ name: 'state', hostPath: { path: '/state', type: 'Directory' } }],
  },
};
