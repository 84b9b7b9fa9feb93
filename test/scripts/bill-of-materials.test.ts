import { readFileSync } from 'node:fs';

import { expect, it, test } from 'vitest';

import { importsBetween } from '../../scripts/build/bundled-packages.mjs';
import { knownLicences } from '../../scripts/build/third-party.mjs';
import { trackedFiles } from '../support/tracked-files.js';

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly group?: string;
  readonly version: string;
  readonly licenses: readonly [{ readonly license: { readonly id: string } }];
  readonly hashes: readonly [{ readonly content: string }];
  readonly components?: readonly Component[];
}

/** The bill of materials that the build wrote. */
const bill = JSON.parse(readFileSync('dist/sbom.cdx.json', 'utf8')) as {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
};
const packages = bill.components.map((component) => ({
  ...component,
  fullName: component.group === undefined ? component.name : `${component.group}/${component.name}`,
  licence: component.licenses[0].license.id,
}));
const notices = readFileSync('dist/THIRD-PARTY.txt', 'utf8');

/** Constant wording of each licence, in one line. Source: https://spdx.org/licenses/ */
const wordsOf: Readonly<Record<string, RegExp>> = {
  '0BSD': /Permission to use, copy, modify, and\/or distribute this software for any purpose/,
  'Apache-2.0': /Apache License,? Version 2\.0/,
  'BSD-2-Clause': /Redistribution and use in source and binary forms/,
  'BSD-3-Clause': /Redistribution and use in source and binary forms.*endorse or promote/,
  ISC: /Permission to use, copy, modify, and\/or distribute this software for any purpose/,
  'LGPL-3.0': /GNU LESSER GENERAL PUBLIC LICENSE Version 3/,
  MIT: /Permission is hereby granted, free of charge, to any person obtaining/,
};

const sections = notices.split(`\n${'-'.repeat(100)}\n\n`);

/** The notice of a package in one line: the text between its title and the next rule. */
function noticeOf(title: string): string {
  const texts = sections.filter((each) => each.startsWith(`${title}\n\n`));
  return texts.join(' ').replaceAll(/\s+/g, ' ');
}

it('names the packages that the notices name', () => {
  const listed = [...notices.matchAll(/^ {2}(\S+ \S+): (\S+)$/gm)].map(([, title, licence]) =>
    [title, licence].join(' '),
  );
  expect(listed.length).toBeGreaterThan(20);
  expect(packages.map(({ fullName, version, licence }) => `${fullName} ${version} ${licence}`)).toEqual(
    listed,
  );
});

it('contains a reviewed license for each package, and its text', () => {
  expect([...knownLicences].sort()).toEqual(Object.keys(wordsOf).sort());
  const without = packages.filter(({ fullName, version, licence }) => {
    const text = noticeOf(`${fullName} ${version} (${licence})`);
    return !knownLicences.has(licence) || !wordsOf[licence]?.test(text);
  });
  expect(without.map(({ fullName, licence }) => `${fullName}: ${licence}`)).toEqual([]);
});

it('contains the hash of each installed package', () => {
  const { packages: locked } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly version: string; readonly integrity?: string }>>;
  };
  const hashesOf = (name: string, version: string): readonly (string | undefined)[] =>
    Object.entries(locked)
      .filter(([path, each]) => path.endsWith(`node_modules/${name}`) && each.version === version)
      .map(([, { integrity }]) => integrity);
  const others = packages.filter(({ fullName, version, hashes }) => {
    const integrity = `sha512-${Buffer.from(hashes[0].content, 'hex').toString('base64')}`;
    return !hashesOf(fullName, version).includes(integrity);
  });
  expect(others.map(({ fullName }) => fullName)).toEqual([]);
});

it('connects the program with every package', () => {
  const known = [bill.metadata.component, ...bill.components].map((each) => each['bom-ref']);
  const after = new Map(bill.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const reached = new Set([bill.metadata.component['bom-ref']]);
  for (const ref of reached) for (const next of after.get(ref) ?? []) reached.add(next);
  expect([...reached].sort()).toEqual([...known].sort());
});

it('lists the imports of the sources as dependencies of the program', () => {
  const imported = trackedFiles('src').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/\b(?:from |import\()'((?:@[^/']+\/)?[a-z][^/'.:]*)/g)].map(
      ([, name]) => name,
    ),
  );
  const root = bill.dependencies.find(({ ref }) => ref === bill.metadata.component['bom-ref']);
  const direct = packages.filter((each) => root?.dependsOn.includes(each['bom-ref']));
  const names = direct.map(({ fullName }) => fullName);
  expect(names.filter((name) => !imported.includes(name))).toEqual([]);
  expect(names).toEqual(expect.arrayContaining(['commander', 'node-liblzma', 'tinypool', 'yaml']));
});

it('names the library that is compiled into one of them, in the version that is there', () => {
  const parts = bill.components.flatMap(({ components = [] }) => components);
  expect(parts.map(({ name }) => name)).toEqual(['xz']);
  const [version] = /\b5\.\d+\.\d+\b/.exec(readFileSync('dist/liblzma.wasm', 'latin1')) ?? [];
  expect(parts[0]?.version).toBe(version);
});

test('a package that is imported and has no code in the bundle is passed over', () => {
  const packageAt = (name: string): { name: string; version: string; license: string; folder: string } => ({
    name,
    version: '1.0.0',
    license: 'MIT',
    folder: `/p/node_modules/${name}`,
  });
  const between = importsBetween(
    ['one', '@scope/two'].map(packageAt),
    new Map([
      ['/p/src/cli.js', ['/p/src/run.js', '/p/node_modules/one/index.js', 'node:fs']],
      ['/p/node_modules/one/index.js', ['/p/node_modules/one/b.js', '/p/node_modules/gone/index.js']],
      ['/p/node_modules/one/b.js', ['/p/node_modules/@scope/two/index.js']],
      ['/p/node_modules/gone/index.js', ['/p/node_modules/one/index.js']],
    ]),
  );
  expect(Object.fromEntries(between)).toEqual({
    '': ['one 1.0.0'],
    'one 1.0.0': ['@scope/two 1.0.0'],
    '@scope/two 1.0.0': [],
  });
});
