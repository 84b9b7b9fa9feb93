import { sha256 } from '../../../src/formats/sha256.js';
import type { InputRead, Inputs } from '../../../src/graph/context.js';

/** Inputs by path, variable name or `stdin`: text, `false` for unreadable, or the names in a folder. */
export type World = Readonly<Record<string, string | false | readonly string[]>>;

export function inputsIn(world: World): Inputs {
  const read = (place: string): InputRead => {
    const found = world[place];
    if (found === false) return { kind: 'unreadable', reason: `${place} is closed` };
    if (typeof found !== 'string') return { kind: 'absent' };
    return { kind: 'file', bytes: Buffer.from(found) };
  };
  return {
    read,
    readReference: ({ place }) => {
      if (place.kind === 'file') return read(`file ${place.path}`);
      return read(place.kind === 'variable' ? `$${place.name}` : 'stdin');
    },
    digest: (path) => {
      const found = read(`large ${path}`);
      return found.kind === 'file' ? { kind: 'file', sha256: sha256(found.bytes) } : found;
    },
    list: (folder) => {
      const found = world[`${folder}/`];
      return Array.isArray(found) ? (found as readonly string[]) : undefined;
    },
    written: (path) => `written ${path}`,
    writtenPaths: () => ['a', 'b'],
  };
}

/** One input of each kind. */
export const world: World = {
  'install-config.yaml': 'one',
  closed: false,
  'large image.iso': 'two',
  'large old.iso': 'six',
  'large closed': false,
  'manifests/': ['a.yaml', 'deep/'],
  'empty/': [],
  'file secrets/pull secret.json': 'three',
  $PULL_SECRET: 'four',
  stdin: 'five',
};
