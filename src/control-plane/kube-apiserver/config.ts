import { byCodeUnit } from '../../core/compare.js';
import { writeYaml } from '../../formats/yaml/write-yaml.js';
import { componentNames } from '../../kube/components.js';
import { configMaps } from '../../loops/kinds.js';
import type { ControlPlaneInputs } from '../../loops/loop-inputs.js';
import type { Store } from '../../loops/store.js';
import { featureGateFlags, type FlagValues } from '../shared/flag-list.js';
import { revisionedConfigMap, revisionedConfigMapFolder } from '../shared/mounted-paths.js';
import { authenticationConfiguration } from './anonymous.js';
import { defaultArguments } from './arguments.js';
import {
  kubeApiserverOperators,
  type NamedCertificate,
  type OpenShiftSettings,
  type PluginConfigs,
  type ServingInfo,
} from './operator-config.js';

/** All that kube-apiserver is told, from which both its configuration file and its flags are written. */
export interface ApiserverConfig {
  /** Flags that no other field says, and those that take the place of what one says. */
  readonly arguments: FlagValues;
  readonly admission: PluginConfigs;
  /** Who is let in without a name, as upstream's kube-apiserver reads it; absent where a flag says it. */
  readonly authentication?: Readonly<Record<string, unknown>>;
  readonly serving: ServingInfo;
  readonly openShift?: OpenShiftSettings;
  /** Networks joined by commas. */
  readonly servicesSubnet: string;
  /** Files, or folders of files, whose keys verify service-account tokens. */
  readonly serviceAccountPublicKeys: readonly string[];
}

/** ConfigMaps with the keys that verify tokens: those kube-controller-manager signs, and those kube-apiserver does. */
const publicKeyConfigMaps = ['sa-token-signing-certs', 'bound-sa-token-signing-certs'] as const;

/** What was observed over the defaults, and the user's own arguments over both; undefined before anything was observed. */
export function apiserverConfig(inputs: ControlPlaneInputs, store: Store): ApiserverConfig | undefined {
  const observed = store.get(kubeApiserverOperators, '', 'cluster')?.spec.observedConfig;
  if (observed === undefined) return undefined;
  const authentication = authenticationConfiguration(inputs);
  return {
    arguments: {
      ...defaultArguments(inputs),
      ...observed.apiServerArguments,
      ...featureGateFlags(inputs),
      ...inputs.extraArguments['kube-apiserver'],
    },
    admission: observed.admission.pluginConfig,
    ...(authentication && { authentication }),
    serving: observed.servingInfo,
    ...(observed.openShift && { openShift: observed.openShift }),
    servicesSubnet: observed.servicesSubnet,
    serviceAccountPublicKeys: publicKeyConfigMaps.flatMap((name) => publicKeys(name, inputs, store)),
  };
}

/** OpenShift's kube-apiserver reads every file of a folder; upstream's wants each file named. */
function publicKeys(name: string, { profile }: ControlPlaneInputs, store: Store): readonly string[] {
  if (profile === 'OpenShift') return [revisionedConfigMapFolder(name)];
  const { namespace } = componentNames['kube-apiserver'];
  const files = Object.keys(store.get(configMaps, namespace, name)?.data ?? {});
  return files.toSorted(byCodeUnit).map((file) => revisionedConfigMap(name, file));
}

/** The object that OpenShift's kube-apiserver takes with `--openshift-config`. Source: openshift/api kubecontrolplane/v1 */
export function openshiftConfig(config: ApiserverConfig): Readonly<Record<string, unknown>> {
  return {
    apiVersion: 'kubecontrolplane.config.openshift.io/v1',
    kind: 'KubeAPIServerConfig',
    admission: {
      pluginConfig: Object.fromEntries(
        Object.entries(config.admission).map(([name, plugin]) => [name, { ...plugin, location: '' }]),
      ),
    },
    apiServerArguments: config.arguments,
    authConfig: { oauthMetadataFile: '' },
    consolePublicURL: '',
    ...config.openShift,
    serviceAccountPublicKeyFiles: config.serviceAccountPublicKeys,
    servicesSubnet: config.servicesSubnet,
    servingInfo: config.serving,
  };
}

/** Key, in the ConfigMap `config`, of what upstream's kube-apiserver reads about admission. */
const admissionFile = 'admission.yaml';

/** … and about authentication. */
const authenticationFile = 'authentication.yaml';

/** The same as flags of upstream's kube-apiserver, which reads the files of `upstreamFiles`. */
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
  const plugins = Object.entries(config.admission).toSorted(([left], [right]) => byCodeUnit(left, right));
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
