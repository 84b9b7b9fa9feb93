import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { parseAllDocuments } from 'yaml';

import { openCheckout } from '../../../scripts/schema-tables/checkout.mjs';
import { operators, payload } from '../../../scripts/schema-tables/sources.mjs';

/** A CustomResourceDefinition of an operator or of the payload. */
export interface Definition {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly kind: string; readonly plural: string };
    readonly conversion?: object;
  };
}

/**
 * The CustomResourceDefinitions of a release, read from the Git directories that scripts/schema-tables reads; those of other feature
 * sets are left out. The newest branch of an operator without a branch of the release.
 */
export function publishedDefinitions(folder: string, release: string): readonly Definition[] {
  const found = [...payload, ...operators].flatMap((source) => {
    const directory = join(folder, source.repository.replace('/', '+'), 'repo');
    const branches = 'branches' in source ? Object.keys(source.branches) : [];
    const wanted = `release-${release}`;
    const branch = branches.length === 0 || branches.includes(wanted) ? wanted : (branches.at(-1) ?? wanted);
    if ('sets' in source || !hasBranch(directory, branch)) return [];
    const checkout = openCheckout(directory);
    return checkout
      .textsOf(checkout.filesOf(branch, source.files).map(({ blob }) => blob))
      .flatMap((text) => definitionsIn(text));
  });
  const names = new Set<string>();
  return found.filter(({ metadata: { name } }) => !names.has(name) && names.add(name));
}

function hasBranch(directory: string, branch: string): boolean {
  return spawnSync('git', ['-C', directory, 'rev-parse', '--verify', '--quiet', branch]).status === 0;
}

function definitionsIn(text: string): readonly Definition[] {
  return text
    .split(/^---.*$/m)
    .filter((part) => /^kind: CustomResourceDefinition$/m.test(part) && !part.includes('{{'))
    .flatMap((part) => parseAllDocuments(part).map((document) => document.toJS() as Definition))
    .filter(isOfDefaultSet);
}

function isOfDefaultSet({ metadata: { annotations = {} } }: Definition): boolean {
  const profiles = Object.keys(annotations).filter((name) =>
    name.startsWith('include.release.openshift.io/'),
  );
  const isOfNode =
    profiles.length === 0 ||
    annotations['include.release.openshift.io/self-managed-high-availability'] === 'true';
  const sets = annotations['release.openshift.io/feature-set']?.split(',') ?? ['Default'];
  return isOfNode && sets.includes('Default');
}
