import { describe, expect, test } from 'vitest';

import { publicFile, secretFile, type OutputFile } from '../../../src/core/output-file.js';
import { problem } from '../../../src/core/problem.js';
import {
  compareOutputs,
  outputsComparer,
  type OutputsComparison,
  type OutputsReader,
} from '../../../src/fleet/review/outputs/compare-outputs.js';
import { pairNames } from '../../../src/fleet/review/paired-names.js';
import { fleetData, fleetMarkdown, fleetText } from '../../../src/cli/fleet/review/show-fleet.js';
import { dataUrl } from '../../../src/formats/data-url.js';

/** The outputs of a site; `texts` are its files on the node. */
function outputs(infraID: string, texts: Readonly<Record<string, string>>): readonly OutputFile[] {
  const files = Object.entries(texts).map(([path, text]) => ({
    path,
    mode: path.endsWith('.secret') ? 0o600 : 0o644,
    contents: { source: dataUrl(text) },
  }));
  const config = { ignition: { version: '3.2.0' }, storage: { files } };
  return [
    secretFile('node.ign', JSON.stringify(config)),
    publicFile('metadata.json', JSON.stringify({ infraID })),
  ];
}

interface Side {
  readonly sites: readonly string[];
  readonly outputsOf: OutputsReader;
}

function sideOf(sites: Readonly<Record<string, readonly OutputFile[] | undefined>>): Side {
  return {
    sites: Object.keys(sites),
    outputsOf: ({ name }) => {
      const files = sites[name];
      return Promise.resolve(
        files === undefined
          ? { files: [], problems: [problem('fleet/not-made', 'outputs of this site do not exist yet')] }
          : { files, problems: [] },
      );
    },
  };
}

function valuesOf(site: string): ReadonlyMap<string, string> {
  return new Map([
    ['name', site],
    ['ip', `10.0.0.1${site.slice(-1)}`],
  ]);
}

const names = ['s-1', 's-2', 's-3'];
function all(make: (name: string) => readonly OutputFile[]): Side {
  return sideOf(Object.fromEntries(names.map((name) => [name, make(name)])));
}

function compared(before: Side, after: Side): Promise<OutputsComparison> {
  const paired = pairNames(before.sites, after.sites);
  const run = outputsComparer([before.outputsOf, after.outputsOf]);
  const workers = { run, atOnce: 1, close: () => Promise.resolve() };
  return compareOutputs(paired, { workers, siteOf: (name) => ({ name }), valuesOf });
}

describe('outputs of sites that are compared', () => {
  test('treat random values and times as one difference', async () => {
    const made = (id: string, hour: string) => (name: string) =>
      outputs(`${name}-${id}`, {
        '/etc/motd': `${name} at ${valuesOf(name).get('ip') ?? ''}\nit ends 2026-12-2${name.slice(-1)} ${hour}:54 UTC\n`,
        '/etc/id': `infrastructure ${name}-${id}\n`,
      });
    const { found, problems } = await compared(all(made('swwgb', '19')), all(made('x2x66', '20')));

    expect(problems).toEqual([]);
    expect(fleetText(found, 'a and b')).toBe(`all 3 sites
~ file /etc/motd in node.ign
    contents:
    @@ line 1 → 1 @@
     \${name} at \${ip}
    -it ends <time>
    +it ends <time>
~ file /etc/id in node.ign
    contents: infrastructure <infrastructure> → infrastructure <infrastructure>
~ output metadata.json
    infraID: <infrastructure> → <infrastructure>

3 differences in 3 of 3 sites: a and b.
`);
  });

  test('report unreadable sites, and hide the values of secrets', async () => {
    const made = (secret: string) => outputs('a', { '/etc/token.secret': `${secret}\n` });
    const before = sideOf({ 's-1': made('tok-first-1'), 's-2': undefined, 's-3': made('same') });
    const after = sideOf({
      's-1': made('tok-other-2'),
      's-2': made('x'),
      's-3': made('same'),
      's-4': made('y'),
    });
    const { found, problems } = await compared(before, after);

    expect(problems.map(({ problem: { code }, sites }) => [code, sites])).toEqual([
      ['fleet/not-made', ['s-2']],
    ]);
    expect(found).toMatchObject({ compared: 2, added: ['s-4'], removed: [] });
    expect(fleetText(found, 'a and b')).toMatch(
      /added: 1 site: s-4\nnot compared \(1 site: s-2\): .*exist.*\n\n1 difference in 1 of 2 sites, 1 site added, 1 site not compared: a and b\.\n$/,
    );
    expect(
      found.groups.map(({ sites, differences }) => [sites, differences.map(({ details }) => details)]),
    ).toEqual([[['s-1'], [[{ what: 'contents', hidden: true }]]]]);
    expect(JSON.stringify(found)).not.toContain('tok-');
  });

  test('show the sheet of an added site, and report one that cannot be read', async () => {
    const booting = (host: string): readonly OutputFile[] =>
      outputs('a', { '/etc/hostname': `${host}\n` }).map((file) =>
        file.path === 'node.ign' ? { ...file, path: 'aio.ign' } : file,
      );
    const after = sideOf({ 's-1': booting('one'), 's-2': undefined });
    const { found, problems } = await compared(sideOf({}), after);

    expect(found.addedSheets).toEqual([
      {
        site: 's-1',
        sheet: [
          {
            name: 'cluster',
            title: 'Cluster',
            rows: [{ name: 'hostname', label: 'Host name', values: ['one'] }],
          },
        ],
      },
    ]);
    expect(problems.map(({ problem: { code }, sites }) => [code, sites])).toEqual([
      ['fleet/not-made', ['s-2']],
    ]);
  });

  test('do not count unreadable sites as equal', async () => {
    const sides = [
      { 's-1': undefined, 's-2': undefined },
      { 's-1': undefined, 's-2': undefined },
    ] as const;
    const { found } = await compared(sideOf(sides[0]), sideOf(sides[1]));
    const reason = found.notCompared[0]?.reason ?? '';

    expect(reason).not.toBe('');
    expect(fleetText(found, 'a and b')).toBe(
      `not compared (2 sites: s-1, s-2): ${reason}\n2 sites not compared: a and b.\n`,
    );
    expect(fleetMarkdown(found, 'a and b')).toContain('2 sites not compared');
    expect(fleetData(found)).toMatchObject({ equal: false, compared: 0, notCompared: [{ reason }] });
  });
});
