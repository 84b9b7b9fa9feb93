import type { FlagValues } from '../shared/flag-list.js';
import type { OpenShiftSettings, PluginConfigs, ServingInfo } from './operator-config.js';

/** Complete configuration of kube-apiserver, the source of both its configuration file and its flags. */
export interface ApiserverConfig {
  /** Flags that no other field covers; they override the other fields. */
  readonly arguments: FlagValues;
  readonly admission: PluginConfigs;
  /** AuthenticationConfiguration for anonymous requests, read by upstream's kube-apiserver; absent if a flag configures them. */
  readonly authentication?: Readonly<Record<string, unknown>>;
  readonly serving: ServingInfo;
  readonly openShift?: OpenShiftSettings;
  /** CIDRs joined by commas. */
  readonly servicesSubnet: string;
  /** Files or folders with the public keys that verify service-account tokens. */
  readonly serviceAccountPublicKeys: readonly string[];
}
