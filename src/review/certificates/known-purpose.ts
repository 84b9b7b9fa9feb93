import { csrApprover, nodeBootstrapper } from '../../pki/aio-clients.js';
import { aioUses, installerUses, rotatorUses } from '../../pki/certificate-uses.js';
import type { CertificateFacts } from './certificate-facts.js';

/** A certificate of the catalog: its name and its purpose. */
export interface KnownPurpose {
  /** The name of the file or Secret in which the installer or operator keeps it. */
  readonly name: string;
  readonly use: string;
}

interface Traces {
  readonly facts: Pick<CertificateFacts, 'subject' | 'issuer' | 'isCa'>;
  /** Node paths of the files in which this certificate comes first. */
  readonly paths: readonly string[];
}

type Uses = Readonly<Record<string, string>>;

/**
 * Looks up the purpose of a certificate by file path or subject. The catalogs cover this program, openshift-install and the
 * operators. Returns undefined for unknown certificates.
 */
export function knownPurpose({ facts, paths }: Traces): KnownPurpose | undefined {
  const byPath = paths.map(useOfPath).find((use) => use !== undefined);
  return byPath ?? (facts.isCa ? useOfAuthority(facts.subject) : useOfSubject(facts));
}

function useOfPath(path: string): KnownPurpose | undefined {
  const [, installers] = /\/(?:opt\/openshift\/)?tls\/([\w-]+)\.crt$/.exec(path) ?? [];
  const [, secret] = /\/secrets\/([\w-]+)\/tls\.crt$/.exec(path) ?? [];
  const [, ofEtcd] = /\/etcd-all-certs\/(etcd-(?:peer|serving-metrics|serving))-[^/]+\.crt$/.exec(path) ?? [];
  const [, ofNode] = /^\/etc\/sno-install\/pki\/([\w-]+)\.crt$/.exec(path) ?? [];
  return entry(installerUses, installers) ?? entry(rotatorUses, secret ?? ofEtcd ?? ofNode);
}

function entry(uses: Uses, name: string | undefined): KnownPurpose | undefined {
  const use = name !== undefined && Object.hasOwn(uses, name) ? uses[name] : undefined;
  return name === undefined || use === undefined ? undefined : { name, use };
}

/** Common names of CAs: the plain name, `NAMESPACE_NAME@TIME`, or `sno-install_NAME`. */
function useOfAuthority(subject: string): KnownPurpose | undefined {
  const [, unit = '', name = ''] = /^(?:OU=([\w-]+), )?CN=([\w@.-]+)$/.exec(subject) ?? [];
  if (unit === 'openshift') return entry(installerUses, name);
  if (unit === 'bootkube' && name === 'aggregator') return entry(installerUses, 'aggregator-ca');
  if (unit === 'sno-install') return entry(aioUses, name);
  const [, rotator = ''] = /^(?:[a-z-]+_|sno-install_)([a-z-]+)(?:@\d+)?$/.exec(name) ?? [];
  return (
    entry(rotatorUses, rotator) ??
    (/^kube-csr-signer_@\d+$/.test(name) ? entry(rotatorUses, 'csr-signer') : undefined)
  );
}

/** Client certificates with a unique subject. */
const clients: Readonly<Record<string, keyof typeof aioUses>> = {
  'CN=system:kube-proxy': 'kube-proxy-client',
  [`CN=${csrApprover}`]: 'csr-approver-client',
  'O=system:masters, CN=sno-install:aiokube': 'aiokube-client',
  [`O=${nodeBootstrapper.group}, CN=${nodeBootstrapper.user}`]: 'kubelet-bootstrap-client',
};

function useOfSubject({ subject, issuer }: Traces['facts']): KnownPurpose | undefined {
  if (subject === 'O=system:masters, CN=system:admin') {
    if (issuer === 'OU=openshift, CN=admin-kubeconfig-signer')
      return entry(installerUses, 'admin-kubeconfig-client');
    return issuer === 'OU=sno-install, CN=admin-signer' ? entry(aioUses, 'admin-client') : undefined;
  }
  if (issuer === 'OU=openshift, CN=kubelet-bootstrap-kubeconfig-signer')
    return entry(installerUses, 'kubelet-client');
  return Object.hasOwn(clients, subject) ? entry(aioUses, clients[subject]) : undefined;
}
