import { describe, expect, it } from 'vitest';

import { imageConfigProblems } from '../../../src/manifests/checks/check-image-config.js';
import { isNestedScope, isValidScope } from '../../../src/manifests/checks/image-scope.js';
import { objectsOf } from '../../assets/manifests/given.js';

const release = 'quay.io/openshift-release-dev/ocp-release@sha256:'.concat('a'.repeat(64));
const names = 'quay.io/openshift-release-dev/ocp-release and quay.io/openshift-release-dev/ocp-v4.0-art-dev';

function imageConfig(sources: string): string {
  return `apiVersion: config.openshift.io/v1\nkind: Image\nmetadata: {name: cluster}\nspec: {registrySources: {${sources}}}\n`;
}

function policy(kind: string, scope: string, namespace = ''): string {
  const metadata = namespace === '' ? '{name: a}' : `{name: a, namespace: ${namespace}}`;
  return `apiVersion: config.openshift.io/v1\nkind: ${kind}\nmetadata: ${metadata}\nspec: {scopes: ["${scope}"], policy: {rootOfTrust: {policyType: PublicKey}}}\n`;
}

function found(text: string, image = release): readonly string[] {
  return imageConfigProblems(objectsOf(text), { image, install: undefined }).map(
    ({ severity, at, message }) => `${severity} ${at?.path ?? ''}: ${message}`,
  );
}

const stops = "and the machine-config operator's bootstrap ends with an error";
const rejects = (repositories: string): string =>
  `warning spec.registrySources.allowedRegistries: allowedRegistries does not contain ${repositories}: the node rejects these images of the release, also if a mirror serves them`;

describe('registries of the Image config', () => {
  it.each([
    ['allowedRegistries: [registry.redhat.io]', [rejects(names)]],
    [
      'allowedRegistries: [quay.io/openshift-release-dev/ocp-release]',
      [rejects('quay.io/openshift-release-dev/ocp-v4.0-art-dev')],
    ],
    ['allowedRegistries: ["*.redhat.io"]', [rejects(names)]],
    [
      'blockedRegistries: [quay.io]',
      [
        `warning spec.registrySources.blockedRegistries[0]: blockedRegistries contains "quay.io": the node rejects the images of the release in ${names}, also if a mirror serves them, or the operator ignores the entry`,
      ],
    ],
    [
      'allowedRegistries: [quay.io], blockedRegistries: [docker.io]',
      [
        `error spec.registrySources.blockedRegistries: allowedRegistries and blockedRegistries are both set, ${stops}`,
      ],
    ],
    [
      'insecureRegistries: ["*.example.com:5000"]',
      [
        `error spec.registrySources.insecureRegistries[0]: "*.example.com:5000" is not valid in insecureRegistries, ${stops}`,
      ],
    ],
  ])('%s', (sources, want) => {
    expect(found(imageConfig(sources))).toEqual(want);
  });

  it.each([
    'allowedRegistries: [quay.io, registry.redhat.io]',
    'allowedRegistries: [quay.io/openshift-release-dev]',
    'blockedRegistries: [docker.io, quay.io/other]',
    'insecureRegistries: ["registry.site.example:5000", "*.site.example"]',
    'containerRuntimeSearchRegistries: [registry.redhat.io]',
    'allowedRegistries: []',
  ])('%s is accepted', (sources) => {
    expect(found(imageConfig(sources))).toEqual([]);
  });

  it('a release of another registry', () => {
    const image = 'registry.site.example:5000/ocp/release:4.21.0-x86_64';
    expect(found(imageConfig('allowedRegistries: [quay.io]'), image)).toEqual([
      rejects('registry.site.example:5000/ocp/release'),
    ]);
    expect(found(imageConfig('allowedRegistries: ["registry.site.example:5000"]'), image)).toEqual([]);
  });
});

describe('image policies', () => {
  const signature = 'requires signatures of the images in quay.io/openshift-release-dev/ocp-release';

  it.each([
    ['ClusterImagePolicy', policy('ClusterImagePolicy', 'quay.io'), 1],
    ['ClusterImagePolicy with a wildcard', policy('ClusterImagePolicy', '*.io'), 1],
    ['ImagePolicy of the platform', policy('ImagePolicy', 'quay.io', 'openshift-etcd'), 1],
    ['ImagePolicy of a user', policy('ImagePolicy', 'quay.io', 'site'), 0],
    ['ClusterImagePolicy of own images', policy('ClusterImagePolicy', 'registry.site.example'), 0],
  ])('%s', (_, text, count) => {
    const problems = found(text);
    expect(problems).toHaveLength(count);
    expect(problems.every((each) => each.includes(signature))).toBe(true);
  });

  it('a scope that the Image config does not allow, or blocks', () => {
    const scope = policy('ClusterImagePolicy', 'registry.site.example');
    const at = 'error spec.scopes[0]: the scope "registry.site.example"';
    expect(found(`${imageConfig('allowedRegistries: [quay.io]')}---\n${scope}`)).toEqual([
      `${at} is not in allowedRegistries of the Image config, ${stops}`,
    ]);
    expect(
      found(`${imageConfig('blockedRegistries: ["*.site.example", registry.site.example]')}---\n${scope}`),
    ).toEqual([`${at} is in blockedRegistries of the Image config, ${stops}`]);
  });
});

it('an ImageContentPolicy', () => {
  const text = 'apiVersion: config.openshift.io/v1\nkind: ImageContentPolicy\nmetadata: {name: a}\n';
  expect(found(text)).toEqual([
    'warning kind: no operator reads an ImageContentPolicy, so the node does not use its mirrors',
  ]);
});

it.each([
  ['quay.io/a/b', 'quay.io', true],
  ['quay.io/a/b', 'quay.io/a', true],
  ['quay.io/ab', 'quay.io/a', false],
  ['a.site.example/x', '*.site.example', true],
  ['a.site.example:5000/x', '*.site.example', true],
  ['quay.io/a.site.example', '*.site.example', false],
  ['site.example/x', '*.site.example', false],
])('%s in %s: %s', (inner, outer, want) => {
  expect(isNestedScope(inner, outer)).toBe(want);
});

it.each([
  ['quay.io', true],
  ['*.example.com', true],
  ['', false],
  ['a.*', false],
  ['*.example.com/a', false],
])('scope "%s": %s', (scope, want) => {
  expect(isValidScope(scope)).toBe(want);
});
