import { createHash } from 'node:crypto';

import { byCodeUnit } from '../../src/core/compare.js';
import type { Context, Environment, InputRead, Inputs } from '../../src/graph/context.js';
import { templatesFrom } from '../../src/disk/program-files/templates.js';
import { generatedValues } from '../../src/run/effects/generated-values.js';
import { seededRandomness } from './seeded-keys.js';

export interface TestInputs {
  /** The user's files by path. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Files written by an earlier run, by path. */
  readonly written?: Readonly<Record<string, string>>;
  readonly environment?: Environment;
  /** Environment variables that fields can reference. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly now?: Date;
  /** Fixed values for `valueSource.once`. */
  readonly once?: Readonly<Record<string, string>>;
}

/** The clock of every test. No test reads the real one. */
export const testNow = new Date('2026-01-02T03:04:05Z');

/** A context with the given files. Generated values depend only on their labels, so tests need no mocks of our code. */
export function testContext(given: TestInputs = {}): Context {
  return {
    now: given.now ?? testNow,
    valueSource: generatedValues({ ...given.once }, { source: seededRandomness }).valueSource,
    inputs: inputsOf(given),
    environment: given.environment ?? {},
    templates: templatesFrom('templates'),
  };
}

function inputsOf({ files = {}, written = {}, variables = {}, stdin }: TestInputs): Inputs {
  const textRead = (text: string | undefined): InputRead =>
    text === undefined ? { kind: 'absent' } : { kind: 'file', bytes: Buffer.from(text) };
  const read = (path: string): InputRead => {
    const contents = files[path];
    if (contents === undefined) return { kind: 'absent' };
    return { kind: 'file', bytes: typeof contents === 'string' ? Buffer.from(contents) : contents };
  };
  return {
    read,
    readReference: ({ place }) => {
      if (place.kind === 'file') return read(place.path);
      return textRead(place.kind === 'variable' ? variables[place.name] : stdin);
    },
    digest: (path) => {
      const found = read(path);
      return found.kind === 'file'
        ? { kind: 'file', sha256: createHash('sha256').update(found.bytes).digest('hex') }
        : found;
    },
    list: (folder) => namesBelow(folder, Object.keys(files)),
    written: (path) => {
      const text = written[path];
      return text === undefined ? undefined : createHash('sha256').update(text).digest('hex');
    },
    writtenPaths: () => Object.keys(written).sort(byCodeUnit),
  };
}

function namesBelow(folder: string, paths: readonly string[]): readonly string[] | undefined {
  const prefix = `${folder.replace(/\/$/, '')}/`;
  const below = paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
  if (below.length === 0) return undefined;
  const names = below.map((path) => (path.includes('/') ? `${path.slice(0, path.indexOf('/'))}/` : path));
  return [...new Set(names)].sort(byCodeUnit);
}
