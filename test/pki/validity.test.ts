import { describe, expect, it } from 'vitest';

import { bootWindow } from '../../src/assets/tls/certificates.js';
import { mapRecord } from '../../src/core/map-record.js';
import { resolve } from '../../src/graph/engine.js';
import { leafCatalog, signerCatalog } from '../../src/pki/installer-catalog.js';
import { testContext, testNow } from '../support/context.js';
import { minimalInstallConfig, snoConfigText } from '../support/minimal-config.js';
import { makePki, type Pki } from '../support/pki.js';

const hour = 3600;
const day = 24 * hour;

/** Seconds from the clock to the expiry, by file base. */
function lifetimes({ signers, leaves }: Pki): Readonly<Record<string, number>> {
  const pairs = Object.entries({ ...signers, ...leaves });
  return Object.fromEntries(
    pairs.map(([base, { notAfter }]) => [base, (notAfter.getTime() - testNow.getTime()) / 1000]),
  );
}

const catalog = { ...signerCatalog, ...leafCatalog };

/** Certificates that expire before ten years. Source: openshift/installer pkg/asset/tls, one Go file per certificate */
const upstreamLifetimes = {
  live: [
    'aggregator-ca',
    'aggregator-signer',
    'kubelet-signer',
    'apiserver-proxy',
    'aggregator-client',
    'kube-apiserver-localhost-server',
    'kube-apiserver-service-network-server',
    'kube-apiserver-lb-server',
    'kube-apiserver-internal-lb-server',
  ],
  'one-year': [
    'kube-apiserver-to-kubelet-signer',
    'kube-apiserver-to-kubelet-client',
    'kube-control-plane-signer',
    'kube-control-plane-kube-controller-manager-client',
    'kube-control-plane-kube-scheduler-client',
  ],
} as const;

it.each(['live', 'one-year'] as const)('the catalog has the upstream lifetime: %s', (lifetime) => {
  const bases = upstreamLifetimes[lifetime];
  expect(bases.map((base) => catalog[base].lifetime)).toEqual(bases.map(() => lifetime));
});

describe('validity of certificates', () => {
  const cases = [
    { name: 'by default', body: '', live: 30 * day, oneYear: 365 * day, tenYears: 3650 * day, before: hour },
    {
      name: 'as sno-config.yaml says',
      body: 'certificates: { validity: 48h, backdate: 10m }\n',
      live: 2 * day,
      oneYear: 365 * day,
      tenYears: 3650 * day,
      before: 600,
    },
    {
      name: 'longer than a year, where that is asked for',
      body: 'certificates: { validity: 800d }\n',
      live: 800 * day,
      oneYear: 800 * day,
      tenYears: 3650 * day,
      before: hour,
    },
  ];
  it.each(cases)('$name', async ({ body, before, ...want }) => {
    const pki = await makePki({ files: { 'sno-config.yaml': snoConfigText(body) } });

    const seconds = { live: want.live, 'one-year': want.oneYear, 'ten-years': want.tenYears };
    expect(lifetimes(pki)).toEqual(mapRecord(catalog, ({ lifetime }) => seconds[lifetime]));
    for (const { notBefore } of Object.values({ ...pki.signers, ...pki.leaves })) {
      expect(testNow.getTime() - notBefore.getTime()).toBe(before * 1000);
    }
  });

  it('bounds the time in which the ISO may be booted', async () => {
    const result = await resolve(
      [bootWindow],
      testContext({ files: { 'install-config.yaml': minimalInstallConfig } }),
    );

    expect(result.ok && result.value.valueOf(bootWindow)).toEqual({
      notBefore: new Date('2026-01-02T02:04:05Z'),
      bootableUntil: new Date('2026-02-01T03:04:05Z'),
    });
  });
});
