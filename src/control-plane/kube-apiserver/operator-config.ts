import type { KubeObject } from '../../kube/object.js';
import { kindOf } from '../loops/kinds.js';
import type { FlagValues } from '../shared/flag-list.js';
import type { PairFiles } from '../shared/mounted-paths.js';

/** What its observers see, in the shape of a sparse KubeAPIServerConfig. Source: openshift/api kubecontrolplane/v1 */
export interface ObservedConfig {
  readonly admission: { readonly pluginConfig: PluginConfigs };
  readonly apiServerArguments: FlagValues;
  readonly openShift?: OpenShiftSettings;
  /** Seconds; read for the pod, not by kube-apiserver. */
  readonly gracefulTerminationDuration: string;
  /** Networks joined by commas. */
  readonly servicesSubnet: string;
  readonly servingInfo: ServingInfo;
}

/** What upstream's kube-apiserver has no flags for. Source: openshift/api kubecontrolplane/v1, KubeAPIServerConfig */
export interface OpenShiftSettings {
  /** Regular expressions. */
  readonly corsAllowedOrigins: readonly string[];
  readonly imagePolicyConfig?: {
    readonly allowedRegistriesForImport?: readonly unknown[];
    readonly externalRegistryHostnames?: readonly string[];
  };
  readonly projectConfig: { readonly defaultNodeSelector: string };
}

/** Configurations by the name of the admission plugin. */
export type PluginConfigs = Readonly<Record<string, PluginConfig>>;

interface PluginConfig {
  readonly configuration: Readonly<Record<string, unknown>> & {
    readonly apiVersion: string;
    readonly kind: string;
  };
}

/** Where kube-apiserver listens, and with which certificates for which names. */
export interface ServingInfo {
  /** Address and port; an IPv6 address in brackets. */
  readonly bindAddress: string;
  readonly bindNetwork: 'tcp' | 'tcp4' | 'tcp6';
  readonly cipherSuites: readonly string[];
  readonly minTLSVersion: string;
  readonly namedCertificates: readonly NamedCertificate[];
}

/** A certificate for clients that ask for a host. Without `names` it is for the DNS names in it, never for an address. */
export interface NamedCertificate extends PairFiles {
  readonly names?: readonly string[];
}

/** The operator's own object, through which config observation tells target config what it saw. */
export interface KubeApiserverOperator extends KubeObject {
  readonly apiVersion: 'operator.openshift.io/v1';
  readonly kind: 'KubeAPIServer';
  readonly spec: { readonly managementState: 'Managed'; readonly observedConfig?: ObservedConfig };
}

/** Where the store keeps the operator's object. */
export const kubeApiserverOperators = kindOf<KubeApiserverOperator>(
  'operator.openshift.io/v1',
  'KubeAPIServer',
);
