import { clusterResource } from '../loops/cluster-resources.js';
import type { Store } from '../loops/store.js';

/** Minimum TLS version and cipher suites of a server. */
export interface TlsProfile {
  readonly minVersion: string;
  /** IANA names. Go does not let TLS 1.3 suites be configured, but accepts their names. */
  readonly cipherSuites: readonly string[];
}

const tls13 = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'] as const;

/**
 * Suites that Go supports: OpenSSL name, as in OpenShift's profiles, to IANA name.
 * Source: openshift/library-go pkg/crypto; iana.org/assignments/tls-parameters
 */
const suites: ReadonlyMap<string, string> = new Map([
  ...tls13.map((name) => [name, name] as const),
  ['ECDHE-ECDSA-AES128-GCM-SHA256', 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256'],
  ['ECDHE-RSA-AES128-GCM-SHA256', 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256'],
  ['ECDHE-ECDSA-AES256-GCM-SHA384', 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384'],
  ['ECDHE-RSA-AES256-GCM-SHA384', 'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384'],
  ['ECDHE-ECDSA-CHACHA20-POLY1305', 'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256'],
  ['ECDHE-RSA-CHACHA20-POLY1305', 'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256'],
  ['ECDHE-ECDSA-AES128-SHA256', 'TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256'],
  ['ECDHE-RSA-AES128-SHA256', 'TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256'],
  ['ECDHE-ECDSA-AES128-SHA', 'TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA'],
  ['ECDHE-RSA-AES128-SHA', 'TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA'],
  ['ECDHE-ECDSA-AES256-SHA', 'TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA'],
  ['ECDHE-RSA-AES256-SHA', 'TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA'],
  ['AES128-GCM-SHA256', 'TLS_RSA_WITH_AES_128_GCM_SHA256'],
  ['AES256-GCM-SHA384', 'TLS_RSA_WITH_AES_256_GCM_SHA384'],
  ['AES128-SHA256', 'TLS_RSA_WITH_AES_128_CBC_SHA256'],
  ['AES128-SHA', 'TLS_RSA_WITH_AES_128_CBC_SHA'],
  ['AES256-SHA', 'TLS_RSA_WITH_AES_256_CBC_SHA'],
  ['DES-CBC3-SHA', 'TLS_RSA_WITH_3DES_EDE_CBC_SHA'],
] as const);

const allSuites = [...suites.values()];

/** The default profile, Intermediate. Source: openshift/api config/v1/types_tlssecurityprofile.go */
export const intermediateTls: TlsProfile = {
  minVersion: 'VersionTLS12',
  // TLS 1.3, and the older suites with forward secrecy.
  cipherSuites: allSuites.slice(0, 9),
};

/** Omits suites that Go does not support, as the operators do. Source: as above. */
const profiles: ReadonlyMap<string, TlsProfile> = new Map([
  ['Old', { minVersion: 'VersionTLS10', cipherSuites: allSuites }],
  ['Intermediate', intermediateTls],
  ['Modern', { minVersion: 'VersionTLS13', cipherSuites: tls13 }],
]);

/**
 * The TLS profile of APIServer/cluster, for every server of the control plane.
 * Source: openshift/library-go pkg/operator/configobserver/apiserver/observe_tlssecurityprofile.go
 */
export function observedTls(store: Store): TlsProfile {
  const apiServer = clusterResource(store, 'APIServer');
  const type = apiServer.text('spec', 'tlsSecurityProfile', 'type') ?? 'Intermediate';
  const minVersion = apiServer.text('spec', 'tlsSecurityProfile', 'custom', 'minTLSVersion');
  if (type !== 'Custom' || minVersion === undefined) return profiles.get(type) ?? intermediateTls;
  const named = apiServer.texts('spec', 'tlsSecurityProfile', 'custom', 'ciphers');
  return { minVersion, cipherSuites: named.flatMap((name) => suites.get(name) ?? []) };
}

/** The TLS profile in the shape of the operators' observed config. */
export function observedServing(store: Store): {
  readonly cipherSuites: readonly string[];
  readonly minTLSVersion: string;
} {
  const { cipherSuites, minVersion: minTLSVersion } = observedTls(store);
  return { cipherSuites, minTLSVersion };
}
