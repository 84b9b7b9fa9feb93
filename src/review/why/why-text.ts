import { printable } from '../../core/printable.js';
import type { Subject } from './subjects.js';
import type { AssetOrigins, Trace } from './trace.js';
import { renderPath } from '../render-text.js';

export interface WhyAnswer {
  readonly subject: Subject;
  readonly trace: Trace;
}

/** A config field with its line; without a line if the file omits it and the default applies. */
export interface FieldLocation {
  readonly file: string;
  readonly field: string;
  readonly line?: number;
  /** The value of a reference field, such as a file name. */
  readonly names?: string;
}

type PlaceOf = (config: string, field: string) => FieldLocation;

export function whyText(answers: readonly WhyAnswer[], placeOf: PlaceOf): string {
  return answers
    .map(({ subject, trace }) => {
      const { asset, way, template, loops, origins } = trace;
      const lines = [
        nameOf(subject),
        `  asset: ${asset}`,
        ...(way.length > 1 ? [`  included by: ${way.slice(1).join(', ')}`] : []),
        ...(template === undefined ? [] : [`  copied unchanged from templates/${template}`]),
        ...(loops.length === 0 ? [] : [`  control loops: ${loops.join(', ')}`]),
        ...groupsOf(origins).flatMap((group) => groupLines(group, placeOf)),
      ];
      return `${lines.map(printable).join('\n')}\n`;
    })
    .join('\n');
}

function nameOf({ output, inside }: Subject): string {
  return inside === undefined ? output : `${output}:${renderPath(inside)}`;
}

/** Groups assets with equal inputs. Certificates differ only in their generated values. */
function groupsOf(origins: readonly AssetOrigins[]): readonly (readonly AssetOrigins[])[] {
  const groups = new Map<string, AssetOrigins[]>();
  for (const each of origins) {
    const key = JSON.stringify([each.fields, each.files, each.environment, each.generatedValues.length]);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups.values()];
}

/** Limit for asset names per group. */
const namedAssets = 3;

function groupLines(group: readonly AssetOrigins[], placeOf: PlaceOf): readonly string[] {
  const [first] = group;
  if (first === undefined) return [];
  const names = group.slice(0, namedAssets).map(({ asset }) => asset);
  const more = group.length > namedAssets ? [`${group.length - namedAssets} more`] : [];
  const title = [...names, ...more].join(', ');
  const generatedValues =
    group.length === 1
      ? first.generatedValues.map((label) => `generated value ${label}`)
      : ['a generated value for each'];
  const lines = [
    ...first.fields.flatMap(({ config, field }) => fieldLines(placeOf(config, field))),
    ...first.files.map((file) => `    file ${renderPath(file)}`),
    ...(first.generatedValues.length === 0 ? [] : generatedValues.map((each) => `    ${each}`)),
    ...first.environment.map(
      (name) => `    ${name === 'now' ? 'current time' : (environmentNames[name] ?? name)}`,
    ),
  ];
  return [`  inputs of ${title}:`, ...(lines.length === 0 ? ['    defaults only'] : lines)];
}

/** A field that the file omits has no line. */
function fieldLines({ file, line, field, names }: FieldLocation): readonly string[] {
  if (line === undefined) return [];
  return [`    ${file}:${line}: ${field}${names === undefined ? '' : ` (${renderPath(names)})`}`];
}

/** User-visible names of the environment members. */
const environmentNames: Readonly<Record<string, string>> = {
  releaseImageOverride: 'OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE',
  invoker: 'OPENSHIFT_INSTALL_INVOKER',
  coreosInstallerArguments: 'OPENSHIFT_INSTALL_EXPERIMENTAL_BOOTSTRAP_IN_PLACE_COREOS_INSTALLER_ARGS',
  offlineFiles: '--offline-files',
};

export function whyData(answers: readonly WhyAnswer[], placeOf: PlaceOf): readonly object[] {
  return answers.map(({ subject: { output, inside }, trace }) => ({
    output,
    ...(inside !== undefined && { nodePath: renderPath(inside) }),
    ...traceData(trace),
    origins: trace.origins.map(({ asset, fields, files, generatedValues, environment }) => ({
      asset,
      files: files.map(renderPath),
      fields: fields.map(({ config, field }) => fieldData(placeOf(config, field))),
      generatedValues,
      environment: environment.map((name) => (name === 'now' ? 'clock' : (environmentNames[name] ?? name))),
    })),
  }));
}

function traceData({ asset, way, template, loops }: Trace): object {
  return { asset, assetChain: way, ...(template !== undefined && { template }), loops };
}

function fieldData({ names, ...field }: FieldLocation): object {
  return { ...field, ...(names !== undefined && { value: renderPath(names) }) };
}
