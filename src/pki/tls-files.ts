import type { KeyPairPem } from '../formats/keys/private-key.js';
import type { NodeFile } from '../ignition/types.js';
import type { CertifiedKey } from './certified-key.js';
import type { OnNode } from './installer-catalog.js';

/** Asset folder of the payload's operators. Source: openshift/installer bootkube.sh, --asset-input-dir */
const folder = '/opt/openshift/tls';

/** Pairs and bundles by file base name. */
export type TlsValues = Readonly<Record<string, CertifiedKey | string>>;

/** A pair's files on the node: `.crt` and `.key`, as selected by `onNode`. */
export function pairFiles(base: string, onNode: OnNode, values: TlsValues): readonly NodeFile[] {
  const pair = values[base];
  if (pair === undefined || typeof pair === 'string')
    throw new Error(`internal error: no certificate ${base}`);
  switch (onNode) {
    case 'nothing':
      return [];
    case 'certificate':
      // World-readable: journal-gatewayd does not run as root and reads it.
      return [{ path: `${folder}/${base}.crt`, mode: 0o644, contents: pair.chainPem }];
    case 'key and certificate':
      return [
        secretTlsFile(`${base}.key`, pair.keyPem.reveal()),
        secretTlsFile(`${base}.crt`, pair.chainPem),
      ];
  }
}

/** A private and a public key, as `.key` and `.pub`. */
export function keyPairFiles(base: string, pair: KeyPairPem): readonly NodeFile[] {
  return [
    secretTlsFile(`${base}.key`, pair.keyPem.reveal()),
    secretTlsFile(`${base}.pub`, pair.publicKeyPem),
  ];
}

/** The bundle with this name. */
export function bundleText(values: TlsValues, base: string): string {
  const text = values[base];
  if (typeof text !== 'string') throw new Error(`internal error: no bundle ${base}`);
  return text;
}

/** A file in the TLS folder that only root can read. */
export function secretTlsFile(name: string, contents: string): NodeFile {
  return { path: `${folder}/${name}`, mode: 0o600, contents };
}
