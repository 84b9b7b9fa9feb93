import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { dataUrl } from '../../../src/formats/data-url.js';
import type { IgnitionConfig } from '../../../src/ignition/types.js';
import { layWithIgnition } from '../../support/real-ignition.js';
import { imageOf } from './support/images.js';
import { startMachine, type Machine, type MachineOptions } from './support/machine.js';
import { placeFile } from './support/place-file.js';
import {
  buildTimeoutMs,
  describeWithMachine,
  machineTimeoutMs,
  toolFolder,
  toolPath,
} from './support/tools.js';
import { waitUntil } from './support/wait-until.js';

describeWithMachine('a machine in namespaces', () => {
  let scratch: string;
  let options: MachineOptions;
  let machine: Machine;

  const before = kernelSettings();

  beforeAll(async () => {
    scratch = mkdtempSync(join(tmpdir(), 'sno-install-machine-'));
    const root = layWithIgnition(JSON.stringify(standaloneKubelet), scratch);
    const plugins = await toolFolder('cni-plugins');
    for (const plugin of ['bridge', 'host-local', 'loopback'])
      placeFile(join(plugins, plugin), join(root, 'opt/cni/bin', plugin));
    const server = imageOf(await toolPath('programs', 'http-server'), '/http-server');
    options = {
      root,
      additions: { programs: { 'local/bin/kubelet': await toolPath('kubernetes', 'kubelet') } },
      images: {
        'registry.k8s.io/pause:3.10.1': imageOf(await toolPath('programs', 'pause'), '/pause'),
        [serverImage]: server,
      },
    };
    machine = await startMachine(options);
  }, buildTimeoutMs);

  afterAll(async () => {
    await machine.stop();
    rmSync(scratch, { recursive: true });
  });

  test(
    'boots the real systemd, with the units that Ignition enabled and no others',
    async () => {
      await machine.run(['systemctl', 'is-system-running', '--wait']);
      expect(await machine.exec(['systemctl', 'list-units', '--failed', '--plain', '--no-legend'])).toBe('');
      expect(await machine.exec(['hostname'])).toBe('node.example.org\n');
      const enabled = await machine.exec([
        'systemctl',
        'list-unit-files',
        '--state=enabled',
        '--plain',
        '--no-legend',
      ]);
      expect(enabled.split('\n').map((line) => line.split(' ')[0])).toEqual([
        'containerd.service',
        'kubelet.service',
        '',
      ]);
    },
    machineTimeoutMs,
  );

  test(
    'runs a static pod on the host network, and restarts it when its manifest changes',
    async () => {
      await machine.exec(write(manifestPath('host')), hostPod('first'));
      expect(await answerOf(onHost, /^first$/)).toBe('first');
      await machine.exec(write(manifestPath('host')), hostPod('second'));
      expect(await answerOf(onHost, /^second$/)).toBe('second');
      await machine.exec(['rm', manifestPath('host')]);
      await waitUntil('the pod to go', async () => {
        const { code } = await machine.run(['curl', '--silent', 'http://127.0.0.1:8099/']);
        // curl(1), EXIT CODES: 7 is a refused connection.
        return code === 7 ? code : undefined;
      });
    },
    machineTimeoutMs,
  );

  test(
    'runs a pod on a bridge with its own address',
    async () => {
      await machine.exec(write(manifestPath('bridged')), bridgedPod);
      // A recreated sandbox has another address.
      const address = async () => {
        const leases = await machine.exec(['ls', '/var/lib/cni/networks/bridge']);
        return /^10\.88\.\S+$/m.exec(leases)?.[0] ?? 'no address yet';
      };
      const url = async () => `${await address()}:8098`;
      expect(await answerOf(url, /^bridged$/)).toBe('bridged');
      expect(await answerOf(async () => `${await url()}/env/POD_IP`, /^10\.88\./)).toBe(await address());
    },
    machineTimeoutMs,
  );

  test('reports the exit status of a program', async () => {
    expect(await machine.run(['sh', '-c', 'cat; echo no >&2; exit 3'], 'input')).toEqual({
      code: 3,
      stdout: 'input',
      stderr: 'no\n',
    });
    await expect(machine.exec(['sh', '-c', 'echo no >&2; exit 3'])).rejects.toThrow('ended with 3:\nno');
  });

  test(
    'is the same machine after a reboot',
    async () => {
      const id = await machine.exec(['cat', '/etc/machine-id']);
      await machine.exec(write(manifestPath('host')), hostPod('before'));
      expect(await answerOf(onHost, /^before$/)).toBe('before');
      await machine.exec(['systemctl', 'reboot', '--no-block']);
      expect(await machine.exited).toBe('rebooted');
      await machine.stop();

      machine = await startMachine(options);
      expect(await machine.exec(['cat', '/etc/machine-id'])).toBe(id);
      expect(await answerOf(onHost, /^before$/)).toBe('before');
    },
    machineTimeoutMs,
  );

  test('leaves the settings of this system as they were', async () => {
    expect(await machine.exec(['cat', '/proc/sys/kernel/panic'])).toBe('10\n');
    const { code } = await machine.run(['sh', '-c', 'echo 1 > /proc/sys/vm/swappiness']);
    expect(code).not.toBe(0);
    await machine.exec(['sh', '-c', 'echo 1 > /proc/sys/net/ipv4/ip_forward']);
    expect(kernelSettings()).toEqual(before);
  });

  /** The answer of a server on the machine, once it matches. */
  async function answerOf(url: () => Promise<string>, expected: RegExp): Promise<string> {
    return waitUntil(`an answer like ${expected.source}`, async () => {
      const { stdout } = await machine.run(['curl', '--silent', '--max-time', '5', `http://${await url()}`]);
      if (!expected.test(stdout)) throw new Error(`the answer is "${stdout}"`);
      return stdout;
    });
  }
});

/** Host settings that the kubelet changes on its own machine. */
function kernelSettings(): readonly string[] {
  const names = [
    'kernel/panic',
    'kernel/panic_on_oops',
    'vm/overcommit_memory',
    'vm/swappiness',
    'net/ipv4/ip_forward',
  ];
  return names.map((name) => readFileSync(`/proc/sys/${name}`, 'utf8'));
}

const onHost = () => Promise.resolve('127.0.0.1:8099');
const manifestPath = (name: string) => `/etc/kubernetes/manifests/${name}.yaml`;

/** A command that writes its input atomically. The kubelet ignores hidden files. */
function write(path: string): readonly string[] {
  return ['sh', '-c', 'mkdir -p "${0%/*}" && cat >"${0%/*}/.new" && mv "${0%/*}/.new" "$0"', path];
}

const serverImage = 'quay.example.org/http-server:1';

const hostPod = (answer: string) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'host', namespace: 'kube-system' },
    spec: {
      hostNetwork: true,
      // Containers of this class request an OOM score that this system rejects.
      priorityClassName: 'system-node-critical',
      containers: [
        {
          name: 'server',
          image: serverImage,
          args: ['serve', '127.0.0.1:8099'],
          env: [{ name: 'ANSWER', value: answer }],
          resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { memory: '64Mi' } },
          livenessProbe: { httpGet: { host: '127.0.0.1', port: 8099, path: '/' } },
        },
      ],
    },
  });

const bridgedPod = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'bridged', namespace: 'kube-system' },
  spec: {
    containers: [
      {
        name: 'server',
        image: serverImage,
        args: ['serve', ':8098'],
        env: [
          { name: 'ANSWER', value: 'bridged' },
          { name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
        ],
        readinessProbe: { httpGet: { port: 8098, path: '/' } },
      },
    ],
  },
});

const file = (path: string, text: string) => ({
  path,
  mode: 0o644,
  user: { name: 'root' as const },
  overwrite: true,
  contents: { source: dataUrl(text) },
});

const standaloneKubelet: IgnitionConfig = {
  ignition: { version: '3.2.0' },
  storage: {
    files: [
      file('/etc/hostname', 'node.example.org\n'),
      file(
        '/etc/kubernetes/kubelet.conf',
        JSON.stringify({
          apiVersion: 'kubelet.config.k8s.io/v1beta1',
          kind: 'KubeletConfiguration',
          authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
          authorization: { mode: 'AlwaysAllow' },
          staticPodPath: '/etc/kubernetes/manifests',
          containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
          fileCheckFrequency: '2s',
        }),
      ),
      file(
        '/etc/cni/net.d/10-bridge.conflist',
        JSON.stringify({
          cniVersion: '1.0.0',
          name: 'bridge',
          plugins: [
            {
              type: 'bridge',
              bridge: 'cni0',
              isGateway: true,
              ipMasq: true,
              ipMasqBackend: 'nftables',
              ipam: {
                type: 'host-local',
                ranges: [[{ subnet: '10.88.0.0/24' }]],
                routes: [{ dst: '0.0.0.0/0' }],
              },
            },
          ],
        }),
      ),
    ],
  },
  systemd: {
    units: [
      { name: 'containerd.service', enabled: true },
      {
        name: 'kubelet.service',
        enabled: true,
        contents:
          '[Unit]\nAfter=containerd.service\n[Service]\nExecStart=/usr/local/bin/kubelet --config=/etc/kubernetes/kubelet.conf\nRestart=on-failure\n[Install]\nWantedBy=multi-user.target\n',
      },
    ],
  },
};
