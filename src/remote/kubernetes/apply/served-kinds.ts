import { problem, type Problem } from '../../../core/problem.js';
import { fieldAt, listAt, textAt } from '../../../kube/fields.js';
import { groupOf } from '../../../kube/identity.js';
import { conditionOf } from '../condition.js';
import type { ApiAnswer, ClusterClient } from '../reader.js';
import type { Fault } from '../request-fault.js';
import { isSuccess, rejectionOf } from './api-answer.js';
import type { ObjectToApply } from './object-to-apply.js';
import { unfinishedOperator, unreadable, type MissingCondition, type Read } from './unfinished-operator.js';

/** Whether objects of a kind can be applied. */
export type KindState =
  | { readonly kind: 'ready'; readonly pathOf: PathOf }
  | { readonly kind: 'missing'; readonly missing: MissingCondition }
  | { readonly kind: 'fault'; readonly fault: Fault };

type Kind = Pick<ObjectToApply, 'apiVersion' | 'kind' | 'subscriptions'>;

/** Returns a lookup of kinds. It sends each request once, so use a new one for each pass. */
export function kindLookup({ send }: Pick<ClusterClient, 'send'>): (kind: Kind) => Promise<KindState> {
  const answers = new Map<string, Promise<ApiAnswer>>();
  const read: Read = (path, query = {}) => {
    const answer = answers.get(path) ?? send({ path, query });
    answers.set(path, answer);
    return answer;
  };
  return (kind) => stateOf(kind, read);
}

async function stateOf({ apiVersion, kind, subscriptions }: Kind, read: Read): Promise<KindState> {
  const served = await servedResource({ apiVersion, kind }, read);
  if (served.kind === 'fault') return served;
  if (served.kind === 'absent') {
    const operator = await unfinishedOperator({ subscriptions }, read);
    if (operator?.kind === 'fault') return operator;
    const because = discoveryError(served.answer, kind) || (operator?.failure ?? '');
    return missingCondition(notServed({ apiVersion, kind }, because));
  }
  const group = groupOf(apiVersion);
  const missing =
    group === '' ? undefined : await missingOf({ crd: `${served.plural}.${group}`, subscriptions }, read);
  return missing ?? { kind: 'ready', pathOf: served.pathOf };
}

/** A kind in the discovery of its version. */
export type ServedResource =
  | { readonly kind: 'served'; readonly plural: string; readonly pathOf: PathOf }
  /** `answer` is that of the version. */
  | { readonly kind: 'absent'; readonly answer: Extract<ApiAnswer, { readonly kind: 'answer' }> }
  | { readonly kind: 'fault'; readonly fault: Fault };

/** The path of an object of a kind. */
export type PathOf = (object: Pick<ObjectToApply, 'namespace' | 'name'>) => string;

export async function servedResource(
  { apiVersion, kind }: Pick<Kind, 'apiVersion' | 'kind'>,
  read: Read,
): Promise<ServedResource> {
  const group = groupOf(apiVersion);
  const root = `${group === '' ? '/api' : '/apis'}/${apiVersion.split('/').map(encodeURIComponent).join('/')}`;
  const answer = await read(root);
  if (answer.kind === 'fault') return answer;
  // Source: k8s.io/apimachinery pkg/apis/meta/v1 APIResourceList. The name of a subresource contains a slash.
  const resource = listAt(answer.body, ['resources']).find(
    (each) => textAt(each, ['kind']) === kind && textAt(each, ['name'])?.includes('/') === false,
  );
  const plural = textAt(resource, ['name']);
  if (!isSuccess(answer) || plural === undefined) return { kind: 'absent', answer };
  const isNamespaced = fieldAt(resource, ['namespaced']) === true;
  return {
    kind: 'served',
    plural,
    pathOf: ({ namespace = 'default', name }) => {
      const inNamespace = isNamespaced ? `/namespaces/${encodeURIComponent(namespace)}` : '';
      return `${root}${inNamespace}/${plural}/${encodeURIComponent(name)}`;
    },
  };
}

/**
 * Whether objects of OpenShift's configuration cannot be applied because the API has none of its kinds: that of an all-in-one node, or
 * of a bootstrap that has just started. Waiting for single kinds would hide it for an hour.
 */
export async function openShiftAbsence(
  { send }: Pick<ClusterClient, 'send'>,
  objects: readonly ObjectToApply[],
): Promise<Problem | undefined | { readonly fault: Fault }> {
  if (!objects.some(({ apiVersion }) => groupOf(apiVersion) === configGroup)) return undefined;
  const answer = await send({ path: `/apis/${configGroup}` });
  if (answer.kind === 'fault') return { fault: answer.fault };
  if (answer.status !== 404) return undefined;
  return problem('apply/not-openshift', `the API does not serve the group ${configGroup}`, {
    hint: 'during an installation run `wait-for install-complete` first; `--wave` applies a wave of post-install/ to another cluster',
  });
}

const configGroup = 'config.openshift.io';

/** `error` is the answer to the discovery, if it failed, or the state of the operator. */
export function notServed(
  { apiVersion, kind }: Pick<ObjectToApply, 'apiVersion' | 'kind'>,
  error = '',
): MissingCondition {
  const because = error === '' ? '' : ` (${error})`;
  return {
    waitsFor: `kind ${kind} of ${apiVersion}${because}`,
    failure: `kind ${kind} of ${apiVersion} is not served${because}`,
  };
}

function discoveryError(answer: Extract<ApiAnswer, { readonly kind: 'answer' }>, kind: string): string {
  return answer.status === 404 || isSuccess(answer) ? '' : rejectionOf(answer, kind);
}

/** The condition that a served kind does not meet: the CRD must be Established, and its operator installed. */
async function missingOf(
  { crd, subscriptions }: { readonly crd: string; readonly subscriptions: readonly string[] },
  read: Read,
): Promise<KindState | undefined> {
  const found = await read(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${crd}`);
  if (found.kind === 'fault') return found;
  // A built-in or aggregated kind has no CRD.
  if (found.status === 404) return undefined;
  if (!isSuccess(found)) return missingCondition(unreadable(`CRD ${crd}`, rejectionOf(found, '')));
  if (conditionOf(found.body, 'Established').status !== 'True')
    return missingCondition({
      waitsFor: `CRD ${crd} to be Established`,
      failure: `CRD ${crd} is not Established`,
    });
  const operator = await unfinishedOperator({ crd, subscriptions }, read);
  return operator === undefined || operator.kind === 'fault' ? operator : missingCondition(operator);
}

function missingCondition({ waitsFor, failure }: MissingCondition): KindState {
  return { kind: 'missing', missing: { waitsFor, failure } };
}
