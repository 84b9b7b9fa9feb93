import { expect, test } from 'vitest';

import { releaseMirrors } from '../../src/assets/config/release-mirrors.js';
import { problemsOf } from '../../src/core/result.js';
import { resolve } from '../../src/graph/engine.js';
import { testContext } from '../support/context.js';
import { edited, soundInstallConfig, soundSnoConfig } from './sound-config.js';

const login = '{"auth":"dGhyb3dhd2F5OnRocm93YXdheQ=="}';

/** With credentials for the registries of all sources and mirrors. */
const installConfig = soundInstallConfig.replace(
  '"auths":{',
  `"auths":{${['registry.example.com', 'a.example'].map((name) => `"${name}":${login},`).join('')}`,
);

const digest = `sha256:${'0f'.repeat(32)}`;

/** References of the release image, and whether a mirror of its repository serves them. */
const releases = [
  { release: 'quay.io/openshift-release-dev/ocp-release:4.21.0-x86_64', isServed: false },
  { release: `quay.io/openshift-release-dev/ocp-release@${digest}`, isServed: true },
  { release: 'registry.example.com/ocp/ocp-release:4.21.0-x86_64', isServed: true },
  { release: `registry.example.com/ocp/ocp-release@${digest}`, isServed: true },
];

const sources = [
  { source: 'quay.io/openshift-release-dev/ocp-release', isOfRelease: true },
  { source: 'quay.io/openshift-release-dev', isOfRelease: true },
  { source: 'quay.io', isOfRelease: true },
  { source: 'quay.io/openshift-release-dev/ocp-rel', isOfRelease: false },
  { source: 'quay.io/openshift-release-dev/ocp-v4.0-art-dev', isOfRelease: false },
];

const forms = [
  { list: 'imageDigestSources', policy: '', code: 'config/mirror-not-asked' },
  {
    list: 'imageDigestSources',
    policy: ', sourcePolicy: NeverContactSource',
    code: 'config/mirror-not-asked',
  },
  {
    list: 'imageDigestSources',
    policy: ', sourcePolicy: AllowContactingSource',
    code: 'config/mirror-bypassed',
  },
  { list: 'imageContentSources', policy: '', code: 'config/mirror-not-asked' },
];

const mirrorLists = [
  { mirrors: '[registry.example.com/ocp]', isMirrored: true },
  { mirrors: '[]', isMirrored: false },
];

const combinations = releases.flatMap((release) =>
  sources.flatMap((source) =>
    forms.flatMap((form) => mirrorLists.map((mirrors) => ({ ...release, ...source, ...form, ...mirrors }))),
  ),
);

test.each(combinations)(
  '$release with $list of $source, mirrors $mirrors$policy',
  async ({ release, isServed, source, isOfRelease, list, policy, mirrors, isMirrored, code }) => {
    const files = {
      'install-config.yaml': edited(installConfig, [
        ['fips: false', `${list}: [{ source: ${source}, mirrors: ${mirrors}${policy} }]`],
      ]),
      'sno-config.yaml': soundSnoConfig.replace(/releaseImage: .*/, `releaseImage: ${release}`),
    };
    const found = problemsOf(await resolve([releaseMirrors], testContext({ files })));
    const isAllowed = policy.includes('AllowContactingSource');
    const isOfOne = /ocp-(release|v4\.0-art-dev)$/.test(source);
    const missing = release.startsWith('quay.io/')
      ? isOfOne
        ? 1
        : 2
      : /ocp-rel(ease)?$/.test(source)
        ? 1
        : 0;
    const count = isMirrored && !isAllowed && source.split('/').length > 2 ? missing : 0;
    const incomplete = Array.from({ length: count }, () => 'config/mirror-incomplete');
    const want = [...(!isServed && isOfRelease && isMirrored ? [code] : []), ...incomplete];
    expect(found.map((each) => each.code).toSorted()).toEqual(want.toSorted());
  },
);

test('the release of the environment and the one by default are looked at too', async () => {
  const files = {
    'install-config.yaml': edited(installConfig, [
      ['fips: false', 'imageDigestSources: [{ source: quay.io, mirrors: [registry.example.com/ocp] }]'],
    ]),
  };
  const codes = async (environment: object): Promise<readonly string[]> =>
    problemsOf(await resolve([releaseMirrors], testContext({ files, environment }))).map(({ code }) => code);

  expect(await codes({})).toEqual(['config/mirror-not-asked']);
  expect(await codes({ releaseImageOverride: 'quay.io/a/b:4.21.0' })).toEqual(['config/mirror-not-asked']);
  expect(await codes({ releaseImageOverride: `quay.io/a/b@${digest}` })).toEqual([]);
});

const upstream = 'registry.example.com/upstream/ocp-release';

test.each([
  [
    'a source of another repository',
    upstream,
    [['registry.example.com/ocp-release', 'a.example/ocp']],
    ['its own'],
  ],
  [
    'a source with the beginning of its name',
    upstream,
    [['registry.example.com/up', 'a.example/ocp']],
    ['its own'],
  ],
  ['a source of operators', upstream, [['registry.redhat.io/openshift4', 'a.example/ocp']], ['its own']],
  ['only its own source', upstream, [[upstream, 'a.example/ocp']], ['its images']],
  [
    'mirrors of operators in its registry',
    'a.example/r',
    [['registry.redhat.io/a', 'a.example/a']],
    ['its images'],
  ],
  ['the whole registry', upstream, [['registry.example.com', 'a.example/ocp']], []],
  [
    'its own source and another',
    upstream,
    [
      [upstream, 'a.example/ocp'],
      ['quay.io', 'a.example/q'],
    ],
    [],
  ],
  [
    'a mirror that is its repository',
    'a.example/ocp',
    [['quay.io/openshift-release-dev', 'a.example/ocp']],
    [],
  ],
  ['a mirror in its registry', 'a.example/r', [['quay.io/openshift-release-dev', 'a.example/ocp']], []],
] as const)('a release with %s', async (_, repository, sources, want) => {
  const entries = sources.map(([source, mirror]) => `{ source: ${source}, mirrors: [${mirror}] }`);
  const files = {
    'install-config.yaml': edited(installConfig, [
      ['fips: false', `imageDigestSources: [${entries.join(', ')}]`],
    ]),
    'sno-config.yaml': soundSnoConfig.replace(/releaseImage: .*/, `releaseImage: ${repository}@${digest}`),
  };
  const messages = {
    'its own': `the release ${repository}@${digest} needs images of ${repository}, which no source with a mirror covers`,
    'its images': `the release ${repository}@${digest} needs images of another repository, and no source with a mirror is likely to be that one`,
  };
  const found = problemsOf(await resolve([releaseMirrors], testContext({ files })));
  expect(found.map(({ message }) => message)).toEqual(want.map((each) => messages[each]));
});

const openshift = 'quay.io/openshift-release-dev/ocp-release';
const mirrorOf = (source: string): string =>
  `imageDigestSources: [{ source: ${source}, mirrors: [m.example/a] }]`;

test.each([
  ['quay.io', openshift, '', []],
  ['quay.io/openshift-release-dev', openshift, '', []],
  ['https://quay.io/v1/', openshift, '', []],
  ['registry.example.com', openshift, '', ['quay.io']],
  ['quay.io/openshift-release-dev/ocp-release', openshift, '', ['quay.io']],
  ['quay.io.example.com', openshift, '', ['quay.io']],
  ['m.example', openshift, mirrorOf('quay.io'), []],
  ['m.example', openshift, mirrorOf(openshift), ['quay.io']],
  ['quay.io', 'registry.example.com:5000/a/b', '', ['registry.example.com:5000']],
  ['fake', 'quay.io/okd/scos-release', '', []],
])('credentials for %s and the release %s, %s', async (registry, repository, mirrors, want) => {
  const files = {
    'install-config.yaml': edited(soundInstallConfig, [['fips: false', mirrors]]).replace(
      /^pullSecret: .*/m,
      `pullSecret: '{"auths":{"${registry}":${login}}}'`,
    ),
    'sno-config.yaml': soundSnoConfig.replace(/releaseImage: .*/, `releaseImage: ${repository}@${digest}`),
  };
  const found = problemsOf(await resolve([releaseMirrors], testContext({ files })));
  expect(
    found
      .filter(({ code }) => code === 'config/release-without-credentials')
      .map(({ at, message }) => [at?.path, message]),
  ).toEqual(
    want.map((name) => [
      'pullSecret',
      `pullSecret has no credentials for "${name}", from which the release ${repository}@${digest} is pulled`,
    ]),
  );
});
