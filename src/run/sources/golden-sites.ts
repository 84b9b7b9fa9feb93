import { relative, resolve, sep } from 'node:path';

import { problem, type Problem } from '../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { withGoldenHint } from '../placeholder-secret.js';
import { ownTemplates } from '../../disk/program-files/templates.js';
import type { ExternalSources } from '../../disk/external-files/read-reference.js';
import { goldenOutputs } from '../dry-run-outputs.js';
import { duplicatesIn } from '../../ignition/violation.js';
import { templatesFolder as templatesInTree } from '../../review/diff/review-side.js';
import { expiredCertificates } from '../../review/expired-certificates.js';
import { goldenTree, type GoldenSite } from '../../review/golden-tree.js';
import type { Tree } from '../../review/review-tree.js';
import type { TargetName } from '../targets.js';
import { relativeToWorkingDirectory } from '../../formats/working-directory.js';
import { folderOnDisk } from './review-folder.js';
import { ourTemplates } from './own-templates.js';

/** A site of a golden tree. */
export interface Site {
  readonly dir: string;
  /** Its folder in the tree; empty if the site is the whole tree. */
  readonly name: string;
}

/** Target and time of a golden tree. */
export interface GoldenOptions {
  readonly target: TargetName;
  readonly offlineFiles?: string;
  readonly present: Date;
  /** For fields that refer to a variable or stdin. */
  readonly outside: ExternalSources;
  /** Registries of the placeholder for a missing pull secret. Absent if the secret must exist. */
  readonly placeholderRegistries?: readonly string[];
}

/** The path relative to the working directory, so that a tree does not depend on the place of the repository. */
export function siteNameOf(dir: string): string {
  const parts = relative('', resolve(dir)).split(sep);
  return parts.filter((part) => part !== '' && part !== '..').join('/') || 'site';
}

/**
 * The outputs of all sites as one tree. Problems: review/one-name, review/nothing-to-show, those of every asset.
 * Warnings: review/certificate-ended.
 */
export async function goldenTreeOf(sites: readonly Site[], order: GoldenOptions): Promise<Result<Tree>> {
  const clash = whyClash(sites.map(({ name }) => name));
  if (clash !== undefined) return failure(problem('review/one-name', clash));
  const made: Result<GoldenSite>[] = [];
  for (const site of sites) made.push(await madeSite(site, order));
  const done = made.flatMap((each) => (each.ok ? [each.value] : []));
  if (done.length < made.length) return failure(...made.flatMap(problemsOf));
  const templates = ourTemplates();
  const tree = goldenTree(done, templates);
  return success(tree, [...made.flatMap(problemsOf), ...expiredIn(tree, order.present)]);
}

/** Why sites cannot be in one tree. */
function whyClash(names: readonly string[]): string | undefined {
  const [twice] = duplicatesIn(names);
  if (twice !== undefined) return `two sites have the name ${twice}`;
  const reserved = names.find((name) => `${name}/`.startsWith(templatesInTree));
  return reserved === undefined
    ? undefined
    : `a site cannot have the name ${reserved}, which is reserved for templates`;
}

async function madeSite(
  site: Site,
  { target, offlineFiles, outside, placeholderRegistries }: GoldenOptions,
): Promise<Result<GoldenSite>> {
  const { inputs, hasInputs } = folderOnDisk(site.dir, outside);
  if (!hasInputs) return failure(problem('review/nothing-to-show', `${site.dir} has no install-config.yaml`));
  const made = await goldenOutputs({
    target,
    inputs,
    templates: ownTemplates(),
    ...(offlineFiles !== undefined && { offlineFiles }),
    ...(placeholderRegistries && { placeholderRegistries }),
  });
  const placed = problemsOf(made).map((found) => relativeToWorkingDirectory(site.dir, withGoldenHint(found)));
  return made.ok ? success({ name: site.name, target, files: made.value }, placed) : failure(...placed);
}

/** Warns of expired certificates among the inputs of sites. Warnings: review/certificate-ended. */
export function expiredIn(tree: Tree, present: Date): readonly Problem[] {
  return expiredCertificates(tree, present).map(({ subject, notAfter, path }) =>
    problem(
      'review/certificate-ended',
      `the certificate ${subject} expired at ${notAfter}; it is in ${path} of the tree`,
    ),
  );
}
