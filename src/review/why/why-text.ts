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
  /** In a fleet, the layer that sets the value. */
  readonly layer?: FieldLayer;
}

/** A layer of the inputs of a site of a fleet. */
export interface FieldLayer {
  readonly kind: 'base' | 'class' | 'override' | 'table' | 'column' | 'variable' | 'secret';
  /** Name of the class, the column, the variable or the secret. */
  readonly name?: string;
  /** Place of the placeholder that uses the column, the variable or the secret. */
  readonly usedAt?: string;
}

/** Places of the inputs of a site. */
export interface InputPlaces {
  readonly fieldOf: (config: string, field: string) => FieldLocation;
  /** In a fleet, the files of the base, the classes, the table and the override that a file of the site consists of. */
  readonly sourcesOf?: (file: string) => readonly string[];
}

export function whyText(answers: readonly WhyAnswer[], places: InputPlaces): string {
  return answers
    .map(({ subject, trace }) => {
      const { asset, way, template, loops, origins } = trace;
      const lines = [
        nameOf(subject),
        `  asset: ${asset}`,
        ...(way.length > 1 ? [`  included by: ${way.slice(1).join(', ')}`] : []),
        ...(template === undefined ? [] : [`  copied unchanged from templates/${template}`]),
        ...(loops.length === 0 ? [] : [`  control loops: ${loops.join(', ')}`]),
        ...groupsOf(origins).flatMap((group) => groupLines(group, places)),
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

function groupLines(group: readonly AssetOrigins[], places: InputPlaces): readonly string[] {
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
    ...first.fields.flatMap(({ config, field }) => fieldLines(places.fieldOf(config, field))),
    ...first.files.map((file) => `    file ${renderPath(file)}${inBrackets(places.sourcesOf?.(file) ?? [])}`),
    ...(first.generatedValues.length === 0 ? [] : generatedValues.map((each) => `    ${each}`)),
    ...first.environment.map(
      (name) => `    ${name === 'now' ? 'current time' : (environmentNames[name] ?? name)}`,
    ),
  ];
  return [`  inputs of ${title}:`, ...(lines.length === 0 ? ['    defaults only'] : lines)];
}

/** A field that the file omits has no line. */
function fieldLines({ file, line, field, names, layer }: FieldLocation): readonly string[] {
  if (line === undefined) return [];
  const notes = [...(names === undefined ? [] : [names]), ...(layer === undefined ? [] : layerWords(layer))];
  return [`    ${renderPath(file)}:${line}: ${field}${inBrackets(notes)}`];
}

function layerWords({ kind, name, usedAt }: FieldLayer): readonly string[] {
  const used = usedAt === undefined ? [] : [`used in ${usedAt}`];
  return [name === undefined ? kind : `${kind} ${name}`, ...used];
}

function inBrackets(words: readonly string[]): string {
  return words.length === 0 ? '' : ` (${words.map(renderPath).join(', ')})`;
}

/** User-visible names of the environment members. */
const environmentNames: Readonly<Record<string, string>> = {
  releaseImageOverride: 'OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE',
  invoker: 'OPENSHIFT_INSTALL_INVOKER',
  coreosInstallerArguments: 'OPENSHIFT_INSTALL_EXPERIMENTAL_BOOTSTRAP_IN_PLACE_COREOS_INSTALLER_ARGS',
  offlineFiles: '--offline-files',
  showsControlPlane: 'render control-plane',
};

export function whyData(answers: readonly WhyAnswer[], places: InputPlaces): readonly object[] {
  return answers.map(({ subject: { output, inside }, trace }) => ({
    output,
    ...(inside !== undefined && { nodePath: renderPath(inside) }),
    ...traceData(trace),
    origins: trace.origins.map(({ asset, fields, files, generatedValues, environment }) => ({
      asset,
      files: files.map(renderPath),
      ...(places.sourcesOf && { sources: sourcesData(files, places.sourcesOf) }),
      fields: fields.map(({ config, field }) => fieldData(places.fieldOf(config, field))),
      generatedValues,
      environment: environment.map((name) => (name === 'now' ? 'clock' : (environmentNames[name] ?? name))),
    })),
  }));
}

/** The sources of each file, by its name. */
function sourcesData(
  files: readonly string[],
  sourcesOf: (file: string) => readonly string[],
): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(files.map((file) => [renderPath(file), sourcesOf(file).map(renderPath)]));
}

function traceData({ asset, way, template, loops }: Trace): object {
  return { asset, assetChain: way, ...(template !== undefined && { template }), loops };
}

function fieldData({ names, ...field }: FieldLocation): object {
  return { ...field, ...(names !== undefined && { value: renderPath(names) }) };
}
