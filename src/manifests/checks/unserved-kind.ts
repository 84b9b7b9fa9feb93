import { problem, type Problem } from '../../core/problem.js';
import { maskedWord } from '../../core/quoted.js';
import { closest } from '../../core/suggest.js';
import { describeIdentity, groupOf, identityOf } from '../../kube/identity.js';
import { manifestFieldPlace } from '../../kube/manifest-place.js';
import type { OpenShiftRelease } from '../../release/openshift-release.js';
import type { Served } from '../../release/served-at.js';
import type { SourcedObject } from '../../kube/manifest.js';
import { toPostInstall } from './absent-kinds.js';

interface ServedFacts {
  readonly served: readonly Served[];
  /** Undefined if the inputs do not specify it. */
  readonly release: OpenShiftRelease | undefined;
  /** Whether the installation's feature set enables previews. */
  readonly hasPreviews: boolean;
}

/**
 * Reports an object of a listed group whose kind or version the release does not serve: cluster-bootstrap finds no REST
 * mapping and retries forever. Problems: manifest/kind-absent.
 */
export function unservedKind(
  sourced: SourcedObject,
  { served, release, hasPreviews }: ServedFacts,
): readonly Problem[] {
  const { object, source } = sourced;
  const { apiVersion, kind } = object;
  const same = served.filter((each) => apiVersionOf(each) === apiVersion && each.kind === kind);
  if (same.some(({ isPreview }) => !isPreview || hasPreviews)) return [];
  if (same.length > 0) return [previewOnly(sourced, served)];
  const isKind = served.some((each) => each.group === groupOf(apiVersion) && each.kind === kind);
  const who = release ? `OpenShift ${release.version.text}` : 'no supported release';
  const verb = release ? 'does not serve' : 'serves';
  const what = describeIdentity(identityOf(object));
  const message = `${what} cannot be created, because ${who} ${verb} ${maskedWord(kind)} in ${maskedWord(apiVersion)}`;
  const at = manifestFieldPlace(source, isKind ? ['apiVersion'] : ['kind']);
  return [problem('manifest/kind-absent', message, { at, hint: hintFor(apiVersion, kind, served) })];
}

function previewOnly({ object, source }: SourcedObject, served: readonly Served[]): Problem {
  const { apiVersion, kind } = object;
  const what = describeIdentity(identityOf(object));
  const message = `${what} cannot be created, because only feature sets for previews serve ${maskedWord(kind)} in ${maskedWord(apiVersion)}`;
  const stable = served.filter(({ group, isPreview }) => group === groupOf(apiVersion) && !isPreview);
  const hint = sameKind(kind, stable) ?? 'remove it, or set "featureSet" in install-config.yaml';
  return problem('manifest/kind-absent', message, { at: manifestFieldPlace(source, ['apiVersion']), hint });
}

function apiVersionOf({ group, version }: Served): string {
  return group === '' ? version : `${group}/${version}`;
}

function hintFor(apiVersion: string, kind: string, served: readonly Served[]): string {
  const own = ownHints[kind];
  if (own !== undefined) return own;
  const [sameGroup, others] = [true, false].map((isSame) =>
    served.filter(({ group }) => (group === groupOf(apiVersion)) === isSame),
  );
  return (
    sameKind(kind, sameGroup) ??
    similarKind(kind, sameGroup) ??
    sameKind(kind, others) ??
    similarKind(kind, others) ??
    `remove it; if an operator defines the kind, ${toPostInstall}`
  );
}

function sameKind(kind: string, served: readonly Served[] = []): string | undefined {
  const found = served.find((each) => each.kind === kind);
  return found && `write "apiVersion: ${apiVersionOf(found)}"`;
}

function similarKind(kind: string, served: readonly Served[] = []): string | undefined {
  const suggestion = closest(
    kind,
    served.map((each) => each.kind),
  );
  const found = served.find((each) => each.kind === suggestion);
  return found && `did you mean "${found.kind}" of ${apiVersionOf(found)}?`;
}

/** Hints for kinds that the cluster replaces by another one, and for kinds of installer files. */
const ownHints: Readonly<Record<string, string>> = {
  AgentConfig:
    'this is a file of the agent-based installer: move it out of the folder (`sno-install import agent-config` reads it)',
  ImageSetConfiguration: 'this is a file of oc-mirror: move it out of the folder',
  PodSecurityPolicy:
    'Kubernetes 1.25 removed it: set the label pod-security.kubernetes.io/enforce of the namespace, or use SecurityContextConstraints',
  SingleNodeConfig: 'this is sno-config.yaml: move it into the directory of install-config.yaml',
};
