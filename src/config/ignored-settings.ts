import { problem, type Place, type Problem } from '../../core/problem.js';
import type { InstallConfig } from '../../fields/install-config-schema.js';
import type { SnoConfig } from '../../fields/sno-config-schema.js';
import type { FieldPath } from '../../formats/yaml/yaml-tree.js';
import type { Inputs } from '../../graph/context.js';
import { isManifestName, manifestFolders } from '../../manifests/edits/paths.js';

type PlaceOf = (path: FieldPath) => Place | undefined;

/** Warnings (aio/ignored-setting) for what the user set and an all-in-one machine does not heed. */
export function ignoredSettings(
  install: InstallConfig,
  sno: SnoConfig,
  places: { readonly install: PlaceOf; readonly sno: PlaceOf },
): readonly Problem[] {
  const isFedora = sno.aio.operatingSystem === 'FedoraCoreOS';
  const hasMirrors = install.imageDigestSources.length + install.imageContentSources.length > 0;
  const found: readonly (false | Problem)[] = [
    sno.kernelArguments.length > 0 &&
      ignored(
        'kernelArguments',
        places.sno(['kernelArguments']),
        'give them to coreos-installer with --append-karg',
      ),
    sno.extraManifests.length > 0 &&
      ignored(
        'extraManifests',
        places.sno(['extraManifests']),
        'apply them with kubectl when the node is Ready',
      ),
    sno.reinstall !== 'Refuse' &&
      ignored(
        'reinstall',
        places.sno(['reinstall']),
        'coreos-installer, or whoever writes the disk, decides what it overwrites',
      ),
    sno.dns.local &&
      ignored('dns.local', places.sno(['dns', 'local']), 'nothing on the node asks for these names'),
    isFedora &&
      hasMirrors &&
      ignored(
        'imageDigestSources',
        places.install([
          install.imageDigestSources.length > 0 ? 'imageDigestSources' : 'imageContentSources',
        ]),
        'name the images at the mirror in controlPlane.images of sno-config.yaml',
      ),
    isFedora &&
      install.fips &&
      ignored('fips', places.install(['fips']), 'Fedora CoreOS has no FIPS mode: take RHCOS'),
  ];
  return found.filter((each) => each !== false);
}

/** Warnings (aio/ignored-setting) for folders of manifests, which an all-in-one machine brings none of. */
export function ignoredFolders(inputs: Inputs): readonly Problem[] {
  return manifestFolders.flatMap((folder) =>
    (inputs.list(folder) ?? []).some(isManifestName)
      ? [ignored(`${folder}/`, { file: folder }, 'apply them with kubectl when the node is Ready')]
      : [],
  );
}

function ignored(field: string, at: Place | undefined, hint: string): Problem {
  return problem('aio/ignored-setting', `${field} has no effect on an all-in-one machine`, { at, hint });
}
