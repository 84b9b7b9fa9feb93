import type { Release } from '../../config/reading/release.js';
import { problem, type Problem, type ProblemCode } from '../../core/problem.js';
import { quoted } from '../../core/quoted.js';
import {
  nodeAt,
  pathText,
  type FieldPath,
  type YamlNode,
  type YamlScalar,
} from '../../formats/yaml/yaml-tree.js';
import { placeIn } from '../../kube/manifest-place.js';
import type { ManifestSource } from '../../kube/manifest.js';
import { releases } from '../../release/releases.js';

/**
 * What in the Ignition config of a MachineConfig does not survive: the live system asks the machine-config server for
 * spec 3.2.0, and the machine config operator takes only part of any spec.
 * Problems: manifest/ignition-version, manifest/ignition-feature, manifest/ignition-unsupported.
 */
export function ignitionProblems(source: ManifestSource, version: Release['version']): readonly Problem[] {
  const config = nodeAt(source.root, ['spec', 'config']);
  if (config === undefined || (config.kind === 'scalar' && config.value === null)) return [];
  const wrongVersion = versionProblem(source, version);
  // In another spec the same fields mean other things.
  if (wrongVersion !== undefined) return [wrongVersion];
  return scalarsIn(config, []).flatMap(({ path, scalar }) => {
    const rule = rules.find(({ at, is }) => at.test(pathText(path)) && (is?.(scalar) ?? true));
    return rule ? [brokenRule(source, ['spec', 'config', ...path], rule)] : [];
  });
}

const versionPath: FieldPath = ['spec', 'config', 'ignition', 'version'];

function versionProblem(source: ManifestSource, version: Release['version']): Problem | undefined {
  const node = nodeAt(source.root, versionPath);
  const at = placeIn(source, versionPath);
  const hint = 'write it for spec 3.2.0';
  if (node?.kind !== 'scalar' || node.text === '') {
    return problem('manifest/ignition-version', 'spec.config.ignition.version is missing', {
      at,
      hint: 'write it for spec 3.2.0, and say so: "version: 3.2.0"',
    });
  }
  const newest = newestMinor(version);
  const minor = /^3\.(\d+)\.0$/.exec(node.text)?.[1];
  if (minor !== undefined && Number(minor) <= newest) return undefined;
  const message = `the Ignition spec is ${quoted(node.text)}, expected 3.0.0 to 3.${newest}.0`;
  return problem('manifest/ignition-version', message, { at, hint });
}

/** The newest 3.x that a MachineConfig may be written in. */
function newestMinor(version: Release['version']): number {
  return (version === undefined ? releases.newest : releases.like(version)).machineConfigSpec;
}

interface Rule {
  readonly code: Extract<ProblemCode, 'manifest/ignition-feature' | 'manifest/ignition-unsupported'>;
  /** Over the path below spec.config. */
  readonly at: RegExp;
  readonly is?: (scalar: YamlScalar) => boolean;
  readonly message: string;
  readonly hint: string;
}

/**
 * First match wins. Sources: coreos.github.io/ignition/migrating-configs for the spec that brought a feature;
 * openshift/machine-config-operator pkg/controller/common/helpers.go for what its daemon takes.
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
      'a mode with setuid, setgid or sticky bit needs spec 3.4',
    ),
    is: ({ value }) => typeof value === 'number' && value > 0o777,
    hint: 'set the mode to at most 511 (octal 0777), and the bit by a unit that runs chmod',
  },
  {
    ...laterSpec(/\.source$/, 'a source that starts with arn: needs spec 3.4'),
    is: ({ text }) => text.startsWith('arn:'),
    hint: 'put the contents in as a data: URL',
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
    at: /^storage\.files\[\d+\]\.append\[\d+\]\.source$/,
    message: 'a MachineConfig cannot append to a file',
    hint: 'write the whole file, or a file in the folder of drop-ins',
  },
  {
    code: 'manifest/ignition-unsupported',
    at: /^storage\.files\[\d+\]\.contents\.source$/,
    is: ({ text }) => text !== '' && !text.startsWith('data:'),
    message: 'a file of a MachineConfig must hold its contents as a data: URL',
    hint: 'put the contents in, such as data:,text or data:;base64,dGV4dA==',
  },
];

function laterSpec(at: RegExp, message: string): Rule {
  const hint = 'leave it out: the node is given its configuration in spec 3.2.0';
  return { code: 'manifest/ignition-feature', at, message, hint };
}

function brokenRule(source: ManifestSource, path: FieldPath, { code, message, hint }: Rule): Problem {
  return problem(code, message, { at: placeIn(source, path), hint });
}

interface FoundScalar {
  readonly path: FieldPath;
  readonly scalar: YamlScalar;
}

function scalarsIn(node: YamlNode, path: FieldPath): readonly FoundScalar[] {
  switch (node.kind) {
    case 'scalar':
      return [{ path, scalar: node }];
    case 'list':
      return node.items.flatMap((item, index) => scalarsIn(item, [...path, index]));
    case 'map':
      return node.entries.flatMap(({ key, value }) => scalarsIn(value, [...path, key]));
  }
}
