import { relative, resolve, sep } from 'node:path';

import { problem, type Problem } from '../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { ownTemplates } from '../../disk/own/templates.js';
import type { Outside } from '../../disk/outside/read-reference.js';
import { goldenOutputs } from '../rehearsed-outputs.js';
import { repeated } from '../../ignition/violation.js';
import { templatesFolder as templatesInTree } from '../../review/diff/review-side.js';
import { endedCertificates } from '../../review/ended-certificates.js';
import { goldenTree, type GoldenSite } from '../../review/golden-tree.js';
import type { Tree } from '../../review/review-tree.js';
import type { TargetName } from '../targets.js';
import { fromWorkingDirectory } from '../../formats/from-here.js';
import { folderOnDisk } from './review-folder.js';
import { ourTemplates } from './our-templates.js';

/** A site that is to be in a golden tree. */
export interface Site {
  readonly dir: string;
  /** Where its part of the tree is; empty where it is the only one and is the whole tree. */
  readonly name: string;
}

/** What sites are made into, and when somebody looks at them. */
export interface GoldenOrder {
  readonly target: TargetName;
  readonly offlineFiles?: string;
  readonly present: Date;
  /** For the sites whose fields name a variable or stdin. */
  readonly outside: Outside;
}

/** The path from the working directory, so that a tree is the same wherever the repository lies. */
export function siteNameOf(dir: string): string {
  const parts = relative('', resolve(dir)).split(sep);
  return parts.filter((part) => part !== '' && part !== '..').join('/') || 'site';
}

/**
 * What is made of sites, as one tree. Problems: review/one-name, review/nothing-to-show, those of every asset.
 * Warnings: review/certificate-ended.
 */
export async function goldenTreeOf(sites: readonly Site[], order: GoldenOrder): Promise<Result<Tree>> {
  const clash = whyClash(sites.map(({ name }) => name));
  if (clash !== undefined) return failure(problem('review/one-name', clash));
  const made: Result<GoldenSite>[] = [];
  for (const site of sites) made.push(await madeSite(site, order));
  const done = made.flatMap((each) => (each.ok ? [each.value] : []));
  if (done.length < made.length) return failure(...made.flatMap(problemsOf));
  const templates = ourTemplates();
  const tree = goldenTree(done, templates);
  return success(tree, [...made.flatMap(problemsOf), ...endedIn(tree, order.present)]);
}

/** Why sites cannot stand beside one another in a tree. */
function whyClash(names: readonly string[]): string | undefined {
  const [twice] = repeated(names);
  if (twice !== undefined) return `two of the sites are called ${twice}`;
  const reserved = names.find((name) => `${name}/`.startsWith(templatesInTree));
  return reserved === undefined ? undefined : `a site cannot be called ${reserved}: templates stand there`;
}

async function madeSite(
  site: Site,
  { target, offlineFiles, outside }: GoldenOrder,
): Promise<Result<GoldenSite>> {
  const { inputs, hasInputs } = folderOnDisk(site.dir, outside);
  if (!hasInputs)
    return failure(problem('review/nothing-to-show', `${site.dir} holds no install-config.yaml`));
  const made = await goldenOutputs({
    target,
    inputs,
    templates: ownTemplates(),
    ...(offlineFiles !== undefined && { offlineFiles }),
  });
  const placed = problemsOf(made).map((found) => fromWorkingDirectory(site.dir, found));
  return made.ok ? success({ name: site.name, target, files: made.value }, placed) : failure(...placed);
}

/** What has ended of the certificates that sites brought along. Warnings: review/certificate-ended. */
export function endedIn(tree: Tree, present: Date): readonly Problem[] {
  return endedCertificates(tree, present).map(({ subject, ended, path }) =>
    problem(
      'review/certificate-ended',
      `the certificate ${subject} ended at ${ended}; the tree has it in ${path}`,
    ),
  );
}
