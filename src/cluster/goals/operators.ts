import { byName } from '../../core/compare.js';
import { problem, type Problem } from '../../core/problem.js';
import { rfc3339 } from '../../core/rfc3339.js';
import { listAt, textAt } from '../../kube/fields.js';
import { conditionOf, type Condition } from '../condition.js';

/**
 * For how long an operator must have been done before it counts as settled: one that is done for a moment only is about to begin
 * again. Source: openshift/installer cmd/openshift-install/command/waitfor.go, coStabilityThreshold.
 */
const settledMs = 30_000;

/** What an operator of a list is still missing, in words; empty when it is Available, not Degraded and settled. */
export function unsettled(list: object, present: Date): readonly string[] {
  return operatorsOf(list).flatMap((operator) => {
    const missing = [...illsOf(operator), ...unrestOf(operator, present)];
    return missing.length === 0 ? [] : [`operator ${operator.name} ${missing.join(', and ')}`];
  });
}

/** Each operator of a list that is not Available, or is Degraded, by name. Problems: cluster/operator, a warning. */
export function unwell(list: object): readonly Problem[] {
  return operatorsOf(list).flatMap((operator) => {
    const ills = illsOf(operator);
    return ills.length === 0
      ? []
      : [problem('cluster/operator', `operator ${operator.name} ${ills.join(', and ')}`)];
  });
}

interface Operator {
  readonly name: string;
  readonly available: Condition;
  readonly degraded: Condition;
  readonly progressing: Condition;
}

/** Source of the conditions: openshift/api config/v1 types_cluster_operator.go */
function operatorsOf(list: object): readonly Operator[] {
  return listAt(list, ['items'])
    .map((operator) => ({
      name: textAt(operator, ['metadata', 'name']) ?? '?',
      available: conditionOf(operator, 'Available'),
      degraded: conditionOf(operator, 'Degraded'),
      progressing: conditionOf(operator, 'Progressing'),
    }))
    .sort(byName);
}

function illsOf({ available, degraded }: Operator): readonly string[] {
  return [
    ...(available.status === 'True' ? [] : [`is not Available${says(available)}`]),
    ...(degraded.status === 'True' ? [`is Degraded${says(degraded)}`] : []),
  ];
}

function unrestOf({ progressing }: Operator, present: Date): readonly string[] {
  if (progressing.status !== 'False') return [`is at work${says(progressing)}`];
  if (progressing.since === undefined) return ['does not say since when it is done'];
  if (progressing.since > present)
    return [`is done since ${rfc3339(progressing.since)}, ahead of the clock here`];
  const isSettled = present.getTime() - progressing.since.getTime() >= settledMs;
  return isSettled ? [] : [`is done for less than ${settledMs / 1000} s`];
}

function says({ message }: Condition): string {
  return message === '' ? '' : `: ${message}`;
}
