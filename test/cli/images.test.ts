import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { toData } from '../../src/formats/yaml/yaml-tree.js';
import { readYaml } from '../../src/formats/yaml/yaml.js';
import { madePayload } from '../payload/made-payload.js';
import { snapshot } from '../support/command.js';
import { snoInProcess } from '../support/in-process.js';
import { scratchFolder } from '../support/scratch.js';

function siteOf(fixture: string): string {
  const dir = join(scratchFolder(), 'site');
  cpSync(join('fixtures/configs', fixture), dir, { recursive: true });
  return dir;
}

const release = 'quay.io/openshift-release-dev/ocp-release:4.21.0-x86_64';

async function imageSetOf(fixture: string, target: string): Promise<unknown> {
  const args = ['images', '--dir', siteOf(fixture), '--target', target, '--output', 'imageset'];
  const { code, stdout } = await snoInProcess(args);
  const { documents, faults } = readYaml(stdout);
  expect([code, faults, documents.length]).toEqual([0, [], 1]);
  return documents[0] && toData(documents[0]);
}

describe('images', () => {
  it.each(['images', 'preflight'])('%s prints a warning of the inputs only once', async (command) => {
    const dir = siteOf('disconnected');
    const path = join(dir, 'install-config.yaml');
    writeFileSync(path, readFileSync(path, 'utf8').replace(/\/dev\/disk\/by-id\/\S+/, '/dev/sda'));
    const options = command === 'preflight' ? ['--dns-server', '127.0.0.1:1', '--timeout', '1s'] : [];

    const { stderr } = await snoInProcess([command, '--dir', dir, ...options]);

    expect(stderr.match(/^warning\[config\/installation-disk-name\]/gm)).toHaveLength(1);
  });

  it('lists the payload and the images that the node pulls, and writes no files', async () => {
    const dir = siteOf('minimal');
    const before = snapshot(dir);

    const { code, stdout, stderr } = await snoInProcess(['images', '--dir', dir]);

    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      'NAME                                      IMAGE                                                    USED BY',
      `release                                   ${release}  release-image-download.sh`,
      'cloud-credential-operator                 in the release                                           bootkube-stages.sh',
    ]);
    expect(stdout).toContain('\n  oc adm release info RELEASE --output=json\n');
    expect(snapshot(dir)).toEqual(before);
  });

  it('has images and files of an all-in-one node, with hashes', async () => {
    const { stdout } = await snoInProcess([
      ...['images', '--dir', siteOf('aio-minimal'), '--target', 'aio-ignition', '--output', 'json'],
    ]);
    const { ok, images, files } = JSON.parse(stdout) as {
      ok: boolean;
      images: readonly { name: string; image: string }[];
      files: readonly { path: string; sha256: string }[];
    };

    expect([ok, images[0]?.name, images.length]).toEqual([true, 'etcd', 7]);
    expect(files.map(({ path, sha256 }) => [path, sha256.length])).toEqual([
      ['/usr/local/bin/kubelet', 64],
      ['/usr/local/bin/kubectl', 64],
      ['/opt/cni-plugins.tgz', 64],
    ]);
  });

  it('as an ImageSetConfiguration lists the payload once, whose images oc-mirror reads', async () => {
    const head = { apiVersion: 'mirror.openshift.io/v2alpha1', kind: 'ImageSetConfiguration' };

    expect(await imageSetOf('minimal', 'single-node-ignition-config')).toEqual({
      ...head,
      mirror: { platform: { release } },
    });
    expect(await imageSetOf('aio-openshift', 'aio-ignition')).toEqual({
      ...head,
      mirror: { platform: { release: 'quay.io/openshift-release-dev/ocp-release:4.17.12-x86_64' } },
    });
  });

  it('as an ImageSetConfiguration lists single images once each', async () => {
    const dir = siteOf('aio-minimal');
    writeFileSync(
      join(dir, 'sno-config.yaml'),
      'apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\ncontrolPlane:\n  images:\n' +
        ['etcd', 'coredns'].map((name) => `    ${name}: registry.example.com/a:1\n`).join(''),
    );

    const { stdout } = await snoInProcess([
      ...['images', '--dir', dir, '--target', 'aio-ignition', '--output', 'imageset'],
    ]);

    expect(stdout).toContain(
      'mirror:\n  additionalImages:\n    - name: registry.example.com/a:1\n    - name: registry.k8s.io/',
    );
    expect(stdout.match(/registry\.example\.com\/a:1/g)).toHaveLength(1);
    expect(stdout).not.toContain('platform');
  });

  // oc-mirror accepts only this API version. Source: openshift/oc-mirror v2 at 2630f006, internal/pkg/api/v2alpha1/type_config.go and
  // internal/pkg/config/load.go
  it.each([
    ['minimal', 'single-node-ignition-config'],
    ['disconnected', 'single-node-ignition-config'],
    ['aio-minimal', 'aio-ignition'],
    ['aio-openshift', 'aio-ignition'],
  ])('of %s for %s has no field that oc-mirror would refuse', async (fixture, target) => {
    const fieldsOf = (value: unknown, path = ''): readonly string[] => {
      if (Array.isArray(value)) return value.flatMap((item) => fieldsOf(item, `${path}[]`));
      if (typeof value !== 'object' || value === null) return [`${path} ${typeof value}`];
      return Object.entries(value).flatMap(([name, inner]) => fieldsOf(inner, `${path}.${name}`));
    };
    const known = [
      '.apiVersion string',
      '.kind string',
      '.mirror.platform.release string',
      '.mirror.additionalImages[].name string',
    ];
    const fields = new Set(fieldsOf(await imageSetOf(fixture, target)));
    expect([...fields].filter((field) => !known.includes(field))).toEqual([]);
    expect(fields.size).toBeGreaterThan(2);
  });

  it('with a payload lists only images that it does not contain', async () => {
    const dir = siteOf('payload');
    const file = join(dir, 'made.payload');
    writeFileSync(file, madePayload().bytes);
    const list = async (): Promise<readonly unknown[]> => {
      const { code, stdout, stderr } = await snoInProcess(['images', '--dir', dir, '--payload', file]);
      return [code, stdout.replaceAll(/ {2,}/g, '  '), stderr];
    };
    const nothing = `nothing: all images of the machine and of its manifests are in ${file}\n`;
    expect(await list()).toEqual([0, nothing, '']);

    writeFileSync(
      join(dir, 'sno-config.yaml'),
      'apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\nimageReferences: refs.json\n',
    );
    const tag = (name: string, digit: string): unknown => ({
      name,
      from: { name: `quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:${digit.repeat(64)}` },
    });
    writeFileSync(
      join(dir, 'refs.json'),
      JSON.stringify({ spec: { tags: [tag('etcd', '3'), tag('machine-config-operator', '7')] } }),
    );
    mkdirSync(join(dir, 'manifests'), { recursive: true });
    writeFileSync(
      join(dir, 'manifests/pod.yaml'),
      'apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: default}\nspec: {containers: [{name: a, image: registry.example.com/a:1}]}\n',
    );
    expect(await list()).toEqual([
      0,
      [
        'NAME  IMAGE  USED BY',
        `release  ${release}  release-image-download.sh`,
        `machine-config-operator  quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:${'7'.repeat(64)}  bootkube-stages.sh`,
        '-  registry.example.com/a:1  manifests',
        '',
      ].join('\n'),
      '',
    ]);
  });

  it('with a payload lists an image that neither it nor the payload of the site contains', async () => {
    const dir = siteOf('payload');
    const file = join(dir, 'made.payload');
    writeFileSync(file, madePayload().bytes);
    mkdirSync(join(dir, 'manifests'), { recursive: true });
    writeFileSync(
      join(dir, 'manifests/pod.yaml'),
      'apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: default}\nspec: {containers: [{name: a, image: registry.example.com/a:1}]}\n',
    );
    const { code, stdout, stderr } = await snoInProcess(['images', '--dir', dir, '--payload', file]);
    expect([code, stderr, stdout.replaceAll(/ {2,}/g, '  ')]).toEqual([
      0,
      '',
      'NAME  IMAGE  USED BY\n-  registry.example.com/a:1  manifests\n',
    ]);
  });

  it('reports problems of the inputs', async () => {
    const { code, stderr, stdout } = await snoInProcess(['images', '--dir', scratchFolder()]);

    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('error[config/file-missing]');
  });
});
