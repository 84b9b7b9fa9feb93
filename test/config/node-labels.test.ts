import { expect, test } from 'vitest';

import { releaseSettings } from '../../src/assets/config/release-settings.js';
import { problemsOf } from '../../src/core/result.js';
import { resolve } from '../../src/graph/engine.js';
import { testContext } from '../support/context.js';
import { shown } from './shown.js';
import { soundInstallConfig } from './sound-config.js';

async function problemsWith(releaseImage: string, labels: string): Promise<readonly string[]> {
  const text = `apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\nreleaseImage: ${releaseImage}\nnodeLabels: ${labels}\n`;
  const files = { 'install-config.yaml': soundInstallConfig, 'sno-config.yaml': text };
  return problemsOf(await resolve([releaseSettings], testContext({ files }))).map((each) =>
    shown(each, text),
  );
}

const tagged = (version: string): string => `quay.io/openshift-release-dev/ocp-release:${version}.1-x86_64`;

test.each([
  {
    release: tagged('4.18'),
    labels: '{ site: paris }',
    want: [
      'config/node-label 4:nodeLabels: nodeLabels needs release 4.19 or later: the kubelet of release 4.18 sets no labels of yours | remove them, and set them when the node is up: `oc label node`',
    ],
  },
  { release: tagged('4.18'), labels: '{}', want: [] },
  { release: tagged('4.19'), labels: '{ site: paris }', want: [] },
  { release: `quay.io/a/b@sha256:${'0f'.repeat(32)}`, labels: '{ site: paris }', want: [] },
])('labels $labels of $release', async ({ release, labels, want }) => {
  expect(await problemsWith(release, labels)).toEqual(want);
});
