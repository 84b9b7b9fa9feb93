import type { InstallReading } from '../../config/reading/install-config.js';
import type { ReleaseReading } from '../../config/reading/release.js';
import type { SnoReading } from '../../config/reading/sno-config.js';
import { resultOf } from '../../core/result.js';
import { defineAsset } from '../../graph/asset.js';
import type { SourcedObject } from '../../kube/manifest.js';
import type { ValidateIgnition } from '../../manifests/checks/check-ignition.js';
import { isMachineConfig } from '../../manifests/checks/check-machine-config.js';
import { reservedPathsOf } from '../../manifests/checks/check-reserved-paths.js';
import {
  objectProblems,
  withSource,
  type ObjectFacts,
  type UserManifests,
} from '../../manifests/user-manifests.js';
import { installReading, installerDisk } from '../config/install-reading.js';
import { releaseReading } from '../config/release.js';
import { snoReading } from '../config/sno-config.js';
import { definitionsReading, manifestFiles } from './manifest-files.js';

/**
 * All added or edited files of the user, parsed and validated. Checked even if the configs have errors, so that one run reports
 * every problem.
 * Problems: those of `manifestFiles` and `objectProblems`.
 */
export const userManifests = defineAsset({
  name: 'manifests/user-manifests',
  needs: {
    files: manifestFiles,
    definitions: definitionsReading,
    reading: snoReading,
    install: installReading,
    release: releaseReading,
    disk: installerDisk,
  },
  tryMake: async ({ files, definitions, reading, install, release, disk }, { templates }) => {
    const objects = files.users.flatMap(({ manifests }) => manifests.flatMap(withSource));
    const checks = await checksFor(objects, definitions.objects);
    return resultOf<readonly UserManifests[]>(files.users, [
      ...files.problems,
      ...definitions.problems,
      ...objectProblems(objects, { ...factsOf({ install, reading, release, disk }), ...checks }, () =>
        reservedPathsOf(templates),
      ),
    ]);
  },
});

interface Configs {
  readonly install: InstallReading;
  readonly reading: SnoReading;
  readonly release: ReleaseReading;
  /** The disk of the environment variable. */
  readonly disk: string | undefined;
}

/** The values of the configs that decide on objects; those of invalid fields are absent. */
export function factsOf({
  install: { draft },
  reading,
  release,
  disk,
}: Configs): Omit<ObjectFacts, keyof LoadedChecks> {
  const { bootstrapInPlace } = draft?.isSound('bootstrapInPlace') === true ? draft.config : {};
  const { rootDeviceHints } = reading.isSound('rootDeviceHints') ? reading.config : {};
  const bootDisk = bootstrapInPlace?.installationDisk ?? rootDeviceHints?.deviceName ?? disk;
  return {
    install: draft,
    manifestChecks: reading.config.manifestChecks,
    ...release.release,
    ...(reading.isSound('hostname') && { named: { hostname: reading.config.hostname } }),
    ...(bootDisk !== undefined && { bootDisk }),
  };
}

type LoadedChecks = Pick<ObjectFacts, 'judge' | 'checkSchemas' | 'checkDefinitions' | 'definitions'>;

/**
 * Loads schemas only if there are objects to validate: they are larger than all other input checks together. `definitions` are the
 * objects of crds/.
 */
export async function checksFor(
  objects: readonly SourcedObject[],
  definitions: readonly SourcedObject[],
): Promise<LoadedChecks> {
  const [judge, schemas] = await Promise.all([judgeFor(objects), schemasFor([...objects, ...definitions])]);
  return { judge, ...schemas, definitions };
}

async function judgeFor(objects: readonly SourcedObject[]): Promise<ValidateIgnition> {
  if (!objects.some(isMachineConfig)) return () => [];
  return (await import('../../ignition/foreign/validate-any-spec.js')).validateAnySpec;
}

async function schemasFor(
  objects: readonly SourcedObject[],
): Promise<Pick<LoadedChecks, 'checkSchemas' | 'checkDefinitions'>> {
  if (objects.length === 0) return { checkSchemas: () => [], checkDefinitions: () => [] };
  const [{ schemaProblems }, { definitionProblems }] = await Promise.all([
    import('../../manifests/schemas/check-schemas.js'),
    import('../../manifests/schemas/check-definitions.js'),
  ]);
  return { checkSchemas: schemaProblems, checkDefinitions: definitionProblems };
}
