import { csrApprover, nodeBootstrapper } from '../../pki/aio-clients.js';
import { aioUses, installersUses, rotatorsUses } from '../../pki/uses.js';
import type { CertificateFacts } from './certificate-facts.js';

/** A certificate of a cluster as installers make it: what it is called there, and what it is for. */
export interface KnownUse {
  /** Of the file, or the Secret, that an installer keeps it in. */
  readonly name: string;
  readonly use: string;
}

/** What a certificate is known by. */
interface Traces {
  readonly facts: Pick<CertificateFacts, 'subject' | 'issuer' | 'isCa'>;
  /** Paths on the node of the files that begin with it. */
  readonly paths: readonly string[];
}

type Uses = Readonly<Record<string, string>>;

/**
 * What a certificate is for, where file or subject are those of our catalogs, which are those of openshift-install and of the operators
 * too. Undefined for any other.
 */
export function knownUse({ facts, paths }: Traces): KnownUse | undefined {
  const byPath = paths.map(useOfPath).find((use) => use !== undefined);
  return byPath ?? (facts.isCa ? useOfAuthority(facts.subject) : useOfSubject(facts));
}

function useOfPath(path: string): KnownUse | undefined {
  const [, installers] = /\/(?:opt\/openshift\/)?tls\/([\w-]+)\.crt$/.exec(path) ?? [];
  const [, secret] = /\/secrets\/([\w-]+)\/tls\.crt$/.exec(path) ?? [];
  const [, ofEtcd] = /\/etcd-all-certs\/(etcd-(?:peer|serving-metrics|serving))-[^/]+\.crt$/.exec(path) ?? [];
  const [, ofNode] = /^\/etc\/sno-install\/pki\/([\w-]+)\.crt$/.exec(path) ?? [];
  return entry(installersUses, installers) ?? entry(rotatorsUses, secret ?? ofEtcd ?? ofNode);
}

function entry(uses: Uses, name: string | undefined): KnownUse | undefined {
  const use = name !== undefined && Object.hasOwn(uses, name) ? uses[name] : undefined;
  return name === undefined || use === undefined ? undefined : { name, use };
}

/** An authority is called by its common name: alone, behind a namespace and before a time, or behind our own word. */
function useOfAuthority(subject: string): KnownUse | undefined {
  const [, unit = '', name = ''] = /^(?:OU=([\w-]+), )?CN=([\w@.-]+)$/.exec(subject) ?? [];
  if (unit === 'openshift') return entry(installersUses, name);
  if (unit === 'bootkube' && name === 'aggregator') return entry(installersUses, 'aggregator-ca');
  if (unit === 'sno-install') return entry(aioUses, name);
  const [, rotator = ''] = /^(?:[a-z-]+_|sno-install_)([a-z-]+)(?:@\d+)?$/.exec(name) ?? [];
  return (
    entry(rotatorsUses, rotator) ??
    (/^kube-csr-signer_@\d+$/.test(name) ? entry(rotatorsUses, 'csr-signer') : undefined)
  );
}

/** Clients whose subject nobody else has. */
const clients: Readonly<Record<string, keyof typeof aioUses>> = {
  'CN=system:kube-proxy': 'kube-proxy-client',
  [`CN=${csrApprover}`]: 'csr-approver-client',
  'O=system:masters, CN=sno-install:aiokube': 'aiokube-client',
  [`O=${nodeBootstrapper.group}, CN=${nodeBootstrapper.user}`]: 'kubelet-bootstrap-client',
};

function useOfSubject({ subject, issuer }: Traces['facts']): KnownUse | undefined {
  if (subject === 'O=system:masters, CN=system:admin') {
    if (issuer === 'OU=openshift, CN=admin-kubeconfig-signer')
      return entry(installersUses, 'admin-kubeconfig-client');
    return issuer === 'OU=sno-install, CN=admin-signer' ? entry(aioUses, 'admin-client') : undefined;
  }
  if (issuer === 'OU=openshift, CN=kubelet-bootstrap-kubeconfig-signer')
    return entry(installersUses, 'kubelet-client');
  return Object.hasOwn(clients, subject) ? entry(aioUses, clients[subject]) : undefined;
}
