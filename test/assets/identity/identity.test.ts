import { describe, expect, it } from 'vitest';

import { clusterId } from '../../../src/assets/identity/cluster-id.js';
import { metadata } from '../../../src/assets/identity/metadata.js';
import { resolve } from '../../../src/graph/engine.js';
import { testContext } from '../../support/context.js';
import { minimalInstallConfig } from '../../support/minimal-config.js';

describe('the infrastructure name', () => {
  it.each([
    { name: 'short', given: 'site1', want: /^site1-[bcdfghjklmnpqrstvwxz2-9]{5}$/ },
    { name: 'with dots', given: 'edge.site.one', want: /^edge-site-one-.{5}$/ },
    {
      name: 'cut to 21 characters, without a dash at the cut',
      given: 'a-very-long-cluster-n-ame',
      want: /^a-very-long-cluster-n-.{5}$/,
    },
    {
      name: 'cut where a dash would end it',
      given: 'abcdefghijklmnopqrst-uvw',
      want: /^abcdefghijklmnopqrst-.{5}$/,
    },
  ])('$name: $given', async ({ given, want }) => {
    const text = minimalInstallConfig.replace('name: site1', `name: ${given}`);
    const result = await resolve([clusterId], testContext({ files: { 'install-config.yaml': text } }));

    const id = result.ok ? result.value.valueOf(clusterId) : undefined;
    expect(id?.infraId).toMatch(want);
    expect(id?.infraId.length).toBeLessThanOrEqual(27);
    expect(id?.uuid).toMatch(/^[0-9a-f-]{14}4[0-9a-f-]{21}$/);
  });
});

it('metadata.json contains the cluster and its boot deadline', async () => {
  const files = { 'install-config.yaml': minimalInstallConfig };
  const result = await resolve([metadata, clusterId], testContext({ files }));
  if (!result.ok) throw new Error('the minimal config has problems');
  const { uuid, infraId } = result.value.valueOf(clusterId);

  const [file] = result.value.files;
  expect([file?.path, file?.mode]).toEqual(['metadata.json', 0o644]);
  expect(JSON.parse(String(file?.contents))).toEqual({
    clusterName: 'site1',
    clusterID: uuid,
    infraID: infraId,
    featureSet: '',
    customFeatureSet: null,
    certificatesNotBefore: '2026-01-02T02:04:05Z',
    bootableUntil: '2026-02-01T03:04:05Z',
  });
});

it('metadata.json names the features of CustomNoUpgrade', async () => {
  const install = `${minimalInstallConfig}featureSet: CustomNoUpgrade\nfeatureGates: [B=true, A=true, C=false]\n`;
  const result = await resolve([metadata], testContext({ files: { 'install-config.yaml': install } }));
  if (!result.ok) throw new Error('the config has problems');
  expect(JSON.parse(String(result.value.files[0]?.contents))).toMatchObject({
    featureSet: 'CustomNoUpgrade',
    customFeatureSet: { enabled: ['B', 'A'], disabled: ['C'] },
  });
});
