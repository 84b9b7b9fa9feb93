import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';
import { isMap, isScalar, isSeq, parseAllDocuments } from 'yaml';

import type { Problem } from '../../src/core/problem.js';
import { problemsOf } from '../../src/core/result.js';
import type { SourceKind } from '../../src/import/sources.js';
import { imported, importedClusters, siteOf } from './files.js';

type Files = Readonly<Record<string, string>>;

/** A scalar of a YAML file. */
interface Leaf {
  readonly path: string;
  readonly value: unknown;
  /** The place of its text in the file. */
  readonly range: readonly [start: number, end: number];
  /** Lines of its keys and of itself. */
  readonly lines: readonly number[];
}

function leavesOf(text: string): readonly Leaf[] {
  const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length;
  const leaves: Leaf[] = [];
  const visit = (node: unknown, path: string, lines: readonly number[]): void => {
    if (isMap(node))
      for (const { key, value } of node.items) {
        const [start = 0] = (isScalar(key) && key.range) || [];
        visit(value, `${path}.${isScalar(key) ? String(key.value) : ''}`, [...lines, lineAt(start)]);
      }
    if (isSeq(node)) for (const item of node.items) visit(item, `${path}[]`, lines);
    if (isScalar(node) && node.range) {
      const [start, end] = node.range;
      leaves.push({ path, value: node.value, range: [start, end], lines: [...lines, lineAt(start)] });
    }
  };
  for (const { contents } of parseAllDocuments(text)) visit(contents, '', []);
  return leaves;
}

/** Another value of the same type; a JSON text gets another value in each of its members in turn. */
function changesOf(value: unknown): readonly unknown[] {
  if (typeof value === 'number') return [value + 1];
  if (typeof value === 'boolean') return [!value];
  const text = typeof value === 'string' ? value : '';
  return /^\s*\{/.test(text)
    ? changedMembers(JSON.parse(text)).map((each) => JSON.stringify(each))
    : [`${text}x`];
}

function changedMembers(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return items.flatMap((item, at) => changedMembers(item).map((each) => items.with(at, each)));
  }
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, item]) =>
      changedMembers(item).map((each) => ({ ...value, [name]: each })),
    );
  return changesOf(value);
}

interface Outcome {
  readonly text: string;
  readonly problems: readonly Problem[];
}

function outcomeOf(kind: SourceKind, files: Files): Outcome {
  const made = imported(kind, files);
  const problems = problemsOf(made);
  const all = made.ok ? [...problems, ...made.value.problems] : problems;
  const site = made.ok ? [made.value.name, made.value.bmc, made.value.isOnHold] : [];
  const written = made.ok ? made.value.files.map(({ path, text }) => [path, text]) : [];
  const words = all.map(({ code, message, hint }) => [code, message, hint]);
  return { text: JSON.stringify([site, written, words]), problems: all };
}

/** Leaves whose change changes nothing, and whose line no problem names. */
function unaccounted(kind: SourceKind, files: Files): readonly string[] {
  const plain = outcomeOf(kind, files);
  const isNamed = (file: string, { lines }: Leaf): boolean =>
    plain.problems.some(({ at }) => at?.file === file && (at.line === undefined || lines.includes(at.line)));
  const yaml = Object.entries(files).filter(([file]) => /\.ya?ml$/.test(file));
  return yaml.flatMap(([file, text]) =>
    leavesOf(text).flatMap((leaf) => {
      const [start, end] = leaf.range;
      const texts = changesOf(leaf.value).map((value) => {
        const isBlock = /[|>]/.test(text.charAt(start));
        return `${text.slice(0, start)}${JSON.stringify(value)}${isBlock ? '\n' : ''}${text.slice(end)}`;
      });
      const isSilent = texts.some((each) => outcomeOf(kind, { ...files, [file]: each }).text === plain.text);
      return isSilent && !isNamed(file, leaf) ? [`${file} ${leaf.path.slice(1)}`] : [];
    }),
  );
}

function filesBelow(folder: string): Files {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(folder.length + 1), readFileSync(path, 'utf8')];
    }),
  );
}

/** Fields that describe the file itself, or that have a meaning only on a hub; docs/import.md lists them. */
const needless =
  / (?:apiVersion|kind|type|metadata\.\S+|spec\.(?:\S+\.)?(?:templateRefs|suppressedManifests|pruneManifests)\S*|\S*bootMACAddress|(?:config|secret)\w*Generator\[\]\.(?:namespace|type)|resources\[\])$/;

describe('every value of a source is imported, or reported with its line', () => {
  it.each([
    ['cluster-instance', 'fixtures/import/ztp'],
    ['agent-config', 'fixtures/import/agent'],
  ] as const)('%s', (kind, folder) => {
    expect(unaccounted(kind, filesBelow(folder)).filter((each) => !needless.test(each))).toEqual([]);
  });
});

describe('a cluster that the kustomization of its folder does not list', () => {
  const ztp = filesBelow('fixtures/import/ztp');
  const { 'site1.yaml': site1 = '', 'kustomization.yaml': kustomization = '' } = ztp;
  const site2 = site1.replaceAll('site1', 'site2');

  it('is not chosen among several', () => {
    expect(siteOf('cluster-instance', { ...ztp, 'a.yaml': site2 }).name).toBe('site1');
  });

  it('is reported in a fleet', () => {
    const made = importedClusters({ ...ztp, 'a.yaml': site2 });
    expect(problemsOf(made).filter(({ code }) => code === 'import/unlisted')).toMatchObject([
      {
        at: { file: 'a.yaml' },
        message: 'kustomization.yaml does not list the file of "site2"',
      },
    ]);
  });

  it('is not reported if the kustomization lists no site', () => {
    const only = { 'a.yaml': site2, 'kustomization.yaml': kustomization };
    expect(outcomeOf('cluster-instance', only).problems.map(({ code }) => code)).not.toContain(
      'import/unlisted',
    );
  });
});

it('a Secret with invalid base64 is refused', () => {
  const files = filesBelow('fixtures/import/ztp');
  const hub = (files['hub.yaml'] ?? '').replace(/(\.dockerconfigjson: \S+)/, '$1x');
  const { problems } = outcomeOf('cluster-instance', { ...files, 'hub.yaml': hub });
  expect(problems.map(({ code, message }) => `${code}: ${message}`)).toContain(
    'import/malformed: the value is not valid base64',
  );
});

it('a folder with only the objects of a hub is refused, and names them', () => {
  const object = (kind: string): string => `apiVersion: agent-install.openshift.io/v1beta1\nkind: ${kind}\n`;
  const files = { 'a.yaml': object('InfraEnv'), 'b.yaml': object('NMStateConfig') };
  const { problems } = outcomeOf('cluster-instance', files);
  expect(problems.map(({ at, message }) => `${at?.file ?? ''}: ${message}`)).toEqual([
    'a.yaml: InfraEnv is not imported',
    'b.yaml: NMStateConfig is not imported',
    ': no ClusterInstance or SiteConfig found',
  ]);
});

describe('files that another installer does not read are not imported without a word', () => {
  const agent = filesBelow('fixtures/import/agent');
  const config = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n';
  const leftOut = (kind: SourceKind, files: Files): readonly string[] =>
    outcomeOf(kind, files)
      .problems.filter(({ code }) => code === 'import/left-out')
      .map(({ at, message }) => `${at?.file}: ${message}`);

  it('in the folder of the agent installer', () => {
    expect(leftOut('agent-config', { ...agent, 'manifests/a.yaml': config, 'b.yaml': config })).toEqual([
      'b.yaml: b.yaml is not imported',
      'manifests: manifests/ is not imported',
    ]);
  });

  it('in the folder of openshift-install', () => {
    const { 'install-config.yaml': install = '' } = agent;
    const files = { 'install-config.yaml': install, 'agent-config.yaml': agent['agent-config.yaml'] ?? '' };
    expect(leftOut('install-dir', files)).toEqual(['agent-config.yaml: agent-config.yaml is not imported']);
  });
});
