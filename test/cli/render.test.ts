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
    const everyObject = [...new Set(loops.flatMap(({ produced }) => produced))];
    const files = ['objects', 'not-applied'].flatMap((folder) =>
      Object.keys(snapshot(join(dir, 'control-plane', folder))),
    );
    // The node completes these Secrets, as node-certificates.json describes.
    expect(everyObject.filter((key) => !files.includes(`${key.replaceAll(':', '-')}.yaml`))).toEqual([
      'Secret/openshift-etcd/etcd-all-certs',
      'Secret/openshift-etcd/etcd-all-certs-1',
    ]);
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

  test('names the objects that are not applied, and the certificates of the node', async () => {
    const dir = directory(byInstaller);
    const { stdout } = await snoInProcess(['render', 'control-plane', '--dir', dir]);
    expect(stdout).toContain(
      `${dir}/control-plane/not-applied: 3 objects that the operators create themselves\n`,
    );
    expect(stdout).toContain(
      `${dir}/control-plane/node-certificates.json: certificates with the node's name, which the node issues\n`,
    );
    expect(Object.keys(snapshot(join(dir, 'control-plane/not-applied'))).toSorted()).toEqual([
      'KubeAPIServer.operator.openshift.io/cluster.yaml',
      'KubeControllerManager.operator.openshift.io/cluster.yaml',
      'KubeScheduler.operator.openshift.io/cluster.yaml',
    ]);
    const file = readFileSync(join(dir, 'control-plane/node-certificates.json'), 'utf8');
    expect(Object.keys(JSON.parse(file) as object)).toEqual(['certificates', 'secrets']);
    expect(file).not.toContain('PRIVATE KEY');
  });

  test('has the certificates of a node with a known name', async () => {
    const dir = directory(`${byInstaller}hostname: sno1\nnodeIP: 192.168.126.10\n`);
    const { stdout } = await snoInProcess(['render', 'control-plane', '--dir', dir]);
    expect(stdout).not.toContain('node-certificates.json');
    const all = readFileSync(
      join(dir, 'control-plane/objects/Secret/openshift-etcd/etcd-all-certs.yaml'),
      'utf8',
    );
    expect(all).toContain('etcd-peer-sno1.crt: ');
  });

  test('previews the control plane that the release renders', async () => {
    const [dir, same] = [directory(), directory(byInstaller)];
    const { code, stderr } = await snoInProcess(['render', 'control-plane', '--dir', dir]);
    expect({ code, stderr: stderr.split('\n')[0] }).toEqual({
      code: 0,
      stderr:
        'warning[config/render-preview]: the control plane is a preview: with controlPlane.render Release, the operators of the release render it on the node',
    });
    await snoInProcess(['render', 'control-plane', '--dir', same]);
    const pathsIn = (folder: string): readonly string[] =>
      Object.keys(snapshot(join(folder, 'control-plane')));
    expect(pathsIn(dir)).toEqual(pathsIn(same));
    // The Ignition config of Release does not contain it.
    const created = await snoInProcess(['create', 'single-node-ignition-config', '--dir', dir]);
    expect({ code: created.code, stderr: created.stderr }).toEqual({ code: 0, stderr: '' });
    expect(readFileSync(join(dir, 'bootstrap-in-place-for-live-iso.ign'), 'utf8')).not.toContain(
      '/opt/openshift/control-plane/',
    );
  });

  test.each([
    [
      'an old release',
      'releaseImage: quay.io/openshift-release-dev/ocp-release:4.16.3-x86_64\n',
      '',
      'no preview of the control plane: controlPlane.render Installer is not supported for release 4.16: its etcd operator reads its signers from namespace openshift-config; 4.17 is the first supported release',
    ],
    [
      'an unknown release',
      `releaseImage: quay.io/a/b@sha256:${'0f'.repeat(32)}\n`,
      '',
      'no preview of the control plane: controlPlane.render Installer needs the release version, and the pull spec does not contain it',
    ],
    [
      'a feature set',
      '',
      'featureSet: TechPreviewNoUpgrade\n',
      'no preview of the control plane: controlPlane.render Installer is not supported with featureSet TechPreviewNoUpgrade',
    ],
  ])('has no preview of %s', async (_name, sno, install, message) => {
    const dir = directory(sno);
    writeFileSync(join(dir, 'install-config.yaml'), `${minimalInstallConfig}${install}`);
    const { code, stderr } = await snoInProcess(['render', 'control-plane', '--dir', dir]);
    expect(code).toBe(1);
    expect(stderr).toContain(`error[config/render-unavailable]: ${message}\n`);
  });
});
