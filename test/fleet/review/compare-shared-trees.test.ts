import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { compareSharedTrees } from '../../../src/fleet/review/compare-shared-trees.js';
import { mapTexts } from '../../../src/fleet/review/grouped-differences.js';
import { placeholdersFor } from '../../../src/fleet/review/placeholders.js';
import { valuesOfBoth, type SiteValues } from '../../../src/fleet/table/site-placeholders.js';
import { treeOnDisk, readTreeOnDisk } from '../../../src/fleet/review/shared-layout.js';
import { SharedTreeBuilder, templatesOf, type SharedTree } from '../../../src/fleet/review/shared-tree.js';
import { diffSides } from '../../../src/review/diff/diff-sides.js';
import { sideOfTree } from '../../../src/review/diff/review-side.js';
import type { Tree } from '../../../src/review/review-tree.js';

interface Site {
  readonly name: string;
  readonly values: ReadonlyMap<string, string>;
  readonly tree: Tree;
}

function site(name: string, values: Readonly<Record<string, string>>, tree: Tree): Site {
  return { name, values: new Map(Object.entries({ name, ...values })), tree };
}

function shared(sites: readonly Site[]): SharedTree {
  const trees = new SharedTreeBuilder(sites);
  for (const [index, { tree }] of sites.entries()) trees.add(index, tree);
  return trees.shared({});
}

/** The tree of one site, expanded from the shared tree. */
function treeIn(tree: SharedTree, name: string): Tree {
  const { filled } = placeholdersFor(tree.sites.get(name) ?? new Map());
  return Object.fromEntries([...templatesOf(tree)(name)].map(([path, text]) => [filled(path), filled(text)]));
}

function node(files: Readonly<Record<string, string>>): Tree {
  const index = Object.keys(files).map((path) => `0644 root - ${path}\n`);
  const texts = Object.entries(files).map(([path, text]) => [`node.ign.d${path}`, text] as const);
  return {
    'index.txt': 'Tree of sno-install 1\n0600 - node.ign\n',
    'node.ign.json': '{}\n',
    'node.ign.d/index.txt': index.join(''),
    ...Object.fromEntries(texts),
  };
}

describe('3,000 sites', () => {
  const count = 3000;
  const rows = Array.from({ length: count }, (_, index) => ({
    name: `s-${index}`,
    ip: `10.${index >> 8}.${index & 255}.1`,
    vlan: String(100 + (index % 900)),
  }));
  const fleet = (clock: string, other: string): SharedTree =>
    shared(
      rows.map(({ name, ip, vlan }, index) =>
        site(
          name,
          { ip, vlan },
          node({
            '/etc/hostname': `${name}\n`,
            '/etc/net.conf': `ip=${ip}/24\nvlan=${vlan}\nmtu=${index % 3 === 0 ? 9000 : 1500}\n`,
            '/etc/chrony.conf': `server ${index === 1500 ? other : clock} iburst\n`,
          }),
        ),
      ),
    );

  test('lists a difference shared by 2,999 sites once, with their number', () => {
    const before = fleet('a.example.com', 'b.example.com');
    const found = compareSharedTrees(before, fleet('c.example.com', 'd.example.com'));
    expect(
      found.groups.map(({ sites, differences }) => [sites.length, sites[0], differences.length]),
    ).toEqual([
      [2999, 's-0', 1],
      [1, 's-1500', 1],
    ]);
    expect(found.groups[0]?.differences[0]?.details[0]).toEqual({
      what: 'contents',
      before: 'server a.example.com iburst',
      after: 'server c.example.com iburst',
    });
  });

  test('have one tree, one of those with jumbo frames, and one line of the table each', () => {
    const tree = treeOnDisk(fleet('a.example.com', 'b.example.com'), 'aio-ignition');
    expect(Object.keys(tree)).toEqual([
      'all/index.txt',
      'all/node.ign.d/etc/chrony.conf',
      'all/node.ign.d/etc/hostname',
      'all/node.ign.d/etc/net.conf',
      'all/node.ign.d/index.txt',
      'all/node.ign.json',
      'groups/s-0/node.ign.d/etc/net.conf',
      'groups/s-0/sites.txt',
      'index.txt',
      'sites.csv',
      'sites/s-1500/node.ign.d/etc/chrony.conf',
    ]);
    expect(tree['all/node.ign.d/etc/net.conf']).toBe('ip=${ip}/24\nvlan=${vlan}\nmtu=1500\n');
    expect(tree['sites.csv']?.split('\n').slice(0, 3)).toEqual([
      'name,ip,vlan',
      's-0,10.0.0.1,100',
      's-1,10.0.1.1,101',
    ]);
  });
});

describe('sheets', () => {
  const booting = (host: string, clock: string): Tree =>
    Object.fromEntries(
      Object.entries(
        node({ '/etc/hostname': `${host}\n`, '/etc/chrony.conf': `server ${clock} iburst\n` }),
      ).map(([path, text]) => [path.replace('node.ign', 'aio.ign'), text]),
    );
  const fleet = (clock: string, names: readonly string[]): SharedTree =>
    shared(names.map((name) => site(name, {}, booting(name, clock.replace('NAME', name)))));

  test.each([
    { name: 'of one value', before: 'a.example.com', after: 'b.example.com', groups: 1 },
    { name: 'of a value that contains the site', before: 'NAME.a', after: 'NAME.b', groups: 1 },
  ])('come before the other differences: $name', ({ before, after, groups }) => {
    const names = ['s-1', 's-2', 's-3'];
    const found = compareSharedTrees(fleet(before, names), fleet(after, names));
    expect(found.groups.map(({ differences }) => differences[0])).toEqual(
      Array.from({ length: groups }, () => ({
        in: [''],
        kind: 'sheet',
        name: 'Services',
        change: 'changed',
        details: [
          {
            what: 'NTP',
            before: before.replace('NAME', '${name}'),
            after: after.replace('NAME', '${name}'),
          },
        ],
      })),
    );
  });

  test('are shown for added sites', () => {
    const found = compareSharedTrees(fleet('a', ['s-1']), fleet('a', ['s-1', 's-2']));
    expect(
      found.addedSheets.map(({ site: name, sheet }) => [name, sheet.flatMap(({ rows }) => rows)]),
    ).toEqual([
      [
        's-2',
        [
          { name: 'hostname', label: 'Host name', values: ['s-2'] },
          { name: 'ntp', label: 'NTP', values: ['a'] },
        ],
      ],
    ]);
  });
});

describe('files that are named by a value', () => {
  const profile = (id: string): string => `/etc/${id}.nmconnection`;
  const vlans = (count: number, file: (vlan: string, index: number) => string): readonly Site[] =>
    Array.from({ length: count }, (_, index) => {
      const vlan = String(100 + index);
      return site(`s-${index}`, { vlan }, node({ [file(vlan, index)]: `id=${vlan}\n` }));
    });
  const paths = (sites: readonly Site[]): readonly string[] =>
    Object.keys(treeOnDisk(shared(sites), 'aio-ignition')).filter((path) => path.includes('nmconnection'));

  test.each(['eno1.', 'vlan'])('are one file with the placeholder: %s', (prefix) => {
    expect(paths(vlans(50, (vlan) => profile(`${prefix}${vlan}`)))).toEqual([
      `all/node.ign.d/etc/${prefix}\${vlan}.nmconnection`,
    ]);
  });

  test('share a text that contains the value of a site by coincidence', () => {
    const sites = Array.from({ length: 300 }, (_, index) => {
      const [vlan, region] = [String(100 + index), index < 150 ? 'north' : 'south'];
      return site(
        `s-${index}`,
        { vlan, region },
        node({ '/proxy': `127.0.0.1,proxy.${region}.example.com\n` }),
      );
    });
    const tree = treeOnDisk(shared(sites), 'aio-ignition');
    expect(Object.keys(tree).filter((path) => path.endsWith('/proxy'))).toEqual(['all/node.ign.d/proxy']);
    expect(tree['all/node.ign.d/proxy']).toBe('127.0.0.1,proxy.${region}.example.com\n');
  });

  test('keep a fixed name that is the value of one site', () => {
    expect(paths(vlans(50, () => profile('eno1.120')))).toEqual(['all/node.ign.d/etc/eno1.120.nmconnection']);
  });

  test('are one file if another column has the same value in some sites', () => {
    const sites = vlans(20, (vlan) => profile(`eno1.${vlan}`)).map(({ name, tree, values }, index) =>
      site(
        name,
        { rack: index % 5 === 0 ? (values.get('vlan') ?? '') : `${index}`, ...Object.fromEntries(values) },
        tree,
      ),
    );
    expect(paths(sites)).toEqual(['all/node.ign.d/etc/eno1.${vlan}.nmconnection']);
  });

  test('are no difference if each tree has another template for the same name', () => {
    const [before, after] = [
      vlans(4, (vlan) => profile(`eno1.${vlan}`)),
      vlans(1, () => profile('eno1.100')),
    ];
    const few = [...after, ...vlans(4, () => profile('eno1.100')).slice(1)];
    const found = compareSharedTrees(shared(before), shared(few));
    expect(found.groups.flatMap(({ sites }) => sites)).not.toContain('s-0');
  });
});

test('omits values that do not appear in a text of the site', () => {
  const tree = shared([
    site('a', { password: 'hunter22', rack: 'blue' }, node({ '/etc/a': 'rack blue\n' })),
    site('b', { password: 'root', rack: 'red' }, node({ '/etc/a': 'rack red\n', '/etc/b': 'root\n' })),
  ]);
  expect(treeOnDisk(tree, 'aio-ignition')['sites.csv']).toMatch(
    /^name,(?:rack,password|password,rack)\na,.*blue.*\nb,.*\n$/,
  );
  expect(treeOnDisk(tree, 'aio-ignition')['sites.csv']).not.toContain('hunter22');
});

describe('of any sites', () => {
  const word = fc.constantFrom(
    'north',
    'south',
    '10.1.1.1',
    '10.1.1.2',
    '1500',
    '7',
    'cluster',
    '${rack',
    '"',
    ',',
  );
  const line = fc.array(fc.oneof(word, fc.constantFrom('NAME', 'IP', 'RACK', 'IP')), {
    minLength: 1,
    maxLength: 3,
  });
  const text = fc.array(line, { minLength: 1, maxLength: 3 });
  const files = fc.record(
    {
      '/a': text,
      '/b': text,
      '/c': text,
      '/vRACK': text,
      '/e.RACK': text,
      '/v1500': text,
      '/${rack}': text,
      '/e.7': text,
    },
    { requiredKeys: ['/a'] },
  );
  const written = (
    given: Readonly<Record<string, readonly (readonly string[])[] | undefined>>,
    values: Readonly<Record<string, string>>,
  ) =>
    node(
      Object.fromEntries(
        Object.entries(given).flatMap(([path, lines]) =>
          lines === undefined
            ? []
            : [
                [
                  path.replace('RACK', () => values['RACK'] ?? ''),
                  lines.map((parts) => `${parts.map((part) => values[part] ?? part).join(' ')}\n`).join(''),
                ],
              ],
        ),
      ),
    );
  const values = fc.record({
    NAME: fc.constant(''),
    IP: fc.constantFrom('10.1.1.1', '10.1.1.2', '10.1.1.3', '10.1.1.4'),
    RACK: fc.constantFrom('7', '8', '77', 'cluster', '1500', '150', '${rack'),
  });
  const names = ['north', 'south', 'cluster', 'west'];
  const fleets = fc.array(fc.tuple(fc.nat(2), fc.nat(2), values, values), { minLength: 4, maxLength: 4 });
  const kinds = fc.array(files, { minLength: 3, maxLength: 3 });

  function built(
    choice: readonly (readonly [number, Readonly<Record<string, string>>])[],
    all: readonly Parameters<typeof written>[0][],
  ): readonly Site[] {
    return choice.map(([kind, given], index) => {
      const name = names[index] ?? '';
      const own = { ...given, NAME: name };
      return site(name, { ip: given['IP'] ?? '', rack: given['RACK'] ?? '' }, written(all[kind] ?? {}, own));
    });
  }

  test('each keeps its tree in the shared one after writing and reading', () => {
    fc.assert(
      fc.property(fleets, kinds, (choice, all) => {
        const sites = built(
          choice.map(([kind, , given]) => [kind, given]),
          all,
        );
        const read = readTreeOnDisk(treeOnDisk(shared(sites), 'aio-ignition'));
        for (const { name, tree } of sites)
          expect(read && treeIn(read, name)).toEqual({
            ...tree,
            'index.txt': 'Tree of sno-install 1\n0600 - node.ign\n',
          });
      }),
      { numRuns: 100 },
    );
  });

  test('the differences of a group expand to those of each site', () => {
    fc.assert(
      fc.property(fleets, kinds, (choice, all) => {
        const before = built(
          choice.map(([kind, , given]) => [kind, given]),
          all,
        );
        const after = built(
          choice.map(([, kind, , given]) => [kind, given]),
          all,
        );
        const [one, other] = [shared(before), shared(after)];
        const found = compareSharedTrees(one, other);
        for (const [index, { name, tree }] of before.entries()) {
          const later = after[index];
          if (later === undefined) continue;
          const valuesIn = ({ sites }: SharedTree): SiteValues => sites.get(name) ?? new Map();
          const { filled } = placeholdersFor(valuesOfBoth(valuesIn(one), valuesIn(other)));
          const groups = found.groups
            .filter(({ sites }) => sites.includes(name))
            .flatMap(({ sites, differences }) =>
              differences.map((each) => (sites.length === 1 ? each : mapTexts(each, filled))),
            );
          const really = diffSides(sideOfTree(tree), sideOfTree(later.tree));
          expect(groups.map((each) => JSON.stringify(each)).toSorted()).toEqual(
            really.map((each) => JSON.stringify(each)).toSorted(),
          );
        }
      }),
      { numRuns: 100 },
    );
  });
});
