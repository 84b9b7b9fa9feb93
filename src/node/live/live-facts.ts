import type { ControlPlaneRender } from '../../config/reading/control-plane-render.js';
import type { Release } from '../../config/reading/release.js';
import type { InstallConfig } from '../../config/schema/install-config-schema.js';
import type { SnoConfig } from '../../config/schema/sno-config-schema.js';
import type { ProxyUrls } from '../../kube/openshift-objects.js';

/** Everything the files of the live system are made from. */
export interface LiveFacts {
  readonly install: InstallConfig;
  readonly sno: SnoConfig;
  readonly release: Release;
  readonly render: ControlPlaneRender;
  readonly window: { readonly notBefore: Date; readonly bootableUntil: Date };
  /** As the Network manifest has them, edited or not. */
  readonly serviceNetwork: readonly string[];
  /** As the Proxy manifest has them, edited or not; empty without a proxy. */
  readonly proxy: ProxyUrls;
  /** OPENSHIFT_INSTALL_INVOKER. */
  readonly invoker?: string;
}
