import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import { snoInProcess, type CommandOutput } from '../support/in-process.js';
import { minimalInstallConfig, snoConfigText } from '../support/minimal-config.js';
import { scratchFolder } from '../support/scratch.js';

let folder = '';
beforeAll(() => {
  folder = scratchFolder();
  mkdirSync(join(folder, 'site1'));
  writeFileSync(join(folder, 'site1/install-config.yaml'), minimalInstallConfig);
  writeFileSync(join(folder, 'site1/sno-config.yaml'), snoConfigText('certificates:\n  validity: 48h\n'));
});

async function why(...args: readonly string[]): Promise<CommandOutput> {
  return await snoInProcess(['why', ...args, '--dir', 'site1'], { cwd: folder });
}

/** Number of the first line in the minimal config with this start. */
function lineOf(start: string): number {
  return minimalInstallConfig.split('\n').findIndex((line) => line.trim().startsWith(start)) + 1;
}

describe('why', () => {
  test('names the asset, the way and the fields at their lines', async () => {
    expect(await why('DNS/cluster')).toMatchObject({
      code: 0,
      stderr: '',
      stdout: [
        'bootstrap-in-place-for-live-iso.ign:/opt/openshift/manifests/cluster-dns-02-config.yml',
        '  asset: manifests/dns',
        '  included by: manifests/generated, manifests/all, manifests/node-files, ignition/single-node',
        '  inputs of manifests/dns:',
        `    site1/install-config.yaml:${lineOf('baseDomain')}: baseDomain`,
        `    site1/install-config.yaml:${lineOf('name: site1')}: metadata.name`,
        '',
      ].join('\n'),
    });
  });

  test('lists the fields that select the algorithm of a signer', async () => {
    const site = join(folder, 'preview');
    const features = [
      'featureSet: TechPreviewNoUpgrade',
      'pki: {signerCertificates: {key: {algorithm: ECDSA, ecdsa: {curve: P384}}}}',
    ];
    const install = `${minimalInstallConfig}${features.join('\n')}\n`;
    mkdirSync(site);
    writeFileSync(join(site, 'install-config.yaml'), install);
    writeFileSync(join(site, 'sno-config.yaml'), snoConfigText('releaseImage: quay.io/a/b:4.22.0\n'));

    const { stdout } = await snoInProcess(['why', '/opt/openshift/tls/root-ca.crt', '--dir', 'preview'], {
      cwd: folder,
    });
    const line = install.split('\n').findIndex((each) => each.startsWith('pki:')) + 1;
    expect(stdout).toContain(
      [
        '  inputs of tls/signer-algorithm:',
        `    preview/install-config.yaml:${line - 1}: featureSet`,
        `    preview/install-config.yaml:${line}: pki.signerCertificates.key.algorithm`,
        `    preview/install-config.yaml:${line}: pki.signerCertificates.key.ecdsa.curve`,
        '',
      ].join('\n'),
    );
  });

  test('lists the random value, the clock and the field of a certificate', async () => {
    expect((await why('/opt/openshift/tls/aggregator-ca.key')).stdout).toBe(
      [
        'bootstrap-in-place-for-live-iso.ign:/opt/openshift/tls/aggregator-ca.key',
        '  asset: tls/aggregator-ca',
        '  included by: tls/node-files, ignition/single-node',
        '  inputs of tls/aggregator-ca:',
        '    site1/sno-config.yaml:4: certificates.validity',
        '    generated value tls/aggregator-ca',
        '    current time',
        '  inputs of config/sno-reading:',
        '    file sno-config.yaml',
        '  inputs of config/install-reading:',
        '    file install-config.yaml',
        '    file sno-config.yaml',
        '',
      ].join('\n'),
    );
  });

  test('names a template, and the loops of a control plane', async () => {
    expect((await why('/usr/local/bin/bootkube.sh')).stdout).toContain(
      'copied unchanged from templates/live/usr/local/bin/bootkube.sh',
    );
    const pod = await why('/etc/kubernetes/manifests/kube-apiserver-pod.yaml', '--target', 'aio-ignition');
    expect(pod.stdout).toContain('control loops: kube-apiserver target config, kube-apiserver revision\n');
  });

  test('reports an unknown name', async () => {
    expect(await why('/etc/nothing')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('error[why/unknown]') as string,
    });
  });
});
