import { checkedAs } from '../../../formats/apply-schema.js';
import { omitKeys } from '../../../core/map-record.js';
import type { Place } from '../../../core/problem.js';
import { maskedWord } from '../../../core/quoted.js';
import { writeYaml } from '../../../formats/yaml/write-yaml.js';
import type { Manifest } from '../../../kube/manifest.js';
import { manifestFieldPlace } from '../../../kube/manifest-place.js';
import type { KubeObject } from '../../../kube/object.js';
import { postInstallFiles } from '../../../manifests/post-install/post-install-files.js';
import { sourceOf, type PostInstallObject } from '../../../manifests/post-install/post-install-objects.js';
import { awaitedSubscriptions } from '../../../manifests/post-install/subscriptions.js';

/** An object of a manifest. */
export interface ObjectToApply {
  /** `manifests`, the number of its wave, or `last`. */
  readonly wave: string;
  /** File and number of the document, such as `post-install/10-ptp.yaml#2`. */
  readonly source: string;
  readonly at?: Place;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** `NAMESPACE/NAME` of the Subscriptions that bring the kind. */
  readonly subscriptions: readonly string[];
  readonly object: KubeObject;
  /** The object as the node applies it. */
  readonly yaml: string;
}

/** The wave of manifests/, openshift/ and extraManifests; it precedes those of post-install/. */
export const manifestsWave = 'manifests';

/** The post-install manifests of a site, in the order in which they are applied. `manifests` are the user's other objects. */
export function objectsToApply(
  found: readonly PostInstallObject[],
  manifests: readonly { readonly object: KubeObject }[],
): readonly ObjectToApply[] {
  const { objects: files } = postInstallFiles(found, manifests);
  const subscriptionsOf = awaitedSubscriptions({ objects: found, manifests });
  return found.map((each, index): ObjectToApply => {
    const { apiVersion, kind, metadata } = each.object;
    const { namespace = '', name } = metadata;
    return {
      wave: String(each.wave),
      source: sourceOf(each),
      at: manifestFieldPlace(each.source, ['metadata', 'name']),
      apiVersion,
      kind,
      ...(namespace !== '' && { namespace }),
      name,
      subscriptions: subscriptionsOf(each),
      object: each.object,
      yaml: files[index]?.text ?? '',
    };
  });
}

/** The manifests of the installation as objects of the first wave. A status is written by the cluster alone. */
export function manifestsToApply(manifests: readonly Manifest[]): readonly ObjectToApply[] {
  return manifests.map(({ object: written, path, source }): ObjectToApply => {
    const object = checkedAs<KubeObject>(omitKeys(written, ['status']));
    const { apiVersion, kind, metadata } = object;
    const { namespace = '', name } = metadata;
    return {
      wave: manifestsWave,
      source: path,
      ...(source && { at: manifestFieldPlace(source, ['metadata', 'name']) }),
      apiVersion,
      kind,
      ...(namespace !== '' && { namespace }),
      name,
      subscriptions: [],
      object,
      yaml: writeYaml(object),
    };
  });
}

/** The field manager on the node and here. */
export const fieldManager = 'sno-install';

/** `PtpConfig openshift-ptp/slave`, or `Namespace openshift-ptp`. */
export function describeObject({
  kind,
  namespace,
  name,
}: Pick<ObjectToApply, 'kind' | 'namespace' | 'name'>): string {
  const [shownKind, shownNamespace, shownName] = [kind, namespace ?? '', name].map(maskedWord);
  return namespace === undefined
    ? `${shownKind} ${shownName}`
    : `${shownKind} ${shownNamespace}/${shownName}`;
}

/** The waves in order. `objects` are in the order in which they are applied. */
export function wavesOf(objects: readonly ObjectToApply[]): readonly string[] {
  return [...new Set(objects.map(({ wave }) => wave))];
}
