import { problem } from '../../core/problem.js';
import { quoted } from '../../core/quoted.js';
import { failure, success, type Result } from '../../core/result.js';
import { parseImageReference, type ImageReference } from '../../formats/image-reference.js';
import { fullVersionIn } from '../../release/full-version.js';
import type { TargetRelease } from '../../remote/kubernetes/upgrade/cluster-version.js';

/** Parses `--to`: a pull spec with a tag, a digest or both. Problems: usage/unknown-argument. */
export function parseTarget(text: string): Result<ImageReference> {
  const reference = parseImageReference(text);
  if (reference?.digest?.startsWith('sha512:') === true) return failure(notPullSpec(text));
  if (reference !== undefined && (reference.tag !== undefined || reference.digest !== undefined))
    return success(reference);
  return failure(notPullSpec(text));
}

function notPullSpec(text: string): ReturnType<typeof problem> {
  const version = fullVersionIn(text)?.text;
  const hint =
    version === undefined
      ? 'write REPOSITORY:TAG, REPOSITORY@sha256:… or REPOSITORY:TAG@sha256:…'
      : `for OpenShift on x86_64: quay.io/openshift-release-dev/ocp-release:${version}-x86_64`;
  return problem('usage/unknown-argument', `--to is ${quoted(text)}, expected the pull spec of a release`, {
    hint,
  });
}

/** The release with its digest. The tag is the only source of its version. */
export function targetRelease({ repository, tag }: ImageReference, digest: string): TargetRelease {
  const version = fullVersionIn(tag ?? '');
  return { image: `${repository}@${digest}`, digest, ...(version && { version }) };
}
