import { expect, test } from 'vitest';

import { withoutGenerated } from '../../src/import/install-dir/without-generated.js';
import { told } from './files.js';

const secret = (name: string, value: string): string =>
  `kind: Secret\nmetadata:\n  name: ${name}\ndata:\n  key: ${value}\n`;
const path = 'manifests/a.yaml';

function saidOf(
  text: string,
  { ours, theirs }: { readonly ours?: string; readonly theirs?: string },
): readonly string[] {
  const site = { name: 'site1', files: [{ path, text, origins: [] }], problems: [] };
  const mapOf = (of: string | undefined): ReadonlyMap<string, string> => new Map(of ? [[path, of]] : []);
  return withoutGenerated(site, { ours: mapOf(ours), theirs: mapOf(theirs) }).site.problems.map(told);
}

const changed = `${path}:5:8 import/left-out: this file is generated and was changed: "data.key"; it is made anew without`;
const longer = `${path}:3:1 import/left-out: this file is generated and has 2 documents in the place of 1; it is made anew without`;
const unjudged = ` import/left-out: whether this generated file was changed cannot be told, because keys and certificates are drawn anew: ${path}`;

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
])('tells %s', (_name, text, known, want) => {
  expect(saidOf(text, known)).toEqual(want === undefined ? [] : [want]);
});
