import { expect, test } from 'vitest';

import { deepestAt, fieldChanges, shownPath } from '../../../src/review/diff/field-changes.js';

const override = (kind: string, name: string, unmanaged = true): object => ({
  kind,
  group: 'apps',
  namespace: `openshift-${name}`,
  name,
  unmanaged,
});

test.each([
  {
    name: 'an item is added in front',
    before: [override('Deployment', 'a'), override('Deployment', 'b')],
    after: [override('Deployment', 'c'), override('Deployment', 'a'), override('Deployment', 'b')],
    want: ['list[kind=Deployment,group=apps,namespace=openshift-c,name=c]'],
  },
  {
    name: 'an added item has the name of another',
    before: [override('Deployment', 'a'), override('Deployment', 'b')],
    after: [override('DaemonSet', 'a'), override('Deployment', 'a'), override('Deployment', 'b', false)],
    want: [
      'list[kind=Deployment,group=apps,namespace=openshift-b,name=b].unmanaged',
      'list[kind=DaemonSet,group=apps,namespace=openshift-a,name=a]',
    ],
  },
  {
    name: 'an item is replaced by one of the same name and another kind',
    before: [override('Deployment', 'a')],
    after: [override('DaemonSet', 'a')],
    want: [
      'list[kind=Deployment,group=apps,namespace=openshift-a,name=a]',
      'list[kind=DaemonSet,group=apps,namespace=openshift-a,name=a]',
    ],
  },
  {
    name: 'items of a name have another order',
    before: [{ name: 'a' }, { name: 'b', image: 'x' }, { name: 'c' }],
    after: [{ name: 'c' }, { name: 'b', image: 'y' }, { name: 'a' }, { name: 'd' }],
    want: ['list[order]', 'list[name=b].image', 'list[name=d]'],
  },
  { name: 'items have no name', before: [{ a: 1 }], after: [{ a: 2 }], want: ['list[0].a'] },
  { name: 'the list was empty', before: [], after: [{ a: 2 }], want: ['list[0]'] },
])('only what differs is reported where $name', ({ before, after, want }) => {
  const changes = fieldChanges({ list: before }, { list: after });
  expect(changes.map(({ path }) => shownPath(path))).toEqual(want);
  for (const { path, after: value } of changes)
    if (value !== undefined && !path.includes('[order]'))
      expect(deepestAt({ list: after }, path)).toEqual(path);
});

test('another order alone is one change with the names of the items', () => {
  const list = [override('Deployment', 'a'), override('Deployment', 'b', false), override('Deployment', 'c')];
  const changes = fieldChanges({ list }, { list: list.toReversed() });
  const nameOf = (name: string): string =>
    `kind=Deployment,group=apps,namespace=openshift-${name},name=${name}`;
  expect(changes).toEqual([
    { path: ['list', '[order]'], before: ['a', 'b', 'c'].map(nameOf), after: ['c', 'b', 'a'].map(nameOf) },
  ]);
});
