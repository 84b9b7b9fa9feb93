import { quoted } from '../../../core/quoted.js';
import type { Finding } from '../../schema/rule.js';
import type { FieldPath } from '../../../formats/yaml/yaml-tree.js';
import type { InstallRule, InstallSubject } from './install-subject.js';

/** Rules against settings of other kinds of clusters. */
export const singleNodeRules: readonly InstallRule[] = [
  {
    number: 34,
    fields: ['platform'],
    text: 'platform is exactly none or external.',
    origin: 'sno-install',
    check: platform,
  },
  {
    number: 35,
    fields: ['controlPlane.platform', 'compute[].platform'],
    text: 'The platform of a machine pool is empty, because the platforms none and external create no machines.',
    origin: 'openshift-install',
    check: poolPlatforms,
  },
  {
    number: 36,
    fields: [
      'arbiter',
      'controlPlane.fencing',
      'compute[].fencing',
      'controlPlane.diskSetup',
      'compute[].diskSetup',
      'controlPlane.management',
      'compute[].management',
      'credentialsMode',
      'publish',
      'operatorPublishingStrategy',
    ],
    text: 'Fields that need a cloud or more than one node are not set: arbiter, fencing, diskSetup, management, credentialsMode, operatorPublishingStrategy, and publish other than External.',
    origin: 'openshift-install',
    check: notForSingleNode,
  },
];

function platform({ input }: InstallSubject): readonly Finding[] {
  const names = Object.keys(input.platform ?? {});
  const place = { code: 'config/platform' as const, path: ['platform'] };
  const hint = 'write "platform:" and below it "  none: {}"';
  if (names.includes('none') && names.includes('external')) {
    const message = 'platform is none and external';
    return [{ ...place, path: ['platform', 'external'], target: 'key', message, hint: 'remove one of them' }];
  }
  if (names.length === 0) return [{ ...place, message: 'platform is empty', hint }];
  return names
    .filter((name) => name !== 'none' && name !== 'external')
    .map((name) => ({
      ...place,
      path: ['platform', name],
      target: 'key' as const,
      message: `platform ${name} is not supported for a single node; it must be none or external`,
      hint,
    }));
}

function poolPlatforms({ input }: InstallSubject): readonly Finding[] {
  return poolsOf(input).flatMap(({ pool, path }) =>
    Object.keys(pool.platform ?? {}).map((name) => ({
      code: 'config/not-for-single-node' as const,
      path: [...path, 'platform', name],
      target: 'key' as const,
      message: poolPlatformFault(name),
      hint: 'write "platform: {}"',
    })),
  );
}

/** Source: openshift/installer pkg/types/machinepools.go, MachinePoolPlatform, has no field for platform none */
function poolPlatformFault(name: string): string {
  return name === 'none'
    ? 'the platform of a machine pool has no field "none": on platform none it is "{}" or left out'
    : `machine settings of platform ${quoted(name)} are not supported on platform none`;
}

/** Fields without a meaning for a single node on platform none, with their purpose. */
const poolFields = {
  fencing: 'two-node clusters',
  diskSetup: 'clusters whose machines the installer creates',
  management: 'AWS',
} as const;

const rootFields = {
  arbiter: 'clusters of two nodes and an arbiter',
  credentialsMode: 'clouds',
  operatorPublishingStrategy: 'Azure',
} as const;

function notForSingleNode({ input }: InstallSubject): readonly Finding[] {
  const inPools = poolsOf(input).flatMap(({ pool, path }) =>
    keysOf(poolFields)
      .filter((field) => isGiven(pool[field]))
      .map((field) => outOfPlace([...path, field], field, poolFields[field])),
  );
  const atRoot = keysOf(rootFields)
    .filter((field) => isGiven(input[field]))
    .map((field) => outOfPlace([field], field, rootFields[field]));
  const publish = input.publish ?? 'External';
  const published =
    publish === 'External'
      ? []
      : [
          {
            code: 'config/not-for-single-node' as const,
            path: ['publish'],
            message: `publish ${publish} needs a cloud`,
            hint: 'write "publish: External"; your network controls access to the node',
          },
        ];
  return [...inPools, ...atRoot, ...published];
}

function outOfPlace(path: FieldPath, field: string, use: string): Finding {
  return {
    code: 'config/not-for-single-node',
    path,
    target: 'key',
    message: `${field} is for ${use}, not for a single node`,
    hint: 'remove it',
  };
}

/** Empty strings and lists, which older tools write, count as missing. An empty map counts as set, as in openshift-install. */
function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== '';
}

function keysOf<T extends object>(table: T): readonly (keyof T & string)[] {
  return Object.keys(table).filter((key): key is keyof T & string => key in table);
}

type PoolInput = NonNullable<InstallSubject['input']['controlPlane']>;

function poolsOf(
  input: InstallSubject['input'],
): readonly { readonly pool: PoolInput; readonly path: FieldPath }[] {
  return [
    ...(input.controlPlane ? [{ pool: input.controlPlane, path: ['controlPlane'] }] : []),
    ...(input.compute ?? []).map((pool, index) => ({ pool, path: ['compute', index] })),
  ];
}
