import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { imageKeys } from '../../../src/assets/control-plane/inputs.js';
import {
  aioPulls,
  singleNodePulls,
  type PullsWithReferences,
} from '../../../src/assets/images/first-pulls.js';
import { templatesFrom } from '../../../src/disk/program-files/templates.js';
import { scriptsByImage, isPulled } from '../../../src/node/first-boot-images.js';
import { fixtureFiles, resolveAssets } from '../../support/made-from.js';
import { minimalInstallConfig } from '../../support/minimal-config.js';
import { readTree } from '../../support/read-tree.js';
import { trackedFiles } from '../../support/tracked-files.js';

async function pullsOf(name: string, files = fixtureFiles(name)): Promise<PullsWithReferences> {
  const asset = name.startsWith('aio-') ? aioPulls : singleNodePulls;
  return (await resolveAssets([asset], { files })).valueOf(asset);
}

const namesOf = ({ pulls }: PullsWithReferences): readonly string[] => pulls.images.map(({ name }) => name);

/** The text of a golden tree. All but the first contain only their differences from it. */
function goldenText(name: string): string {
  const target = name.startsWith('aio-') ? 'aio-ignition' : 'single-node-ignition-config';
  return Object.values(readTree(`fixtures/golden/${name}/${target}`)).join('\n');
}

/** The manifest of the payload of a config, if it has one. */
function payloadText(name: string): string {
  const files = Object.entries(readTree(`fixtures/configs/${name}`));
  return files.flatMap(([path, text]) => (path.endsWith('.payload.json') ? [text] : [])).join('\n');
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].toSorted();
}

/** Every pull spec with a registry and a tag or a digest. */
function pullSpecsIn(text: string): readonly string[] {
  const spec =
    /\b[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?(?:\/[a-z0-9._-]+)+(?:@sha256:[0-9a-f]{64}|:v?[0-9][\w.-]*)/g;
  // Folders of trusted authorities have the host and port of a registry in their names.
  return distinct((text.match(spec) ?? []).filter((each) => !each.startsWith('certs.d/')));
}

describe('the list has every image that the configs name', () => {
  const cases = readdirSync('fixtures/configs').map((name) => [name] as const);

  test.each(cases)('%s', async (name) => {
    const { pulls } = await pullsOf(name);
    const listed = distinct(pulls.images.flatMap(({ image }) => image ?? []));
    const own = pullSpecsIn(goldenText(name));
    const base = pullSpecsIn(goldenText(name.startsWith('aio-') ? 'aio-minimal' : 'minimal'));

    expect(own.filter((spec) => !listed.includes(spec))).toEqual([]);
    // The scripts of the node look the images of a payload up in its release.
    const ofPayload = pullSpecsIn(payloadText(name));
    const known = [...own, ...base, ...ofPayload];
    expect(listed.filter((spec) => !known.includes(spec))).toEqual([]);
    expect(listed.length).toBeGreaterThan(0);
  });

  test('with the images of the payload that rendered pods leave to the node', async () => {
    const named = [...goldenText('render-installer').matchAll(/@@image-([a-z-]+)@@/g)].map(
      ([, name = '']) => name,
    );
    const known = namesOf(await pullsOf('render-installer'));

    expect(distinct(named)).toEqual(imageKeys.toSorted());
    expect(distinct(named).filter((name) => !known.includes(name))).toEqual([]);
  });

  test('with the files that an all-in-one node fetches', async () => {
    const { pulls } = await pullsOf('aio-minimal');
    const golden = goldenText('aio-minimal');

    expect(pulls.files.map(({ path }) => path)).toEqual([
      '/usr/local/bin/kubelet',
      '/usr/local/bin/kubectl',
      '/opt/cni-plugins.tgz',
    ]);
    expect(pulls.files.filter(({ hash }) => !golden.includes(hash.hex))).toEqual([]);
  });
});

describe('images of the payload', () => {
  test('are those that the scripts read, with plain names', () => {
    const pulledNames = trackedFiles('templates')
      .map((path) => readFileSync(path, 'utf8').replaceAll(/^\s*#.*$/gm, ''))
      .flatMap((text) => text.match(/\bimage_for (?!\S*\()\S+/g) ?? [])
      .map((call) => call.replace(/^image_for |\)?"?$/g, ''));
    const known = [...scriptsByImage(templatesFrom('templates')).keys()];

    // Names in the list of bootkube's stages, and placeholders of the rendered pods. test/shell/live/fetch-images.test.ts compares that list.
    const variables = ['"${name}"', '"${1#image-}'];
    expect(pulledNames.filter((name) => !known.includes(name) && !variables.includes(name))).toEqual([]);
    expect(known.filter((name) => !pulledNames.includes(name))).toEqual([]);
    expect(known.length).toBeGreaterThan(15);
  });

  test('have the digests of imageReferences, and are omitted if the payload does not contain them', async () => {
    const digest = (digit: number): string => `sha256:${String(digit).repeat(64)}`;
    const image = (digit: number): string => `registry.example.com:5000/ocp/parts@${digest(digit)}`;
    const tags = ['etcd', 'pod', 'rhel-coreos', 'rhel-coreos-10', 'unasked'].map((name, index) => ({
      name,
      from: { kind: 'DockerImage', name: image(index) },
    }));
    const known = await pullsOf('minimal', {
      'install-config.yaml': minimalInstallConfig,
      'sno-config.yaml':
        'apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\nimageReferences: image-references.json\n',
      'image-references.json': JSON.stringify({ spec: { tags } }),
    });

    expect(known.pulls.images.slice(1)).toEqual([
      {
        name: 'etcd',
        image: image(0),
        digest: digest(0),
        usedBy: ['bootkube-control-plane.sh', 'bootkube.sh'],
      },
      {
        name: 'pod',
        image: image(1),
        digest: digest(1),
        usedBy: ['crio-configure.sh', 'kubelet-pause-image.sh'],
      },
      { name: 'rhel-coreos', image: image(2), digest: digest(2), usedBy: ['node-image-pull.sh'] },
    ]);
  });

  test('include the operating system image that the script selects', () => {
    const script = readFileSync('templates/live/usr/local/bin/node-image-pull.sh', 'utf8');
    const choice = /^node_image\(\) \{[^]*?^\}$/m.exec(script)?.[0] ?? '';
    const cases = ['rhel-9', 'rhel-10'].flatMap((stream) =>
      [true, false].map((isOkd) => ({ stream, isOkd })),
    );
    const all = ['stream-coreos', 'rhel-coreos-10', 'rhel-coreos'];
    for (const { stream, isOkd } of cases) {
      const { stdout } = spawnSync(
        'bash',
        ['-c', `payload_has() { ${String(isOkd)}; }\nimage_for() { echo "$1"; }\n${choice}\nnode_image`],
        { encoding: 'utf8', env: { PATH: process.env['PATH'], SNO_OS_IMAGE_STREAM: stream } },
      );
      const pulls = [stdout.trim()];
      const references = Object.fromEntries(
        all.filter((name) => isOkd || name !== 'stream-coreos').map((name) => [name, 'x']),
      );
      for (const known of [references, undefined])
        expect(all.filter((name) => isPulled(name, { stream, isOkd, references: known }))).toEqual(pulls);
    }
  });

  test('include no operators if the node renders itself', async () => {
    const released = namesOf(await pullsOf('minimal'));
    const rendered = namesOf(await pullsOf('render-installer'));

    expect(released.filter((name) => !rendered.includes(name))).toEqual([
      'cluster-kube-controller-manager-operator',
      'cluster-kube-scheduler-operator',
    ]);
    expect(rendered.filter((name) => !released.includes(name))).toEqual([]);
  });
});
