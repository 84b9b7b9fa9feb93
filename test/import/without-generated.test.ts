import { expect, test } from 'vitest';

import { withoutGenerated } from '../../src/import/install-dir/without-generated.js';
import { problemLine } from './files.js';

const secret = (name: string, value: string): string =>
  `kind: Secret\nmetadata:\n  name: ${name}\ndata:\n  key: ${value}\n`;
const path = 'manifests/a.yaml';

function saidOf(
  text: string,
  { ours, theirs }: { readonly ours?: string; readonly theirs?: string },
): readonly string[] {
  const site = { name: 'site1', files: [{ path, text, origins: [] }], problems: [] };
  const mapOf = (of: string | undefined): ReadonlyMap<string, string> => new Map(of ? [[path, of]] : []);
  return withoutGenerated(site, { ours: mapOf(ours), theirs: mapOf(theirs) }).site.problems.map(problemLine);
}

const changed = `${path}:5:8 import/left-out: this generated file was changed and the change is not imported: "data.key"`;
const longer = `${path}:3:1 import/left-out: this generated file has 2 documents instead of 1; the change is not imported`;
const unjudged = ` import/left-out: cannot check whether this generated file was changed, because keys and certificates are regenerated: ${path}`;

test.each([
  ['a document that was added', 'a: 1\n---\nb: 1\n', { ours: 'a: 1\n' }, longer],
  ['a pull secret that differs', secret('pull-secret', 'b'), { ours: secret('pull-secret', 'a') }, changed],
  [
    'a certificate that differs',
    secret('user-ca-bundle', 'b'),
    { ours: secret('user-ca-bundle', 'a') },
    changed,
  ],
  [
    'a key that differs from the original',
    secret('k', 'b'),
    { ours: secret('k', 'c'), theirs: secret('k', 'a') },
    changed,
  ],
  ['a key that may have been changed', secret('k', 'b'), { ours: secret('k', 'a') }, unjudged],
  ['nothing', secret('k', 'a'), { theirs: secret('k', 'a') }, undefined],
])('recognizes %s', (_name, text, known, want) => {
  expect(saidOf(text, known)).toEqual(want === undefined ? [] : [want]);
});
