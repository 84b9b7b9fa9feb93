import { readReference } from '../disk/external-files/read-reference.js';
import type { Surroundings } from '../run/effects/surroundings.js';
import { ownTemplates } from '../disk/program-files/templates.js';
import type { Inputs } from '../graph/context.js';
import { dryRunOutputs } from '../run/dry-run-outputs.js';
import type { SourceFolder } from '../run/sources/source-folder.js';
import type { TargetName } from '../run/targets.js';
import { importedInputs } from './check-import.js';
import type { ImportedSite } from './imported-site.js';
import { withoutGenerated } from './install-dir/without-generated.js';
import { filesOfState } from './install-state.js';

/**
 * Resolves references that lead out of the import. They name environment variables, because all imported files are part of it.
 */
export function outsideInputs(
  outside: Pick<Surroundings, 'variables' | 'stdin'>,
): Pick<Inputs, 'readReference'> {
  return { readReference: (reference) => readReference(reference, '.', outside) };
}

/** Dry run: returns the outputs that `create` would write for these inputs. */
export function dryRunOf(
  target: TargetName,
  inputs: Inputs,
  { variables, present }: Surroundings,
): ReturnType<typeof dryRunOutputs> {
  return dryRunOutputs({ target, inputs, templates: ownTemplates() }, { now: present(), variables });
}

/** Removes the manifests that `create` generates from a folder of openshift-install. */
export async function withoutGeneratedManifests(
  site: ImportedSite,
  { inputs }: SourceFolder,
  surroundings: Surroundings,
): Promise<ReturnType<typeof withoutGenerated>> {
  const configs = site.files.filter(({ path }) => !path.includes('/'));
  const made = await dryRunOf(
    'manifests',
    importedInputs(configs, outsideInputs(surroundings)),
    surroundings,
  );
  const ours = made.ok ? made.value : [];
  const textOf = (contents: string | Uint8Array): string =>
    typeof contents === 'string' ? contents : Buffer.from(contents).toString('utf8');
  return withoutGenerated(site, {
    ours: new Map(ours.map(({ path, contents }) => [path, textOf(contents)])),
    theirs: filesOfState(inputs),
  });
}
