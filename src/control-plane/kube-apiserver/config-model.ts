import type { FlagValues } from '../shared/flag-list.js';
import type { OpenShiftSettings, PluginConfigs, ServingInfo } from './operator-config.js';

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
