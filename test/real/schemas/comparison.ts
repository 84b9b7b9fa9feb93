import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { readObjects } from '../../../src/manifests/edits/documents.js';
import { dataProblems } from '../../../src/manifests/checks/check-data.js';
import { metadataProblems } from '../../../src/manifests/checks/check-metadata.js';
import { schemaProblems } from '../../../src/manifests/schemas/check-schemas.js';
import { schemaRows } from '../../../src/manifests/schemas/schema-tables.js';
import { writeYaml } from '../../../src/formats/yaml/write-yaml.js';
import type { KubeObject } from '../../../src/kube/object.js';
import type { ObjectSchema } from '../../../src/release/schemas/object-schema.js';
import { mutationsOf } from './mutations.js';

/** The release with the minor version of the tests' kube-apiserver. */
export const release = { version: { major: 4, minor: 23, text: '4.23' }, kubernetes: '1.36' };
const perKind = Number(process.env['PER_KIND'] ?? 48);
const seed = Number(process.env['SEED'] ?? 44);

export interface Resource {
  readonly plural: string;
  readonly isNamespaced: boolean;
}

export interface Verdicts {
  readonly count: number;
  /** Objects that `validate` accepts and the API refuses. */
  readonly tooLax: readonly string[];
  /** Objects that `validate` refuses and the API accepts. */
  readonly tooStrict: readonly string[];
}

/** Compares the verdicts on the valid objects of a file and on their changes of one field. */
export async function compareObjects(
  file: string,
  server: string,
  resourceOf: (object: KubeObject) => Resource,
): Promise<Verdicts> {
  const read = readObjects(file, readFileSync(join(import.meta.dirname, file)));
  if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join('\n'));
  const tooLax: string[] = [];
  const tooStrict: string[] = [];
  const invalid: string[] = [];
  let count = 0;
  for (const { object } of read.value) {
    const resource = resourceOf(object);
    const mutations = shuffled(mutationsOf(object, schemaOf(object)), seed).slice(0, perKind);
    for (const { change, object: each } of [{ change: 'valid', object }, ...mutations]) {
      const theirs = await refusal(each as KubeObject, server, resource);
      const ours = ownRefusal(each);
      count += 1;
      if (change === 'valid' && theirs !== undefined) invalid.push(`${object.kind}: ${theirs}`);
      if (theirs !== undefined && ours === undefined) tooLax.push(`${object.kind} ${change}: ${theirs}`);
      if (theirs === undefined && ours !== undefined) tooStrict.push(`${object.kind} ${change}: ${ours}`);
    }
  }
  console.log(
    `${file}, seed ${seed}: ${count} objects, ${tooLax.length} accepted that the API refuses, ${tooStrict.length} refused that it accepts`,
  );
  if (process.env['SHOW'] !== undefined)
    writeFileSync(
      `${process.env['SHOW']}.${file}`,
      [...tooStrict.map((line) => `STRICT ${line}`), ...tooLax.map((line) => `LAX ${line}`)].join('\n'),
    );
  if (invalid.length > 0) throw new Error(`not valid: ${invalid.join('\n')}`);
  return { count, tooLax, tooStrict };
}

function schemaOf({ apiVersion, kind }: KubeObject): ObjectSchema {
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const rows = schemaRows(group, version, kind).filter(
    ({ sets }) => sets === undefined || sets.includes('Default'),
  );
  const own = rows.find(
    (row) => row.in.includes(release.kubernetes) || row.in.includes(release.version.text),
  );
  const row = own ?? rows.at(-1);
  if (row === undefined) throw new Error(`no schema of ${kind}`);
  return row.schema;
}

/** The error of the API server for a new object; undefined if it accepts it. */
async function refusal(
  object: KubeObject,
  server: string,
  { plural, isNamespaced }: Resource,
): Promise<string | undefined> {
  const { apiVersion } = object;
  const root = apiVersion.includes('/') ? `apis/${apiVersion}` : `api/${apiVersion}`;
  const place = isNamespaced ? `namespaces/default/${plural}` : plural;
  const response = await fetch(`${server}/${root}/${place}?dryRun=All&fieldValidation=Strict`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(object),
  });
  const text = await response.text();
  return response.ok ? undefined : `${response.status} ${text.replace(/^.*?"message":"/, '').slice(0, 220)}`;
}

/** The problem that `validate` reports for the same object. */
function ownRefusal(object: object): string | undefined {
  const read = readObjects('f.yaml', Buffer.from(writeYaml(object)));
  if (!read.ok) return read.problems[0]?.message;
  const cluster = { version: release.version, isOkd: false, featureSet: '', isMerged: false };
  const found = [
    ...schemaProblems(read.value, cluster),
    ...dataProblems(read.value),
    ...metadataProblems(read.value, () => undefined),
  ];
  return found.find(({ severity }) => severity === 'error')?.message;
}

/** A linear congruential generator. Source: Numerical Recipes, "Quick and dirty" generators */
function shuffled<T>(items: readonly T[], start: number): readonly T[] {
  let state = start;
  const next = (): number => (state = (state * 1664525 + 1013904223) % 2 ** 32);
  return items
    .map((item) => ({ item, order: next() }))
    .toSorted((left, right) => left.order - right.order)
    .map(({ item }) => item);
}
