import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { beforeAll, describe, expect, it } from 'vitest';

import { base64TextUrl, dataUrl } from '../../../src/formats/data-url.js';
import { installerUses, rotatorUses } from '../../../src/pki/certificate-uses.js';
import { aioRotators } from '../../../src/pki/aio-clients.js';
import {
  listCertificates,
  placeText,
  type ListedCertificate,
} from '../../../src/review/certificates/certificate-list.js';
import { listCertificateDates } from '../../../src/review/certificates/dated-certificates.js';
import {
  expiringCertificates,
  remainingText,
  nameOf,
} from '../../../src/review/certificates/remaining-time.js';
import { resolveFixtureTarget } from '../../support/made-from.js';
import { openssl } from '../../support/openssl.js';
import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';
import { seededEcKey } from '../../support/seeded-keys.js';
import { throwawayCaPem, throwawayLeafPem } from '../../support/throwaway-certificates.js';

const sample = readFileSync('test/review/sample-certificate.pem', 'utf8');
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** The places of a file's certificates, in order. */
function placesIn(text: string | Buffer, path = 'a'): readonly string[] {
  const { certificates } = listCertificates([{ path, bytes: Buffer.from(text) }]);
  return certificates.flatMap(({ places }) => places.map(placeText));
}

/** The sample with another last byte of its signature: subject and expiry are equal, digests are not. */
function twin(lastByte: number): string {
  const der = Buffer.from(sample.replaceAll(/-----.*-----|\n/g, ''), 'base64');
  der[der.length - 1] = lastByte;
  return `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`;
}

describe('certificates with the same expiry and subject', () => {
  const bytes = [7, 1, 9, 3, 5, 2];
  it.each([
    { name: 'listCertificates', list: listCertificates },
    { name: 'listCertificateDates', list: listCertificateDates },
  ])('are in the order of their files in $name, whatever their keys', ({ list }) => {
    const digests = bytes.map(
      (byte) => list([{ path: 'a', bytes: Buffer.from(twin(byte)) }]).certificates[0]?.facts.sha256,
    );
    const all = list(bytes.map((byte, index) => ({ path: `${index}.crt`, bytes: Buffer.from(twin(byte)) })));
    expect(digests).not.toEqual(digests.toSorted());
    expect(all.certificates.map(({ facts }) => facts.sha256)).toEqual(digests);
  });
});

/** A config with one file. */
function configWith(contents: object, more: object = {}): string {
  return JSON.stringify({
    ignition: { version: '3.2.0', ...more },
    storage: { files: [{ path: '/etc/a.crt', contents }] },
  });
}

describe('certificates are found', () => {
  const kubeconfig = `kind: Config\nusers:\n- name: a\n  user:\n    client-certificate-data: ${base64(sample)}\n`;
  const secret = `kind: Secret\ndata:\n  tls.crt: ${base64(sample)}\n`;
  const pointer = JSON.stringify({
    ignition: {
      version: '3.2.0',
      security: { tls: { certificateAuthorities: [{ source: base64TextUrl(sample) }] } },
    },
  });
  const cases: readonly { name: string; given: string | Buffer; want: readonly string[] }[] = [
    { name: 'in PEM', given: sample, want: ['a'] },
    { name: 'in PEM between other text', given: `Certificate:\n    Data: x\n${sample}# end\n`, want: ['a'] },
    { name: 'twice in one file', given: `${sample}${sample}`, want: ['a', 'a'] },
    {
      name: 'in DER',
      given: Buffer.from(sample.replaceAll(/-----.*-----|\n/g, ''), 'base64'),
      want: ['a'],
    },
    { name: 'in a kubeconfig', given: kubeconfig, want: ['a (users[0].user.client-certificate-data)'] },
    { name: 'in a Secret', given: secret, want: ['a (data["tls.crt"])'] },
    {
      name: 'in the second document of YAML',
      given: `a: b\n---\nca: |\n  ${sample.replaceAll('\n', '\n  ')}\n`,
      want: ['a ([1].ca)'],
    },
    { name: 'in a comment of YAML', given: `a: b\n# ${base64(sample)}\n`, want: ['a'] },
    { name: 'in a config', given: configWith({ source: dataUrl(sample) }), want: ['a:/etc/a.crt'] },
    {
      name: 'in a packed file of a config',
      given: configWith({
        compression: 'gzip',
        source: `data:;base64,${gzipSync(sample).toString('base64')}`,
      }),
      want: ['a:/etc/a.crt'],
    },
    {
      name: 'as what a config believes',
      given: pointer,
      want: ['a (ignition.security.tls.certificateAuthorities[0].source)'],
    },
    {
      name: 'in a config that is merged',
      given: configWith(
        { source: 'data:,' },
        {
          config: {
            merge: [
              {
                compression: 'gzip',
                source: `data:;base64,${gzipSync(configWith({ source: dataUrl(sample) })).toString('base64')}`,
              },
            ],
          },
        },
      ),
      want: ['a:ignition.config.merge[0]:/etc/a.crt'],
    },
    {
      name: 'in a pointer config within a Secret',
      given: `kind: Secret\ndata:\n  userData: ${base64(pointer)}\n`,
      want: ['a (data.userData.ignition.security.tls.certificateAuthorities[0].source)'],
    },
    {
      name: 'not in a script that names the header',
      given: "grep '-----BEGIN CERTIFICATE-----' x\n",
      want: [],
    },
    { name: 'not in bytes', given: Buffer.from([0xff, 0xfe, 0, 1]), want: [] },
  ];
  it.each(cases)('$name', ({ given, want }) => {
    expect(placesIn(given)).toEqual(want);
  });

  it.each([
    ['cut off', sample.slice(0, 200)],
    [
      'no certificate at all',
      `-----BEGIN CERTIFICATE-----\n${base64('not a certificate')}\n-----END CERTIFICATE-----\n`,
    ],
  ])('and reported, with %s', (_name, text) => {
    expect(
      listCertificates([{ path: 'a', bytes: Buffer.from(`ca: |\n  ${text.replaceAll('\n', '\n  ')}\n`) }]),
    ).toEqual({
      certificates: [],
      warnings: [expect.objectContaining({ code: 'certs/unreadable', at: { file: 'a' } }) as object],
    });
  });
});

describe('fields of a certificate', () => {
  it('contain only the location and fingerprint of its key', () => {
    const key = seededEcKey('certs', 'P-256');
    const keyFile = join(scratchFolder(), 'key.pem');
    writeFileSync(keyFile, key);
    const request = openssl(['req', '-x509', '-new', '-key', keyFile, '-subj', '/CN=a', '-days', '1']);
    const list = listCertificates([
      { path: 'a.crt', bytes: Buffer.from(request.stdout) },
      {
        path: 'b.yaml',
        bytes: Buffer.from(`kind: Secret\nstringData:\n  key: |\n    ${key.replaceAll('\n', '\n    ')}\n`),
      },
    ]);
    const lines = key.split('\n').slice(1, -2);
    const shown = JSON.stringify(
      list.certificates.map(({ facts, places, keyPlaces }) => [facts, places, keyPlaces]),
    );
    expect(list.certificates[0]?.keyPlaces).toEqual([{ file: 'b.yaml', field: 'stringData.key' }]);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.filter((line) => shown.includes(line))).toEqual([]);
  });

  it('contain its signer, only if it is among the files', () => {
    const [first, second] = listCertificates([
      { path: 'a', bytes: Buffer.from(sample) },
      { path: 'b', bytes: Buffer.from(throwawayCaPem + throwawayLeafPem) },
    ]).certificates;
    expect(first?.signer).toBeUndefined();
    expect(second?.signer?.subject).toBe('CN=throwaway-ca');
  });

  it('contain the remaining time, and its result for monitoring', () => {
    const list = listCertificates([{ path: 'a', bytes: Buffer.from(sample) }]);
    const listAt = (now: string, withinMs = 0) => ({
      left: list.certificates.map((each) => remainingText(each, new Date(now))),
      codes: expiringCertificates(list, new Date(now), withinMs).map(({ code }) => code),
    });
    expect(listAt('2026-01-02T12:00:00Z')).toEqual({ left: ['12 h left'], codes: [] });
    expect(listAt('2026-01-02T23:00:00Z')).toEqual({ left: ['60 min left'], codes: [] });
    expect(listAt('2026-01-02T12:00:00Z', 12 * 3600e3 - 1)).toEqual({ left: ['12 h left'], codes: [] });
    expect(listAt('2026-01-02T12:00:00Z', 12 * 3600e3)).toEqual({
      left: ['12 h left'],
      codes: ['certs/ends-soon'],
    });
    expect(listAt('2026-01-03T00:00:00Z')).toEqual({ left: ['expired 0 min ago'], codes: ['certs/ended'] });
    expect(listAt('2026-01-10T00:00:00Z', 1)).toEqual({
      left: ['expired 7 days ago'],
      codes: ['certs/ended'],
    });
    expect(listAt('2026-01-01T00:00:00Z')).toEqual({
      left: ['not valid before 2026-01-02T00:00:00Z'],
      codes: [],
    });
  });
});

describeWith(['openssl'], 'every certificate of what we write', () => {
  let listed: Readonly<Record<'installers' | 'aio', readonly ListedCertificate[]>> = {
    installers: [],
    aio: [],
  };
  const texts = new Map<string, string>();

  beforeAll(async () => {
    const of = async (target: 'single-node-ignition-config' | 'aio-ignition', fixture: string) => {
      const { files } = await resolveFixtureTarget(target, fixture);
      for (const { path, contents } of files)
        texts.set(`${fixture}/${path}`, Buffer.from(contents).toString('utf8'));
      return listCertificates(
        files.map(({ path, contents }) => ({ path: `${fixture}/${path}`, bytes: Buffer.from(contents) })),
      );
    };
    const [installers, aio] = await Promise.all([
      of('single-node-ignition-config', 'minimal'),
      of('aio-ignition', 'aio-minimal'),
    ]);
    expect([...installers.warnings, ...aio.warnings]).toEqual([]);
    listed = { installers: installers.certificates, aio: aio.certificates };
  });

  it('has a name for its use', () => {
    const names = (list: readonly ListedCertificate[]): readonly string[] => list.map(nameOf).toSorted();
    expect(names(listed.installers)).toEqual(Object.keys(installerUses).toSorted());
    expect([...listed.installers, ...listed.aio].filter(({ known }) => known === undefined)).toEqual([]);
    expect(names(listed.aio)).toEqual(
      [
        ...aioRotators.filter((name) => Object.hasOwn(rotatorUses, name)),
        ...['admin-client', 'admin-signer', 'boot-signer', 'kubelet-bootstrap-client', 'aiokube-client'],
        ...['kube-proxy-client', 'csr-approver-client'],
      ].toSorted(),
    );
    expect(listed.aio.filter(({ signer }) => signer === undefined)).toEqual([]);
  });

  it('is read by openssl as by us', () => {
    const pems = new Map([...texts.values()].flatMap(pemsIn).map((pem) => [pem, opensslFacts(pem)]));
    const bySha256 = new Map([...pems.values()].map((facts) => [facts.sha256, facts]));
    const ours = [...listed.installers, ...listed.aio].map(({ facts }) => ({
      sha256: facts.sha256,
      subject: facts.subject,
      notAfter: facts.notAfter,
      names: facts.names,
    }));
    expect(ours.length).toBeGreaterThan(50);
    expect(ours.toSorted(bySum)).toEqual([...bySha256.values()].toSorted(bySum));
  });
});

function bySum(left: { readonly sha256: string }, right: { readonly sha256: string }): number {
  return left.sha256 < right.sha256 ? -1 : 1;
}

/** The certificates of a text, found in every data URL and all base64 data. The product instead reads known fields. */
function pemsIn(text: string): readonly string[] {
  const inner = [
    ...[...text.matchAll(/data:[\w/;=-]*,([^"]*)/g)].map(([url, data = '']) =>
      /^[^,]*;base64,/.test(url) ? Buffer.from(data, 'base64').toString() : decodeURIComponent(data),
    ),
    ...[...text.matchAll(/[A-Za-z0-9+/]{100,}={0,2}/g)]
      .map(([word]) => Buffer.from(word, 'base64').toString())
      .filter((each) => each.includes('-----BEGIN') || each.includes('data:')),
  ];
  const plain = text.replaceAll('\\n', '\n').replaceAll(/^ +/gm, '');
  const own = plain.match(/-----BEGIN CERTIFICATE-----\n[^-]*-----END CERTIFICATE-----\n/g) ?? [];
  return [...own, ...inner.flatMap(pemsIn)];
}

function opensslFacts(pem: string) {
  const { code, stdout } = openssl(
    [
      ...['x509', '-noout', '-subject', '-nameopt', 'sep_comma_plus_space,utf8', '-enddate'],
      ...['-dateopt', 'iso_8601', '-fingerprint', '-sha256', '-ext', 'subjectAltName'],
    ],
    pem,
  );
  expect(code).toBe(0);
  const field = (pattern: RegExp): string => pattern.exec(stdout)?.[1]?.trim() ?? '';
  return {
    sha256: field(/Fingerprint=(.*)/)
      .replaceAll(':', '')
      .toLowerCase(),
    subject: field(/^subject=(.*)/m),
    notAfter: field(/^notAfter=(.*)/m).replace(' ', 'T'),
    names: field(/Subject Alternative Name: *\n(.*)/)
      .split(', ')
      .filter((name) => name !== ''),
  };
}
