import { apiHost, clusterDomain, internalApiHost } from '../../config/cluster-domain.js';
import type { InstallConfig } from '../../config/schema/install-config-schema.js';
import type { SnoConfig } from '../../config/schema/sno-config-schema.js';
import type { ProxyUrls } from '../../kube/openshift-objects.js';
import type { FirstBootDownloads } from '../../node/first-boot-images.js';
import { needsSignature } from '../../release/image-policy.js';
import { placesOf, type PullPlace } from './pull-places.js';

/** Validated configs that a preflight plan is built from. */
export interface PreflightFacts {
  readonly install: InstallConfig;
  readonly sno: SnoConfig;
  /** Proxy settings of the node, with the complete noProxy list. */
  readonly proxy: ProxyUrls;
  readonly pulls: FirstBootDownloads;
  /** Version of the release, such as `4.21.0`; absent if it is unknown, or if no release is installed. */
  readonly version?: string;
  /** Whether the cluster has routes. An all-in-one control plane has none. */
  readonly hasRoutes: boolean;
}

/** Checks of a preflight. */
export interface PreflightPlan {
  readonly names: readonly PlannedName[];
  /** Address for the reverse lookup, if it is known. */
  readonly reverse: string | undefined;
  readonly images: readonly PlannedImage[];
  readonly timeServers: readonly string[];
}

/** A name that must resolve to the node. */
export interface PlannedName {
  /** Name in reports, such as `*.apps.site1.example.com`. */
  readonly shown: string;
  readonly queried: string;
  /** `api` if clients outside the node use the name too. */
  readonly role: 'api' | 'node';
}

/** An image and its pull locations, in the order in which the node tries them. */
export interface PlannedImage {
  readonly name: string;
  readonly image: string;
  readonly places: readonly PullPlace[];
  /** Whether the cluster pulls it only with a signature. */
  readonly needsSignature: boolean;
}

/** A label without a record of its own, so that the wildcard record must answer. */
const anyRoute = 'sno-install-preflight';

/** The checks for an installation. */
export function planOf({ install, sno, pulls, version, hasRoutes }: PreflightFacts): PreflightPlan {
  const domain = clusterDomain(install);
  const api = (name: string): PlannedName => ({ shown: name, queried: name, role: 'api' });
  const routes: PlannedName = {
    shown: `*.apps.${domain}`,
    queried: `${anyRoute}.apps.${domain}`,
    role: 'api',
  };
  const { hostname, nodeIP } = sno;
  return {
    names: [
      api(apiHost(install)),
      ...(hasRoutes ? [api(internalApiHost(install)), routes] : []),
      ...(hostname?.includes('.') === true
        ? [{ shown: hostname, queried: hostname, role: 'node' as const }]
        : []),
    ],
    reverse: nodeIP,
    images: distinctImages(pulls).map(({ name, image }) => ({
      name,
      image,
      places: placesOf(image, install),
      needsSignature:
        version !== undefined && needsSignature(image, { version, featureSet: install.featureSet }),
    })),
    timeServers: sno.ntpSources,
  };
}

function distinctImages({
  images,
}: FirstBootDownloads): readonly { readonly name: string; readonly image: string }[] {
  const known = new Map<string, string>();
  for (const { name, image } of images) if (image !== undefined && !known.has(image)) known.set(image, name);
  return [...known].map(([image, name]) => ({ name, image }));
}
