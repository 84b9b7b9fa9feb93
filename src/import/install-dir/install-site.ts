import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import type { Inputs } from '../../graph/context.js';
import { textAt } from '../resources/resources.js';
import { manifestFolders } from '../../manifests/edits/paths.js';
import { addedManifests } from '../added-manifests.js';
import { nodeFiles } from '../configs-of-site.js';
import type { ImportedSite, ImportOverrides } from '../imported-site.js';
import { sourceTextOf, copiedInstallConfig } from '../install-config-source.js';
import { unreadEntries } from '../unread-entries.js';

/**
 * Converts a folder of openshift-install with all its manifests; `withoutGenerated` removes the generated ones.
 * Problems: import/no-source, and those of `sourceTextOf`.
 */
export function installSite(inputs: Inputs, overrides: ImportOverrides): Result<ImportedSite> {
  const install = sourceTextOf(inputs, 'install-config.yaml');
  if (install === undefined) {
    const hint =
      'pass the directory that openshift-install used; its state file contains the files it has consumed';
    const message =
      'the directory contains neither install-config.yaml nor an openshift-install state file with a copy of it';
    return failure(problem('import/no-source', message, { hint }));
  }
  if (!install.ok) return install;
  const { root, file } = install.value;
  const manifests = addedManifests(inputs, manifestFolders);
  return success({
    name: textAt(root, ['metadata', 'name']) ?? '',
    files: [
      copiedInstallConfig(install.value, undefined, overrides),
      ...nodeFiles({}, undefined, overrides, { at: { file } }),
      ...manifests.files,
    ],
    problems: [
      ...manifests.problems,
      ...unreadEntries(inputs, { read: ['install-config.yaml'], hints: leftOut }),
    ],
  });
}

/** Files of the agent installer, which openshift-install reads only with its command `agent`. */
const leftOut = {
  'agent-config.yaml': 'import the folder with `sno-install import agent-config`, which reads it',
} as const;
