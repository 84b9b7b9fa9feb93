import { problem, type Problem } from '../core/problem.js';
import { isYamlName } from '../formats/yaml/yaml.js';
import type { Inputs } from '../graph/context.js';

/**
 * Warns of the entries of a folder that are not imported: those with a hint, and YAML files that are not in `read`.
 * Warnings: import/left-out.
 */
export function unreadEntries(
  inputs: Inputs,
  { read, hints }: { readonly read: readonly string[]; readonly hints: Readonly<Record<string, string>> },
): readonly Problem[] {
  return (inputs.list('.') ?? []).flatMap((entry) => {
    const isOther = isYamlName(entry) && !entry.startsWith('.') && !read.includes(entry);
    const hint = hints[entry] ?? (isOther ? otherHint : undefined);
    if (hint === undefined) return [];
    const at = { file: entry.replace(/\/$/, '') };
    return [problem('import/left-out', `${entry} is not imported`, { at, hint })];
  });
}

const otherHint =
  'the installer of this folder does not read it; if the cluster needs it, add it to the new manifests/';
