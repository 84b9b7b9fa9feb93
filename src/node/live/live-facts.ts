import type { ControlPlaneRender } from '../../config/reading/control-plane-render.js';
import type { Release } from '../../config/reading/release.js';
import type { InstallConfig } from '../../config/schema/install-config-schema.js';
import type { SnoConfig } from '../../config/schema/sno-config-schema.js';
import type { PayloadRegistry } from '../payload.js';
import type { ProxyUrls } from '../../kube/openshift-objects.js';

export interface LiveFacts {
  readonly install: InstallConfig;
  readonly sno: SnoConfig;
  readonly release: Release;
  readonly render: ControlPlaneRender;
  readonly window: { readonly notBefore: Date; readonly bootableUntil: Date };
  /** From the Network manifest, including the user's edits. */
  readonly serviceNetwork: readonly string[];
  /** From the Proxy manifest, including the user's edits; empty without a proxy. */
  readonly proxy: ProxyUrls;
  /** The registry of the payload; absent without one. */
  readonly registry?: PayloadRegistry;
  /** OPENSHIFT_INSTALL_INVOKER. */
  readonly invoker?: string;
}
