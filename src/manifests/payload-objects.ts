import type { InstallConfig } from '../config/schema/install-config-schema.js';
import { bundleName, payloadSources, type PayloadSource } from '../config/reading/payload.js';
import type { PayloadManifest } from '../config/schema/payload-schema.js';
import type { KubeObject } from '../kube/object.js';

/** Whether the machine-config operator of the release runs the registry of the payload on the installed node. */
export function runsPayloadRegistry(
  { registry }: PayloadManifest,
  { featureGates }: Pick<InstallConfig, 'featureGates'>,
): boolean {
  return registry.isManaged && !featureGates.includes('NoRegistryClusterInstall=false');
}

/** Source: openshift/api machineconfiguration/v1 types_internalreleaseimage.go */
export function internalReleaseImage({ release }: PayloadManifest): KubeObject {
  return {
    apiVersion: 'machineconfiguration.openshift.io/v1',
    kind: 'InternalReleaseImage',
    metadata: { name: 'cluster' },
    spec: { releases: [{ name: bundleName(release) }] },
  };
}

/** Mirrors of the payload by digest and by tag; the latter is absent if no image is pulled by tag. Source: openshift/api config/v1 */
export function payloadMirrorSets(
  manifest: PayloadManifest,
  hosts: readonly string[],
): { readonly digests: KubeObject; readonly tags?: KubeObject } {
  const all = payloadSources(manifest);
  const of = (kind: PayloadSource['pulledBy']): readonly PayloadSource[] =>
    all.filter(({ pulledBy }) => pulledBy === kind);
  const byTag = of('tag');
  return {
    digests: mirrorSet('ImageDigestMirrorSet', 'imageDigestMirrors', { sources: of('digest'), hosts }),
    ...(byTag.length > 0 && {
      tags: mirrorSet('ImageTagMirrorSet', 'imageTagMirrors', { sources: byTag, hosts }),
    }),
  };
}

function mirrorSet(
  kind: string,
  list: string,
  { sources, hosts }: { readonly sources: readonly PayloadSource[]; readonly hosts: readonly string[] },
): KubeObject {
  return {
    apiVersion: 'config.openshift.io/v1',
    kind,
    metadata: { name: 'sno-payload' },
    spec: {
      [list]: sources.map(({ source, repositories }) => ({
        source,
        mirrors: hosts.flatMap((host) => repositories.map((repository) => `${host}/${repository}`)),
        mirrorSourcePolicy: 'NeverContactSource',
      })),
    },
  };
}
