import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { runningSite } from '../../src/assets/manifests/running-site.js';
import { aioPayloadImages } from '../../src/assets/aio/payload.js';
import { sitePayload } from '../../src/assets/config/payload.js';
import { release } from '../../src/assets/config/release.js';
import { releaseMirrors } from '../../src/assets/config/release-mirrors.js';
import { singleNodeNetworkFacts } from '../../src/assets/preflight/network-facts.js';
import { imageReferences } from '../../src/assets/config/image-references.js';
import { payloadSources } from '../../src/config/reading/payload.js';
import { readPayloadManifest } from '../../src/config/reading/payload-manifest.js';
import { problemsOf } from '../../src/core/result.js';
import { resolve } from '../../src/graph/engine.js';
import type { Context, Environment } from '../../src/graph/context.js';
import { testContext } from '../support/context.js';
import { readTree } from '../support/read-tree.js';
import { expectOk } from '../support/sound-value.js';

const folder = 'fixtures/configs/payload';
const manifestFile = '4.22.0-x86_64.payload.json';
const manifestText = readFileSync(`${folder}/${manifestFile}`, 'utf8');
const installText = readFileSync(`${folder}/install-config.yaml`, 'utf8');
const snoText = readFileSync(`${folder}/sno-config.yaml`, 'utf8');
const part = (digit: string): string =>
  `quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:${digit.repeat(64)}`;
const releaseImage = `quay.io/openshift-release-dev/ocp-release@sha256:${'1'.repeat(64)}`;

interface Given {
  readonly manifest?: string;
  readonly install?: string;
  readonly sno?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly environment?: Environment;
}

function contextOf({ manifest = manifestText, install = '', sno = '', files = {}, environment }: Given) {
  return testContext({
    files: {
      'install-config.yaml': `${installText}${install}`,
      'sno-config.yaml': `${snoText}${sno}`,
      ...(manifest !== '' && { [manifestFile]: manifest }),
      'manifests/operator-hub.yaml': operatorHub,
      ...files,
    },
    ...(environment && { environment }),
  });
}

async function problemsIn(given: Given): Promise<readonly string[]> {
  const found = problemsOf(await resolve([sitePayload], contextOf(given)));
  return found.map(({ code, message, at }) => `${code} ${at?.file ?? ''}:${at?.path ?? ''} ${message}`);
}

const operatorHub = readFileSync(`${folder}/manifests/operator-hub.yaml`, 'utf8');

const references = (images: Readonly<Record<string, string>>): string =>
  JSON.stringify({
    spec: { tags: Object.entries(images).map(([name, image]) => ({ name, from: { name: image } })) },
  });

const ofRelease = {
  'docker-registry': part('2'),
  etcd: part('3'),
  'machine-config-operator': part('4'),
};

const pod = (image: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: default}\nspec: {containers: [{name: a, image: ${image}}]}\n`;

const cases: readonly (Given & { readonly name: string; readonly want: readonly string[] })[] = [
  { name: 'a payload alone', want: [] },
  { name: 'its own release', sno: `releaseImage: ${releaseImage}\nreleaseVersion: 4.22.0\n`, want: [] },
  {
    name: 'its own references',
    sno: 'imageReferences: refs.json\n',
    files: { 'refs.json': references(ofRelease) },
    want: [],
  },
  {
    name: 'an image without its signature',
    manifest: manifestText.replace(/,\n {6}"signature": "sha256:3[^"]*"/, ''),
    want: [
      'payload/missing-signature sno-config.yaml:payload.file 1 of 4 images have no signature, and OpenShift 4.22.0 does not run them: etcd',
    ],
  },
  {
    name: 'images and mirrors of other repositories',
    install:
      'imageDigestSources: [{source: quay.io/openshift-release-dev-2, mirrors: [registry.example.com/a]}]\n',
    files: { 'manifests/a.yaml': pod(part('3')) },
    want: [],
  },
  {
    name: 'no manifest',
    manifest: '',
    want: [
      `payload/manifest sno-config.yaml:payload.file the manifest of the payload, "${manifestFile}", is not there`,
    ],
  },
  {
    name: 'a damaged manifest',
    manifest: manifestText.slice(0, 300),
    want: [`payload/manifest ${manifestFile}: ${manifestFile} is no manifest of a payload`],
  },
  {
    name: 'the inner manifest',
    manifest: manifestText.replace(/,\n {2}"fileSystem": \{[^}]*\}/, ''),
    want: [
      `payload/manifest ${manifestFile}: ${manifestFile} has no fileSystem: it is the copy from inside of a payload`,
    ],
  },
  {
    name: 'a release by tag',
    sno: 'releaseImage: quay.io/openshift-release-dev/ocp-release:4.22.0-x86_64\n',
    want: [
      `config/payload-release sno-config.yaml:releaseImage releaseImage is quay.io/openshift-release-dev/ocp-release:4.22.0-x86_64, and the payload contains ${releaseImage}`,
    ],
  },
  {
    name: 'another release in the environment',
    environment: { releaseImageOverride: 'quay.io/a/b:4.21.0' },
    want: [
      `config/payload-release sno-config.yaml:payload.file OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE is quay.io/a/b:4.21.0, and the payload contains ${releaseImage}`,
    ],
  },
  {
    name: 'another version',
    sno: 'releaseVersion: 4.21\n',
    want: [
      'config/payload-release sno-config.yaml:releaseVersion releaseVersion is 4.21, and the payload contains 4.22.0',
    ],
  },
  {
    name: 'references of another release',
    sno: 'imageReferences: refs.json\n',
    files: { 'refs.json': references({ ...ofRelease, etcd: part('7') }) },
    want: [
      `config/payload-release sno-config.yaml:imageReferences imageReferences are of another release than the payload: etcd is ${part('7')}, and ${part('3')} in the payload`,
    ],
  },
  {
    name: 'another architecture',
    manifest: manifestText.replace('"architecture": "amd64"', '"architecture": "arm64"'),
    want: [
      'config/payload-release sno-config.yaml:payload.file the payload is for arm64, and controlPlane.architecture is amd64',
    ],
  },
  {
    name: 'an old release without a registry of its own',
    manifest: manifestText.replace('"version": "4.22.0"', '"version": "4.20.3"'),
    want: [
      'config/payload-registry sno-config.yaml:payload.file the registry image of release 4.20.3 cannot serve a payload',
    ],
  },
  {
    name: 'FIPS with another registry',
    install: 'fips: true\n',
    manifest: manifestText.replace('"isOfRelease": true', '"isOfRelease": false'),
    want: [
      `config/payload-registry sno-config.yaml:payload.file fips is true, and the payload is served by ${part('2')}, which is not of the release`,
    ],
  },
  {
    name: 'a mirror for a part of the release',
    install: 'imageDigestSources: [{source: quay.io, mirrors: [registry.example.com/quay]}]\n',
    want: [
      'config/payload-mirror install-config.yaml:imageDigestSources[0].source the payload contains the images of quay.io/openshift-release-dev/ocp-release, and this is another mirror for them',
    ],
  },
  {
    name: 'mirrors in the old form',
    install: 'imageContentSources: [{source: quay.io/a, mirrors: [registry.example.com/a]}]\n',
    want: [
      'config/payload-mirror install-config.yaml:imageContentSources imageContentSources cannot be combined with the mirrors of the payload',
    ],
  },
  {
    name: 'a mirror in a manifest',
    files: {
      'manifests/a.yaml':
        'apiVersion: config.openshift.io/v1\nkind: ImageTagMirrorSet\nmetadata: {name: a}\nspec: {imageTagMirrors: [{source: registry.redhat.io/redhat, mirrors: [registry.example.com/a]}]}\n',
    },
    want: [
      'config/payload-mirror manifests/a.yaml:spec.imageTagMirrors[0].source the payload contains the images of registry.redhat.io/redhat/redhat-operator-index, and this is another mirror for them',
    ],
  },
  {
    name: 'missing images',
    files: {
      'manifests/a.yaml': pod('quay.io/a/b:1'),
      'post-install/a.yaml':
        'apiVersion: operators.coreos.com/v1alpha1\nkind: CatalogSource\nmetadata: {name: a, namespace: openshift-marketplace}\nspec: {sourceType: grpc, image: "quay.io/c/d:1"}\n',
    },
    want: [
      'config/payload-images manifests/a.yaml:spec.containers[0].image the payload does not contain 2 images of the manifests: quay.io/a/b:1, quay.io/c/d:1',
    ],
  },
  {
    name: 'an image without a registry',
    files: { 'manifests/a.yaml': pod('nginx:1.27') },
    want: [
      'config/payload-images manifests/a.yaml:spec.containers[0].image the image "nginx:1.27" has no registry, so the node does not look for it in the payload',
    ],
  },
  {
    name: 'placeholders of templates and of ImageStreams',
    files: {
      'manifests/a.yaml': pod('"{{ .image }}"'),
      'manifests/b.yaml': pod('app:latest').replace(
        'name: a,',
        `name: a, annotations: {image.openshift.io/triggers: '[]'},`,
      ),
    },
    want: [],
  },
  {
    name: 'a digest of the payload in another repository',
    files: { 'manifests/a.yaml': pod(`quay.io/a/b@sha256:${'3'.repeat(64)}`) },
    want: [
      `config/payload-images manifests/a.yaml:spec.containers[0].image the payload does not contain the image quay.io/a/b@sha256:${'3'.repeat(64)}`,
    ],
  },
];

describe('the payload of a site', () => {
  it.each(cases)('with $name', async ({ want, ...given }) => {
    expect(await problemsIn(given)).toEqual(want);
  });

  it('refuses its manifest as the file', async () => {
    const context = testContext({
      files: {
        'install-config.yaml': installText,
        'sno-config.yaml': snoText.replace('.payload', '.payload.json'),
      },
    });
    const found = problemsOf(await resolve([sitePayload], context));
    expect(found.map(({ message, hint }) => `${message} | ${hint ?? ''}`)).toEqual([
      `payload.file "${manifestFile}" is the manifest of a payload | write "4.22.0-x86_64.payload"`,
    ]);
  });

  it('refuses credentials for its registry', async () => {
    const context = testContext({
      files: {
        'install-config.yaml': installText.replace('"quay.io"', '"localhost:22625"'),
        'sno-config.yaml': snoText,
        [manifestFile]: manifestText,
        'manifests/operator-hub.yaml': operatorHub,
      },
    });
    const found = problemsOf(await resolve([sitePayload], context));
    expect(found.map(({ message }) => message)).toEqual([
      'pullSecret has credentials for localhost:22625, the registry of the payload, which gets its own',
    ]);
  });

  const catalogs =
    'config/payload-internet sno-config.yaml:payload.file the default catalogs of OperatorHub are pulled from the internet, which this site may not reach';
  const capabilities = (more: string): string =>
    `capabilities: { baselineCapabilitySet: None, additionalEnabledCapabilities: [Ingress, CloudCredential${more}] }\n`;
  it.each([
    { name: 'with the default catalogs', files: {}, install: '', want: [catalogs] },
    {
      name: 'whose catalogs are disabled',
      files: { 'manifests/a.yaml': operatorHub },
      install: '',
      want: [],
    },
    {
      name: 'whose catalogs are wanted',
      files: { 'manifests/a.yaml': operatorHub.replace('true', 'false') },
      install: '',
      want: [],
    },
    { name: 'without the marketplace', files: {}, install: capabilities(''), want: [] },
    {
      name: 'with the added marketplace',
      files: {},
      install: capabilities(', OperatorLifecycleManager, marketplace'),
      want: [catalogs],
    },
  ])('$name', async ({ files, install, want }) => {
    expect(await problemsIn({ install, files: { 'manifests/operator-hub.yaml': '', ...files } })).toEqual(
      want,
    );
  });

  it('warns of the credentials with which Insights and Telemetry report', async () => {
    const cloud = '"cloud.openshift.com":{"auth":"dGhyb3dhd2F5OnRocm93YXdheQ=="},"quay.io"';
    const context = testContext({
      files: {
        'install-config.yaml': installText.replace('"quay.io"', cloud),
        'sno-config.yaml': snoText,
        [manifestFile]: manifestText,
        'manifests/operator-hub.yaml': operatorHub,
      },
    });
    const found = problemsOf(await resolve([sitePayload], context));
    expect(found.map(({ code, at }) => `${code} ${at?.path ?? ''}`)).toEqual([
      'config/payload-internet pullSecret',
    ]);
  });

  it('decides on the release and its images, and needs no credentials', async () => {
    const resolved = expectOk(await resolve([release, imageReferences, releaseMirrors], contextOf({})));
    expect([resolved.valueOf(release), resolved.valueOf(imageReferences)]).toEqual([
      { image: releaseImage, version: { major: 4, minor: 22, text: '4.22' }, isOkd: false },
      ofRelease,
    ]);
  });

  it('leaves nothing to pull for preflight', async () => {
    const resolved = expectOk(await resolve([singleNodeNetworkFacts], contextOf({})));
    expect(resolved.valueOf(singleNodeNetworkFacts).pulls).toEqual({
      release: releaseImage,
      images: [],
      files: [],
    });
  });

  it.each([
    { name: 'its images', sno: '', want: [] },
    {
      name: 'an image from elsewhere',
      sno: `  images: {etcd: registry.example.com/etcd@sha256:${'5'.repeat(64)}}\n`,
      want: ['config/payload-images controlPlane.images.etcd'],
    },
    {
      name: 'an image by tag',
      sno: '  images: {etcd: registry.example.com/etcd:3.5}\n',
      want: ['config/payload-images controlPlane.images.etcd'],
    },
    {
      name: 'another release',
      sno: `releaseImage: quay.io/a/b@sha256:${'6'.repeat(64)}\n`,
      want: ['config/payload-release releaseImage'],
    },
    { name: 'Fedora CoreOS', sno: 'aio: {operatingSystem: FedoraCoreOS}\n', want: ['aio/payload payload'] },
    { name: 'no manifest', sno: '', isAlone: true, want: ['payload/manifest payload.file'] },
  ])('on an all-in-one machine: $name', async ({ sno, isAlone = false, want }) => {
    const files = readTree('fixtures/configs/aio-payload');
    const context = testContext({
      files: {
        ...(isAlone ? { 'install-config.yaml': files['install-config.yaml'] ?? '' } : files),
        'sno-config.yaml': `${files['sno-config.yaml'] ?? ''}${sno}`,
      },
    });
    const found = problemsOf(await resolve([aioPayloadImages], context));
    expect(found.map(({ code, at }) => `${code} ${at?.path ?? ''}`)).toEqual(want);
  });

  it('has one source per repository and kind of pull', () => {
    expect(payloadSources(expectOk(readPayloadManifest(manifestText, manifestFile)))).toEqual([
      {
        source: 'quay.io/openshift-release-dev/ocp-release',
        repositories: ['openshift/release-images'],
        pulledBy: 'digest',
      },
      {
        source: 'quay.io/openshift-release-dev/ocp-v4.0-art-dev',
        repositories: ['openshift/release'],
        pulledBy: 'digest',
      },
      {
        source: 'registry.redhat.io/redhat/redhat-operator-index',
        repositories: ['redhat/redhat-operator-index'],
        pulledBy: 'tag',
      },
    ]);
  });
});

it('leaves the pull secret of a running cluster out if the state with its password is missing', async () => {
  const hasPullSecret = async (context: Context): Promise<readonly [boolean, readonly string[]]> => {
    const made = await resolve([runningSite], context);
    const paths = expectOk(made)
      .valueOf(runningSite)
      .manifests.map(({ path }) => path);
    const codes = problemsOf(made).map(({ code }) => code);
    return [
      paths.includes('manifests/openshift-config-secret-pull-secret.yaml'),
      codes.filter((code) => code.startsWith('apply/')),
    ];
  };
  const context = contextOf({});
  const drawnFor = { name: 'site1', baseDomain: 'example.com' };
  expect(await hasPullSecret(context)).toEqual([false, ['apply/placeholder']]);
  expect(await hasPullSecret({ ...context, drawnFor })).toEqual([true, []]);
});
