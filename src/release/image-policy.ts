import { versionIn } from './release-version.js';
import { releases } from './releases.js';

/** Whether a release, such as `4.22.0`, runs an image only with a signature. */
export function needsSignature(
  image: string,
  { version, featureSet }: { readonly version: string; readonly featureSet: string },
): boolean {
  const known = versionIn(version);
  const policy = known && releases.like(known).imagePolicy;
  const applies = policy?.featureSet === undefined || policy.featureSet === featureSet;
  return applies && policy?.repositories.includes(repositoryOf(image)) === true;
}

/** Whether an image comes from a repository whose images are signed. */
export function isFromSignedRepository(image: string): boolean {
  return releases.all.some(({ imagePolicy }) => imagePolicy?.repositories.includes(repositoryOf(image)));
}

/** A pull spec without tag and digest. */
function repositoryOf(image: string): string {
  return image.replace(/@.*$/, '').replace(/:[^:/]*$/, '');
}

/**
 * The tag of the signature of a manifest, in the repository of the image. Source: containers/image docker/docker_client.go,
 * sigstoreAttachmentTag
 */
export function signatureTag(digest: string): string {
  return `${digest.replace(':', '-')}.sig`;
}
