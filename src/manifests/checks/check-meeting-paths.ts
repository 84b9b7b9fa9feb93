import { problem, type Problem } from '../../core/problem.js';
import { describeIdentity, identityKey, identityOf } from '../../kube/identity.js';
import { placeIn } from '../../kube/manifest-place.js';
import type { Manifest } from '../../kube/manifest.js';
import { baseNameOf } from '../edits/paths.js';
import { isWrittenOnNode } from './node-render-names.js';

/**
 * Manifests that would meet on the node, where both folders become one: the same file name, or the same object.
 * Problems: manifest/name-collision, manifest/duplicate, manifest/reserved-name.
 */
export function meetingProblems(manifests: readonly Manifest[]): readonly Problem[] {
  return [
    ...pairs(manifests, fileName).map(nameCollision),
    ...pairs(manifests, identity).map(duplicate),
    ...manifests.filter(isAddedInVain).map(reserved),
  ];
}

function fileName({ path }: Manifest): string {
  return baseNameOf(path);
}

function identity({ object }: Manifest): string {
  return identityKey(identityOf(object));
}

function isAddedInVain({ path, origin }: Manifest): boolean {
  return origin === 'added' && isWrittenOnNode(baseNameOf(path));
}

interface Pair {
  readonly earlier: Manifest;
  readonly later: Manifest;
}

/** Each manifest that has the key of one before it, with that one. What we generate counts as earlier. */
function pairs(manifests: readonly Manifest[], keyOf: (manifest: Manifest) => string): readonly Pair[] {
  const seen = new Map<string, Manifest>();
  const met: Pair[] = [];
  for (const later of [...manifests.filter(isGenerated), ...manifests.filter(isOfUser)]) {
    const key = keyOf(later);
    const earlier = seen.get(key);
    if (earlier === undefined) seen.set(key, later);
    else met.push({ earlier, later });
  }
  return met;
}

function isGenerated({ source }: Manifest): boolean {
  return source === undefined;
}

function isOfUser({ source }: Manifest): boolean {
  return source !== undefined;
}

function nameCollision({ earlier, later }: Pair): Problem {
  const name = baseNameOf(later.path);
  const message = `${fileOf(later)} and ${fileOf(earlier)} both become ${name} on the node, where one would replace the other`;
  return problem('manifest/name-collision', message, {
    at: { file: fileOf(later) },
    hint: 'rename one of the two',
  });
}

function duplicate({ earlier, later }: Pair): Problem {
  const what = describeIdentity(identityOf(later.object));
  const message = `${what} stands in ${fileOf(later)} and in ${fileOf(earlier)}, expected each object once`;
  const at = later.source ? placeIn(later.source, ['metadata', 'name']) : { file: later.path };
  const hint = earlier.source
    ? 'remove one of the two'
    : `to change what is generated, run \`sno-install create manifests\` and edit ${earlier.path}`;
  return problem('manifest/duplicate', message, { at, hint });
}

function reserved(manifest: Manifest): Problem {
  const name = baseNameOf(manifest.path);
  const message = `${fileOf(manifest)} would be lost: the node itself writes a manifest called ${name}`;
  return problem('manifest/reserved-name', message, {
    at: { file: fileOf(manifest) },
    hint: 'rename the file',
  });
}

function fileOf({ source, path }: Manifest): string {
  return source?.file ?? path;
}
