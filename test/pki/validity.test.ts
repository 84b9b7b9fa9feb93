import { describe, expect, it } from 'vitest';

import { bootWindow } from '../../src/assets/tls/certificates.js';
import { resolve } from '../../src/graph/engine.js';
import { testContext, testNow } from '../support/context.js';
import { minimalInstallConfig, snoConfigText } from '../support/minimal-config.js';
import { makePki, type Pki } from '../support/pki.js';

const hour = 3600;
const day = 24 * hour;

/** Seconds between the clock and the end, by file base. */
function lifetimes({ signers, leaves }: Pki): Readonly<Record<string, number>> {
  const pairs = Object.entries({ ...signers, ...leaves });
  return Object.fromEntries(
    pairs.map(([base, { notAfter }]) => [base, (notAfter.getTime() - testNow.getTime()) / 1000]),
  );
}

const live = [
  'aggregator-ca',
  'aggregator-signer',
  'kubelet-signer',
  'apiserver-proxy',
  'aggregator-client',
  'kube-apiserver-localhost-server',
  'kube-apiserver-service-network-server',
  'kube-apiserver-lb-server',
  'kube-apiserver-internal-lb-server',
];
const oneYear = [
  'kube-apiserver-to-kubelet-signer',
  'kube-apiserver-to-kubelet-client',
  'kube-control-plane-signer',
  'kube-control-plane-kube-controller-manager-client',
  'kube-control-plane-kube-scheduler-client',
];

describe('how long certificates hold', () => {
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

    const wanted = (base: string): number =>
      live.includes(base) ? want.live : oneYear.includes(base) ? want.oneYear : want.tenYears;
    const found = lifetimes(pki);
    expect(Object.keys(found)).toHaveLength(24);
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((base) => [base, wanted(base)])));
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
