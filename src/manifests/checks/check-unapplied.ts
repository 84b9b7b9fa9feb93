import { problem, type Problem } from '../../core/problem.js';
import { textAt } from '../../kube/fields.js';
import { describeIdentity, groupOf, identityOf } from '../../kube/identity.js';
import { manifestFieldPlace } from '../../kube/manifest-place.js';
import type { SourcedObject } from '../../kube/manifest.js';

/**
 * Reports objects without an effect of their spec: a Subscription that waits for approval, and an object with only a status. Problems: manifest/approval-missing, manifest/status-only.
 */
export function unappliedProblems(objects: readonly SourcedObject[]): readonly Problem[] {
  return objects.flatMap((sourced) => [...unapproved(sourced), ...statusOnly(sourced)]);
}

/** Source: operator-framework/api, operators/v1alpha1 Subscription, ApprovalManual */
function unapproved({ object, source }: SourcedObject): readonly Problem[] {
  const isSubscription =
    object.kind === 'Subscription' && groupOf(object.apiVersion) === 'operators.coreos.com';
  if (!isSubscription || textAt(object, ['spec', 'installPlanApproval']) !== 'Manual') return [];
  const message = `${describeIdentity(identityOf(object))} waits until somebody approves its InstallPlan; the operator is not installed before`;
  return [
    problem('manifest/approval-missing', message, {
      at: manifestFieldPlace(source, ['spec', 'installPlanApproval']),
      hint: 'write Automatic, or approve the InstallPlan when the cluster is up: spec.approved: true',
    }),
  ];
}

const identityFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status']);

/** Kinds whose objects have an effect by their existence. */
const plainKinds: ReadonlySet<string> = new Set(['Namespace', 'ServiceAccount']);

/** An object that was copied from a cluster without its spec. */
function statusOnly({ object, source }: SourcedObject): readonly Problem[] {
  const fields = Object.keys(object);
  if (plainKinds.has(object.kind)) return [];
  if (!fields.includes('status') || fields.some((field) => !identityFields.has(field))) return [];
  const message = `${describeIdentity(identityOf(object))} has a status and no settings; the cluster writes the status itself`;
  return [
    problem('manifest/status-only', message, {
      at: manifestFieldPlace(source, ['status'], 'key'),
      hint: 'add the spec of the object, or remove the file',
    }),
  ];
}
