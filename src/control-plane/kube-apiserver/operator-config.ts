import type { KubeObject } from '../../kube/object.js';
import { kindOf } from '../loops/kinds.js';
import type { FlagValues } from '../shared/flag-list.js';
import type { PairFiles } from '../shared/mounted-paths.js';

/** Result of the operator's observers: a sparse KubeAPIServerConfig. Source: openshift/api kubecontrolplane/v1 */
export interface ObservedConfig {
  readonly admission: { readonly pluginConfig: PluginConfigs };
  readonly apiServerArguments: FlagValues;
  readonly openShift?: OpenShiftSettings;
  /** Seconds; used for the pod, not read by kube-apiserver. */
  readonly gracefulTerminationDuration: string;
  /** CIDRs joined by commas. */
  readonly servicesSubnet: string;
  readonly servingInfo: ServingInfo;
}

/** Settings for which upstream's kube-apiserver has no flags. Source: openshift/api kubecontrolplane/v1, KubeAPIServerConfig */
export interface OpenShiftSettings {
  /** Regular expressions. */
  readonly corsAllowedOrigins: readonly string[];
  readonly imagePolicyConfig?: {
    readonly allowedRegistriesForImport?: readonly unknown[];
    readonly externalRegistryHostnames?: readonly string[];
  };
  readonly projectConfig: { readonly defaultNodeSelector: string };
}

/** By the name of the admission plugin. */
export type PluginConfigs = Readonly<Record<string, PluginConfig>>;

interface PluginConfig {
  readonly configuration: Readonly<Record<string, unknown>> & {
    readonly apiVersion: string;
    readonly kind: string;
  };
}

/** kube-apiserver's listen address and serving certificates. */
export interface ServingInfo {
  /** `<address>:<port>`; IPv6 addresses in brackets. */
  readonly bindAddress: string;
  readonly bindNetwork: 'tcp' | 'tcp4' | 'tcp6';
  readonly cipherSuites: readonly string[];
  readonly minTLSVersion: string;
  readonly namedCertificates: readonly NamedCertificate[];
}

/** A serving certificate chosen by SNI. Without `names` it applies to the DNS names in the certificate, never to IP addresses. */
export interface NamedCertificate extends PairFiles {
  readonly names?: readonly string[];
}

/** The operator's resource. Config observation writes its result there; target config reads it. */
export interface KubeApiserverOperator extends KubeObject {
  readonly apiVersion: 'operator.openshift.io/v1';
  readonly kind: 'KubeAPIServer';
  readonly spec: { readonly managementState: 'Managed'; readonly observedConfig?: ObservedConfig };
}

export const kubeApiserverOperators = kindOf<KubeApiserverOperator>(
  'operator.openshift.io/v1',
  'KubeAPIServer',
);
