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
    ...pairs(manifests, ({ path }) => baseNameOf(path)).map(nameCollision),
    ...pairs(manifests, ({ object }) => identityKey(identityOf(object))).map(duplicate),
    ...manifests
      .filter(({ path, origin }) => origin === 'added' && isWrittenOnNode(baseNameOf(path)))
      .map(reserved),
  ];
}

interface Pair {
  readonly earlier: Manifest;
  readonly later: Manifest;
}

/** Each manifest that has the key of one before it, with that one. What we generate counts as earlier. */
function pairs(manifests: readonly Manifest[], keyOf: (manifest: Manifest) => string): readonly Pair[] {
  const seen = new Map<string, Manifest>();
  const ours = manifests.filter(({ source }) => source === undefined);
  const users = manifests.filter(({ source }) => source !== undefined);
  return [...ours, ...users].flatMap((later) => {
    const earlier = seen.get(keyOf(later));
    if (earlier) return [{ earlier, later }];
    seen.set(keyOf(later), later);
    return [];
  });
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
