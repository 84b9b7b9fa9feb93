import { privateKeyOf } from '../../../src/formats/keys/private-key.js';
import {
  certificateKey,
  certificatePem,
  draftCertificate,
  type CertificateContents,
  type CertificateKey,
} from '../../../src/formats/keys/x509.js';
import { seededEcKey } from '../../support/seeded-keys.js';

/** A certificate and its key, PEM. */
export interface Pair {
  readonly certPem: string;
  readonly keyPem: string;
}

interface LeafRequest {
  readonly commonName: string;
  readonly organization?: string;
  readonly names?: readonly string[];
  /** Start and end of validity, in days from now; negative is past. */
  readonly days?: readonly [number, number];
}

export interface Authority extends Pair {
  issue(request: LeafRequest): Promise<Pair>;
}

// Real programs use the real clock, so the certificates must be valid now.
const present = new Date();

export async function throwawayAuthority(name: string): Promise<Authority> {
  const keyPem = seededEcKey(`cluster-test/${name}`, 'P-256');
  const key = certificateKey(privateKeyOf(keyPem));
  const subject = { commonName: name };
  const own = { subject, issuer: subject, subjectKey: key, issuerKey: key };
  const certPem = await sign(
    { ...own, isCa: true, extendedUsages: [], hostnames: [], ...valid([-1, 2]) },
    key,
  );
  const issue = async ({
    commonName,
    organization,
    names = [],
    days = [-1, 1],
  }: LeafRequest): Promise<Pair> => {
    const leafKeyPem = seededEcKey(`cluster-test/${name}/${commonName}`, 'P-256');
    const contents = {
      subject: { commonName, ...(organization !== undefined && { organizations: [organization] }) },
      issuer: subject,
      subjectKey: certificateKey(privateKeyOf(leafKeyPem)),
      issuerKey: key,
      isCa: false,
      extendedUsages: ['serverAuth', 'clientAuth'] as const,
      hostnames: names,
      ...valid(days),
    };
    return { keyPem: leafKeyPem, certPem: await sign(contents, key) };
  };
  return { certPem, keyPem, issue };
}

/** The host name of the API in tests. */
export const apiName = 'api.site1.example.com';

/** An API server with its own CA: CA, serving certificate, and the client certificate of an administrator. */
export async function apiCertificates(): Promise<ApiCertificates> {
  const authority = await throwawayAuthority('kube-apiserver-lb-signer');
  return {
    authority,
    serving: await authority.issue({ commonName: apiName, names: [apiName] }),
    admin: await authority.issue({ commonName: 'system:admin', organization: 'system:masters' }),
  };
}

/** Certificates of one CA, which both sides of an API connection trust. */
export interface ApiCertificates {
  readonly authority: Authority;
  readonly serving: Pair;
  readonly admin: Pair;
}

async function sign(
  contents: Omit<CertificateContents, 'hasKeyUsage'>,
  key: CertificateKey,
): Promise<string> {
  const draft = draftCertificate({ ...contents, hasKeyUsage: true });
  return certificatePem(draft, await key.privateKey.sign(draft.toBeSigned));
}

function valid([from, to]: readonly [number, number]): { readonly notBefore: Date; readonly notAfter: Date } {
  const at = (days: number): Date => new Date(present.getTime() + days * 24 * 60 * 60 * 1000);
  return { notBefore: at(from), notAfter: at(to) };
}

export interface KubeconfigParts {
  readonly server: string;
  readonly caPem?: string;
  readonly client?: Pair | undefined;
  /** Additional members of the cluster and of the user. */
  readonly cluster?: object;
  readonly user?: object;
}

/** A kubeconfig as `create` writes it: one cluster, one user, one context. */
export function kubeconfigText({ server, caPem, client, cluster, user }: KubeconfigParts): string {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const ca = caPem === undefined ? {} : { 'certificate-authority-data': base64(caPem) };
  const credentials = client && {
    'client-certificate-data': base64(client.certPem),
    'client-key-data': base64(client.keyPem),
  };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'site1', cluster: { server, ...ca, ...cluster } }],
    users: [{ name: 'admin', user: { ...credentials, ...user } }],
    contexts: [{ name: 'admin', context: { cluster: 'site1', user: 'admin' } }],
    'current-context': 'admin',
  });
}
