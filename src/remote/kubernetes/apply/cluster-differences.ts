import { isRecord } from '../../../core/is-record.js';
import { omitKeys } from '../../../core/map-record.js';
import { isError, type Problem } from '../../../core/problem.js';
import { describeIdentity } from '../../../kube/identity.js';
import { toData } from '../../../formats/yaml/yaml-tree.js';
import { readYaml } from '../../../formats/yaml/yaml.js';
import { diffObjects } from '../../../review/diff/diff-sides.js';
import type { Difference } from '../../../review/diff/difference.js';
import { failureOf } from './apply-failure.js';
import { contentOf } from './apply-object.js';
import type { DryRunResult, DryRunState } from './dry-run.js';
import { removalProblems, type RemovalState } from './remove-objects.js';

/** The objects that an apply would create, change or delete, without values of Secrets. */
export function differencesOf({ states, removals }: DryRunResult): readonly Difference[] {
  return [...states.flatMap(objectDifferences), ...removals.flatMap(removalDifferences)];
}

function objectDifferences(each: DryRunState): readonly Difference[] {
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
}

/** Objects that would be deleted, and those of earlier runs that only `--prune` deletes. */
function removalDifferences({ object: { identity }, state }: RemovalState): readonly Difference[] {
  const detail = { leftover: 'only with --prune', released: 'its fields of earlier runs', deleted: '' };
  if (state !== 'deleted' && state !== 'leftover' && state !== 'released') return [];
  const details = detail[state] === '' ? [] : [{ what: 'deletion', after: detail[state] }];
  return [{ in: [''], kind: 'object', name: describeIdentity(identity), change: 'removed', details }];
}

/** The objects that the API rejects. */
export function failuresOf({ states, removals }: DryRunResult): readonly Problem[] {
  return [
    ...states.flatMap((each) => (each.state === 'failed' ? [failureOf(each.object, each.cause)] : [])),
    ...removalProblems(removals).filter(isError),
  ];
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
