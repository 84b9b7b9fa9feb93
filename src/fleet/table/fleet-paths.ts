import { posix } from 'node:path';

import { mayBeSecret } from '../../core/secrets.js';
import type { FleetInput } from '../../config/schema/fleet-schema.js';
import type { Finding, Rule } from '../../config/schema/rule.js';
import type { Draft } from '../../formats/field-schema.js';

export const fleetFileName = 'fleet.yaml';

/** Default paths of fleet.yaml. */
export const defaultPaths = { base: 'base', overrides: 'overrides', outputs: 'out' } as const;

/** Folder of the classes; contains one folder for each class. */
export const classesFolder = 'classes';

/** File of a class with its variables: a map of names to values. It is no input file of its sites. */
export const variablesFileName = 'variables.yaml';

/** Rules for the paths in fleet.yaml. */
export const pathRules: readonly Rule<Draft<FleetInput>>[] = [
  {
    number: 2,
    fields: ['sites', 'base', 'overrides', 'outputs'],
    text: 'Paths are relative to the directory of fleet.yaml and stay below it.',
    origin: 'sno-install',
    check: (input) =>
      (['sites', 'base', 'overrides', 'outputs'] as const).flatMap((field) => pathFault(field, input[field])),
  },
  {
    number: 5,
    fields: ['serve.iso', 'serve.tokens', 'serve.identity'],
    text: 'The files below serve may be anywhere.',
    origin: 'sno-install',
    check: ({ serve = {} }) =>
      (['iso', 'tokens', 'identity'] as const).flatMap((field) => {
        const path = serve[field];
        if (path === undefined || (path !== '' && !mayBeSecret(path))) return [];
        return [
          {
            code: 'fleet/path' as const,
            path: ['serve', field],
            message: `serve.${field} is not a file path`,
          },
        ];
      }),
  },
  {
    number: 4,
    fields: ['outputs', 'overrides'],
    text: 'outputs, base and overrides are separate directories, none inside another, and the site table is not inside outputs.',
    origin: 'sno-install',
    check: (input) => {
      const paths = { ...defaultPaths, ...input };
      const found = apart.flatMap(({ field, others }) => {
        const near = others.find((other) => meet(paths[field], paths[other]));
        if (near === undefined) return [];
        // A default is not in the file, so the problem names the other field.
        const [blamed, other] = input[field] === undefined ? [near, field] : [field, near];
        return [fault(blamed, apartMessage(blamed, other))];
      });
      return found.filter(
        ({ path: [field] }, index) => found.findIndex(({ path }) => path[0] === field) === index,
      );
    },
  },
  {
    number: 6,
    fields: ['classes', 'sites', 'base', 'overrides', 'outputs'],
    text: 'If classes is set, no other path contains classes/ or is inside it.',
    origin: 'sno-install',
    check: ({ classes = [], ...input }) =>
      (['sites', 'base', 'overrides', 'outputs'] as const).flatMap((field) =>
        classes.length > 0 && meet(input[field], classesFolder)
          ? [fault(field, apartMessage(field, `${classesFolder}/`))]
          : [],
      ),
  },
];

type PathField = keyof typeof defaultPaths | 'sites';

/** Pairs of fields whose folders must not contain each other; each pair once. */
const apart: readonly { readonly field: keyof typeof defaultPaths; readonly others: readonly PathField[] }[] =
  [
    { field: 'outputs', others: ['base', 'overrides', 'sites'] },
    { field: 'overrides', others: ['base'] },
  ];

function apartMessage(field: string, other: string): string {
  return `${field} overlaps ${other}: neither may contain the other`;
}

function fault(field: string, message: string): Finding {
  const usual = new Map(Object.entries({ ...defaultPaths, sites: 'sites.csv' })).get(field) ?? field;
  return { code: 'fleet/path', path: [field], message, hint: `for example "${field}: ${usual}"` };
}

/** Whether one path is inside the other or equal to it. Both are relative to the folder of fleet.yaml. */
function meet(left: string | undefined, right: string | undefined): boolean {
  if (![left, right].every((each) => each !== undefined && isPathBelow(each))) return false;
  const [one, other] = [left, right].map((each) => posix.join('/', each ?? '', '/'));
  return one?.startsWith(other ?? '') === true || other?.startsWith(one ?? '') === true;
}

function pathFault(field: string, path: string | undefined): readonly Finding[] {
  if (path === undefined || isPathBelow(path)) return [];
  return [fault(field, `${field} is not a path below the directory of fleet.yaml`)];
}

/** Rejects a path that looks like a secret, since messages print paths. */
function isPathBelow(path: string): boolean {
  return path !== '' && !path.startsWith('/') && !path.split('/').includes('..') && !mayBeSecret(path);
}
