import { referenceFields } from '../../config/reading/referenced-texts.js';
import { byCodeUnit } from '../../core/compare.js';
import { problem, type Place } from '../../core/problem.js';
import { maskedArgument } from '../../core/quoted.js';
import { failure, success, type Result } from '../../core/result.js';
import { receiptName, signatureSuffix } from '../../disk/receipt/receipt.js';
import { type FieldPath, nodeAt, spanOf } from '../../formats/yaml/yaml-tree.js';
import { readYaml } from '../../formats/yaml/yaml.js';
import { type Asset, defineAsset } from '../../graph/asset.js';
import { parentsFirst } from '../../graph/engine.js';
import { type InputRecorder, inputRecorder } from '../../graph/input-recorder.js';
import { type Subject, findSubjects, subjectsOf } from '../../review/why/subjects.js';
import { type Trace, type TracedTarget, outputsOf, traceOf } from '../../review/why/trace.js';
import type { FieldLocation, WhyAnswer } from '../../review/why/why-text.js';
import { tracedConfigs, targetAssets } from '../target-assets.js';
import type { TargetAssets } from '../target.js';
import type { TargetName } from '../targets.js';
import { ourTemplates } from './own-templates.js';

type AssetValues = Readonly<Record<string, unknown>>;

/** Generates an asset of the target in memory with deterministic values. `watch` records the inputs of each asset. */
export type MakeWatched = (asset: Asset<AssetValues>, watch: InputRecorder) => Promise<Result<AssetValues>>;

/**
 * Explains the origin of an output, or of a file, unit or object in it. Problems: why/unknown, those of `make`.
 */
export async function explainOutput(
  question: string,
  target: TargetName,
  make: MakeWatched,
): Promise<Result<readonly WhyAnswer[]>> {
  const configs = Object.values(tracedConfigs);
  const watch = inputRecorder(configs);
  const { roots, receiptKey }: TargetAssets = targetAssets[target];
  const made = await make(everyValue(roots), watch);
  watch.end();
  if (!made.ok) return made;
  const values = made.value;
  const templates = ourTemplates();
  const traced = { roots, valueOf: ({ name }: Asset<unknown>) => values[name], watch, configs, templates };
  if (receiptKey !== undefined && isReceiptName(question)) return success([receiptAnswer(question, traced)]);
  const subjects = findSubjects(question, subjectsOf(outputsOf(traced)));
  if (subjects.length === 0) {
    const message = `${target} does not write ${maskedArgument(question)}`;
    const hint =
      'name an output, NAME.ign:/path, a path on the node, a unit, a manifest, or Kind/namespace/name';
    return failure(problem('why/unknown', message, { hint }));
  }
  return success(subjects.map((subject) => ({ subject, trace: traceOf(subject, traced) })));
}

/** Returns an asset with the values of all assets that the roots depend on, by name. */
function everyValue(roots: readonly Asset<unknown>[]): Asset<Readonly<Record<string, unknown>>> {
  const needs = Object.fromEntries(parentsFirst(roots).map((asset) => [asset.name, asset]));
  return defineAsset({ name: 'why', needs, make: (values) => values });
}

/** Access to the config files of a site. */
export interface ConfigTexts {
  /** Text of a config file; undefined if it does not exist. */
  readonly textOf: (file: string) => string | undefined;
  /** Shown place of a line of a config file. */
  readonly shownAt: (place: Place) => Omit<FieldLocation, 'field' | 'names'>;
}

/** Returns a function that locates config fields in the config files of a site. */
export function fieldLocations({
  textOf,
  shownAt,
}: ConfigTexts): (config: string, field: string) => FieldLocation {
  const documents = new Map(
    Object.entries(tracedConfigs).map(([file, asset]) => [
      asset.name,
      { file, root: readYaml(textOf(file) ?? '').documents[0] },
    ]),
  );
  const referenceOf = (field: string): FieldLocation | undefined => {
    const reference = Object.entries(referenceFields).find(([name]) => name === field)?.[1];
    const { file = '', root } = documents.get(tracedConfigs['sno-config.yaml'].name) ?? {};
    const node = reference === undefined || root === undefined ? undefined : nodeAt(root, [reference]);
    if (reference === undefined || node?.kind !== 'scalar' || node.value === null) return undefined;
    return { ...shownAt({ file, path: reference, ...node.span }), field: reference, names: node.text };
  };
  return (config, asRead) => {
    const { file = config, root } = documents.get(config) ?? {};
    const named = config === tracedConfigs['install-config.yaml'].name ? referenceOf(asRead) : undefined;
    if (named !== undefined) return named;
    // Parsed durations have the suffix `Seconds`; in the file they do not.
    const field = asRead.replace(/Seconds$/, '');
    const path = pathOf(field);
    const span = root && nodeAt(root, path) && spanOf(root, path, 'key');
    return { ...shownAt({ file, path: field, ...span }), field };
  };
}

function pathOf(field: string): FieldPath {
  return [...field.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, name, index]) => name ?? Number(index));
}

/** Whether the argument names the receipt of the outputs or its signature. */
function isReceiptName(question: string): boolean {
  return question === receiptName || question === `${receiptName}${signatureSuffix}`;
}

/** Explains the receipt. It is not an asset; its inputs are all files and variables that any asset read. */
function receiptAnswer(
  question: string,
  { roots, watch }: Pick<TracedTarget, 'roots' | 'watch'>,
): { readonly subject: Subject; readonly trace: Trace } {
  const asset = 'receipt';
  const origins = parentsFirst(roots).map((each) => watch.originsOf(each));
  const all = (of: 'files' | 'environment'): readonly string[] =>
    [...new Set(origins.flatMap((each) => [...each[of]]))].toSorted(byCodeUnit);
  const origin = {
    asset,
    fields: [],
    files: all('files'),
    generatedValues: [],
    environment: all('environment'),
  };
  return {
    subject: { output: question, names: [question], bytes: Buffer.alloc(0) },
    trace: { asset, way: [asset], loops: [], origins: [origin] },
  };
}
