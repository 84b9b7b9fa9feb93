import { fieldAt, listAt, textAt } from '../../../kube/fields.js';
import { groupOf } from '../../../kube/identity.js';
import { conditionOf } from '../condition.js';
import type { ApiAnswer, ClusterClient } from '../reader.js';
import type { Fault } from '../request-fault.js';
import { isSuccess, rejectionOf } from './api-answer.js';
import type { ObjectToApply } from './object-to-apply.js';

/** A missing condition: while it is awaited, and after the timeout. */
export interface MissingCondition {
  readonly waitsFor: string;
  readonly failure: string;
}

/** Whether objects of a kind can be applied. */
export type KindState =
  | { readonly kind: 'ready'; readonly pathOf: (object: ObjectToApply) => string }
  | { readonly kind: 'missing'; readonly missing: MissingCondition }
  | { readonly kind: 'fault'; readonly fault: Fault };

type Kind = Pick<ObjectToApply, 'apiVersion' | 'kind'>;

/** Returns a lookup of kinds. It sends each request once, so use a new one for each pass. */
export function kindLookup({ send }: Pick<ClusterClient, 'send'>): (kind: Kind) => Promise<KindState> {
  const answers = new Map<string, Promise<ApiAnswer>>();
  const read = (path: string, query: Readonly<Record<string, string>> = {}): Promise<ApiAnswer> => {
    const answer = answers.get(path) ?? send({ path, query });
    answers.set(path, answer);
    return answer;
  };
  return (kind) => stateOf(kind, read);
}

type Read = (path: string, query?: Readonly<Record<string, string>>) => Promise<ApiAnswer>;

async function stateOf({ apiVersion, kind }: Kind, read: Read): Promise<KindState> {
  const group = groupOf(apiVersion);
  const root = `${group === '' ? '/api' : '/apis'}/${apiVersion.split('/').map(encodeURIComponent).join('/')}`;
  const served = await read(root);
  if (served.kind === 'fault') return served;
  // Source: k8s.io/apimachinery pkg/apis/meta/v1 APIResourceList. The name of a subresource contains a slash.
  const resource = listAt(served.body, ['resources']).find(
    (each) => textAt(each, ['kind']) === kind && textAt(each, ['name'])?.includes('/') === false,
  );
  const plural = textAt(resource, ['name']);
  if (!isSuccess(served) || plural === undefined)
    return missingCondition(notServed({ apiVersion, kind }, discoveryError(served, kind)));
  const missing = group === '' ? undefined : await missingOf(`${plural}.${group}`, read);
  if (missing !== undefined) return missing;
  const isNamespaced = fieldAt(resource, ['namespaced']) === true;
  return {
    kind: 'ready',
    pathOf: ({ namespace = 'default', name }) => {
      const inNamespace = isNamespaced ? `/namespaces/${encodeURIComponent(namespace)}` : '';
      return `${root}${inNamespace}/${plural}/${encodeURIComponent(name)}`;
    },
  };
}

/** `error` is the answer to the discovery, if it failed. */
export function notServed({ apiVersion, kind }: Kind, error = ''): MissingCondition {
  const because = error === '' ? '' : ` (${error})`;
  return {
    waitsFor: `kind ${kind} of ${apiVersion}${because}`,
    failure: `kind ${kind} of ${apiVersion} is not served${because}`,
  };
}

function discoveryError(answer: Extract<ApiAnswer, { readonly kind: 'answer' }>, kind: string): string {
  return answer.status === 404 || isSuccess(answer) ? '' : rejectionOf(answer, kind);
}

/** The condition that a served kind does not meet: the CRD must be Established, and the operator that owns it installed. */
async function missingOf(crd: string, read: Read): Promise<KindState | undefined> {
  const found = await read(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${crd}`);
  if (found.kind === 'fault') return found;
  // A built-in or aggregated kind has no CRD.
  if (found.status === 404) return undefined;
  if (!isSuccess(found)) return unreadable(`CRD ${crd}`, rejectionOf(found, ''));
  if (conditionOf(found.body, 'Established').status !== 'True')
    return missingCondition({
      waitsFor: `CRD ${crd} to be Established`,
      failure: `CRD ${crd} is not Established`,
    });
  return unfinishedOperator(crd, read);
}

/**
 * Source of paths, fields and phases: github.com/operator-framework/api pkg/operators/v1alpha1 ClusterServiceVersion. OLM copies the object
 * to the namespaces of an operator; a copy has the label olm.copiedFrom.
 */
async function unfinishedOperator(crd: string, read: Read): Promise<KindState | undefined> {
  const list = await read('/apis/operators.coreos.com/v1alpha1/clusterserviceversions', {
    labelSelector: '!olm.copiedFrom',
  });
  if (list.kind === 'fault') return list;
  if (list.status === 404) return undefined;
  if (!isSuccess(list)) return unreadable('ClusterServiceVersions', rejectionOf(list, ''));
  for (const each of listAt(list.body, ['items'])) {
    const owned = listAt(each, ['spec', 'customresourcedefinitions', 'owned']);
    if (!owned.some((definition) => textAt(definition, ['name']) === crd)) continue;
    const phase = textAt(each, ['status', 'phase']) ?? 'unknown';
    if (phase === 'Succeeded') continue;
    const name = textAt(each, ['metadata', 'name']) ?? '?';
    return missingCondition({
      waitsFor: `CSV ${name} (phase ${phase})`,
      failure: `CSV ${name} in phase ${phase}`,
    });
  }
  return undefined;
}

function unreadable(what: string, answer: string): KindState {
  return missingCondition({
    waitsFor: `${what} (${answer})`,
    failure: `cannot read ${what}: ${answer}`,
  });
}

function missingCondition(missing: MissingCondition): KindState {
  return { kind: 'missing', missing };
}
