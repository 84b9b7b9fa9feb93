import type { Release } from '../config/reading/release.js';
import type { InstallConfig } from '../config/schema/install-config-schema.js';
import type { ServedKind } from '../release/openshift-release.js';
import { releases } from '../release/releases.js';
import { servedVersion } from '../config/served-version.js';

/**
 * The version in which a release serves OSImageStream, or undefined where it does not serve the kind at all: then the
 * object could never be created and the bootstrap would wait for it in vain.
 */
export function osImageStreamVersion(
  version: Release['version'],
  install: InstallConfig,
): ServedKind['apiVersion'] | undefined {
  return version && servedVersion(releases.like(version).osImageStream, install);
}

/** The first release that serves the kind to every cluster. */
export const firstReleaseWithStreams = releases.firstWith(
  ({ osImageStream }) => osImageStream !== undefined && osImageStream.gate === undefined,
).version.text;
