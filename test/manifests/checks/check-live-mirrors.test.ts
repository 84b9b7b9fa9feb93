import { expect, it } from 'vitest';

import { readInstallConfig } from '../../../src/config/reading/install-config.js';
import { liveMirrorProblems } from '../../../src/manifests/checks/check-live-mirrors.js';
import { objectsOf } from '../../assets/manifests/given.js';
import { edited, soundInstallConfig } from '../../config/sound-config.js';
import { testContext } from '../../support/context.js';

const digest = `@sha256:${'0f'.repeat(32)}`;
const release = `quay.io/openshift-release-dev/ocp-release${digest}`;
const images = 'quay.io/openshift-release-dev/ocp-v4.0-art-dev';

function found(image: string, source: string, kind: string, installConfig: string): readonly string[] {
  const [group, list] =
    kind === 'ImageContentSourcePolicy'
      ? ['operator.openshift.io/v1alpha1', 'repositoryDigestMirrors']
      : ['config.openshift.io/v1', kind === 'ImageTagMirrorSet' ? 'imageTagMirrors' : 'imageDigestMirrors'];
  const set = `apiVersion: ${group}\nkind: ${kind}\nmetadata: {name: a}\nspec: {${list}: [{source: ${source}, mirrors: [b.example/a]}]}\n`;
  const { inputs } = testContext({ files: { 'install-config.yaml': installConfig } });
  const { draft } = readInstallConfig(inputs);
  return liveMirrorProblems(objectsOf(set), image, draft).map(({ code, message }) => `${code}: ${message}`);
}

it.each([
  ['ImageDigestMirrorSet', release, images, true],
  ['ImageTagMirrorSet', release, 'quay.io/openshift-release-dev/ocp-release', true],
  ['ImageContentSourcePolicy', release, 'quay.io', true],
  ['ImageDigestMirrorSet', `registry.example.com/ocp/release${digest}`, images, true],
  ['ImageDigestMirrorSet', `quay.io/okd/scos-release${digest}`, images, false],
  ['ImageDigestMirrorSet', release, 'registry.redhat.io/openshift4', false],
])('%s for %s: %s', (kind, image, source, isOfRelease) => {
  const message = `manifest/mirror-not-live: the live system does not have this mirror of "${source}", and pulls the release from its source`;
  expect(found(image, source, kind, soundInstallConfig)).toEqual(isOfRelease ? [message] : []);
  const mirrored = `imageDigestSources: [{ source: quay.io, mirrors: [b.example/a] }]`;
  expect(found(image, source, kind, edited(soundInstallConfig, [['fips: false', mirrored]]))).toEqual([]);
});
