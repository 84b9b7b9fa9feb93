import { fieldAt, listAt, textAt } from '../../../kube/fields.js';
import type { ApiAnswer } from '../reader.js';
import type { Fault } from '../request-fault.js';
import { isSuccess, rejectionOf, shownLine } from './api-answer.js';

/** A missing condition: while it is awaited, and after the timeout. */
export interface MissingCondition {
  readonly waitsFor: string;
  readonly failure: string;
}

export type Read = (path: string, query?: Readonly<Record<string, string>>) => Promise<ApiAnswer>;

type Missing = MissingCondition & { readonly kind: 'missing' };
type FaultAnswer = { readonly kind: 'fault'; readonly fault: Fault };

interface WantedOperator {
  /** Absent while the API does not serve the kind. */
  readonly crd?: string;
  /** `NAMESPACE/NAME` of the Subscriptions that bring the kind. */
  readonly subscriptions: readonly string[];
}

/**
 * The first operator whose installation is not complete; undefined if all are. OLM creates CRDs before the ClusterServiceVersion that
 * owns them, so a kind without an owner waits for the ClusterServiceVersions of its Subscriptions.
 * Sources: github.com/operator-framework/api pkg/operators/v1alpha1; operator-lifecycle-manager pkg/controller/operators/catalog
 */
export async function unfinishedOperator(
  { crd, subscriptions: names }: WantedOperator,
  read: Read,
): Promise<Missing | FaultAnswer | undefined> {
  if (crd === undefined && names.length === 0) return undefined;
  // OLM copies the object to the namespaces of an operator; a copy has this label.
  const csvs = await itemsOf('clusterserviceversions', read, { labelSelector: '!olm.copiedFrom' });
  if ('kind' in csvs) return csvs;
  const owners = csvs.items.filter((each) =>
    listAt(each, ['spec', 'customresourcedefinitions', 'owned']).some(
      (owned) => crd !== undefined && textAt(owned, ['name']) === crd,
    ),
  );
  if (owners.length > 0 || names.length === 0) return firstMissing(owners.map((each) => unfinishedCsv(each)));
  const subscriptions = await itemsOf('subscriptions', read);
  if ('kind' in subscriptions) return subscriptions;
  return firstMissing(
    names.map((name) =>
      unfinishedSubscription(name, { csvs: csvs.items, subscriptions: subscriptions.items }),
    ),
  );
}

function firstMissing(conditions: readonly (MissingCondition | undefined)[]): Missing | undefined {
  const found = conditions.find((each) => each !== undefined);
  return found && { kind: 'missing', ...found };
}

interface OperatorLists {
  readonly csvs: readonly unknown[];
  readonly subscriptions: readonly unknown[];
}

/** Status fields: installedCSV is set when the ClusterServiceVersion exists. */
function unfinishedSubscription(
  name: string,
  { csvs, subscriptions }: OperatorLists,
): MissingCondition | undefined {
  const subscription = subscriptions.find((each) => fullName(each) === name);
  if (subscription === undefined)
    return { waitsFor: `Subscription ${name}`, failure: `Subscription ${name} does not exist` };
  const csvName = textAt(subscription, ['status', 'installedCSV']);
  const [namespace = ''] = name.split('/');
  const csv = csvs.find((each) => fullName(each) === `${namespace}/${csvName ?? ''}`);
  if (csv !== undefined) return unfinishedCsv(csv, ` of Subscription ${name}`);
  const because = inParentheses(obstaclesOf(subscription));
  return {
    waitsFor: `the ClusterServiceVersion of Subscription ${name}${because}`,
    failure: `Subscription ${name} has no ClusterServiceVersion${because}`,
  };
}

/** Conditions of a Subscription are true if something is wrong. Deprecations do not stop the installation. */
function obstaclesOf(subscription: unknown): string {
  const plan = textAt(subscription, ['status', 'installPlanRef', 'name']) ?? '';
  return listAt(subscription, ['status', 'conditions'])
    .filter(
      (each) =>
        textAt(each, ['status']) === 'True' && textAt(each, ['type'])?.endsWith('Deprecated') === false,
    )
    .map((each) =>
      textAt(each, ['reason']) === 'RequiresApproval'
        ? `InstallPlan ${plan} waits for approval`
        : `${textAt(each, ['type']) ?? ''}: ${reasonOf(each)}`,
    )
    .join('; ');
}

function unfinishedCsv(csv: unknown, ofSubscription = ''): MissingCondition | undefined {
  const phase = textAt(csv, ['status', 'phase']) ?? 'unknown';
  if (phase === 'Succeeded') return undefined;
  const name = `CSV ${textAt(csv, ['metadata', 'name']) ?? '?'}${ofSubscription}`;
  const reason = reasonOf(fieldAt(csv, ['status']));
  return {
    waitsFor: `${name} (phase ${phase}${reason === '' ? '' : `, ${reason}`})`,
    failure: `${name} in phase ${phase}${inParentheses(reason)}`,
  };
}

/** Reason and message of a status or condition. */
function reasonOf(status: unknown): string {
  const parts = [textAt(status, ['reason']), textAt(status, ['message'])];
  return shownLine(parts.filter((part) => part !== undefined).join(': '));
}

function inParentheses(text: string): string {
  return text === '' ? '' : ` (${text})`;
}

function fullName(object: unknown): string {
  return `${textAt(object, ['metadata', 'namespace']) ?? ''}/${textAt(object, ['metadata', 'name']) ?? ''}`;
}

/** The objects of an OLM kind; none if the cluster has no OLM. */
async function itemsOf(
  plural: string,
  read: Read,
  query: Readonly<Record<string, string>> = {},
): Promise<{ readonly items: readonly unknown[] } | Missing | FaultAnswer> {
  const list = await read(`/apis/operators.coreos.com/v1alpha1/${plural}`, query);
  if (list.kind === 'fault') return list;
  if (list.status === 404) return { items: [] };
  if (!isSuccess(list)) return { kind: 'missing', ...unreadable(plural, rejectionOf(list, '')) };
  return { items: listAt(list.body, ['items']) };
}

export function unreadable(what: string, answer: string): MissingCondition {
  return { waitsFor: `${what} (${answer})`, failure: `cannot read ${what}: ${answer}` };
}
