import { fieldAt, listAt, textAt } from '../../../kube/fields.js';
import { parseImageReference } from '../../../formats/image-reference.js';
import { fullVersionIn, type FullVersion } from '../../../release/full-version.js';
import { conditionOf, type Condition } from '../condition.js';

/** The release of an upgrade. */
export interface TargetRelease {
  /** Pull spec by digest, as it is written to the ClusterVersion. */
  readonly image: string;
  readonly digest: string;
  /** Absent if the pull spec has no tag with a version. */
  readonly version?: FullVersion;
}

/** The fields of a ClusterVersion that an upgrade needs. Source: openshift/api config/v1 types_cluster_version.go */
export interface ClusterVersionView {
  readonly resourceVersion: string;
  /** Whether the status is that of the last change of the spec. */
  readonly isObserved: boolean;
  /** Image of spec.desiredUpdate; undefined without one. */
  readonly requested?: string;
  /** Newest entry of the history. The operator adds an entry when it has accepted a release. */
  readonly newest?: { readonly image: string; readonly version?: string; readonly isComplete: boolean };
  readonly desired: { readonly image?: string; readonly version?: FullVersion };
  /** Versions of the recommended and conditional updates by digest. */
  readonly offered: ReadonlyMap<string, FullVersion>;
  /** The message of a condition is cut at `maxLength`. */
  readonly condition: (type: string, maxLength?: number) => Condition;
}

export function clusterVersionView(object: unknown): ClusterVersionView {
  const requested = textAt(object, ['spec', 'desiredUpdate', 'image']);
  const [newest] = listAt(object, ['status', 'history']);
  const [newestImage, newestVersion] = ['image', 'version'].map((name) => textAt(newest, [name]));
  const [image, version] = ['image', 'version'].map((name) => textAt(object, ['status', 'desired', name]));
  const desiredVersion = fullVersionIn(version ?? '');
  const [generation, observed] = [
    fieldAt(object, ['metadata', 'generation']),
    fieldAt(object, ['status', 'observedGeneration']),
  ];
  return {
    resourceVersion: textAt(object, ['metadata', 'resourceVersion']) ?? '',
    isObserved: typeof generation !== 'number' || (typeof observed === 'number' && observed >= generation),
    ...(requested !== undefined && { requested }),
    ...(newestImage !== undefined && {
      newest: {
        image: newestImage,
        ...(newestVersion !== undefined && { version: newestVersion }),
        isComplete: textAt(newest, ['state']) === 'Completed',
      },
    }),
    desired: { ...(image !== undefined && { image }), ...(desiredVersion && { version: desiredVersion }) },
    offered: offeredVersions(object),
    condition: (type, maxLength) => conditionOf(object, type, maxLength),
  };
}

function offeredVersions(object: unknown): ReadonlyMap<string, FullVersion> {
  const releases = [
    ...listAt(object, ['status', 'availableUpdates']),
    ...listAt(object, ['status', 'conditionalUpdates']).map((each) => fieldAt(each, ['release'])),
  ];
  return new Map(
    releases.flatMap((each) => {
      const version = fullVersionIn(textAt(each, ['version']) ?? '');
      const digest = parseImageReference(textAt(each, ['image']) ?? '')?.digest;
      return version && digest !== undefined ? [[digest, version] as const] : [];
    }),
  );
}

/** Whether an image is that of the release; a mirror has another repository and the same digest. */
export function isRelease(image: string | undefined, { digest }: TargetRelease): boolean {
  return image?.endsWith(`@${digest}`) === true;
}
