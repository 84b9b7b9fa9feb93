import { posix } from 'node:path';

import { problem, type Problem } from '../../core/problem.js';
import { isYamlName } from '../../formats/yaml/yaml.js';
import type { Inputs } from '../../graph/context.js';
import { isKustomization } from './resources.js';

/** Files about a source, which no cluster needs. */
const documents =
  /^(?:README|LICENSE|CONTRIBUTING|OWNERS|CODEOWNERS|CHANGELOG|Makefile|Dockerfile|Containerfile|Jenkinsfile)|\.(?:md|adoc|rst|txt|sh|py|png|svg|jpe?g|pdf|drawio)$/i;

/**
 * Warns of the entries of a folder that are not read: links to missing files or to folders, and files other than YAML, such as
 * templates. `isContent`: paths that a site or a kustomization refers to. Warnings: import/left-out.
 */
export function otherEntries(
  inputs: Inputs,
  path: string,
  isContent: (path: string) => boolean,
): readonly Problem[] {
  return (inputs.list(path) ?? []).flatMap((entry): readonly Problem[] => {
    if (entry.startsWith('.')) return [];
    const below = posix.join(path, entry.replace(/\/$/, ''));
    if (entry.endsWith('/')) return isContent(`${below}/`) ? [] : otherEntries(inputs, below, isContent);
    if (isYamlName(entry) || isKustomization(entry) || documents.test(entry) || isContent(below)) return [];
    const isFile = inputs.read(below).kind === 'file';
    const message = isFile
      ? 'this file is not YAML and is not imported'
      : 'this entry is neither a readable file nor a folder, and is not imported';
    const hint = isFile
      ? 'if a site needs it, convert it to YAML, or copy it to the new directory'
      : 'correct the link, or copy its target here';
    return [problem('import/left-out', message, { at: { file: below }, hint })];
  });
}
