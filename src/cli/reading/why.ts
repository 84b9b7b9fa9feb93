import { installConfig } from '../../assets/config/install-config.js';
import { snoConfig } from '../../assets/config/sno-config.js';
import type { GlobalOptions, WhyOptions } from '../options.js';
import { report } from '../output/report.js';
import { runRequest } from '../request.js';
import { referenceFields } from '../../config/reading/referenced-texts.js';
import { byCodeUnit } from '../../core/compare.js';
import { problem } from '../../core/problem.js';
import { maskedArgument } from '../../core/quoted.js';
import { problemsOf } from '../../core/result.js';
import { sourceText } from '../../disk/source-text.js';
import { type FieldPath, type YamlNode, nodeAt, spanOf } from '../../formats/yaml/yaml-tree.js';
import { readYaml } from '../../formats/yaml/yaml.js';
import { type Asset, defineAsset } from '../../graph/asset.js';
import { parentsFirst } from '../../graph/engine.js';
import { inputRecorder } from '../../graph/input-recorder.js';
import { receiptName, signatureSuffix } from '../../disk/receipt/receipt.js';
import { type Subject, findSubjects, subjectsOf } from '../../review/why/subjects.js';
import { type Trace, type TracedTarget, outputsOf, traceOf } from '../../review/why/trace.js';
import { type WhyAnswer, type FieldLocation, whyData, whyText } from '../../review/why/why-text.js';
import { look } from '../../run/run.js';
import { pathFromWorkingDirectory } from '../../formats/working-directory.js';
import { ourTemplates } from '../../run/sources/own-templates.js';
import { targetAssets } from '../../run/target-assets.js';
import type { TargetAssets } from '../../run/target.js';
import { isTargetName } from '../../run/targets.js';

/** The configs whose fields are traced, and their files. */
const configFiles = [
  { asset: installConfig, file: 'install-config.yaml' },
  { asset: snoConfig, file: 'sno-config.yaml' },
];

/**
 * Explains the origin of an output. Generates the target in memory with deterministic values and records the inputs of each
 * asset.
 */
export async function why(path: string, options: GlobalOptions & WhyOptions): Promise<void> {
  if (!isTargetName(options.target)) throw new Error(`internal error: target ${options.target}`);
  const configs = configFiles.map(({ asset }) => asset);
  const watch = inputRecorder(configs);
  const { roots, receiptKey }: TargetAssets = targetAssets[options.target];
  const made = await look({ ...runRequest(options.target, options), watch }, everyValue(roots));
  watch.end();
  if (!made.ok) {
    report(options, { problems: problemsOf(made) });
    return;
  }
  const values = made.value;
  const templates = ourTemplates();
  const traced = { roots, valueOf: ({ name }: Asset<unknown>) => values[name], watch, configs, templates };
  if (receiptKey !== undefined && isReceiptName(path)) {
    reportAnswers(options, [receiptAnswer(path, traced)]);
    return;
  }
  const subjects = findSubjects(path, subjectsOf(outputsOf(traced)));
  if (subjects.length === 0) {
    const message = `${options.target} does not write ${maskedArgument(path)}`;
    const hint =
      'name an output, NAME.ign:/path, a path on the node, a unit, a manifest, or Kind/namespace/name';
    report(options, { problems: [problem('why/unknown', message, { hint })] });
    return;
  }
  reportAnswers(
    options,
    subjects.map((subject) => ({ subject, trace: traceOf(subject, traced) })),
  );
}

function reportAnswers(options: GlobalOptions, answers: readonly WhyAnswer[]): void {
  const place = placesIn(options.dir);
  report(options, {
    problems: [],
    text: whyText(answers, place),
    json: { answers: whyData(answers, place) },
  });
}

/** Returns an asset with the values of all assets that the roots depend on, by name. */
function everyValue(roots: readonly Asset<unknown>[]): Asset<Readonly<Record<string, unknown>>> {
  const needs = Object.fromEntries(parentsFirst(roots).map((asset) => [asset.name, asset]));
  return defineAsset({ name: 'why', needs, make: (values) => values });
}

/** Returns a function that locates config fields in the files of a directory. */
function placesIn(dir: string): (config: string, field: string) => FieldLocation {
  const documents = new Map(
    configFiles.map(({ asset, file }) => [
      asset.name,
      { file: pathFromWorkingDirectory(dir, file), root: readYaml(sourceText(dir, file) ?? '').documents[0] },
    ]),
  );
  const referenceOf = (field: string): FieldLocation | undefined => {
    const reference = Object.entries(referenceFields).find(([name]) => name === field)?.[1];
    const { file = '', root } = documents.get(snoConfig.name) ?? {};
    const node = reference === undefined || root === undefined ? undefined : nodeAt(root, [reference]);
    if (reference === undefined || node?.kind !== 'scalar' || node.value === null) return undefined;
    return { file, field: reference, line: node.span.line, names: node.text };
  };
  return (config, asRead) => {
    const { file = config, root } = documents.get(config) ?? {};
    const named = config === installConfig.name ? referenceOf(asRead) : undefined;
    if (named !== undefined) return named;
    // Parsed durations have the suffix `Seconds`; in the file they do not.
    const field = asRead.replace(/Seconds$/, '');
    const line = root && lineOf(root, pathOf(field));
    return { file, field, ...(line !== undefined && { line }) };
  };
}

/** Returns undefined if the file does not contain the field. */
function lineOf(root: YamlNode, path: FieldPath): number | undefined {
  return nodeAt(root, path) === undefined ? undefined : spanOf(root, path, 'key').line;
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
