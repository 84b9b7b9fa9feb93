import type { Release } from '../../config/reading/release.js';
import { isRecord } from '../../core/is-record.js';
import { problem, type Problem, type ProblemCode } from '../../core/problem.js';
import { quoted } from '../../core/quoted.js';
import { suggestionOr } from '../../core/suggest.js';
import type { FieldPath, Target } from '../../formats/yaml/yaml-tree.js';
import { fieldAt, listAt, textAt } from '../../kube/fields.js';
import { groupOf } from '../../kube/identity.js';
import { manifestFieldPlace } from '../../kube/manifest-place.js';
import type { SourcedObject } from '../../kube/manifest.js';
import { releases } from '../../release/releases.js';
import { kubeletFaults, type KubeletVersions } from './kubelet-configuration.js';
import { isOperatorKind } from './machine-config-pools.js';

/**
 * Reports KubeletConfigs, ContainerRuntimeConfigs and pools that the machine-config operator refuses; during the bootstrap it
 * then ends with an error. Problems: manifest/operator-config, manifest/kubelet-field.
 */
export function operatorConfigProblems(
  objects: readonly SourcedObject[],
  version: Release['version'],
): readonly Problem[] {
  const row = version === undefined ? releases.newest : releases.like(version);
  const versions: KubeletVersions = {
    kubernetesMinor: row.kubernetesMinor,
    openshiftMinor: minorOf(version ?? releases.newest.version),
  };
  return objects.flatMap((sourced) =>
    faultsOf(sourced, versions).map(({ code = 'manifest/operator-config', path, target, message, hint }) =>
      problem(code, message, { at: manifestFieldPlace(sourced.source, path, target), hint }),
    ),
  );
}

/** The minor of OpenShift 4.x; releases after 4.x are newer than all of them. */
function minorOf({ major, minor }: NonNullable<Release['version']>): number {
  return major === 4 ? minor : Infinity;
}

interface ConfigFault {
  readonly code?: Extract<ProblemCode, 'manifest/operator-config' | 'manifest/kubelet-field'>;
  readonly path: FieldPath;
  readonly target?: Target;
  readonly message: string;
  readonly hint: string;
}

function faultsOf({ object }: SourcedObject, versions: KubeletVersions): readonly ConfigFault[] {
  if (isOperatorKind(object, 'KubeletConfig'))
    return [...kubeletConfigFaults(object, versions), ...selectorFaults(object, poolSelector)];
  if (isOperatorKind(object, 'ContainerRuntimeConfig'))
    return [...runtimeFaults(object, versions), ...selectorFaults(object, poolSelector)];
  if (isOperatorKind(object, 'MachineConfigPool'))
    return ['machineConfigSelector', 'nodeSelector'].flatMap((field) =>
      selectorFaults(object, ['spec', field]),
    );
  return groupOf(object.apiVersion) === 'performance.openshift.io' && object.kind === 'PerformanceProfile'
    ? snippetFaults(object, versions)
    : [];
}

const poolSelector = ['spec', 'machineConfigPoolSelector'];

function kubeletConfigFaults(object: unknown, versions: KubeletVersions): readonly ConfigFault[] {
  const config = fieldAt(object, ['spec', 'kubeletConfig']);
  const reserved = fieldAt(config, ['systemReserved']);
  const isReservedTwice =
    fieldAt(object, ['spec', 'autoSizingReserved']) === true &&
    isRecord(reserved) &&
    Object.keys(reserved).length > 0;
  return [
    ...logLevelFaults(object, versions),
    ...kubeletFaults(config, versions).map(({ kind, path, message, hint }): ConfigFault => ({
      code: kind === 'unknown' ? 'manifest/kubelet-field' : 'manifest/operator-config',
      path: ['spec', 'kubeletConfig', ...path],
      target: kind === 'unknown' ? 'key' : 'value',
      message,
      hint,
    })),
    ...(isReservedTwice
      ? [
          {
            path: ['spec', 'autoSizingReserved'],
            message: `autoSizingReserved and systemReserved cannot be set together, ${endsWithError}`,
            hint: 'keep one of the two',
          },
        ]
      : []),
  ];
}

const endsWithError = "and the machine-config operator's bootstrap ends with an error";

/** Zero since 4.22. Source: machine-config-operator pkg/controller/kubelet-config/helpers.go, validateUserKubeletConfig */
function logLevelFaults(object: unknown, { openshiftMinor }: KubeletVersions): readonly ConfigFault[] {
  const level = fieldAt(object, ['spec', 'logLevel']);
  const least = openshiftMinor < 22 ? 1 : 0;
  if (typeof level !== 'number' || (level >= least && level <= 10)) return [];
  const message = `logLevel is ${level}, expected ${least} to 10, ${endsWithError}`;
  return [{ path: ['spec', 'logLevel'], message, hint: `write a number from ${least} to 10` }];
}

/** Source: cluster-node-tuning-operator components/kubeletconfig */
const snippetPath = ['metadata', 'annotations', 'kubeletconfig.experimental'];

/** The node tuning operator merges a KubeletConfiguration in JSON from this annotation into its KubeletConfig. */
function snippetFaults(object: unknown, versions: KubeletVersions): readonly ConfigFault[] {
  const text = textAt(object, snippetPath);
  if (text === undefined) return [];
  const config = parsedJson(text);
  if (!isRecord(config)) {
    const message =
      'the annotation kubeletconfig.experimental is not a JSON object, and the render of the node tuning operator ends with an error';
    return [
      { path: snippetPath, message, hint: 'write a KubeletConfiguration in JSON, such as {"maxPods": 300}' },
    ];
  }
  return kubeletFaults(config, versions).map(({ kind, message, hint }) => ({
    code: kind === 'unknown' ? ('manifest/kubelet-field' as const) : ('manifest/operator-config' as const),
    path: snippetPath,
    message: `annotation kubeletconfig.experimental: ${message}`,
    hint,
  }));
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const logLevels: readonly string[] = ['error', 'fatal', 'panic', 'warn', 'info', 'debug', 'trace'];
const runtimes: readonly string[] = ['crun', 'runc'];

/** Source: machine-config-operator pkg/controller/container-runtime-config/helpers.go, validateUserContainerRuntimeConfig */
function runtimeFaults(object: unknown, { openshiftMinor }: KubeletVersions): readonly ConfigFault[] {
  const at = (field: string): readonly string[] => ['spec', 'containerRuntimeConfig', field];
  const fault = (field: string, expected: string, hint: string): ConfigFault => ({
    path: at(field),
    message: `${field} is ${shown(fieldAt(object, at(field)))}, expected ${expected}, ${endsWithError}`,
    hint,
  });
  const pids = fieldAt(object, at('pidsLimit'));
  const logSize = bytesOf(fieldAt(object, at('logSizeMax')));
  const overlay = bytesOf(fieldAt(object, at('overlaySize')));
  const level = textAt(object, at('logLevel'));
  const runtime = textAt(object, at('defaultRuntime'));
  return [
    ...(typeof pids === 'number' && pids !== 0 && pids < 20
      ? [fault('pidsLimit', 'at least 20', 'write 20 or more; podPidsLimit of a KubeletConfig limits pods')]
      : []),
    ...(logSize !== undefined && logSize > 0 && logSize <= 8192
      ? [fault('logSizeMax', 'more than 8192 bytes', 'write a quantity such as 10Mi')]
      : []),
    ...(overlay !== undefined && overlay < 0
      ? [fault('overlaySize', 'a positive quantity', 'write a quantity such as 8Gi')]
      : []),
    ...(level !== undefined && !logLevels.includes(level)
      ? [fault('logLevel', logLevels.join(', '), suggestionOr(level, logLevels, 'write info'))]
      : []),
    ...(runtime !== undefined && !runtimes.includes(runtime)
      ? [fault('defaultRuntime', runtimes.join(' or '), suggestionOr(runtime, runtimes, 'write crun'))]
      : []),
    ...(openshiftMinor < 22 ? [] : storeFaults(object, at)),
  ];
}

/** Source: the same file, validateStorePath */
function storeFaults(object: unknown, at: (field: string) => readonly string[]): readonly ConfigFault[] {
  return ['additionalLayerStores', 'additionalImageStores', 'additionalArtifactStores'].flatMap((field) =>
    listAt(object, at(field)).flatMap((store, index) => {
      const path = fieldAt(store, ['path']) ?? '';
      if (typeof path !== 'string' || (/^\/[a-zA-Z0-9/._-]+$/.test(path) && !path.includes('//'))) return [];
      const message = `the path of the store is ${quoted(path)}, expected an absolute path of letters, digits, "/", ".", "_" and "-", ${endsWithError}`;
      return [{ path: [...at(field), index, 'path'], message, hint: 'write a path such as /var/lib/store' }];
    }),
  );
}

function shown(value: unknown): string {
  return typeof value === 'number' ? String(value) : quoted(String(value));
}

/** Source: k8s.io/apimachinery pkg/api/resource, quantity */
const suffixes: Readonly<Record<string, number>> = {
  '': 1,
  ...Object.fromEntries(['k', 'M', 'G', 'T', 'P', 'E'].map((suffix, index) => [suffix, 1000 ** (index + 1)])),
  ...Object.fromEntries(
    ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((suffix, index) => [suffix, 1024 ** (index + 1)]),
  ),
  m: 0.001,
};

/** The value of a quantity, rounded up; undefined for other values. */
function bytesOf(value: unknown): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const [, digits = '', suffix = ''] = /^([+-]?[\d.]+)([kMGTPE]i?|Ki|m)?$/.exec(String(value)) ?? [];
  const factor = suffixes[suffix];
  return digits === '' || factor === undefined ? undefined : Math.ceil(Number(digits) * factor);
}

/** Source: k8s.io/apimachinery pkg/apis/meta/v1 LabelSelectorAsSelector */
function selectorFaults(object: unknown, path: readonly string[]): readonly ConfigFault[] {
  return listAt(object, [...path, 'matchExpressions']).flatMap((expression, index) => {
    const operator = textAt(expression, ['operator']) ?? '';
    const count = listAt(expression, ['values']).length;
    const at = [...path, 'matchExpressions', index];
    if (!operators.includes(operator)) {
      const message = `operator is ${quoted(operator)}, expected ${operators.join(', ')}, ${endsWithError}`;
      return [{ path: [...at, 'operator'], message, hint: suggestionOr(operator, operators, 'write In') }];
    }
    const needsValues = operator === 'In' || operator === 'NotIn';
    if (needsValues === count > 0) return [];
    const message = `the operator ${operator} ${needsValues ? 'needs' : 'takes no'} values, ${endsWithError}`;
    const hint = needsValues ? 'write values, or the operator Exists' : 'remove values';
    return [{ path: [...at, 'values'], message, hint }];
  });
}

const operators: readonly string[] = ['In', 'NotIn', 'Exists', 'DoesNotExist'];
