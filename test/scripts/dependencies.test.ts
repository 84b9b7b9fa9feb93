import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

function jsonOf(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

const page = readFileSync('docs/dependencies.md', 'utf8');
const rows = [...page.matchAll(/^\| `([^`]+)` +\| (\w+) +\| (.+?) *\|$/gm)].map(
  ([, name = '', of = '', what = '']) => ({ name, of, what }),
);
const { dependencies = {}, devDependencies } = jsonOf('package.json') as {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
};

it('docs/dependencies.md describes each direct dependency', () => {
  const direct = { ...dependencies, ...devDependencies };
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(direct).sort());
  expect(rows.filter(({ of }) => !['program', 'build', 'release', 'tests', 'checks'].includes(of))).toEqual(
    [],
  );
});

it('the dependencies of the program are the imports of its bundle', () => {
  const { metadata, dependencies: edges } = jsonOf('dist/sbom.cdx.json') as {
    readonly metadata: { readonly component: { readonly 'bom-ref': string } };
    readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
  };
  const root = edges.find(({ ref }) => ref === metadata.component['bom-ref']);
  const inBundle = (root?.dependsOn ?? []).map((purl) => purl.replace(/^pkg:npm\/|@[^@]*$/g, ''));
  const ofProgram = rows.filter(({ of }) => of === 'program').map(({ name }) => name.replace('@', '%40'));
  expect(ofProgram).toEqual([...inBundle].sort());
});

it('each has the version on the page', () => {
  const ranges = Object.values(devDependencies).filter((version) => !/^\d+\.\d+\.\d+$/.test(version));
  expect(ranges).toEqual([]);
});
