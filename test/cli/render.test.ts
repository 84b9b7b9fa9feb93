import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { snapshot } from '../support/command.js';
import { snoInProcess } from '../support/in-process.js';
import { minimalInstallConfig, snoConfigText } from '../support/minimal-config.js';
import { scratchFolder } from '../support/scratch.js';

const byInstaller = 'controlPlane: { render: Installer }\n';

/** A directory with ECDSA keys, which are fast to generate. */
function directory(settings = ''): string {
  const dir = scratchFolder();
  writeFileSync(join(dir, 'install-config.yaml'), minimalInstallConfig);
  writeFileSync(
    join(dir, 'sno-config.yaml'),
    snoConfigText(`certificates: { keyAlgorithm: ECDSA-P256 }\n${settings}`),
  );
  return dir;
}

interface LoopsFile {
  readonly rounds: number;
  readonly loops: readonly {
    readonly component: string;
    readonly loop: string;
    readonly produced: readonly string[];
    readonly consumed: readonly string[];
  }[];
}

function loopsIn(dir: string): LoopsFile {
  return JSON.parse(readFileSync(join(dir, 'control-plane/loops.json'), 'utf8')) as LoopsFile;
}

describe('render control-plane', () => {
  test('writes a readable tree, with mode 0600 for keys', async () => {
    const dir = directory(byInstaller);
    const { code, stdout, stderr } = await snoInProcess(['render', 'control-plane', '--dir', dir]);
    expect({ code, stderr: stderr.split('\n')[0] }).toEqual({
      code: 0,
      stderr:
        'warning[config/render-unproven]: controlPlane.render Installer is tested with single OpenShift programs, but not yet with a whole cluster',
    });
    expect(stdout.split('\n')[0]).toBe(`${dir}/control-plane/etc/kubernetes/manifests: 4 static pods`);
    const modes = Object.entries(snapshot(join(dir, 'control-plane'))).map(([path, text]) => ({
      path,
      isOpen: !text.startsWith('600 '),
    }));
    expect(modes.filter(({ path, isOpen }) => isOpen && /^etc\/|^objects\/Secret\//.test(path))).toEqual([]);
    expect(statSync(join(dir, 'control-plane/loops.json')).mode & 0o777).toBe(0o644);
  });

  test('writes files with the password of a proxy with mode 0600', async () => {
    const dir = directory(byInstaller);
    writeFileSync(
      join(dir, 'install-config.yaml'),
      `${minimalInstallConfig}proxy: { httpProxy: "http://user:throwaway-word@proxy.example.com:3128" }\n`,
    );
    expect((await snoInProcess(['render', 'control-plane', '--dir', dir])).code).toBe(0);
    const holding = Object.entries(snapshot(join(dir, 'control-plane'))).filter(([, text]) =>
      text.includes('throwaway-word'),
    );
    expect(holding.map(([path, text]) => `${text.slice(0, 4)}${path}`)).toEqual([
      '600 etc/kubernetes/manifests/kube-apiserver-pod.yaml',
      '600 etc/kubernetes/manifests/kube-controller-manager-pod.yaml',
      '600 etc/kubernetes/static-pod-resources/kube-apiserver-pod-1/configmaps/kube-apiserver-pod/pod.yaml',
      '600 etc/kubernetes/static-pod-resources/kube-apiserver-pod-1/kube-apiserver-pod.yaml',
      '600 etc/kubernetes/static-pod-resources/kube-controller-manager-pod-1/configmaps/kube-controller-manager-pod/pod.yaml',
      '600 etc/kubernetes/static-pod-resources/kube-controller-manager-pod-1/kube-controller-manager-pod.yaml',
      '600 objects/ConfigMap/kube-system/cluster-config-v1.yaml',
      '600 objects/ConfigMap/openshift-etcd/cluster-config-v1.yaml',
      '600 objects/ConfigMap/openshift-kube-apiserver/kube-apiserver-pod-1.yaml',
      '600 objects/ConfigMap/openshift-kube-apiserver/kube-apiserver-pod.yaml',
      '600 objects/ConfigMap/openshift-kube-controller-manager/kube-controller-manager-pod-1.yaml',
      '600 objects/ConfigMap/openshift-kube-controller-manager/kube-controller-manager-pod.yaml',
      '600 objects/Proxy.config.openshift.io/cluster.yaml',
    ]);
  });

  test('lists the loop that generated each object', async () => {
    const dir = directory(byInstaller);
    expect((await snoInProcess(['render', 'control-plane', '--dir', dir])).code).toBe(0);
    const { rounds, loops } = loopsIn(dir);
    expect(rounds).toBe(3);
    const made = loops.find(
      ({ component, loop }) => component === 'kube-apiserver' && loop === 'target config',
    );
    expect(made?.produced).toContain('ConfigMap/openshift-kube-apiserver/client-ca');
    expect(made?.consumed).toContain('ConfigMap/openshift-config-managed/csr-controller-ca');
    const everyObject = new Set(loops.flatMap(({ produced }) => produced));
    const files = Object.keys(snapshot(join(dir, 'control-plane/objects')));
    for (const key of everyObject) expect(files).toContain(`${key.replaceAll(':', '-')}.yaml`);
  });

  test('changes no file in a second run, and removes old files', async () => {
    const dir = directory(byInstaller);
    expect((await snoInProcess(['render', 'control-plane', '--dir', dir])).code).toBe(0);
    const before = snapshot(dir);
    const again = await snoInProcess(['render', 'control-plane', '--dir', dir]);
    expect(again.stdout).toContain('No changes.\n');
    expect(snapshot(dir)).toEqual(before);

    const aio = await snoInProcess(['render', 'control-plane', '--for', 'aio', '--dir', dir]);
    expect({ code: aio.code, errors: aio.stderr.includes('error[') }).toEqual({ code: 0, errors: false });
    const files = Object.keys(snapshot(join(dir, 'control-plane')));
    // With the upstream programs, etcd reads only its certificates folder.
    expect(files.filter((path) => path.includes('etcd-pod-1/secrets'))).toEqual([]);
    expect(files.some((path) => path.includes('etcd-certs/secrets'))).toBe(true);
  });

  test('fails if the release renders the control plane', async () => {
    const dir = directory();
    const { code, stderr } = await snoInProcess(['render', 'control-plane', '--dir', dir]);
    expect(code).toBe(1);
    expect(stderr).toContain(
      'error[config/render-unavailable]: the control plane cannot be shown: the operators of the release render it on the node\n',
    );
  });
});
