import { expect, it } from 'vitest';

import { mirrorSetProblems } from '../../../src/manifests/checks/check-mirror-sets.js';
import { objectsOf } from '../../assets/manifests/given.js';

function set(kind: string, list: string, entry: string): string {
  const group =
    kind === 'ImageContentSourcePolicy' ? 'operator.openshift.io/v1alpha1' : 'config.openshift.io/v1';
  return `apiVersion: ${group}\nkind: ${kind}\nmetadata: {name: a}\nspec: {${list}: [{source: quay.io/a, ${entry}}]}\n`;
}

const digests = (entry: string): string => set('ImageDigestMirrorSet', 'imageDigestMirrors', entry);
const tags = (entry: string): string => set('ImageTagMirrorSet', 'imageTagMirrors', entry);

function found(...texts: readonly string[]): readonly string[] {
  return mirrorSetProblems(objectsOf(texts.join('---\n')), undefined).map(({ message }) => message);
}

const stops = "and the machine-config operator's bootstrap ends with an error";
const never = 'mirrors: [b.example/a], mirrorSourcePolicy: NeverContactSource';
const twice = `the source "quay.io/a" has the policies NeverContactSource and AllowContactingSource, ${stops}`;

it.each([
  ['two policies', [digests(never), tags('mirrors: [b.example/a]')], [twice]],
  [
    'two policies, one of an ImageContentSourcePolicy',
    [digests(never), set('ImageContentSourcePolicy', 'repositoryDigestMirrors', 'mirrors: [b.example/a]')],
    [twice],
  ],
  [
    'a source that is its own mirror',
    [digests('mirrors: [quay.io/a], mirrorSourcePolicy: NeverContactSource')],
    [`the source "quay.io/a" is one of its mirrors although it is never contacted, ${stops}`],
  ],
  ['the same policy', [digests(never), tags(never)], []],
  [
    'the default and its name',
    [digests('mirrors: []'), tags('mirrors: [], mirrorSourcePolicy: AllowContactingSource')],
    [],
  ],
])('%s', (_, texts, want) => {
  expect(found(...texts)).toEqual(want);
});
