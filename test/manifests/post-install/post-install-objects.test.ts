import { describe, expect, it } from 'vitest';

import { postInstallIn, sourceOf, waveOf } from '../../../src/manifests/post-install/post-install-objects.js';
import { testContext } from '../../support/context.js';
import { showProblem } from '../../support/show-problem.js';

function named(name: string): string {
  return `apiVersion: v1\nkind: Namespace\nmetadata: {name: ${name}}\n`;
}

describe('waveOf', () => {
  it.each([
    { file: 'post-install/10-ptp.yaml', want: 10 },
    { file: 'post-install/007_a.yaml', want: 7 },
    { file: 'post-install/3.json', want: 3 },
    { file: 'post-install/20240131120000-a.yaml', want: 20240131120000 },
    { file: 'post-install/10ptp.yaml', want: 'last' },
    { file: 'post-install/ptp-10.yaml', want: 'last' },
    { file: 'post-install/-10-ptp.yaml', want: 'last' },
    { file: 'post-install/9999999999999999-a.yaml', want: 'last' },
  ])('$file: $want', ({ file, want }) => {
    expect(waveOf(file)).toBe(want);
  });
});

describe('postInstallIn', () => {
  it('orders by wave, file name and document', () => {
    const { inputs } = testContext({
      files: {
        'post-install/a.yaml': named('last'),
        'post-install/100-z.yaml': named('hundred'),
        'post-install/20-b.yml': named('b'),
        'post-install/20-a.yaml': `${named('a-1')}---\n# blank\n---\n${named('a-2')}`,
        'post-install/020-0.json': JSON.stringify({
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: { name: 'zero' },
        }),
        'manifests/1-other.yaml': named('other'),
        'post-install/remove.yaml': named('removed'),
      },
    });
    const { objects, removals } = postInstallIn(inputs);
    expect(objects.map((each) => [each.wave, sourceOf(each), each.object.metadata.name])).toEqual([
      [20, 'post-install/020-0.json#1', 'zero'],
      [20, 'post-install/20-a.yaml#1', 'a-1'],
      [20, 'post-install/20-a.yaml#2', 'a-2'],
      [20, 'post-install/20-b.yml#1', 'b'],
      [100, 'post-install/100-z.yaml#1', 'hundred'],
      ['last', 'post-install/a.yaml#1', 'last'],
    ]);
    expect(removals.map(({ object }) => object.metadata.name)).toEqual(['removed']);
  });

  it('is empty without the folder', () => {
    expect(postInstallIn(testContext().inputs)).toEqual({ objects: [], removals: [], problems: [] });
  });

  it('reports every file that it cannot read or ignores, and keeps the objects of the others', () => {
    const { inputs } = testContext({
      files: {
        'post-install/10-a.yaml': named('a'),
        'post-install/20-b.yaml': 'kind: [\n',
        'post-install/30-c.yaml': 'apiVersion: v1\nkind: List\nitems: []\n',
        'post-install/README.md': 'x',
        'post-install/deep/10-a.yaml': named('b'),
      },
    });
    const { objects, problems } = postInstallIn(inputs);
    expect(objects.map(({ path }) => path)).toEqual(['post-install/10-a.yaml']);
    expect(problems.map(showProblem)).toMatchInlineSnapshot(`
      [
        "warning[manifest/ignored-file] post-install/README.md: "post-install/README.md" is ignored: manifests end in .yaml, .yml or .json and do not start with a dot",
        "warning[manifest/ignored-file] post-install/deep: "post-install/deep/" is ignored: manifests are read from the folder itself, not from folders in it",
        "error[manifest/syntax] post-install/20-b.yaml:1:1: a bracket of this line is not closed",
        "error[manifest/list] post-install/30-c.yaml:2:7 (kind): a List is not read on the node",
      ]
    `);
    expect(problems.at(1)?.hint).toBe('move its files up');
  });
});
