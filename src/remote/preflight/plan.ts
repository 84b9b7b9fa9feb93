import { apiHost, clusterDomain, internalApiHost } from '../../config/cluster-domain.js';
import type { InstallConfig } from '../../config/schema/install-config-schema.js';
import type { SnoConfig } from '../../config/schema/sno-config-schema.js';
import type { ProxyUrls } from '../../kube/openshift-objects.js';
import type { FirstPulls } from '../../node/first-images.js';
import { placesOf, type PullPlace } from './pull-places.js';

/** What a preflight is made of: what the configs say, after their checks. */
export interface PreflightFacts {
  readonly install: InstallConfig;
  readonly sno: SnoConfig;
  /** The proxy as the node has it, with all that it reaches without. */
  readonly proxy: ProxyUrls;
  readonly pulls: FirstPulls;
  /** Whether there are routes: an all-in-one control plane has none. */
  readonly hasRoutes: boolean;
}

/** What is asked. */
export interface PreflightPlan {
  readonly names: readonly PlannedName[];
  /** The address whose name is asked for, if it is known. */
  readonly reverse: string | undefined;
  readonly images: readonly PlannedImage[];
  readonly timeServers: readonly string[];
}

/** A name that must lead to the node. */
export interface PlannedName {
  /** As people know it, such as `*.apps.site1.example.com`. */
  readonly shown: string;
  readonly asked: string;
  /** Whether others need it too, and not this node alone. */
  readonly role: 'api' | 'node';
}

/** An image with the places that are asked for it, in the order of a node. */
export interface PlannedImage {
  readonly name: string;
  readonly image: string;
  readonly places: readonly PullPlace[];
}

/** Some label that nobody makes a record for, so that the wildcard itself must answer. */
const anyRoute = 'sno-install-preflight';

/** What to ask for an installation. */
export function planOf({ install, sno, pulls, hasRoutes }: PreflightFacts): PreflightPlan {
  const domain = clusterDomain(install);
  const api = (name: string): PlannedName => ({ shown: name, asked: name, role: 'api' });
  const routes: PlannedName = { shown: `*.apps.${domain}`, asked: `${anyRoute}.apps.${domain}`, role: 'api' };
  const { hostname, nodeIP } = sno;
  return {
    names: [
      api(apiHost(install)),
      ...(hasRoutes ? [api(internalApiHost(install)), routes] : []),
      ...(hostname?.includes('.') === true
        ? [{ shown: hostname, asked: hostname, role: 'node' as const }]
        : []),
    ],
    reverse: nodeIP,
    images: distinctImages(pulls).map(({ name, image }) => ({
      name,
      image,
      places: placesOf(image, install),
    })),
    timeServers: sno.ntpSources,
  };
}

function distinctImages({
  images,
}: FirstPulls): readonly { readonly name: string; readonly image: string }[] {
  const known = new Map<string, string>();
  for (const { name, image } of images) if (image !== undefined && !known.has(image)) known.set(image, name);
  return [...known].map(([image, name]) => ({ name, image }));
}
