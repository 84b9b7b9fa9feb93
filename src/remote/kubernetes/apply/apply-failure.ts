import { problem, type Problem } from '../../../core/problem.js';
import { maskedWord } from '../../../core/quoted.js';
import { textAt } from '../../../kube/fields.js';
import { roleLabel } from '../../../kube/machine-config.js';
import type { Effect } from '../../../manifests/post-install/reboot-problems.js';
import { describeObject, type ObjectToApply } from './object-to-apply.js';

/** The cause for which an object is not applied. */
export interface Failure {
  readonly code: 'apply/not-served' | 'apply/conflict' | 'apply/fixed' | 'apply/rejected';
  readonly text: string;
}

export const failureHints: Readonly<Record<Failure['code'], string>> = {
  'apply/not-served':
    'check the Subscription and the pods of the operator that installs the kind, then run the command again',
  'apply/conflict': 'remove the fields from the manifest, or take them over with --force-conflicts',
  'apply/fixed': 'set the field to the value of the cluster, or reinstall the site',
  'apply/rejected': 'fix the manifest or the component that rejects it, then run the command again',
};

/** Problems: apply/not-served, apply/conflict, apply/fixed, apply/rejected. */
export function failureOf(object: ObjectToApply, { code, text }: Failure): Problem {
  const message = `${describeObject(object)} is not applied: ${text}`;
  return problem(code, message, { at: object.at, hint: failureHints[code] });
}

export function fixedField(field: string): Failure {
  return { code: 'apply/fixed', text: `${field} cannot change on a running node` };
}

/** Warns about a changed object that reboots or drains nodes. Problems: apply/reboot. */
export function rebootWarning(object: ObjectToApply, effect: Effect, isDryRun: boolean): Problem {
  const verb = isDryRun ? `would change and ${effect.slice(0, -1)}` : `changed and ${effect}`;
  const pool = textAt(object.object, ['metadata', 'labels', roleLabel]) ?? 'master';
  const nodes = pool === 'master' ? 'the node' : `nodes of the pool ${maskedWord(pool)}`;
  return problem('apply/reboot', `${describeObject(object)} ${verb} ${nodes}`, {
    at: object.at,
    hint: isDryRun
      ? 'apply it in a maintenance window'
      : '`wait-for install-complete` waits until the node is back',
  });
}
