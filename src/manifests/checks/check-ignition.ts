import type { Release } from '../../config/reading/release.js';
import { problem, type Problem, type ProblemCode } from '../../core/problem.js';
import { quoted } from '../../core/quoted.js';
import {
  nodeAt,
  pathText,
  scalarsIn,
  toData,
  type FieldPath,
  type YamlNode,
  type YamlScalar,
} from '../../formats/yaml/yaml-tree.js';
import { isOctalDigits } from '../../ignition/foreign/contents-faults.js';
import type { Fault, SpecVersion } from '../../ignition/foreign/ignition-fault.js';
import { nodeFaults, octalHint, type NodeFacts } from '../../ignition/foreign/node-faults.js';
import { manifestFieldPlace } from '../../kube/manifest-place.js';
import type { ManifestSource } from '../../kube/manifest.js';
import { releases } from '../../release/releases.js';

/** `validateAnySpec`, loaded only if there is a config to check. */
export type ValidateIgnition = (config: unknown, spec: SpecVersion) => readonly Fault[];

export interface IgnitionFacts {
  readonly version: Release['version'];
  readonly judge: ValidateIgnition;
}

/** Reports harmful effects of a MachineConfig's Ignition config on the node. Problems: manifest/unbootable, manifest/node-setting. */
export function nodeProblems(source: ManifestSource, facts: NodeFacts): readonly Problem[] {
  const config = nodeAt(source.root, configPath);
  if (config?.kind !== 'map') return [];
  return nodeFaults(toData(config), facts).map(({ kind, path, message, hint }) =>
    problem(kind === 'unbootable' ? 'manifest/unbootable' : 'manifest/node-setting', message, {
      at: manifestFieldPlace(source, [...configPath, ...path]),
      hint,
    }),
  );
}

/**
 * Checks the Ignition config of a MachineConfig against its spec, and reports settings that get lost: the live system requests
 * spec 3.2.0 from the machine-config server, and the machine config operator supports only part of any spec.
 * Problems: manifest/ignition-version, manifest/ignition-feature, manifest/ignition-unsupported, manifest/ignition-invalid,
 * manifest/ignition-lost.
 */
export function ignitionProblems(
  source: ManifestSource,
  { version, judge }: IgnitionFacts,
): readonly Problem[] {
  const config = nodeAt(source.root, configPath);
  if (config === undefined || (config.kind === 'scalar' && config.value === null)) return [];
  if (config.kind !== 'map') return judge(toData(config), 0).map((fault) => faultProblem(source, fault));
  const spec = readSpec(config, version);
  // The meaning of the fields depends on the spec.
  if (spec === undefined) return [versionProblem(source, version)];
  const broken = scalarsIn(config).flatMap(({ path, scalar }) => {
    const rule = rules.find(({ at, is }) => at.test(pathText(path)) && (is?.(scalar) ?? true));
    return rule ? [{ path, rule, scalar }] : [];
  });
  const faults = judge(toData(config), spec).filter(
    ({ path }) => !broken.some((each) => overlap(path, each.path)),
  );
  return [
    ...broken.map(({ path, rule, scalar }) => brokenRule(source, [...configPath, ...path], { rule, scalar })),
    ...faults.map((fault) => faultProblem(source, fault)),
  ];
}

const configPath: FieldPath = ['spec', 'config'];

/** Whether one path contains the other, so that one of the two problems is enough. */
function overlap(left: FieldPath, right: FieldPath): boolean {
  const shorter = Math.min(left.length, right.length);
  return left.slice(0, shorter).every((step, index) => step === right[index]);
}

function faultProblem(source: ManifestSource, { kind, path, target, message, hint }: Fault): Problem {
  const code = kind === 'refused' ? 'manifest/ignition-invalid' : 'manifest/ignition-lost';
  return problem(code, message, { at: manifestFieldPlace(source, [...configPath, ...path], target), hint });
}

/** The spec version; undefined if the release does not support it. Every release converts configs of 2.2.0 to 3. */
function readSpec(config: YamlNode, version: Release['version']): SpecVersion | undefined {
  const node = nodeAt(config, ['ignition', 'version']);
  if (node?.kind === 'scalar' && node.text === '2.2.0') return '2.2.0';
  const minor = node?.kind === 'scalar' ? /^3\.(\d)\.0$/.exec(node.text)?.[1] : undefined;
  return minor !== undefined && Number(minor) <= newestMinor(version) ? Number(minor) : undefined;
}

const versionPath: FieldPath = [...configPath, 'ignition', 'version'];

function versionProblem(source: ManifestSource, version: Release['version']): Problem {
  const node = nodeAt(source.root, versionPath);
  const at = manifestFieldPlace(source, versionPath);
  if (node?.kind !== 'scalar' || node.text === '') {
    return problem('manifest/ignition-version', 'spec.config.ignition.version is missing', {
      at,
      hint: 'write it for spec 3.2.0 and add "version: 3.2.0"',
    });
  }
  const message = `the Ignition spec is ${quoted(node.text)}, expected 2.2.0, or 3.0.0 to 3.${newestMinor(version)}.0`;
  return problem('manifest/ignition-version', message, { at, hint: 'write it for spec 3.2.0' });
}

/** The newest spec 3.x for MachineConfigs in the release. */
function newestMinor(version: Release['version']): number {
  return (version === undefined ? releases.newest : releases.like(version)).machineConfigSpec;
}

interface Rule {
  readonly code: Extract<ProblemCode, 'manifest/ignition-feature' | 'manifest/ignition-unsupported'>;
  /** Matches the path below spec.config. */
  readonly at: RegExp;
  readonly is?: (scalar: YamlScalar) => boolean;
  readonly message: string;
  readonly hint: string | ((scalar: YamlScalar) => string);
}

/**
 * The first match wins. Sources: coreos.github.io/ignition/migrating-configs for the spec that introduced a feature;
 * openshift/machine-config-operator pkg/controller/common/helpers.go for the features that its daemon supports.
 */
const rules: readonly Rule[] = [
  {
    code: 'manifest/ignition-feature',
    at: /^kernelArguments\./,
    message: 'kernel arguments inside the Ignition config need spec 3.3',
    hint: 'put them into spec.kernelArguments of the MachineConfig',
  },
  laterSpec(
    /^storage\.luks\[\d+\]\.(?:discard|openOptions\[\d+\])$/,
    'discard and openOptions of luks need spec 3.4',
  ),
  laterSpec(
    /^storage\.luks\[\d+\]\.clevis\.tang\[\d+\]\.advertisement$/,
    'advertisement of tang needs spec 3.4',
  ),
  laterSpec(/^storage\.luks\[\d+\]\.cex\./, 'cex of luks needs spec 3.5'),
  {
    ...laterSpec(
      /^storage\.(?:files|directories)\[\d+\]\.mode$/,
      'the mode is a decimal number, and its digits are those of an octal one',
    ),
    is: ({ value, text }) =>
      typeof value === 'number' && value > 0o777 && String(value) === text && isOctalDigits(value),
    hint: ({ value }) => octalHint(Number(value)),
  },
  {
    ...laterSpec(
      /^storage\.(?:files|directories)\[\d+\]\.mode$/,
      'a mode with setuid, setgid or sticky bit needs spec 3.4',
    ),
    is: ({ value }) => typeof value === 'number' && value > 0o777,
    hint: 'set the mode to at most 511 (octal 0777), and the bit by a unit that runs chmod',
  },
  {
    ...laterSpec(/\.source$/, 'a source that starts with arn: needs spec 3.4'),
    is: ({ text }) => text.startsWith('arn:'),
    hint: 'embed the contents as a data: URL',
  },
  {
    code: 'manifest/ignition-unsupported',
    at: /^passwd\.users\[\d+\]\.name$/,
    is: ({ value }) => value !== 'core',
    message: 'a MachineConfig may set up the user core only',
    hint: 'create other users by a unit that runs useradd',
  },
  {
    code: 'manifest/ignition-unsupported',
    at: /^passwd\.groups\[\d+\]\.name$/,
    message: 'a MachineConfig cannot create groups',
    hint: 'create groups by a unit that runs groupadd',
  },
  {
    code: 'manifest/ignition-unsupported',
    // A boolean in spec 2.
    at: /^storage\.files\[\d+\]\.append(?:\[\d+\]\.source)?$/,
    is: ({ value }) => value !== false,
    message: 'a MachineConfig cannot append to a file',
    hint: 'write the whole file, or a file in the folder of drop-ins',
  },
  {
    code: 'manifest/ignition-unsupported',
    at: /^storage\.files\[\d+\]\.contents\.source$/,
    is: ({ text }) => text !== '' && !text.startsWith('data:'),
    message: 'a file of a MachineConfig must have its contents as a data: URL',
    hint: 'embed the contents, such as data:,text or data:;base64,dGV4dA==',
  },
];

function laterSpec(at: RegExp, message: string): Rule {
  const hint = 'leave it out: the node is given its configuration in spec 3.2.0';
  return { code: 'manifest/ignition-feature', at, message, hint };
}

function brokenRule(
  source: ManifestSource,
  path: FieldPath,
  { rule, scalar }: { readonly rule: Rule; readonly scalar: YamlScalar },
): Problem {
  const { code, message, hint } = rule;
  return problem(code, message, {
    at: manifestFieldPlace(source, path),
    hint: typeof hint === 'string' ? hint : hint(scalar),
  });
}
