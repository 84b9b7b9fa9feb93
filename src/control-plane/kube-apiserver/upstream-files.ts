import { byKey } from '../../core/compare.js';
import { writeYaml } from '../../formats/yaml/write-yaml.js';
import type { FlagValues } from '../shared/flag-list.js';
import { revisionedConfigMap } from '../shared/mounted-paths.js';
import type { ApiserverConfig } from './config-model.js';
import type { NamedCertificate } from './operator-config.js';

/** Key, in the ConfigMap `config`, of what upstream's kube-apiserver reads about admission. */
const admissionFile = 'admission.yaml';
/** … and about authentication. */
const authenticationFile = 'authentication.yaml';

/** What kube-apiserver is told as flags of upstream's kube-apiserver, which reads the files of `upstreamFiles`. */
export function upstreamFlags(config: ApiserverConfig): FlagValues {
  const { serving, authentication } = config;
  const port = serving.bindAddress.lastIndexOf(':');
  return {
    'admission-control-config-file': [revisionedConfigMap('config', admissionFile)],
    ...(authentication && {
      'authentication-config': [revisionedConfigMap('config', authenticationFile)],
    }),
    'bind-address': [serving.bindAddress.slice(0, port).replace(/^\[(.*)\]$/, '$1')],
    'secure-port': [serving.bindAddress.slice(port + 1)],
    'service-account-key-file': config.serviceAccountPublicKeys,
    'service-cluster-ip-range': [config.servicesSubnet],
    'tls-cipher-suites': [serving.cipherSuites.join(',')],
    'tls-min-version': [serving.minTLSVersion],
    'tls-sni-cert-key': serving.namedCertificates.map(sniValue),
    ...config.arguments,
  };
}

/** The ConfigMap's keys that `upstreamFlags` names. Source: kubernetes.io/docs/reference/config-api/apiserver-admission.v1 */
export function upstreamFiles(config: ApiserverConfig): Readonly<Record<string, string>> {
  const plugins = Object.entries(config.admission).toSorted(byKey);
  return {
    [admissionFile]: writeYaml({
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'AdmissionConfiguration',
      plugins: plugins.map(([name, { configuration }]) => ({ name, configuration })),
    }),
    ...(config.authentication && { [authenticationFile]: writeYaml(config.authentication) }),
  };
}

/** `certificate,key`, and the names it is for where they are not its own. Source: k8s.io/component-base cli/flag/namedcertkey_flag.go */
function sniValue({ certFile, keyFile, names }: NamedCertificate): string {
  const pair = `${certFile},${keyFile}`;
  return names === undefined ? pair : `${pair}:${names.join(',')}`;
}
