import { describe, expect, it, test } from 'vitest';

import { openFleet } from '../../src/fleet/table/read-fleet.js';
import { filesOf } from '../../src/fleet/table/check-site-files.js';
import type { SiteFiles } from '../../src/fleet/table/site-files.js';
import { readYaml } from '../../src/formats/yaml/yaml.js';
import { toData } from '../../src/formats/yaml/yaml-tree.js';
import { expectOk } from '../support/sound-value.js';
import { fleetFolder, fleetText, problemLine } from './files.js';

const path = 'manifests/a.yaml';

/** north-1, with the classes du and late; each text is the file of a layer. */
function siteWith(layers: Readonly<Record<string, string>>): SiteFiles {
  const texts = Object.entries(layers).map(([layer, text]) => [`${layer}/${path}`, text] as const);
  const read = expectOk(
    openFleet(
      fleetFolder({
        'fleet.yaml': fleetText('classes: [du, late]\n'),
        'classes/du/openshift/keep.txt': '',
        'classes/late/openshift/keep.txt': '',
        ...Object.fromEntries(texts),
      }),
    ),
  );
  const [row] = read.rows;
  if (row === undefined) throw new Error('there is no site');
  return filesOf(read, row);
}

function dataOf({ inputs }: SiteFiles): unknown {
  const read = inputs.read(path);
  return read.kind === 'file'
    ? readYaml(Buffer.from(read.bytes).toString()).documents.map(toData)[0]
    : read.kind;
}

const base = 'items:\n  - {name: a, x: 1, z: 1}\n  - {name: "${name}", x: 2}\n  - {name: c}\n';

describe('a list with $merge', () => {
  it('merges items by the key, deletes and adds items, in each layer', () => {
    const site = siteWith({
      base,
      'classes/du': 'items:\n  - $merge: name\n  - {name: north-1, x: 3, z: "${ip}"}\n  - {name: d}\n',
      'classes/late': 'items:\n  - $merge: name\n  - {name: c, $patch: delete}\n  - {name: a, z: null}\n',
      'overrides/north-1': 'items:\n  - "$merge": name\n  - {name: d, own: true}\n',
    });
    expect(dataOf(site)).toEqual({
      items: [
        { name: 'a', x: 1 },
        { name: 'north-1', x: 3, z: '192.168.126.10' },
        { name: 'd', own: true },
      ],
    });
    expect(site.problems).toEqual([]);
  });

  it('merges lists in items, and any key', () => {
    const site = siteWith({
      base: 'a:\n  - id: 1\n    ports:\n      - {port: 80, x: 1}\n      - {port: 81}\n',
      'classes/du':
        'a:\n  - $merge: id\n  - id: 1\n    ports:\n      - $merge: port\n      - {port: 80, x: 2}\n',
    });
    expect(dataOf(site)).toEqual({ a: [{ id: 1, ports: [{ port: 80, x: 2 }, { port: 81 }] }] });
    expect(site.problems).toEqual([]);
  });
});

test.each([
  {
    name: 'a list without one below',
    layers: { base: 'a: 1\n', 'classes/du': 'items:\n  - $merge: name\n  - name: a\n' },
    want: ['classes/du/manifests/a.yaml:2:5 fleet/merge: no layer below has a list here to merge with'],
  },
  {
    name: 'a list of the base',
    layers: { base: 'items:\n  - $merge: name\n  - name: a\n' },
    want: ['base/manifests/a.yaml:2:5 fleet/merge: no layer below has a list here to merge with'],
  },
  {
    name: 'a file that only the class has',
    layers: { 'classes/du': 'items:\n  - $merge: name\n  - name: a\n' },
    want: ['classes/du/manifests/a.yaml:2:5 fleet/merge: no layer below has a list here to merge with'],
  },
  {
    name: '$merge that is not the only field of the first item',
    layers: {
      base: 'a: [{name: a}]\nb: [{name: a}]\nc: [{name: a}]\n',
      'classes/du':
        'a:\n  - {name: a}\n  - $merge: name\nb:\n  - {$merge: name, name: a}\nc:\n  - $merge: [name]\n',
    },
    want: [3, 5, 7].map(
      (line) =>
        `classes/du/manifests/a.yaml:${line}:${line === 5 ? 6 : 5} fleet/merge: $merge must be the only field of the first item, and its value the name of a field`,
    ),
  },
  {
    name: 'items without the key, or with the same',
    layers: {
      base: 'items:\n  - {name: a}\n  - x: 1\n  - {name: a}\n',
      'classes/du': 'items:\n  - $merge: name\n  - z: 1\n  - {name: c}\n  - {name: c}\n  - text\n',
    },
    want: [
      'classes/du/manifests/a.yaml:2:5 fleet/merge: an item of the list below has no "name" to merge by (base/manifests/a.yaml:3)',
      'classes/du/manifests/a.yaml:2:5 fleet/merge: an item of the list below has the same name as another: "a" (base/manifests/a.yaml:4)',
      'classes/du/manifests/a.yaml:3:5 fleet/merge: the item has no "name" to merge by',
      'classes/du/manifests/a.yaml:5:5 fleet/merge: the item has the same name as another: "c"',
      'classes/du/manifests/a.yaml:6:5 fleet/merge: the item has no "name" to merge by',
    ],
  },
  {
    name: 'an item to delete that does not exist',
    layers: { base, 'classes/du': 'items:\n  - $merge: name\n  - {name: x, $patch: delete}\n' },
    want: [
      'classes/du/manifests/a.yaml:3:5 fleet/merge: no item of the list below has name "x", so none can be deleted',
    ],
  },
  {
    name: '$patch elsewhere',
    layers: {
      base,
      'classes/du': 'items:\n  - {name: x, $patch: delete}\n',
      'classes/late': 'items:\n  - $merge: name\n  - {name: x, $patch: replace}\n',
    },
    want: [
      'classes/late/manifests/a.yaml:3:15 fleet/merge: $patch is only for "$patch: delete" in a list that starts with "$merge: KEY"',
    ],
  },
])('$name is a problem', ({ layers, want }) => {
  const site = siteWith(layers);
  dataOf(site);
  expect(site.problems.map(problemLine)).toEqual(want);
});
