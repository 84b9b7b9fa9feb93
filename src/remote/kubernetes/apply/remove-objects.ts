import { problem, type Place, type Problem } from '../../../core/problem.js';
import { writeYaml } from '../../../formats/yaml/write-yaml.js';
import { listAt, textAt } from '../../../kube/fields.js';
import { describeIdentity, identityOf, type Identity } from '../../../kube/identity.js';
import { manifestFieldPlace } from '../../../kube/manifest-place.js';
import type { SourcedObject } from '../../../kube/manifest.js';
import { whyProtected } from '../../../manifests/post-install/removals.js';
import type { ClusterClient } from '../reader.js';
import type { Fault } from '../request-fault.js';
import { isSuccess, rejectionOf } from './api-answer.js';
import { ownFields } from './managed-fields.js';
import { entriesWithout, identityToApply } from './inventory.js';
import { fieldManager, type ObjectToApply } from './object-to-apply.js';
import { servedResource, type PathOf } from './served-kinds.js';

/** An object that must not exist in the cluster. */
export interface ObjectToRemove {
  readonly identity: Identity;
  /** Unknown for an object of an earlier run, whose version is looked up. */
  readonly apiVersion?: string;
  /** The entry of remove.yaml; absent for an object of an earlier run that the manifests no longer have. */
  readonly at?: Place;
}

export interface RemovalState {
  readonly object: ObjectToRemove;
  /** `released`: the object stays, without our fields. `kept`: it stays. `leftover`: it would be deleted with `--prune`. */
  readonly state: 'deleted' | 'released' | 'absent' | 'kept' | 'leftover' | 'failed';
  /** The reason for `kept` and `failed`. */
  readonly text?: string;
}

export interface RemovalMode {
  readonly isDryRun: boolean;
  /** Whether to delete objects of earlier runs; otherwise they are `leftover`. */
  readonly isPruning: boolean;
  /** UIDs of the objects of this run. One of them can have another name in the inventory: with a namespace or without. */
  readonly applied: ReadonlySet<string | undefined>;
}

/** The entries of remove.yaml. */
export function listedRemovals(removals: readonly SourcedObject[]): readonly ObjectToRemove[] {
  return removals.map(({ object, source }) => ({
    identity: identityOf(object),
    apiVersion: object.apiVersion,
    at: manifestFieldPlace(source, ['metadata', 'name']),
  }));
}

/** The entries of remove.yaml, then the objects of earlier runs that the manifests no longer have. */
export function objectsToRemove(
  {
    objects,
    removals = [],
  }: { readonly objects: readonly ObjectToApply[]; readonly removals?: readonly ObjectToRemove[] },
  inventory: readonly Identity[],
): readonly ObjectToRemove[] {
  const known = [...objects.map(identityToApply), ...removals.map(({ identity }) => identity)];
  const left = entriesWithout(inventory, known).map((identity): ObjectToRemove => ({ identity }));
  return [...inRemovalOrder(removals), ...inRemovalOrder(left)];
}

/** Definitions and namespaces last, because their deletion also deletes other objects. */
function inRemovalOrder(objects: readonly ObjectToRemove[]): readonly ObjectToRemove[] {
  const rank = ({ identity: { kind } }: ObjectToRemove): number =>
    kind === 'Namespace' ? 2 : kind === 'CustomResourceDefinition' ? 1 : 0;
  return objects.toSorted((left, right) => rank(left) - rank(right));
}

/**
 * Deletes an object, unless another version of it has appeared since it was read. An object of an earlier run is deleted only if it still
 * has our fields, and only with `isPruning`; a setting of the cluster only loses them.
 */
export async function removeObject(
  client: Pick<ClusterClient, 'send'>,
  object: ObjectToRemove,
  { isDryRun, isPruning, applied }: RemovalMode,
): Promise<RemovalState | { readonly fault: Fault }> {
  const found = await findObject(client, object, applied);
  if ('fault' in found || 'state' in found) return found;
  const { path, live, apiVersion } = found;
  const { kind, name } = object.identity;
  if (object.at === undefined) {
    if (ownFields(live).length === 0)
      return { object, state: 'kept', text: 'sno-install manages no field of it' };
    if (!isPruning) return { object, state: 'leftover' };
    // Source: sigs.k8s.io/cli-utils pkg/common, LifecycleDeleteAnnotation
    if (textAt(live, ['metadata', 'annotations', 'client.lifecycle.config.k8s.io/deletion']) === 'detach')
      return { object, state: 'kept', text: 'its annotation says detach' };
    if (whyProtected({ apiVersion, kind, metadata: { name } }) !== undefined)
      return release(client, { object, path, apiVersion, isDryRun });
  }
  const uid = textAt(live, ['metadata', 'uid']);
  const answer = await client.send({
    path,
    remove: {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      preconditions: { uid },
      propagationPolicy: 'Background',
      ...(isDryRun && { dryRun: ['All'] }),
    },
  });
  if (answer.kind === 'fault') return { fault: answer.fault };
  if (isSuccess(answer)) return { object, state: 'deleted' };
  if (answer.status === 404) return { object, state: 'absent' };
  return { object, state: 'failed', text: rejectionOf(answer, kind) };
}

interface FoundObject {
  readonly path: string;
  readonly live: unknown;
  readonly apiVersion: string;
}

async function findObject(
  client: Pick<ClusterClient, 'send'>,
  object: ObjectToRemove,
  applied: RemovalMode['applied'],
): Promise<FoundObject | RemovalState | { readonly fault: Fault }> {
  const { kind, namespace, name } = object.identity;
  const served = await findKind(client, object);
  if ('fault' in served || 'state' in served) return served;
  const path = served.pathOf({ ...(namespace !== '' && { namespace }), name });
  const live = await client.send({ path });
  if (live.kind === 'fault') return { fault: live.fault };
  if (live.status === 404) return { object, state: 'absent' };
  if (!isSuccess(live)) return { object, state: 'failed', text: rejectionOf(live, kind) };
  const uid = textAt(live.body, ['metadata', 'uid']);
  if (uid !== undefined && applied.has(uid))
    return object.at === undefined
      ? { object, state: 'kept', text: 'a manifest contains it with another namespace or group' }
      : { object, state: 'failed', text: 'a manifest creates it' };
  return { path, live: live.body, apiVersion: served.apiVersion };
}

interface FoundKind {
  readonly apiVersion: string;
  readonly pathOf: PathOf;
}

async function findKind(
  client: Pick<ClusterClient, 'send'>,
  object: ObjectToRemove,
): Promise<FoundKind | RemovalState | { readonly fault: Fault }> {
  const { group, kind } = object.identity;
  const versions = object.apiVersion === undefined ? await versionsOf(client, group) : [object.apiVersion];
  if ('fault' in versions) return versions;
  if ('refusal' in versions) return { object, state: 'failed', text: versions.refusal };
  let isVersionServed = false;
  for (const apiVersion of versions) {
    const served = await servedResource({ apiVersion, kind }, (path) => client.send({ path }));
    if (served.kind === 'fault') return { fault: served.fault };
    if (served.kind === 'served') return { apiVersion, pathOf: served.pathOf };
    const { answer } = served;
    isVersionServed ||= isSuccess(answer);
    if (!isSuccess(answer) && answer.status !== 404)
      return { object, state: 'failed', text: rejectionOf(answer, kind) };
  }
  // A missing version belongs to an operator that is not installed. If the version is served, the name of the kind is wrong.
  return object.apiVersion === undefined || !isVersionServed
    ? { object, state: 'absent' }
    : { object, state: 'failed', text: `kind ${kind} of ${object.apiVersion} is not served` };
}

/** The versions of a group, such as `apps/v1`; none if it is not served. Source: k8s.io/apimachinery pkg/apis/meta/v1 APIGroup */
async function versionsOf(
  { send }: Pick<ClusterClient, 'send'>,
  group: string,
): Promise<readonly string[] | { readonly fault: Fault } | { readonly refusal: string }> {
  if (group === '') return ['v1'];
  const answer = await send({ path: `/apis/${encodeURIComponent(group)}` });
  if (answer.kind === 'fault') return { fault: answer.fault };
  if (answer.status === 404) return [];
  if (!isSuccess(answer)) return { refusal: rejectionOf(answer, '') };
  return listAt(answer.body, ['versions']).flatMap((each) => textAt(each, ['groupVersion']) ?? []);
}

/** An apply without fields gives up those that an earlier apply set. */
async function release(
  { send }: Pick<ClusterClient, 'send'>,
  {
    object,
    path,
    apiVersion,
    isDryRun,
  }: {
    readonly object: ObjectToRemove;
    readonly path: string;
    readonly apiVersion: string;
    readonly isDryRun: boolean;
  },
): Promise<RemovalState | { readonly fault: Fault }> {
  const { kind, namespace, name } = object.identity;
  const metadata = { name, ...(namespace !== '' && { namespace }) };
  const answer = await send({
    path,
    query: { fieldManager, ...(isDryRun && { dryRun: 'All' }) },
    apply: writeYaml({ apiVersion, kind, metadata }),
  });
  if (answer.kind === 'fault') return { fault: answer.fault };
  return isSuccess(answer)
    ? { object, state: 'released' }
    : { object, state: 'failed', text: rejectionOf(answer, kind) };
}

/** Problems: apply/not-deleted, apply/leftover. */
export function removalProblems(states: readonly RemovalState[]): readonly Problem[] {
  return states.flatMap(({ object: { identity, at }, state, text = '' }) => {
    const name = describeIdentity(identity);
    if (state === 'failed')
      return [problem('apply/not-deleted', `${name} is not deleted: ${text}`, { at, hint: notDeletedHint })];
    if (state !== 'leftover') return [];
    const message = `an earlier run applied ${name}, but no manifest contains it any more`;
    return [
      problem('apply/leftover', message, {
        hint: 'add --prune to delete it; --dry-run server lists the deletions',
      }),
    ];
  });
}

const notDeletedHint = 'delete it with `oc delete`, or correct the entry; then run the command again';
