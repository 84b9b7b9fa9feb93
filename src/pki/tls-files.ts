import type { NodeFile } from '../ignition/types.js';
import type { CertifiedKey } from './certified-key.js';
import type { OnNode } from './installers-catalog.js';

/** Where the operators of the payload look for certificates. Source: openshift/installer bootkube.sh, --asset-input-dir */
const folder = '/opt/openshift/tls';

/** Pairs and bundles by the bare name of their files. */
export type Values = Readonly<Record<string, CertifiedKey | string>>;

/** The files of a pair that the node gets, certificates as `.crt`, keys as `.key`. */
export function pairFiles(base: string, onNode: OnNode, values: Values): readonly NodeFile[] {
  const pair = values[base];
  if (pair === undefined || typeof pair === 'string')
    throw new Error(`internal error: no certificate ${base}`);
  switch (onNode) {
    case 'nothing':
      return [];
    case 'certificate':
      // Readable by all: journal-gatewayd, which is not root, trusts it.
      return [{ path: `${folder}/${base}.crt`, mode: 0o644, contents: pair.chainPem }];
    case 'key and certificate':
      return [secret(`${base}.key`, pair.keyPem), secret(`${base}.crt`, pair.chainPem)];
  }
}

/** A key and its public half, as `.key` and `.pub`. */
export function keyPairFiles(
  base: string,
  pair: { readonly keyPem: string; readonly publicKeyPem: string },
): readonly NodeFile[] {
  return [secret(`${base}.key`, pair.keyPem), secret(`${base}.pub`, pair.publicKeyPem)];
}

/** The bundle of that name. */
export function textOf(values: Values, base: string): string {
  const text = values[base];
  if (typeof text !== 'string') throw new Error(`internal error: no bundle ${base}`);
  return text;
}

/** A file among the certificates that only root reads. */
export function secret(name: string, contents: string): NodeFile {
  return { path: `${folder}/${name}`, mode: 0o600, contents };
}
