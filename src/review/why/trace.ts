import { KeyPem } from '../../formats/keys/key-pem.js';
import { byCodeUnit } from '../../core/compare.js';
import { isRecord } from '../../core/is-record.js';
import type { OutputFile } from '../../core/output-file.js';
import type { Asset } from '../../graph/asset.js';
import { parentsFirst } from '../../graph/engine.js';
import type { InputRecorder } from '../../graph/input-recorder.js';
import type { LoopRecord } from '../../control-plane/loops/loop-recorder.js';
import type { KnownTemplates } from '../output-tree.js';
import type { Subject } from './subjects.js';

/** A generated target with the recorded inputs of its assets. */
export interface TracedTarget {
  readonly roots: readonly Asset<unknown>[];
  readonly valueOf: (asset: Asset<unknown>) => unknown;
  readonly watch: InputRecorder;
  /** Assets with config fields. A trace ends at them and lists the fields instead. */
  readonly configs: readonly Asset<unknown>[];
  readonly templates: KnownTemplates;
}

/** Inputs of one asset from outside of the graph. */
export interface AssetOrigins {
  readonly asset: string;
  /** Fields with the name of their config asset, sorted. */
  readonly fields: readonly { readonly config: string; readonly field: string }[];
  readonly files: readonly string[];
  readonly generatedValues: readonly string[];
  readonly environment: readonly string[];
}

/** The origin of an output or of a part of it. */
export interface Trace {
  /** The first asset whose value contains it. */
  readonly asset: string;
  /** The assets from that one to the output; each needs the previous one. */
  readonly way: readonly string[];
  /** The file in templates/ with the same bytes. It contains nothing from the inputs. */
  readonly template?: string;
  /** The control loops that created or copied it, as `<component> <loop>`, in order of execution. */
  readonly loops: readonly string[];
  /** That asset, then its dependencies, nearest first; only assets with inputs. */
  readonly origins: readonly AssetOrigins[];
}

export function traceOf(subject: Subject, traced: TracedTarget): Trace {
  const { roots, valueOf, configs, templates } = traced;
  // Assets that parse the configs contain all of their text but did not create the output.
  const reading = new Set(parentsFirst(configs));
  const order = parentsFirst(roots).filter((asset) => !reading.has(asset));
  const root = roots.find((each) => each.files(valueOf(each)).some(({ path }) => path === subject.output));
  if (root === undefined) throw new Error(`internal error: no asset writes ${subject.output}`);
  const template = subject.bytes.length === 0 ? undefined : templates.get(subject.bytes.toString('latin1'));
  const asset =
    template === undefined
      ? (order.find((each) => holdsContents(valueOf(each), subject)) ??
        holderOf(order, subject, valueOf) ??
        root)
      : (holderOf(order, subject, valueOf) ?? root);
  const way = dependencyPath(asset, root) ?? [asset, root];
  return {
    asset: asset.name,
    way: way.map(({ name }) => name),
    ...(template !== undefined && { template }),
    loops: template === undefined ? loopsOf(subject, recordsIn(order.map(valueOf))) : [],
    origins: template === undefined ? originsOf(asset, traced) : [],
  };
}

/** Returns the first asset whose value has an entry with this path or name. */
function holderOf(
  order: readonly Asset<unknown>[],
  { names }: Subject,
  valueOf: TracedTarget['valueOf'],
): Asset<unknown> | undefined {
  return order.find((asset) =>
    someWithin(
      valueOf(asset),
      (value) =>
        isRecord(value) &&
        [value['path'], value['name']].some(
          (name) =>
            typeof name === 'string' &&
            names.includes(name) &&
            ('contents' in value || 'text' in value || 'dropins' in value || 'url' in value),
        ),
    ),
  );
}

/** Shorter texts occur in too many places to identify their origin. */
const tellingLength = 24;

function holdsContents(value: unknown, { bytes }: Subject): boolean {
  if (bytes.length < tellingLength) return false;
  const text = bytes.toString('utf8');
  return someWithin(value, (each) => (each instanceof KeyPem ? each.reveal() : each) === text);
}

/** Depth limit for searches in asset values. */
const deepest = 10;

/** Searches plain data recursively. */
function someWithin(value: unknown, isWanted: (value: unknown) => boolean, depth = 0): boolean {
  if (isWanted(value)) return true;
  if (depth === deepest || typeof value !== 'object' || value === null || value instanceof Uint8Array)
    return false;
  return Object.values(value).some((member) => someWithin(member, isWanted, depth + 1));
}

/** Returns the shortest dependency path from `from` up to `to`. */
function dependencyPath(from: Asset<unknown>, to: Asset<unknown>): readonly Asset<unknown>[] | undefined {
  const seen = new Set<Asset<unknown>>([to]);
  let ways: readonly (readonly Asset<unknown>[])[] = [[to]];
  while (ways.length > 0) {
    const found = ways.find(([first]) => first === from);
    if (found !== undefined) return found;
    ways = ways.flatMap((way) => {
      const needs = Object.values(way[0]?.needs ?? {}).filter((need) => !seen.has(need));
      for (const need of needs) seen.add(need);
      return needs.map((need) => [need, ...way]);
    });
  }
  return undefined;
}

function originsOf(asset: Asset<unknown>, { watch, configs }: TracedTarget): readonly AssetOrigins[] {
  const seen = new Set<Asset<unknown>>([asset]);
  // Iterating a Set includes items added meanwhile. This gives breadth-first order.
  for (const each of seen) {
    for (const need of Object.values(each.needs)) if (!configs.includes(need)) seen.add(need);
  }
  return [...seen]
    .map((each) => {
      const { fields, files, generatedValues, environment } = watch.originsOf(each);
      return {
        asset: each.name,
        fields: [...fields].flatMap(([config, names]) =>
          mostExact([...names].toSorted(byCodeUnit)).map((field) => ({ config, field })),
        ),
        files: [...files].toSorted(byCodeUnit),
        generatedValues: [...generatedValues].toSorted(byCodeUnit),
        environment: [...environment].toSorted(byCodeUnit),
      };
    })
    .filter(({ fields, files, generatedValues, environment }) =>
      [fields, files, generatedValues, environment].some(({ length }) => length > 0),
    );
}

/** Removes fields that contain other fields that were read. */
function mostExact(fields: readonly string[]): readonly string[] {
  return fields.filter(
    (field) => !fields.some((other) => other.startsWith(`${field}.`) || other.startsWith(`${field}[`)),
  );
}

/** Returns the records of the control loops. */
function recordsIn(values: readonly unknown[]): readonly LoopRecord[] {
  return values.flatMap((value) => (isRendered(value) ? value.records : []));
}

function isRendered(value: unknown): value is { readonly records: readonly LoopRecord[] } {
  return isRecord(value) && Array.isArray(value['records']) && 'rounds' in value;
}

export function outputsOf({ roots, valueOf }: TracedTarget): readonly OutputFile[] {
  return roots.flatMap((root) => root.files(valueOf(root)));
}

/**
 * Returns the loops that created or changed the object behind a file of the control plane. A static pod is in a ConfigMap, and
 * its mounts are in ConfigMaps and Secrets: first under their own names, then copied with the number of a revision.
 */
function loopsOf({ inside = '' }: Subject, records: readonly LoopRecord[]): readonly string[] {
  const object = objectOf(inside);
  if (object === undefined) return [];
  return records
    .filter(({ produced }) => produced.some((key) => object.test(key)))
    .map(({ component, loop }) => `${component} ${loop}`);
}

function objectOf(path: string): RegExp | undefined {
  const [, pod] = /\/manifests\/([\w-]+-pod)\.yaml$/.exec(path) ?? [];
  if (pod !== undefined) return new RegExp(`^ConfigMap/[\\w-]+/${pod}(?:-\\d+)?$`);
  const [, kind = '', name = ''] =
    /\/static-pod-resources\/[\w-]+\/(configmaps|secrets)\/([\w.-]+)\//.exec(path) ?? [];
  if (name === '') return undefined;
  return new RegExp(`^${kind === 'secrets' ? 'Secret' : 'ConfigMap'}/[\\w-]+/${escaped(name)}(?:-\\d+)?$`);
}

function escaped(text: string): string {
  return text.replace(/[.]/g, '\\.');
}
