import { createPrivateKey, X509Certificate } from 'node:crypto';
import { join } from 'node:path';

import type { NodeFile } from '../../../src/ignition/types.js';
import { openssl } from '../../support/openssl.js';
import { renewalRows, type RenewalRow } from '../../support/renewal-rows.js';
import { aioNode, type AioNode } from './aio-node.js';

/** The certificates that the node renews. */
export function rowsOf(node: AioNode): readonly RenewalRow[] {
  return renewalRows(node.read('etc/sno-install/certificates.tsv'));
}

/** A node that renews only three certificates, for speed: a server's, a client's, and one that no pod reads. */
export function smallNode(files: readonly NodeFile[]): AioNode {
  const node = aioNode(files);
  const rows = node.read('etc/sno-install/certificates.tsv').split('\n');
  const kept = rows.filter((row) => /^(etcd-serving|etcd-client|csr-approver-client)\t/.test(row));
  node.write('etc/sno-install/certificates.tsv', kept.map((row) => `${row}\n`).join(''));
  return node;
}

/** Manifests of pods that read one of the node's certificates. */
export function readersOf(node: AioNode): readonly string[] {
  const pods = rowsOf(node).flatMap((row) => row.pods);
  return [...new Set(pods)].map((pod) => `/etc/kubernetes/manifests/${pod}.yaml`);
}

/** A time in seconds since 1970. */
export function secondsOf(text: string): number {
  return Date.parse(text) / 1000;
}

/** The notAfter times of a row's certificates, in seconds since 1970. */
export function endsOf(node: AioNode, { certFiles }: RenewalRow): readonly number[] {
  return certFiles.map((file) => secondsOf(new X509Certificate(node.read(file)).validTo));
}

/** The time of a manifest's last change by a renewal, in seconds since 1970. */
export function annotationOf(manifest: string): string | undefined {
  return /^ {2}annotations:\n {4}sno-install\/renewed: "(\d+)"$/m.exec(manifest)?.[1];
}

/** Rows whose certificates openssl rejects under the node's CAs at this time, or that do not match their keys. */
export function unsoundRows(node: AioNode, at: number): readonly string[] {
  const rows = rowsOf(node);
  const authorities = rows.map(({ signer }) => node.read(`etc/sno-install/pki/${signer}.crt`));
  node.write('tmp/authorities', [...new Set(authorities)].join(''));
  const paths = rows.flatMap(({ certFiles }) => certFiles.map((file) => join(node.root, file)));
  const options = ['-partial_chain', '-attime', String(at), '-CAfile', join(node.root, 'tmp/authorities')];
  const said = openssl(['verify', ...options, ...paths]).stdout;
  return rows.flatMap(({ name, signer, keyFile, certFiles }) => {
    const authority = new X509Certificate(node.read(`etc/sno-install/pki/${signer}.crt`));
    const isSound = certFiles.every((file) => {
      const certificate = new X509Certificate(node.read(file));
      return (
        said.includes(`${join(node.root, file)}: OK`) &&
        certificate.verify(authority.publicKey) &&
        certificate.checkPrivateKey(createPrivateKey(node.read(keyFile)))
      );
    });
    return isSound ? [] : [name];
  });
}
