import { describe, expect, test } from 'vitest';

import { controlPlaneRender } from '../../src/assets/config/control-plane-render.js';
import { releaseMirrors } from '../../src/assets/config/release-mirrors.js';
import { releaseSettings } from '../../src/assets/config/release-settings.js';
import { release, releaseReading } from '../../src/assets/config/release.js';
import { singleNodeIgnition } from '../../src/assets/ignition/single-node-ignition.js';
import { osImageStream } from '../../src/assets/manifests/machines/os-image-stream.js';
import { problemsOf } from '../../src/core/result.js';
import { decodeDataUrl } from '../../src/formats/data-url.js';
import type { Asset } from '../../src/graph/asset.js';
import { resolve } from '../../src/graph/engine.js';
import type { IgnitionConfig } from '../../src/ignition/types.js';
import { testContext } from '../support/context.js';
import { resolveAssets } from '../support/made-from.js';
import { expectOk } from '../support/sound-value.js';
import { shown } from './shown.js';
import { edited, soundInstallConfig } from './sound-config.js';

/** The pull secret that the OKD documentation gives to users without an account. */
const okdPullSecret = '{"auths":{"fake":{"auth":"aWQ6cGFzcwo="}}}';
const okdInstallConfig = edited(soundInstallConfig, [[/pullSecret: .*/, `pullSecret: '${okdPullSecret}'`]]);
const okdImage = (version: string): string => `quay.io/okd/scos-release:${version}`;
const quickKeys = 'certificates: {keyAlgorithm: ECDSA-P256}';
const digest = `sha256:${'ab'.repeat(32)}`;

function filesOf(install: string, sno: string): Readonly<Record<string, string>> {
  return {
    'install-config.yaml': install,
    'sno-config.yaml': `apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\n${sno}\n`,
  };
}

async function problemsFrom(
  asset: Asset<unknown>,
  { install = okdInstallConfig, sno, of = install }: { install?: string; sno: string; of?: string },
): Promise<readonly string[]> {
  const result = await resolve([asset], testContext({ files: filesOf(install, sno) }));
  return problemsOf(result).map((problem) => shown(problem, of));
}

describe('a release of OKD', () => {
  test.each([
    [okdImage('4.22.0-okd-scos.7'), true],
    [okdImage('4.20.0-okd-scos.ec.1'), true],
    [okdImage('5.0.0-okd-scos.0'), true],
    [`quay.io/okd/scos-release@${digest}`, true],
    [`registry.ci.openshift.org/origin/release-scos@${digest}`, true],
    ['registry.ci.openshift.org/origin/release-scos:4.22.0-0.okd-scos-2026-05-11-081500', true],
    ['mirror.example.com/okd/release:4.21.0-okd-scos.8', true],
    [`mirror.example.com/okd/release@${digest}\nreleaseVersion: 4.21.0-okd-scos.8`, true],
    [`mirror.example.com/okd/release@${digest}\nreleaseVersion: 4.21.0`, false],
    ['quay.io/openshift-release-dev/ocp-release:4.22.0-x86_64', false],
    ['quay.io/okd/scos-release-notes:4.22.0', false],
  ])('%s: %s', async (image, isOkd) => {
    const context = testContext({ files: filesOf(okdInstallConfig, `releaseImage: ${image}`) });
    expect(expectOk(await resolve([release], context)).valueOf(release).isOkd).toBe(isOkd);
  });

  test.each([
    [
      '4.18.0-okd-scos.10',
      [
        'warning config/release-okd 3:quay.io/okd/scos-release:4.18.0-okd-scos: OKD 4.18 has no live system with oc and the kubelet, so its bootstrap cannot start | install OKD 4.19 or later',
      ],
    ],
    ['4.19.0-okd-scos.1', []],
  ])('%s has a live system to start from, or a warning', async (version, want) => {
    const sno = `releaseImage: ${okdImage(version)}`;
    const { 'sno-config.yaml': of } = filesOf('', sno);
    expect(await problemsFrom(release, { sno, ...(of !== undefined && { of }) })).toEqual(want);
  });

  test('needs no pull secret of Red Hat', async () => {
    const sno = `releaseImage: ${okdImage('4.22.0-okd-scos.7')}\n${quickKeys}`;
    expect(await problemsFrom(singleNodeIgnition, { sno })).toEqual([]);
  });
});

describe('featureSet OKD', () => {
  const install = edited(okdInstallConfig, [['fips: false', 'featureSet: OKD']]);

  test.each([
    [okdImage('4.22.0-okd-scos.7'), []],
    [`quay.io/okd/scos-release@${digest}`, []],
    [
      okdImage('4.21.0-okd-scos.8'),
      [
        'config/feature-set 20:OKD: OKD 4.21 does not support featureSet OKD | remove it, or install OKD 4.22 or later',
      ],
    ],
    [
      'quay.io/openshift-release-dev/ocp-release:4.22.0-x86_64',
      [
        'config/feature-set 20:OKD: featureSet OKD needs an OKD release, and releaseImage is not one | remove it, or set releaseImage in sno-config.yaml to quay.io/okd/scos-release',
      ],
    ],
  ])('with %s', async (image, want) => {
    expect(await problemsFrom(releaseSettings, { install, sno: `releaseImage: ${image}` })).toEqual(want);
  });

  test('refuses render: Installer where the release sets it', async () => {
    const of = (version: string): Promise<readonly string[]> =>
      problemsFrom(controlPlaneRender, {
        sno: `releaseImage: ${okdImage(version)}\ncontrolPlane: {render: Installer}`,
      });
    const codes = async (version: string): Promise<readonly string[]> =>
      (await of(version)).map((text) => text.replace(/ \d+:.*/, ''));
    expect(await codes('4.21.0-okd-scos.8')).toEqual(['warning config/render-unproven']);
    expect(await codes('4.22.0-okd-scos.7')).toEqual(['config/render-unavailable']);
  });
});

test('osImageStream has no effect', async () => {
  const install = edited(okdInstallConfig, [['fips: false', 'osImageStream: rhel-10']]);
  const found = await problemsFrom(osImageStream, {
    install,
    sno: `releaseImage: ${okdImage('5.0.0-okd-scos.0')}`,
  });
  expect(found.filter((text) => text.includes('os-image-stream'))).toEqual([
    'warning manifest/os-image-stream 20:rhel-10: osImageStream has no effect: OKD has one stream of CentOS Stream CoreOS | remove osImageStream',
  ]);
});

test('mirrors of OKD cover the images of its second repository', async () => {
  const list = (...sources: readonly string[]): string =>
    `imageDigestSources: [${sources.map((source) => `{source: ${source}, mirrors: [m.example.com/x]}`).join(', ')}]`;
  const found = (config: string): Promise<readonly string[]> =>
    problemsFrom(releaseMirrors, {
      install: edited(okdInstallConfig, [['fips: false', config]]),
      sno: `releaseImage: quay.io/okd/scos-release@${digest}`,
    });
  expect(await found(list('quay.io/okd/scos-release'))).toEqual([
    expect.stringContaining('needs images of quay.io/okd/scos-content, which no source with a mirror covers'),
  ]);
  expect(await found(list('quay.io/okd/scos-release', 'quay.io/okd/scos-content'))).toEqual([]);
});

describe('the Ignition config', () => {
  async function nodeFiles(install: string, version: string): Promise<ReadonlyMap<string, string>> {
    const given = { files: filesOf(install, `releaseImage: ${okdImage(version)}\n${quickKeys}`) };
    const { text } = (await resolveAssets([singleNodeIgnition, releaseReading], given)).valueOf(
      singleNodeIgnition,
    );
    const { storage } = JSON.parse(text) as IgnitionConfig;
    return new Map(
      (storage?.files ?? []).map(({ path, contents }) => [
        path,
        decodeDataUrl(contents?.source ?? '')?.toString() ?? '',
      ]),
    );
  }

  const featureGate = (spec: string): string =>
    `apiVersion: config.openshift.io/v1\nkind: FeatureGate\nmetadata:\n  name: cluster\nspec:${spec}\n`;
  const custom = edited(okdInstallConfig, [['fips: false', 'featureSet: CustomNoUpgrade']]);

  test.each([
    ['4.21.0-okd-scos.8', okdInstallConfig, ' {}'],
    ['4.22.0-okd-scos.7', okdInstallConfig, '\n  featureSet: OKD'],
    ['4.22.0-okd-scos.7', custom, '\n  featureSet: CustomNoUpgrade'],
  ])('of %s has its feature set', async (version, install, spec) => {
    const files = await nodeFiles(install, version);
    expect(files.get('/opt/openshift/openshift/99_feature-gate.yaml')).toBe(featureGate(spec));
  });

  test('uses updates of OKD, and leaves streams to the machine config operator', async () => {
    const files = await nodeFiles(okdInstallConfig, '5.0.0-okd-scos.0');
    const clusterVersion = files.get('/opt/openshift/manifests/cvo-overrides.yaml') ?? '';
    expect(clusterVersion).toContain('\n  channel: stable-scos-4\n');
    expect(clusterVersion).toContain('\n  upstream: https://amd64.origin.releases.ci.openshift.org/graph\n');
    expect(files.get('/opt/openshift/openshift/99_osimagestream.yaml')).toBeUndefined();
    expect(files.get('/root/.docker/config.json')?.trim()).toBe(okdPullSecret);
  });
});
