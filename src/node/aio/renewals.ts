import { parseAddress } from '../../formats/cidr.js';
import type { DistinguishedName, ExtendedUsage } from '../../formats/keys/x509.js';
import type { NodeFile } from '../../ignition/types.js';
import { componentNames, components, resourceFolder } from '../../kube/components.js';
import { clientCatalog, aioRotators, type ClientName } from '../../pki/aio-clients.js';
import { pairOf, type RotatorPairs } from '../../pki/rotator-pairs.js';
import type { CertifiedKey } from '../../pki/certified-key.js';
import { isSignerName, targetRotators } from '../../pki/rotators.js';
import type { SignerRotatorName } from '../../pki/signer-rotators.js';
import { aioPaths } from './aio-paths.js';

/** A certificate that the node renews, with all its files. */
export interface Renewal {
  readonly name: string;
  readonly signer: SignerRotatorName;
  readonly subject: DistinguishedName;
  readonly usages: readonly ExtendedUsage[];
  readonly hostnames: readonly string[];
  readonly keyFile: string;
  readonly certFiles: readonly string[];
  /** Whether the certificate files also contain the signer's certificate. */
  readonly hasChain: boolean;
  /** Static pods to restart, by manifest name without extension; sorted. */
  readonly pods: readonly string[];
}

/**
 * Every certificate on the node that expires before its CA. Certificates are found by their contents among the node's files, so
 * the list has all of them and none that is unused.
 */
export function renewals(pairs: NodePairs, files: readonly NodeFile[]): readonly Renewal[] {
  const rotated = aioRotators
    .filter((name) => !isSignerName(name))
    .map((name) => {
      const { signer, usages } = targetRotators[name];
      return renewalOf({ name, signer, usages, pair: pairOf(pairs.rotators, name) }, files);
    });
  const clients = renewedClients.map((name) => {
    const { signer, usages } = clientCatalog[name];
    if (!isSignerName(signer))
      throw new Error(`internal error: ${name} cannot be renewed: ${signer} is not on the node`);
    return renewalOf({ name, signer, usages, pair: pairs.clients[name] }, files);
  });
  return [...rotated, ...clients].flat();
}

/** All certificates and keys of the node. */
export interface NodePairs {
  readonly rotators: RotatorPairs;
  readonly clients: Readonly<Record<ClientName, CertifiedKey>>;
}

/** First-boot clients are deleted after the first boot, and the administrator's certificate is not on the node. */
const renewedClients = ['kube-proxy-client', 'csr-approver-client'] as const satisfies readonly ClientName[];

/** Certificates and keys of the CAs that sign renewals, and the kubelet's CA. Each file also contains the CA's issuer certificates. */
export function authorityFiles(list: readonly Renewal[], pairs: RotatorPairs): readonly NodeFile[] {
  const names = [...new Set([...list.map(({ signer }) => signer), 'csr-signer'])].toSorted();
  return names.flatMap((name) => {
    const { certPem, keyPem, abovePem = '' } = pairOf(pairs, name);
    return [
      { path: `${aioPaths.authorities}/${name}.crt`, mode: 0o600, contents: `${certPem}${abovePem}` },
      { path: `${aioPaths.authorities}/${name}.key`, mode: 0o600, contents: keyPem.reveal() },
    ];
  });
}

/**
 * The input of sno-renew.sh: one certificate per line, with tab-separated name, signer, subject (in the syntax of `openssl req -subj`),
 * usages, names, key file, certificate files, `chain` or `leaf`, and pods. `-` is an empty list.
 */
export function renewalList(list: readonly Renewal[]): string {
  const rows = list.map((each) =>
    [
      each.name,
      each.signer,
      subjectText(each.subject),
      each.usages.join(','),
      each.hostnames.map(nameText).join(',') || '-',
      each.keyFile,
      each.certFiles.join(' '),
      each.hasChain ? 'chain' : 'leaf',
      each.pods.join(' ') || '-',
    ].join('\t'),
  );
  return rows.map((row) => `${row}\n`).join('');
}

interface Candidate {
  readonly name: string;
  readonly signer: SignerRotatorName;
  readonly usages: readonly ExtendedUsage[];
  readonly pair: CertifiedKey;
}

/** Empty if no file contains the certificate, because this profile does not use it. */
function renewalOf(
  { name, signer, usages, pair }: Candidate,
  files: readonly NodeFile[],
): readonly Renewal[] {
  const holding = (texts: readonly string[]): readonly string[] =>
    files.filter(({ contents }) => texts.includes(String(contents))).map(({ path }) => path);
  const certFiles = holding([pair.certPem, pair.chainPem]).toSorted();
  const keyFile = holding([pair.keyPem.reveal()]).toSorted()[0];
  if (certFiles.length === 0 && keyFile === undefined) return [];
  if (certFiles.length === 0 || keyFile === undefined)
    throw new Error(
      `internal error: of ${name} only the ${keyFile === undefined ? 'certificate' : 'key'} is laid`,
    );
  return [
    {
      name,
      signer,
      subject: pair.subject,
      usages,
      hostnames: pair.hostnames,
      keyFile,
      certFiles,
      hasChain: pair.chainPem !== pair.certPem,
      pods: [...new Set(certFiles.flatMap(podOf))].toSorted(),
    },
  ];
}

/** The static pod that mounts the file. */
function podOf(path: string): readonly string[] {
  if (path.startsWith(`${aioPaths.kubeProxy}/`)) return ['kube-proxy-pod'];
  return components.flatMap((component) => {
    const { base, certsFolder } = componentNames[component];
    const folders = [`${resourceFolder}/${base}-pod-1/`, `${resourceFolder}/${certsFolder}/`];
    return folders.some((folder) => path.startsWith(folder)) ? [`${base}-pod`] : [];
  });
}

/** Source: openssl-req(1): each part begins with a slash; slash, plus and backslash in values are escaped. */
function subjectText({ organizations = [], organizationalUnit, commonName }: DistinguishedName): string {
  const escaped = (text: string): string => text.replace(/[\\/+]/g, String.raw`\$&`);
  const parts = [
    ...organizations.map((text) => `/O=${escaped(text)}`),
    ...(organizationalUnit === undefined ? [] : [`/OU=${escaped(organizationalUnit)}`]),
    `/CN=${escaped(commonName)}`,
  ];
  return parts.join('');
}

function nameText(hostname: string): string {
  return `${parseAddress(hostname) ? 'IP' : 'DNS'}:${hostname}`;
}
