import { defineAsset } from '../../graph/asset.js';
import type { ProxyUrls } from '../../kube/openshift-objects.js';
import { proxyOf } from '../../manifests/proxy-urls.js';
import type { FirstBootDownloads } from '../../node/first-boot-images.js';
import type { PayloadReading } from '../../config/reading/payload.js';
import { installConfig } from '../config/install-config.js';
import { payloadReading } from '../config/payload-reading.js';
import { release } from '../config/release.js';
import { snoConfig } from '../config/sno-config.js';
import { aioPulls, singleNodePulls } from '../images/first-pulls.js';
import { proxy } from '../manifests/proxy.js';
import type { InstallConfig } from '../../config/schema/install-config-schema.js';
import type { SnoConfig } from '../../config/schema/sno-config-schema.js';

/** Input of the list of network requirements. */
export interface NetworkFacts {
  readonly install: InstallConfig;
  readonly sno: SnoConfig;
  readonly proxy: ProxyUrls;
  readonly pulls: FirstBootDownloads;
  /** Such as `4.21.0`; absent if it is unknown, or on an all-in-one node. */
  readonly version?: string;
  readonly hasRoutes: boolean;
}

const configs = { install: installConfig, sno: snoConfig, proxy };

/** For bootstrap in place. */
export const singleNodeNetworkFacts = defineAsset({
  name: 'preflight/single-node',
  needs: { ...configs, known: singleNodePulls, reading: payloadReading, release },
  make: ({ proxy, known, reading, release: { version }, ...configs }): NetworkFacts => ({
    ...configs,
    proxy: proxyOf(proxy),
    pulls: pullsWith(reading, known.pulls),
    ...(version && { version: version.text }),
    hasRoutes: true,
  }),
});

/** For an all-in-one node. */
export const aioNetworkFacts = defineAsset({
  name: 'preflight/aio',
  needs: { ...configs, known: aioPulls, reading: payloadReading },
  make: ({ proxy, known, reading, ...configs }): NetworkFacts => ({
    ...configs,
    proxy: proxyOf(proxy),
    pulls: pullsWith(reading, known.pulls),
    hasRoutes: false,
  }),
});

/** With a payload, nothing is pulled from a registry. */
function pullsWith({ payload }: PayloadReading, pulls: FirstBootDownloads): FirstBootDownloads {
  return payload === undefined ? pulls : { ...pulls, images: [] };
}
