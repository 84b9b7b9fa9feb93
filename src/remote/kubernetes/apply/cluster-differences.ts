import { isRecord } from '../../../core/is-record.js';
import { omitKeys } from '../../../core/map-record.js';
import type { Problem } from '../../../core/problem.js';
import { toData } from '../../../formats/yaml/yaml-tree.js';
import { readYaml } from '../../../formats/yaml/yaml.js';
import { diffObjects } from '../../../review/diff/diff-sides.js';
import type { Difference } from '../../../review/diff/difference.js';
import { failureOf } from './apply-failure.js';
import { contentOf } from './apply-object.js';
import type { DryRunState } from './dry-run.js';

/** The objects that an apply would create or change, without values of Secrets. */
export function differencesOf(states: readonly DryRunState[]): readonly Difference[] {
  return states.flatMap((each) => {
    switch (each.state) {
      case 'failed':
        return [];
      case 'not-checked':
        return withDetail(diffObjects(undefined, manifestOf(each)), 'not checked', each.text);
      case 'created':
      case 'configured':
      case 'unchanged': {
        const after = contentOf(each.after);
        const found = diffObjects(
          each.before === undefined ? undefined : contentOf(each.before),
          each.before === undefined ? withoutIdentifiers(after) : after,
        );
        return each.conflict === undefined
          ? found
          : withDetail(found, 'conflict', each.conflict.replace(/^conflict with /, ''));
      }
    }
  });
}

/** The objects that the API rejects. */
export function failuresOf(states: readonly DryRunState[]): readonly Problem[] {
  return states.flatMap((each) => (each.state === 'failed' ? [failureOf(each.object, each.cause)] : []));
}

function withDetail(differences: readonly Difference[], what: string, text: string): readonly Difference[] {
  return differences.map((each) => ({ ...each, details: [{ what, after: text }, ...each.details] }));
}

function manifestOf({ object }: DryRunState): unknown {
  const [document] = readYaml(object.yaml).documents;
  return document && toData(document);
}

/** A dry run generates them for a new object, each time others. */
function withoutIdentifiers(object: unknown): unknown {
  if (!isRecord(object) || !isRecord(object['metadata'])) return object;
  return { ...object, metadata: omitKeys(object['metadata'], ['uid', 'creationTimestamp']) };
}
