import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { bundleCatalog } from '../../../src/pki/installer-bundles.js';
import { leafCatalog, type LeafEntry } from '../../../src/pki/installer-catalog.js';
import { openssl, textsOf } from '../../support/openssl.js';
import { makePki } from '../../support/pki.js';
import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';

describeWith(['openssl'], 'how certificates are encoded, as openssl takes them apart', () => {
  it('names are printable strings in the order O, OU, CN, and two organizations are two', async () => {
    const { leaves } = await makePki();

    expect(textsOf(leaves['kubelet-client'].certPem)).toEqual([
      'PRINTABLESTRING openshift',
      'PRINTABLESTRING kubelet-bootstrap-kubeconfig-signer',
      'UTCTIME 260102020405Z',
      'UTCTIME 351231030405Z',
      'PRINTABLESTRING system:serviceaccounts:openshift-machine-config-operator',
      'PRINTABLESTRING system:serviceaccounts',
      'PRINTABLESTRING system:serviceaccount:openshift-machine-config-operator:node-bootstrapper',
    ]);
  });

  it('years from 2050 on have four digits', async () => {
    const { signers } = await makePki({ now: new Date('2045-01-01T00:30:00Z') });

    expect(textsOf(signers['root-ca'].certPem).filter((text) => text.includes('TIME'))).toEqual([
      'UTCTIME 441231233000Z',
      'GENERALIZEDTIME 20541230003000Z',
    ]);
  });

  it('serial numbers are positive, of 128 bits, and differ', async () => {
    const { signers, leaves } = await makePki();
    const all = [...Object.values(signers), ...Object.values(leaves)];

    const serials = all.map(({ certPem }) => openssl(['x509', '-noout', '-serial'], certPem).stdout.trim());

    expect(serials.filter((serial) => !/^serial=[4-7][0-9A-F]{31}$/.test(serial))).toEqual([]);
    expect(new Set(serials).size).toBe(all.length);
  });

  it('files contain the leaf before its signer', async () => {
    const { leaves } = await makePki();
    const subjects = Object.entries(leaves).map(
      ([base, { chainPem }]) => [base, subjectsOf(chainPem)] as const,
    );

    const longer = subjects.filter(([, found]) => found.length > 1);
    const entries: readonly (readonly [string, LeafEntry])[] = Object.entries(leafCatalog);
    const appending = entries.filter(([, { appendsSigner }]) => appendsSigner);
    expect(appending.length).toBeGreaterThan(0);
    expect(longer.map(([base, [, ...rest]]) => [base, ...rest])).toEqual(
      appending.map(([base, { signer }]) => [base, `OU=openshift, CN=${signer}`]),
    );
  });

  it('bundles contain their certificates in order', async () => {
    const { bundles } = await makePki();
    const found = Object.entries(bundles).map(([base, text]) => [base, subjectsOf(text)]);

    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(
        Object.entries(bundleCatalog).map(([base, members]) => [
          base,
          members.map((member) => `OU=openshift, CN=${member}`),
        ]),
      ),
    );
  });
});

/** Subjects of the certificates of a PEM text, in order. */
function subjectsOf(text: string): readonly string[] {
  const path = join(scratchFolder(), 'text.crt');
  writeFileSync(path, text);
  const { stdout } = openssl(['storeutl', '-certs', '-noout', '-text', path]);
  return [...stdout.matchAll(/Subject: (.*)/g)].map(([, subject = '']) => subject.replaceAll(' = ', '='));
}
