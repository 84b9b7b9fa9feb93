import { describe, expect, test } from 'vitest';

import { isRegistryHost, parseImageReference } from '../../src/formats/image-reference.js';

const digest = `sha256:${'0'.repeat(64)}`;

describe('parseImageReference', () => {
  test.each([
    {
      given: 'quay.io/openshift-release-dev/ocp-release:4.21.0-x86_64',
      want: {
        registry: 'quay.io',
        repository: 'quay.io/openshift-release-dev/ocp-release',
        tag: '4.21.0-x86_64',
      },
    },
    { given: `quay.io/a/b@${digest}`, want: { registry: 'quay.io', repository: 'quay.io/a/b', digest } },
    {
      given: `localhost:5000/a:t@${digest}`,
      want: { registry: 'localhost:5000', repository: 'localhost:5000/a', tag: 't', digest },
    },
    { given: '[fd2e::1]:5000/a', want: { registry: '[fd2e::1]:5000', repository: '[fd2e::1]:5000/a' } },
    { given: 'openshift/release:4.21', want: undefined },
    { given: 'quay.io', want: undefined },
    { given: 'quay.io/', want: undefined },
    { given: 'quay.io/A', want: undefined },
    { given: 'quay.io/a:', want: undefined },
    { given: 'quay.io/a:b c', want: undefined },
    { given: 'quay.io/a@sha256:abc', want: undefined },
    { given: 'https://quay.io/a', want: undefined },
    { given: '$(id)/a', want: undefined },
    { given: `quay.io/${'a'.repeat(600)}`, want: undefined },
    { given: '', want: undefined },
  ])('$given', ({ given, want }) => {
    expect(parseImageReference(given)).toEqual(want);
  });

  // A pattern with exponential backtracking would exceed the time limit of the test.
  test.each([`${'a-'.repeat(20_000)}!`, `quay.io/${'a_'.repeat(20_000)}!`])(
    'a hostile text ends',
    (given) => {
      expect(parseImageReference(given)).toBeUndefined();
    },
  );
});

test.each([
  { given: 'registry.example.com:5000', want: true },
  { given: 'localhost', want: true },
  { given: 'registry', want: false },
  { given: 'registry.example.com/a', want: false },
])('isRegistryHost($given) returns $want', ({ given, want }) => {
  expect(isRegistryHost(given)).toBe(want);
});
