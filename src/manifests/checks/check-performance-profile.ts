import { isRecord } from '../../core/is-record.js';
import { problem, type Problem } from '../../core/problem.js';
import { maskedWord, quoted } from '../../core/quoted.js';
import { commonCpus, parseCpuSet } from '../../formats/cpu-set.js';
import type { FieldPath } from '../../formats/yaml/yaml-tree.js';
import { fieldAt, listAt, textAt } from '../../kube/fields.js';
import { groupOf } from '../../kube/identity.js';
import { manifestFieldPlace } from '../../kube/manifest-place.js';
import type { SourcedObject } from '../../kube/manifest.js';
import type { KubeObject } from '../../kube/object.js';
import { isSelected, poolsOf, type Pool } from './machine-config-pools.js';

interface ProfileFault {
  readonly path: FieldPath;
  readonly message: string;
  readonly hint: string;
}

export function isPerformanceProfile({ apiVersion, kind }: KubeObject): boolean {
  return kind === 'PerformanceProfile' && groupOf(apiVersion) === 'performance.openshift.io';
}

/**
 * Reports PerformanceProfiles that the node tuning operator refuses, beyond the schema of the kind. Problems:
 * manifest/performance-profile.
 * Source: cluster-node-tuning-operator pkg/apis/performanceprofile/v2/performanceprofile_validation.go
 */
export function profileProblems(objects: readonly SourcedObject[]): readonly Problem[] {
  return objects
    .filter(({ object }) => isPerformanceProfile(object))
    .flatMap((sourced) =>
      [
        ...cpuFaults(sourced.object),
        ...labelFaults(sourced.object),
        ...hugepageFaults(sourced.object),
        ...hintFaults(sourced.object),
      ].map((fault) => profileProblem(sourced, fault)),
    );
}

function profileProblem({ source }: SourcedObject, { path, message, hint }: ProfileFault): Problem {
  return problem('manifest/performance-profile', message, { at: manifestFieldPlace(source, path), hint });
}

const cpuFields: readonly string[] = ['reserved', 'isolated', 'offlined', 'shared'];

/** Values with a placeholder such as `$isolated` are reported elsewhere. */
function cpuFaults(object: KubeObject): readonly ProfileFault[] {
  const sets = cpuFields.flatMap((field) => {
    const text = fieldAt(object, ['spec', 'cpu', field]);
    return typeof text === 'string' && !text.includes('$')
      ? [{ field, text, path: ['spec', 'cpu', field], cpus: parseCpuSet(text) }]
      : [];
  });
  return sets.flatMap(({ field, text, path, cpus }, index) => {
    if (cpus === undefined)
      return [
        {
          path,
          message: `${field} is ${quoted(text)}, expected a list of CPUs`,
          hint: 'write it like 2-31,34-63',
        },
      ];
    if (cpus.size === 0 && ['reserved', 'isolated'].includes(field))
      return [{ path, message: `${field} contains no CPU`, hint: 'write a list of CPUs such as 0-1,32-33' }];
    return sets.slice(0, index).flatMap((other) => {
      const common = other.cpus ? commonCpus(cpus, other.cpus) : '';
      if (common === '') return [];
      const message = `${field} and ${other.field} both contain CPU ${common}: the node tuning operator refuses the profile`;
      return [{ path, message, hint: 'write each CPU into one of the lists' }];
    });
  });
}

function labelFaults(object: KubeObject): readonly ProfileFault[] {
  return ['machineConfigLabel', 'machineConfigPoolSelector', 'nodeSelector'].flatMap((field) => {
    const labels = fieldAt(object, ['spec', field]);
    if (!isRecord(labels)) return [];
    const keys = Object.keys(labels);
    const path = ['spec', field];
    if (keys.length > 1)
      return [
        { path, message: `${field} has ${keys.length} labels, expected one`, hint: 'keep one of them' },
      ];
    const isDerived = ['machineConfigLabel', 'machineConfigPoolSelector'].some(
      (each) => !isRecord(fieldAt(object, ['spec', each])),
    );
    const [key] = keys;
    if (field !== 'nodeSelector' || key === undefined || !isDerived || key.split('/').length === 2) return [];
    const message = `the node tuning operator cannot derive a role from the label ${quoted(key)}`;
    return [{ path, message, hint: 'write node-role.kubernetes.io/master: ""' }];
  });
}

function hugepageFaults(object: KubeObject): readonly ProfileFault[] {
  const path = ['spec', 'hugepages', 'pages'];
  const pages = listAt(object, path);
  const keys = pages.map((page) => JSON.stringify([fieldAt(page, ['size']), fieldAt(page, ['node'])]));
  const repeated = keys.findIndex((key, index) => isRecord(pages[index]) && keys.indexOf(key) < index);
  const hasDefault = textAt(object, ['spec', 'hugepages', 'defaultHugepagesSize']) !== undefined;
  return [
    ...(pages.some(isRecord) && !hasDefault
      ? [
          {
            path: ['spec', 'hugepages', 'defaultHugepagesSize'],
            message: 'defaultHugepagesSize is missing, and pages are configured',
            hint: 'write defaultHugepagesSize: 1G, or the size of the pages',
          },
        ]
      : []),
    ...(repeated < 0
      ? []
      : [
          {
            path: [...path, repeated],
            message: 'an earlier entry of pages has the same size and NUMA node',
            hint: 'add the counts of the two',
          },
        ]),
  ];
}

function hintFaults(object: KubeObject): readonly ProfileFault[] {
  const at = (name: string): readonly string[] => ['spec', 'workloadHints', name];
  const isSet = (path: readonly string[]): boolean => fieldAt(object, path) === true;
  const faults: readonly (readonly [boolean, ProfileFault])[] = [
    [
      isSet(['spec', 'realTimeKernel', 'enabled']) && fieldAt(object, at('realTime')) === false,
      {
        path: at('realTime'),
        message: 'the realtime kernel is enabled, but workloadHints.realTime is false',
        hint: 'write "realTime: true", or disable realTimeKernel',
      },
    ],
    [
      isSet(at('highPowerConsumption')) && isSet(at('perPodPowerManagement')),
      {
        path: at('highPowerConsumption'),
        message: 'highPowerConsumption and perPodPowerManagement cannot both be true',
        hint: 'set one of them to false',
      },
    ],
    [
      isSet(at('mixedCpus')) && textAt(object, ['spec', 'cpu', 'shared']) === undefined,
      {
        path: at('mixedCpus'),
        message: 'mixedCpus is true, but cpu.shared contains no CPU',
        hint: 'list the shared CPUs in cpu.shared',
      },
    ],
  ];
  return faults.flatMap(([isFault, fault]) => (isFault ? [fault] : []));
}

/**
 * Reports PerformanceProfiles whose nodeSelector does not match exactly one pool: the node tuning operator's render ends with an
 * error then. Only for objects that the bootstrap reads. Problems: manifest/performance-profile.
 * Source: cluster-node-tuning-operator pkg/performanceprofile/cmd/render, selectMachineConfigPool
 */
export function profilePoolProblems(objects: readonly SourcedObject[]): readonly Problem[] {
  const pools = uniquePools(poolsOf(objects));
  return objects.flatMap((sourced) => {
    const { object } = sourced;
    const selector = fieldAt(object, ['spec', 'nodeSelector']);
    // The render reads only this version.
    const isRead = isPerformanceProfile(object) && object.apiVersion.endsWith('/v2');
    if (!isRead || !isRecord(selector) || isTemplate(object)) return [];
    const names = pools
      .filter(({ nodeSelector }) => isSelected(nodeSelector, selector))
      .map(({ name }) => maskedWord(name));
    if (names.length === 1) return [];
    const found =
      names.length === 0 ? 'no MachineConfigPool' : `the MachineConfigPools ${names.join(' and ')}`;
    const message = `nodeSelector matches ${found}: the render of the node tuning operator expects one, and the bootstrap stops`;
    return [
      profileProblem(sourced, {
        path: ['spec', 'nodeSelector'],
        message,
        hint: 'write node-role.kubernetes.io/master: ""',
      }),
    ];
  });
}

/** Whether the profile has placeholders such as `$isolated`, which are reported elsewhere. */
function isTemplate(object: KubeObject): boolean {
  const selector = fieldAt(object, ['spec', 'nodeSelector']);
  const values = cpuFields.map((field) => fieldAt(object, ['spec', 'cpu', field]));
  return [...(isRecord(selector) ? Object.keys(selector) : []), ...values].some(
    (text) => typeof text === 'string' && text.includes('$'),
  );
}

/** The user's pool replaces the built-in one of its name. */
function uniquePools(pools: readonly Pool[]): readonly Pool[] {
  return [...new Map(pools.map((pool) => [pool.name, pool])).values()];
}
