import { isAbsolute, posix, relative, resolve, sep } from 'node:path';

import { problem, type Problem } from '../core/problem.js';
import { mayBeSecret } from '../core/secrets.js';
import type { FleetInput } from '../fields/fleet-schema.js';
import type { Finding, Rule } from '../fields/rule.js';
import type { Draft } from '../formats/field-schema.js';
import { nodeAt, type YamlNode } from '../formats/yaml/yaml-tree.js';

/** Where the parts of a fleet lie when fleet.yaml does not say so. */
export const usualPaths = { base: 'base', overrides: 'overrides', outputs: 'out', keys: 'keys' } as const;

/** Rules of fleet.yaml over its paths. */
export const pathRules: readonly Rule<Draft<FleetInput>>[] = [
  {
    number: 2,
    fields: ['sites', 'base', 'overrides', 'outputs'],
    text: 'Paths lead to files and folders below that of fleet.yaml, and none to a folder of another.',
    origin: 'sno-install',
    check: (input) =>
      (['sites', 'base', 'overrides', 'outputs'] as const).flatMap((field) => pathFault(field, input[field])),
  },
  {
    number: 5,
    fields: ['keys'],
    text: 'The folder of keys may lie anywhere.',
    origin: 'sno-install',
    check: ({ keys }) =>
      keys === undefined || (keys !== '' && !mayBeSecret(keys))
        ? []
        : [fault('keys', 'keys is the path of a folder')],
  },
  {
    number: 6,
    fields: ['serve.iso', 'serve.tokens', 'serve.identity'],
    text: 'What is served, and what opens it, may lie anywhere.',
    origin: 'sno-install',
    check: ({ serve = {} }) =>
      (['iso', 'tokens', 'identity'] as const).flatMap((field) => {
        const path = serve[field];
        if (path === undefined || (path !== '' && !mayBeSecret(path))) return [];
        return [
          {
            code: 'fleet/path' as const,
            path: ['serve', field],
            message: `serve.${field} is the path of a file`,
          },
        ];
      }),
  },
  {
    number: 4,
    fields: ['outputs', 'keys', 'overrides'],
    text: 'Outputs, keys, base and overrides have a folder each, neither in nor around that of another, and no table lies among outputs or keys.',
    origin: 'sno-install',
    check: (input) => {
      const paths = { ...usualPaths, ...input };
      const found = apart.flatMap(({ field, others }) => {
        const near = others.find((other) => meet(paths[field], paths[other]));
        if (near === undefined) return [];
        // What is not written is not to blame.
        const [blamed, other] = input[field] === undefined ? [near, field] : [field, near];
        return [fault(blamed, apartMessage(blamed, other))];
      });
      return found.filter(
        ({ path: [field] }, index) => found.findIndex(({ path }) => path[0] === field) === index,
      );
    },
  },
];

type PathField = keyof typeof usualPaths | 'sites';

/** Whose folder is no part of which others, and holds none of them; each pair once. */
const apart: readonly { readonly field: keyof typeof usualPaths; readonly others: readonly PathField[] }[] = [
  { field: 'outputs', others: ['base', 'overrides', 'sites'] },
  { field: 'keys', others: ['outputs', 'base', 'overrides', 'sites'] },
  { field: 'overrides', others: ['base'] },
];

function apartMessage(field: string, other: string): string {
  return `${field} must lie apart from ${other}: neither in its folder nor around it`;
}

function fault(field: string, message: string): Finding {
  const usual = new Map(Object.entries({ ...usualPaths, sites: 'sites.csv' })).get(field) ?? field;
  return { code: 'fleet/path', path: [field], message, hint: `such as "${field}: ${usual}"` };
}

/** Whether one of two paths lies in the other: both are relative, and lead below one folder. */
function meet(left: string | undefined, right: string | undefined): boolean {
  if (![left, right].every((each) => each !== undefined && isPathBelow(each))) return false;
  const [one, other] = [left, right].map((each) => posix.join('/', each ?? '', '/'));
  return one?.startsWith(other ?? '') === true || other?.startsWith(one ?? '') === true;
}

function pathFault(field: string, path: string | undefined): readonly Finding[] {
  if (path === undefined || isPathBelow(path)) return [];
  return [fault(field, `${field} is a path below the folder of fleet.yaml`)];
}

/** Messages name the file: what may be a secret is none. */
function isPathBelow(path: string): boolean {
  return path !== '' && !path.startsWith('/') && !path.split('/').includes('..') && !mayBeSecret(path);
}

/**
 * That a folder of keys which lies elsewhere by its path (absolute, or by `..`) does not lie apart from the others of the fleet in `dir`.
 * Problems: fleet/path.
 */
export function keysApart(
  dir: string,
  paths: Readonly<Record<PathField, string>>,
  { root, file }: { readonly root: YamlNode; readonly file: string },
): readonly Problem[] {
  if (isPathBelow(paths.keys)) return [];
  const keys = resolve(dir, paths.keys);
  const near = (['outputs', 'base', 'overrides', 'sites'] as const).find((field) => {
    const other = resolve(dir, paths[field]);
    return isInside(keys, other) || isInside(other, keys);
  });
  if (near === undefined) return [];
  const at = { file, path: 'keys', ...nodeAt(root, ['keys'])?.span };
  return [problem('fleet/path', apartMessage('keys', near), { at, hint: 'such as "keys: keys"' })];
}

function isInside(path: string, folder: string): boolean {
  const inner = relative(folder, path);
  return inner.split(sep)[0] !== '..' && !isAbsolute(inner);
}
