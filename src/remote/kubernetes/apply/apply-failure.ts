import { problem, type Problem } from '../../../core/problem.js';
import { describeObject, type ObjectToApply } from './object-to-apply.js';

/** The cause for which an object is not applied. */
export interface Failure {
  readonly code: 'apply/not-served' | 'apply/conflict' | 'apply/rejected';
  readonly text: string;
}

export const failureHints: Readonly<Record<Failure['code'], string>> = {
  'apply/not-served':
    'check the Subscription and the pods of the operator that installs the kind, then run the command again',
  'apply/conflict': 'remove the fields from the manifest, or take them over with --force-conflicts',
  'apply/rejected': 'fix the manifest or the component that rejects it, then run the command again',
};

/** Problems: apply/not-served, apply/conflict, apply/rejected. */
export function failureOf(object: ObjectToApply, { code, text }: Failure): Problem {
  const message = `${describeObject(object)} is not applied: ${text}`;
  return problem(code, message, { at: object.at, hint: failureHints[code] });
}
