import type { Release } from '../config/reading/release.js';
import type { InstallConfig } from '../config/schema/install-config-schema.js';
import type { ServedKind } from '../release/openshift-release.js';
import { releases } from '../release/releases.js';
import { servedVersion } from '../config/served-version.js';

/**
 * The version in which a release serves OSImageStream; undefined if it does not serve the kind, because the bootstrap would
 * retry creating the object forever.
 */
export function osImageStreamVersion(
  version: Release['version'],
  install: InstallConfig,
): ServedKind['apiVersion'] | undefined {
  return version && servedVersion(releases.like(version).osImageStream, install);
}

/** The first release that serves the kind without a feature gate. */
export const firstReleaseWithStreams = releases.firstWith(
  ({ osImageStream }) => osImageStream !== undefined && osImageStream.gate === undefined,
).version.text;
