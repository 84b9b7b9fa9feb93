import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { renewalRows, type RenewalRow } from '../../../support/renewal-rows.js';
import type { Machine } from '../support/machine.js';

const heading = '-----BEGIN CERTIFICATE-----';

/** Every certificate on the node, with its path. */
export async function certificatesOn(
  machine: Machine,
): Promise<readonly { path: string; certificate: X509Certificate }[]> {
  const folders = ['/etc/kubernetes', '/etc/sno-install', '/var/lib/kubelet/pki'];
  const paths = await machine.exec([
    'grep',
    '--recursive',
    '--files-with-matches',
    '--fixed-strings',
    '--regexp',
    heading,
    ...folders,
  ]);
  return paths
    .trim()
    .split('\n')
    .toSorted()
    .flatMap((path) => {
      const blocks = readFileSync(machine.path(path), 'utf8').split(heading).slice(1);
      return blocks.map((block) => ({ path, certificate: new X509Certificate(`${heading}${block}`) }));
    });
}

/** The certificates that the node renews. */
export async function renewedCertificates(machine: Machine): Promise<readonly RenewalRow[]> {
  return renewalRows(await machine.exec(['cat', '/etc/sno-install/certificates.tsv']));
}

/** Paths of the kubelet's own certificates. Each file also contains the key. */
export async function kubeletCertificates(machine: Machine): Promise<readonly string[]> {
  const links = ['client', 'server'].map((use) => `/var/lib/kubelet/pki/kubelet-${use}-current.pem`);
  return (await machine.exec(['readlink', '--canonicalize', ...links])).trim().split('\n');
}

/**
 * Re-signs the node's renewed certificates, and the given kubelet certificates, with other validity times. Writes them with
 * their paths below `/var/tmp/resigned`, from where they can be copied over the old ones.
 */
export async function resign(machine: Machine, { notBefore, end, kubelets = [] }: Resigning): Promise<void> {
  const list = (await renewedCertificates(machine)).flatMap(({ certFiles, keyFile, signer, form }) =>
    certFiles.map((file) => [file, keyFile, signer, form]),
  );
  const rows = [...list, ...kubelets.map((path) => [path, path, 'csr-signer', 'key'])];
  const script = readFileSync(join(import.meta.dirname, 'resign'), 'utf8');
  const input = rows.map((row) => `${row.join('\t')}\n`).join('');
  await machine.exec(['bash', '-c', script, 'resign', asn1Time(notBefore), asn1Time(end), resigned], input);
}

export const resigned = '/var/tmp/resigned';

export interface Resigning {
  readonly notBefore: Date;
  readonly end: Date;
  /** Kubelet certificates to re-sign too. */
  readonly kubelets?: readonly string[];
}

/** GeneralizedTime, to the second. */
function asn1Time(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`;
}

/** The certificate that a server on the node presents for this SNI name, or without SNI. */
export async function servedCertificate(
  machine: Machine,
  { socket, name }: Served,
): Promise<X509Certificate> {
  const options = name === undefined ? ['-noservername'] : ['-servername', name];
  const { stdout } = await machine.run(['openssl', 's_client', '-connect', socket, ...options]);
  return new X509Certificate(stdout.slice(stdout.indexOf(heading)));
}

export interface Served {
  readonly socket: string;
  readonly name?: string;
}
