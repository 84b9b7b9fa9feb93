import { clusterResource } from '../loops/cluster-resources.js';
import type { Store } from '../loops/store.js';

/** Which versions of TLS and which suites a server takes. */
export interface TlsProfile {
  readonly minVersion: string;
  /** Names of IANA. Go configures the suites of TLS 1.3 itself, but takes their names. */
  readonly cipherSuites: readonly string[];
}

const tls13 = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'] as const;

/**
 * The suites that Go has, by OpenSSL's names, which OpenShift's profiles use.
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

/** The profile Intermediate, which holds where nobody asks for another. Source: openshift/api config/v1/types_tlssecurityprofile.go */
export const intermediateTls: TlsProfile = {
  minVersion: 'VersionTLS12',
  // TLS 1.3, and of the older ones those that keep past connections secret.
  cipherSuites: allSuites.slice(0, 9),
};

/** Source: as above; suites that Go has not are left out, as the operators do. */
const profiles: ReadonlyMap<string, TlsProfile> = new Map([
  ['Old', { minVersion: 'VersionTLS10', cipherSuites: allSuites }],
  ['Intermediate', intermediateTls],
  ['Modern', { minVersion: 'VersionTLS13', cipherSuites: tls13 }],
]);

/**
 * What APIServer/cluster asks of every server of the control plane.
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

/** The same in the shape in which operators keep what they observe. */
export function observedServing(store: Store): {
  readonly cipherSuites: readonly string[];
  readonly minTLSVersion: string;
} {
  const { cipherSuites, minVersion: minTLSVersion } = observedTls(store);
  return { cipherSuites, minTLSVersion };
}
